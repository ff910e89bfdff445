<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\Exception\SnapshotFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\MessagePack;
use Polypack\Snapshot\Format;
use Polypack\Snapshot\KeyRing;
use Polypack\Snapshot\Serializer;
use Polypack\Tests\Support\Snapshot\Codec;
use Polypack\Tests\Support\Snapshot\Hooked;
use Polypack\Tests\Support\Snapshot\Outcomes;
use Polypack\UnpackOptions;

/**
 * Envelopes (spec/11-envelope.md), those of the extension and those of the class.
 */
final class SignedTest extends TestCase
{
    private const KEY = 'sixteen bytes or';
    private const ENVELOPE = 55;

    /** RFC 4231, cases 1 to 4, 6 and 7: key, data, HMAC-SHA256, all in hex. */
    private const RFC = [
        ['0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b', '4869205468657265', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
        ['4a656665', '7768617420646f2079612077616e7420666f72206e6f7468696e673f', '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'],
        ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'dd*50', '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe'],
        ['0102030405060708090a0b0c0d0e0f10111213141516171819', 'cd*50', '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b'],
        ['aa*131', '54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b6579204669727374', '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54'],
        ['aa*131', '5468697320697320612074657374207573696e672061206c6172676572207468616e20626c6f636b2d73697a65206b657920616e642061206c6172676572207468616e20626c6f636b2d73697a6520646174612e20546865206b6579206e6565647320746f20626520686173686564206265666f7265206265696e6720757365642062792074686520484d414320616c676f726974686d2e', '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2'],
    ];

    public function testPhpsHmacIsThatOfTheRfc(): void
    {
        foreach (self::RFC as [$key, $data, $tag]) {
            self::assertSame($tag, \hash_hmac('sha256', self::bytes($data), self::bytes($key)));
        }
    }

    private static function bytes(string $hex): string
    {
        [$byte, $times] = [...\explode('*', $hex), '1'];

        return \str_repeat((string) \hex2bin($byte), (int) $times);
    }

    /**
     * Keys and messages around the blocks of SHA-256, the keys of the RFC among them.
     */
    public function testTagsAreThoseOfPhpsHmac(): void
    {
        $keys = \array_map(static fn(int $length): string => \substr(\str_repeat("key \xff\0 of any length", 12), 0, $length), [16, 32, 55, 63, 64, 65, 128, 200]);
        foreach (self::RFC as [$key]) {
            $keys[] = self::bytes($key);
        }
        foreach (\array_filter($keys, static fn(string $key): bool => \strlen($key) >= KeyRing::SHORTEST) as $key) {
            foreach ([...\range(0, 140), 1000, 65_536] as $length) {
                $purpose = \substr(self::KEY, $length % 17);
                $ring = $length % 3 === 0 ? $key : new KeyRing(['17' => $key, 'other' => self::KEY]);
                $value = \str_repeat('v', $length);
                $head = "\xc1E\x01\x01" . \str_repeat("\0", 10) . \substr(\hash('sha256', $purpose, true), 0, 8) . ($length % 3 === 0 ? "\0" : "\x0217");
                $payload = Serializer::serialize($value);
                $tag = \hash_hmac('sha256', $head . \pack('V', \strlen($purpose)) . $purpose . $payload, $key, true);
                $signed = Codec::serializeSigned($value, $ring, ['purpose' => $purpose]);
                self::assertSame(\bin2hex($head . $tag . $payload), \bin2hex($signed));
                self::assertSame($value, Codec::unserializeSigned($signed, $ring, ['purpose' => $purpose]));
            }
        }
    }

    public function testEachBitOfAnEnvelopeCounts(): void
    {
        foreach ([self::KEY, new KeyRing(['k' => self::KEY])] as $key) {
            $signed = Codec::serializeSigned(['n' => 1], $key, ['purpose' => 'p']);
            for ($i = 0; $i < \strlen($signed); ++$i) {
                self::assertSame('invalid_signature@0', self::read(\substr($signed, 0, $i), $key, 'p'), "cut to {$i} bytes");
                for ($bit = 1; $bit < 256; $bit <<= 1) {
                    self::assertSame('invalid_signature@0', self::read(\substr_replace($signed, \chr(\ord($signed[$i]) ^ $bit), $i, 1), $key, 'p'), "byte {$i}");
                }
            }
            self::assertSame('invalid_signature@0', self::read("{$signed}\0", $key, 'p'));
            foreach (['', 'P', 'p ', "p\0"] as $purpose) {
                self::assertSame('invalid_signature@0', self::read($signed, $key, $purpose));
            }
            self::assertSame('invalid_signature@0', self::read($signed, new KeyRing(['other' => self::KEY]), 'p'), 'an unknown id');
            self::assertSame('invalid_signature@0', self::read($signed, new KeyRing(['k' => 'Sixteen bytes or']), 'p'), 'another key');
            self::assertSame('ok', self::read($signed, $key, 'p'));
        }
        self::assertSame('invalid_signature@0', self::read(Codec::serializeSigned(1, new KeyRing(['k' => self::KEY])), self::KEY, ''), 'a ring signs with an id');
        self::assertSame('invalid_signature@0', self::read(Codec::serializeSigned(1, self::KEY), new KeyRing(['k' => self::KEY]), ''), 'a key alone signs without one');
    }

    public function testEachKeyOfARingVerifiesWhatHasItsId(): void
    {
        $other = \str_repeat('another key', 3);
        $ring = new KeyRing(['new' => $other, 'old' => self::KEY]);

        self::assertSame('ok', self::read(Codec::serializeSigned(1, new KeyRing(['old' => self::KEY])), $ring, ''));
        self::assertSame('ok', self::read(Codec::serializeSigned(1, $ring), new KeyRing(['old' => self::KEY, 'new' => $other]), ''));
        self::assertSame('invalid_signature@0', self::read(Codec::serializeSigned(1, new KeyRing(['new' => self::KEY])), $ring, ''), 'a key of the ring under the id of another');

        $plain = ['frame' => 'plain'];
        foreach (['old' => self::KEY, 'new' => $other, 'none' => 'a third key, which is in no ring'] as $id => $key) {
            $bytes = Codec::serializeSigned(1, $key, $plain);
            $outcome = $id === 'none' ? 'invalid_signature@0' : 'ok';
            self::assertSame($outcome, Outcomes::of(static fn(): mixed => Codec::unserializeSigned($bytes, $ring, $plain)));
        }
    }

    private static function read(string $bytes, string|KeyRing $key, string $purpose): string
    {
        return Outcomes::of(static fn(): mixed => Codec::unserializeSigned($bytes, $key, ['purpose' => $purpose]));
    }

    public function testAPlainFrameHasNoPurpose(): void
    {
        $plain = Codec::serializeSigned([1], self::KEY, ['frame' => 'plain', 'purpose' => '']);
        self::assertSame([1], Codec::unserializeSigned($plain, self::KEY, ['frame' => 'plain']));
        foreach ([Codec::serializeSigned(...), Codec::unserializeSigned(...)] as $function) {
            try {
                $function($plain, self::KEY, ['frame' => 'plain', 'purpose' => 'p']);
                self::fail('a purpose that does nothing was taken');
            } catch (\Polypack\Exception\InvalidOptionException $error) {
                self::assertSame('the option purpose must be left out with a plain frame, which has none', $error->getMessage());
            }
        }
    }

    public function testNothingIsParsedBeforeTheSignatureHolds(): void
    {
        $asked = 0;
        $loader = static function () use (&$asked): void {
            ++$asked;
        };
        $signed = Codec::serializeSigned([new Hooked('h')], self::KEY);
        Hooked::calls();
        $before = \function_exists('polypack_stats') ? \polypack_stats() : [];
        \spl_autoload_register($loader);
        try {
            foreach ([$signed, \substr($signed, 0, self::ENVELOPE) . "\xc1S\x01\0\xcf\x44Gone\0\0\0\0"] as $bytes) {
                foreach ([new KeyRing(['k' => self::KEY]), 'another key that is long enough'] as $key) {
                    self::assertSame('invalid_signature@0', self::read($bytes, $key, ''));
                }
            }
        } finally {
            \spl_autoload_unregister($loader);
        }
        self::assertSame(0, $asked);
        self::assertSame([], Hooked::calls());
        self::assertSame($before, \function_exists('polypack_stats') ? \polypack_stats() : []);
    }

    public function testErrorsBehindTheEnvelopeHaveOffsetsFromItsStart(): void
    {
        foreach (["\x82\x01" => 'unexpected_end@59', "\x81\xcf\x44Gone\x00\x00\x00\x00\x05" => 'trailing_data@70', "\x81\xc1" => 'invalid_snapshot@60 /0'] as $value => $expected) {
            $payload = Format::START . "\x01\x00{$value}";
            $head = \substr(Codec::serializeSigned(1, self::KEY), 0, 23);
            $signed = $head . \hash_hmac('sha256', "{$head}\0\0\0\0{$payload}", self::KEY, true) . $payload;
            self::assertSame($expected, self::read($signed, self::KEY, ''));
        }
    }

    public function testAnErrorNamesTheFormatThatWasMixedUp(): void
    {
        $signed = Codec::serializeSigned([1], self::KEY);
        $plain = Codec::serialize([1]);
        $cases = [
            'invalid_snapshot: the input is a signed envelope, at byte 0; read it with polypack_unserialize_signed()' => [
                static fn(): mixed => Codec::unserialize($signed), static fn(): mixed => Codec::unserialize($signed, ['allowed_classes' => false]),
            ],
            'invalid_signature: the input is a snapshot without a signature, at byte 0; read it with polypack_unserialize() if nobody else can write to its store' => [
                static fn(): mixed => Codec::unserializeSigned($plain, self::KEY), static fn(): mixed => Codec::unserializeSigned($plain . \str_repeat('x', 60), new KeyRing(['k' => self::KEY]), ['purpose' => 'p']),
            ],
            'reserved_byte: the head byte 0xc1 is reserved, at byte 0; the input is a snapshot; read it with polypack_unserialize()' => [
                static fn(): mixed => MessagePack::unpack($plain), static fn(): mixed => MessagePack::unpack($plain, UnpackOptions::STRICT), static fn(): mixed => MessagePack::unpack($plain, UnpackOptions::RECORDS_INLINE),
            ],
            'reserved_byte: the head byte 0xc1 is reserved, at byte 0; the input is a signed snapshot; read it with polypack_unserialize_signed()' => [static fn(): mixed => MessagePack::unpack($signed)],
            'reserved_byte: the head byte 0xc1 is reserved, at byte 1 (path "/0"); the input is damaged, or is not MessagePack' => [static fn(): mixed => MessagePack::unpack("\x91{$plain}")],
        ];
        foreach ($cases as $expected => $reads) {
            foreach ($reads as $i => $read) {
                try {
                    $read();
                    self::fail($expected);
                } catch (SnapshotFailedException | UnpackingFailedException $error) {
                    self::assertSame($expected, "{$error->errorCode->value}: {$error->getMessage()}", "read {$i}");
                }
            }
        }
    }

    public function testAWrongKeyIsToldBeforeAHookIsCalled(): void
    {
        Hooked::calls();
        $written = new Hooked('w');
        foreach (['', 'short', null, 5, [], new \stdClass()] as $key) {
            try {
                Codec::serializeSigned($written, $key); // @phpstan-ignore argument.type
                self::fail('it was signed');
            } catch (\TypeError|\Polypack\Exception\InvalidOptionException $error) {
                self::assertSame(\is_string($key) ? \Polypack\Exception\InvalidOptionException::class : \TypeError::class, $error::class);
            }
        }
        self::assertSame([], Hooked::calls());
    }

    public function testAHookThatThrowsSignsNothing(): void
    {
        Hooked::$then = static fn(string $call) => \str_starts_with($call, 'write') ? throw new \DomainException('no') : null;
        try {
            $this->expectException(\DomainException::class);
            Codec::serializeSigned([new Hooked('h')], new KeyRing(['k' => self::KEY]), ['purpose' => 'p']);
        } finally {
            Hooked::$then = null;
        }
    }

    #[RequiresPhpExtension('polypack')]
    public function testTheFunctionsOfTheExtensionAreInC(): void
    {
        foreach (['polypack_serialize_signed', 'polypack_unserialize_signed'] as $name) {
            $function = new \ReflectionFunction($name);
            self::assertTrue($function->isInternal());
            self::assertSame(\SensitiveParameter::class, $function->getParameters()[1]->getAttributes()[0]->getName());
            self::assertSame(KeyRing::class . '|string', (string) $function->getParameters()[1]->getType());
        }
        $before = \polypack_stats();
        $ring = new KeyRing(['k' => self::KEY]);
        self::assertSame([1], \polypack_unserialize_signed(\polypack_serialize_signed([1], $ring, ['purpose' => 'p']), $ring, ['purpose' => 'p']));
        $after = \polypack_stats();
        self::assertSame([1, 1], [$after['snapshotsWritten'] - $before['snapshotsWritten'], $after['snapshotsRead'] - $before['snapshotsRead']]);
    }

    /**
     * It ended in a crash where the environment switches the engine off: C gave PHP the empty array as one to count.
     */
    #[RequiresPhpExtension('polypack')]
    public function testTheFunctionsWorkWithTheEngineOff(): void
    {
        $code = 'require $argv[1]; $key = str_repeat("k", 16); echo polypack_unserialize(polypack_serialize(1)), polypack_unserialize(polypack_serialize(2, ["floats" => "raw"]), ["max_depth" => 3]),'
            . ' polypack_unserialize_signed(polypack_serialize_signed(3, $key), $key), polypack_stats()["snapshotsWritten"];';
        $child = \proc_open([\PHP_BINARY, '-r', $code, \dirname(__DIR__, 2) . '/vendor/autoload.php'], [1 => ['pipe', 'w']], $pipes, null, ['POLYPACK_ENGINE' => 'php'] + \getenv());
        self::assertIsResource($child);
        self::assertSame('1230', \stream_get_contents($pipes[1]));
        \proc_close($child);
    }
}
