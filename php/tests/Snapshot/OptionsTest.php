<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\SnapshotFailedException;
use Polypack\Snapshot\KeyRing;
use Polypack\Snapshot\Serializer;
use Polypack\Tests\Support\Snapshot\Codec;
use Polypack\Tests\Support\Snapshot\Outcomes;

/**
 * Options, keys, and the functions.
 */
final class OptionsTest extends TestCase
{
    /**
     * Code without strict types would pass null on to the extension as an empty string.
     */
    public function testNullIsNoInput(): void
    {
        $misses = [
            static fn(): mixed => (new \ReflectionFunction('polypack_unserialize'))->invoke(null), static fn(): mixed => (new \ReflectionFunction('polypack_unserialize'))->invoke(null, ['allowed_classes' => false]),
            static fn(): mixed => (new \ReflectionFunction('polypack_unserialize_signed'))->invoke(null, \str_repeat('k', 32)),
        ];
        foreach ($misses as $i => $miss) {
            try {
                $miss();
                self::fail("{$i}");
            } catch (\TypeError $error) {
                self::assertStringContainsString('Argument #1 ($bytes) must be of type string, null given', $error->getMessage());
            }
        }
        self::assertSame('unexpected_end@0', Outcomes::of(static fn(): mixed => Codec::unserialize('')));
    }

    private const KEY = 'sixteen bytes or';

    /**
     * @return iterable<string, array{\Closure(): mixed, string}>
     */
    public static function wrong(): iterable
    {
        $bytes = Codec::serialize(1);
        foreach ([
            ['allowed_class' => []], ['purpose' => 'x'], ['floats' => 'raw'], [5 => true],
        ] as $options) {
            yield 'reading ' . \json_encode($options) => [static fn(): mixed => Codec::unserialize($bytes, $options), 'there is no option']; // @phpstan-ignore argument.type
        }
        foreach ([
            ['allowed_classes' => 'stdClass'], ['allowed_classes' => [5]], ['aliases' => ['x']], ['aliases' => 5], ['unknown_class' => 'null'],
            ['on_mismatch' => 'ignore'], ['on_mismatch' => ['A' => 'drop']], ['max_depth' => '5'], ['mismatches' => []], ['learn' => true], ['version' => 2],
        ] as $options) {
            yield 'reading ' . \json_encode($options) => [static fn(): mixed => Codec::unserialize($bytes, $options), 'must be'];
        }
        foreach (['allowed_classes', 'aliases', 'unknown_class', 'on_mismatch', 'mismatches', 'learn', 'max_depth', 'max_elements', 'max_collisions', 'purpose', 'frame'] as $name) {
            $reading = static fn(array $options): mixed => \str_starts_with($name, 'p') || $name === 'frame'
                ? Codec::unserializeSigned(Codec::serializeSigned(1, self::KEY), self::KEY, $options) // @phpstan-ignore argument.type
                : Codec::unserialize($bytes, $options); // @phpstan-ignore argument.type
            yield "reading, {$name} is null" => [static fn(): mixed => $reading([$name => null]), 'must be'];
            yield "reading, {$name} and another are null" => [static fn(): mixed => $reading(['version' => null, $name => null]), 'must be'];
        }
        foreach (['floats', 'unserializable', 'learn', 'max_depth', 'max_elements', 'purpose', 'frame'] as $name) {
            yield "writing, {$name} is null" => [static fn(): mixed => Codec::serializeSigned(1, self::KEY, [$name => null]), 'must be'];
            yield "writing V1, {$name} is null" => [static fn(): mixed => Codec::serializeSigned(1, self::KEY, [$name => null, 'version' => 1]), 'must be'];
        }
        foreach (['', '\\'] as $new) {
            yield "the alias '{$new}'" => [static fn(): mixed => Codec::unserialize($bytes, ['aliases' => ['a' => $new]]), 'must be'];
        }
        yield 'a depth below 0' => [static fn(): mixed => Codec::unserialize($bytes, ['max_depth' => -1]), 'max_depth is -1'];
        yield 'writing' => [static fn(): mixed => Codec::serialize(1, ['allowed_classes' => []]), 'there is no option'];
        yield 'floats' => [static fn(): mixed => Codec::serialize(1, ['floats' => 'short']), 'must be'];
        yield 'no key' => [static fn(): mixed => Codec::serializeSigned(1, ''), 'has 0 bytes'];
        yield 'a short key' => [static fn(): mixed => Codec::unserializeSigned('', 'fifteen bytes o'), 'has 15 bytes'];
        yield 'a short key in a ring' => [static fn(): mixed => new KeyRing(['a' => 'short']), 'has 5 bytes'];
        yield 'an empty ring' => [static fn(): mixed => new KeyRing([]), 'is empty'];
        yield 'a bad id' => [static fn(): mixed => new KeyRing(['a b' => self::KEY]), 'id'];
        yield 'a long id' => [static fn(): mixed => new KeyRing([\str_repeat('a', 33) => self::KEY]), 'id'];
        yield 'a folder' => [static fn(): mixed => KeyRing::fromFile(__DIR__), "can't be read"];
        yield 'no file' => [static fn(): mixed => KeyRing::fromFile('/nowhere/keys'), "can't be read"];
    }

    /**
     * @param \Closure(): mixed $do
     */
    #[DataProvider('wrong')]
    public function testWrongUseIsAnErrorOfItsOwn(\Closure $do, string $text): void
    {
        $this->expectException(InvalidOptionException::class);
        $this->expectExceptionMessage($text);
        $do();
    }

    public function testTheErrorSaysWhatWhereAndHowToMendIt(): void
    {
        try {
            Codec::unserialize("\xc1\x53\x01\x00\x81\xce\x01\x41\x61\x45");
            self::fail('nothing was thrown');
        } catch (SnapshotFailedException $failure) {
            self::assertSame('a value takes 5 bytes but 0 remain, at byte 9 (path "/0/a"); the input is truncated', $failure->getMessage());
            self::assertSame(9, $failure->offset);
        }
    }

    public function testTheFunctionsDoTheSame(): void
    {
        $value = ['a' => [1, 2.5, null]];
        $bytes = \polypack_serialize($value, ['floats' => 'raw']);

        self::assertSame(Serializer::serialize($value), $bytes);
        self::assertSame($value, \polypack_unserialize($bytes, ['max_depth' => 3]));
        $signed = \polypack_serialize_signed($value, self::KEY, ['purpose' => 'p']);
        self::assertSame($value, \polypack_unserialize_signed($signed, self::KEY, ['purpose' => 'p']));
        self::assertSame('invalid_signature@0', Outcomes::of(static fn(): mixed => \polypack_unserialize_signed($signed, self::KEY)));
        self::assertNull(\polypack_unserialize(\polypack_serialize(null)));
    }

    public function testOffsetsBehindAnEnvelopeCountFromItsStart(): void
    {
        $signed = Codec::serializeSigned([[1]], self::KEY);

        self::assertSame('limit_exceeded@60 /0', Outcomes::of(static fn(): mixed => Codec::unserializeSigned($signed, self::KEY, ['max_depth' => 1])));
    }

    public function testKeysAreRotatedByReadingTheFileAgain(): void
    {
        $file = (string) \tempnam(\sys_get_temp_dir(), 'keys');
        try {
            $new = \base64_encode(\str_repeat('n', 32));
            $old = \base64_encode(\str_repeat('o', 32));
            \file_put_contents($file, "# the first signs\n\n2026-01={$old}\n");
            $signed = Codec::serializeSigned(1, KeyRing::fromFile($file));
            \file_put_contents($file, "2026-02 = {$new}\n2026-01={$old}\n");
            $ring = KeyRing::fromFile($file);
            self::assertSame(1, Codec::unserializeSigned($signed, $ring));
            $newer = Codec::serializeSigned(2, $ring);
            \file_put_contents($file, "2026-02={$new}\n");
            $ring = KeyRing::fromFile($file);
            self::assertSame(2, Codec::unserializeSigned($newer, $ring));
            self::assertSame('invalid_signature@0', Outcomes::of(static fn(): mixed => Codec::unserializeSigned($signed, $ring)));
            \file_put_contents($file, "2026-02={$new}\n2026-02={$old}\n");
            $this->expectException(InvalidOptionException::class);
            KeyRing::fromFile($file);
        } finally {
            \unlink($file);
        }
    }

    public function testAKeyRingShowsNoKey(): void
    {
        $ring = new KeyRing(['a' => self::KEY]);

        $all = [$ring, clone $ring, (array) $ring, \get_mangled_object_vars($ring)];
        $shown = \print_r($all, true) . \var_export($all, true) . \json_encode($all);
        self::assertStringNotContainsString(self::KEY, $shown);
        self::assertSame(['ids' => ['a']], $ring->__debugInfo());
        self::assertSame(1, Codec::unserializeSigned(Codec::serializeSigned(1, $ring), clone $ring));
        $this->expectException(\LogicException::class);
        Codec::serialize($ring);
    }

    public function testBytesMakeNoKeyRing(): void
    {
        $name = KeyRing::class;
        $length = \strlen($name);
        foreach ([
            static fn(): mixed => \unserialize("O:{$length}:\"{$name}\":0:{}"),
            static fn(): mixed => Codec::unserialize("\xc1\x53\x01\x00\xd0" . \chr(0x40 + $length) . "{$name}\x00\x80"),
            static fn(): mixed => Codec::unserialize("\xc1\x53\x01\x00\xcf" . \chr(0x40 + $length) . "{$name}\x00\x00\x00\x00"),
        ] as $make) {
            try {
                $make();
                self::fail('no exception');
            } catch (\LogicException $error) {
                self::assertSame('a key ring is not unserialized', $error->getMessage());
            }
        }
    }

    public function testThePlainFrameIsThatOfOtherLibraries(): void
    {
        $bytes = Codec::serialize([1]);

        self::assertSame($bytes . \hash_hmac('sha256', $bytes, self::KEY, true), Codec::serializeSigned([1], self::KEY, ['frame' => 'plain']));
        self::assertSame([1], Codec::unserializeSigned($bytes . \hash_hmac('sha256', $bytes, self::KEY, true), self::KEY, ['frame' => 'plain']));
    }

    public function testWhatIsWrittenIsReadWithTheSameLimit(): void
    {
        $value = [\range(0, 99), \array_fill(0, 50, 'x'), [['t' => [1, 2]], ['t' => [1, 2]]], \array_map(static fn(int $i): array => ['a' => true, 'b' => "n{$i}"], \range(1, 20))];
        foreach ([0, 1, 2, 10, 50, 99, 100, 101, 150, 172, 173, 500] as $limit) {
            $bytes = Codec::serialize($value, ['max_elements' => $limit]);
            self::assertSame($value, Codec::unserialize($bytes, ['max_elements' => $limit]));
        }
    }

    public function testDepthIsLimitedOnBothSides(): void
    {
        $nested = static function (int $depth): array {
            $value = [];
            for (; $depth > 1; --$depth) {
                $value = [$value];
            }

            return $value;
        };
        self::assertSame('ok', Outcomes::of(static fn(): mixed => Codec::unserialize(Codec::serialize($nested(512)))));
        self::assertSame('limit_exceeded ' . \str_repeat('/0', 512), Outcomes::of(static fn(): mixed => Codec::serialize($nested(513))));
        self::assertSame('ok', Outcomes::of(static fn(): mixed => Codec::serialize($nested(600), ['max_depth' => 600])));
    }

    /**
     * Columns and tables are containers, too, and say so before they are read.
     */
    public function testTheDepthOfColumnsAndTablesIsLimited(): void
    {
        $rows = \array_map(static fn(int $i): array => ['a' => $i, 'b' => "n{$i}"], \range(1, 20));
        foreach (['column' => \range(0, 99), 'keyed column' => \array_combine(\range(5, 104), \range(0, 99)), 'table' => $rows] as $name => $value) {
            $bytes = Codec::serialize([$value]);
            self::assertSame('limit_exceeded@5 /0', Outcomes::of(static fn(): mixed => Codec::unserialize($bytes, ['max_depth' => 1])), $name);
            self::assertSame([$value], Codec::unserialize($bytes, ['max_depth' => 3]), $name);
        }
    }

    public function testComparisonsOfKeysHaveOneBudget(): void
    {
        $map = \array_fill_keys(\array_map(static fn(int $i): int => $i << 20, \range(1, 300)), 'x');
        foreach ([[], ['version' => 1]] as $version) {
            $bytes = Serializer::serialize(['a' => $map, 'b' => [$map + ['last' => 1]]], $version);
            $unserialize = static fn(int $limit): string => Outcomes::of(static fn(): mixed => Serializer::unserialize($bytes, $version + ['max_collisions' => $limit]));
            self::assertMatchesRegularExpression('~^limit_exceeded@\d+ /b/0$~', $unserialize(2 * 44_850 - 1));
            self::assertSame('ok', $unserialize(2 * 44_850 + 300));
        }
    }
}
