<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\Exception\ErrorCode;
use Polypack\Exception\SnapshotFailedException;
use Polypack\Native\Engine;
use Polypack\Snapshot\Serializer;

/**
 * Each array and object of a shape with long names costs (spec/10-snapshot.md#limits): with the extension as without.
 */
final class LongNamesTest extends TestCase
{
    /** PHP's hash of both is the same. */
    private const ENDS = ['FY', 'Ez'];

    /** What a comparison of one of the keys costs. */
    private const EACH = 1 + (1002 >> 6);

    private ?bool $before;

    protected function setUp(): void
    {
        $this->before = Engine::$isActive;
    }

    protected function tearDown(): void
    {
        Engine::$isActive = $this->before;
    }

    #[DataProvider('values')]
    public function testTheyCost(mixed $value, int $cost): void
    {
        $bytes = Serializer::serialize($value);
        foreach (\extension_loaded('polypack') ? [false, true] : [false] as $engine) {
            Engine::$isActive = $engine;
            self::assertEquals($value, Serializer::unserialize($bytes, ['max_collisions' => $cost]));
            try {
                Serializer::unserialize($bytes, ['max_collisions' => $cost - 1]);
                self::fail('the keys cost too little');
            } catch (SnapshotFailedException $error) {
                self::assertSame(ErrorCode::LimitExceeded, $error->errorCode);
                self::assertStringContainsString('max_collisions', $error->getMessage());
            }
        }
    }

    /**
     * @return iterable<string, array{mixed, int}>
     */
    public static function values(): iterable
    {
        $row = static fn(mixed $first): array => [self::key(0) => $first, self::key(1) => 2];
        yield 'one array' => [$row(1), self::EACH];
        yield 'arrays' => [[$row([1]), 'x', $row('y'), $row(null)], 3 * self::EACH];
        // A table needs a column that costs bytes.
        $texts = \array_map(static fn(int $i): string => \md5((string) $i), \range(1, 40));
        yield 'rows of a table' => [\array_map($row, $texts), 40 * self::EACH];
        yield 'rows in full' => [\array_map($row, \range(1, 40)), 40 * self::EACH];
        yield 'rows of a table that are objects' => [\array_map(static fn(string $text): object => (object) $row($text), $texts), 40 * self::EACH];
        yield 'objects' => [[(object) $row(1), 'x', (object) $row('y')], 2 * self::EACH];
        yield 'rows that are objects' => [\array_map(static fn(int $i): object => (object) $row($i), \range(1, 40)), 40 * self::EACH];
    }

    /**
     * Names of up to 1,024 bytes cost nothing, and nor do keys of maps, which stand in each map.
     */
    public function testOthersDoNot(): void
    {
        $name = \str_repeat('k', 510);
        foreach ([["{$name}FY" => 1, "{$name}Ez" => 2], [5 => 0, self::key(0) => 1, self::key(1) => 2]] as $value) {
            self::assertSame([$value, $value], Serializer::unserialize(Serializer::serialize([$value, $value]), ['max_collisions' => 1]));
        }
    }

    /**
     * The budget is never overrun, whatever a count says.
     */
    public function testManyRows(): void
    {
        $rows = \array_map(static fn(int $i): array => [self::key(0) => $i, self::key(1) => 2], \range(1, 40));
        foreach ([\PHP_INT_MAX, \PHP_INT_MAX - 1, 1 << 62] as $most) {
            self::assertSame($rows, Serializer::unserialize(Serializer::serialize($rows), ['max_collisions' => $most]));
        }
    }

    private static function key(int $end): string
    {
        return \str_repeat('k', 1000) . self::ENDS[$end];
    }

    /**
     * V1 names a key of its dictionary in a few bytes, in maps and objects.
     */
    public function testV1(): void
    {
        $dictionary = "\x01\x03\xea\x07" . self::key(0) . "\xea\x07" . self::key(1) . "\x08stdClass";
        $map = "\x06\x02\x01\x00\x03\x05\x01\x01\x03\x05";
        $object = "\x0a\x02\x02\x00\x03\x05\x01\x03\x05";
        foreach ([$map, $object] as $value) {
            $bytes = "{$dictionary}\x07\x03{$value}{$value}{$value}";
            $options = ['version' => 1, 'allowed_classes' => [\stdClass::class]];
            self::assertCount(3, (array) Serializer::unserialize($bytes, $options + ['max_collisions' => 3 * self::EACH]));
            try {
                Serializer::unserialize($bytes, $options + ['max_collisions' => 3 * self::EACH - 1]);
                self::fail('the keys cost too little');
            } catch (SnapshotFailedException $error) {
                self::assertSame([ErrorCode::LimitExceeded, '/2'], [$error->errorCode, $error->path]);
            }
        }
    }

    /**
     * Names of an object in V1 are found by their hashes, and so their comparisons count.
     */
    public function testManyNamesInV1(): void
    {
        $keys = [];
        for ($i = 0; $i < 512; ++$i) {
            $keys[] = \implode('', \array_map(static fn(int $bit): string => self::ENDS[$i >> $bit & 1], \range(0, 8)));
        }
        $bytes = "\x01\x81\x04\x08stdClass" . \implode('', \array_map(static fn(string $key): string => "\x12{$key}", $keys)) . "\x0a\x00\x80\x04";
        foreach ($keys as $i => $_) {
            $bytes .= ($i + 1 < 0x80 ? \chr($i + 1) : \chr($i + 1 & 0x7f | 0x80) . \chr($i + 1 >> 7)) . "\x00";
        }
        $options = ['version' => 1, 'allowed_classes' => [\stdClass::class]];
        $cost = 512 * 511 / 2 + \array_sum(\array_map(static fn(int $i): int => 18 * ($i + 1) > 1024 ? 18 : 0, \array_keys($keys)));
        self::assertCount(512, (array) Serializer::unserialize($bytes, $options + ['max_collisions' => $cost]));
        $this->expectException(SnapshotFailedException::class);
        Serializer::unserialize($bytes, $options + ['max_collisions' => $cost - 1]);
    }
}
