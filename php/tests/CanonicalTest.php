<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\Canonical;
use Polypack\Limits;
use Polypack\Packer;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\Returning;
use Polypack\Type\Bin;
use Polypack\Type\Entries;
use Polypack\Type\Ext;

/**
 * spec/08-canonical.md.
 */
final class CanonicalTest extends TestCase
{
    /**
     * @return iterable<string, array{string, string, ?int}>
     */
    public static function forms(): iterable
    {
        yield 'sorted keys' => ['84a16201a16102a2616103' . '0704', '840704a16102a16201a2616103', 1];
        yield 'ints that PHP makes array keys' => ['83' . '3501' . '3002' . 'a13103', '83' . '3002' . '3501' . 'a13103', 1];
        yield 'float 32' => ['ca3fc00000', 'cb3ff8000000000000', 0];
        yield 'NaN' => ['cbfff8000000000001', 'cb7ff8000000000000', 1];
        yield 'negative zero' => ['cb8000000000000000', 'cb8000000000000000', null];
        yield 'long heads' => ['dc0001d90161', '91a161', 0];
        yield 'timestamp' => ['c70cff000000000000000000000001', 'd6ff00000001', 0];
        yield 'undefined' => ['c7010000', 'd40000', 0];
        yield 'keys of every kind' => [
            '86' . 'cb3ff000000000000000' . '9000' . '8000' . 'c0c0' . 'c40100c0' . 'ffc0',
            '86' . '8000' . '9000' . 'c0c0' . 'c40100c0' . 'cb3ff000000000000000' . 'ffc0',
            1,
        ];
        yield 'nested keys' => ['81' . '82a16201a16102' . 'c0', '81' . '82a16102a16201' . 'c0', 3];
    }

    #[DataProvider('forms')]
    public function testCanonicalize(string $hex, string $canonical, ?int $departure): void
    {
        $form = new Canonical();
        self::assertSame($canonical, \bin2hex($form->canonicalize((string) \hex2bin($hex))));
        self::assertSame($departure, $form->departure((string) \hex2bin($hex)));
        self::assertNull($form->departure((string) \hex2bin($canonical)));
    }

    public function testPack(): void
    {
        $form = new Canonical();
        self::assertSame('82a16102a16201', \bin2hex($form->pack(['b' => 1, 'a' => 2])));
        self::assertSame('82a16102a16201', \bin2hex($form->pack((object) ['b' => 1, 'a' => 2])));
        self::assertSame('90', \bin2hex($form->pack([])));
        self::assertSame('83' . '01c0' . 'a131c0' . 'c40131c0', \bin2hex($form->pack(new Entries([['1', null], [new Bin('1'), null], [1, null]]))));
        self::assertSame('d40000', \bin2hex($form->pack(new Ext(0, "\0"))));
        self::assertSame('duplicate_key at  (/0/1)', Outcome::of(
            static fn(): string => $form->pack([new Entries([[1, 2], [1, 3]])]),
        ));
        self::assertSame('invalid_utf8 at  (/a)', Outcome::of(static fn(): string => $form->pack(['a' => "\xff"])));
    }

    public function testKeysThatAreEqualAreDuplicatesHoweverTheyAreWritten(): void
    {
        $form = new Canonical();
        $pairs = [
            ['01', 'cd0001'], ['cf0000000000000001', 'd30000000000000001'], ['ca3fc00000', 'cb3ff8000000000000'],
            ['cb7ff8000000000000', 'cbfff8000000000001'], ['a161', 'd90161'], ['c40161', 'c5000161'], ['d40561', 'c7010561'],
            ['9101', 'dc0001cc01'], ['8201020304', '8203040102'], ['81a16181c001', 'de0001a16181c001'], ['90', 'dc0000'],
            ['d6ff00000001', 'd7ff0000000000000001'], ['d40000', 'c7010000'], ['80', 'de0000'], ['c0', 'c0'], ['c3', 'c3'],
            ['cfffffffffffffffff', 'cfffffffffffffffff'], ['818081a100c0', '818081a100c0'],
        ];
        foreach ($pairs as [$a, $b]) {
            $bytes = (string) \hex2bin("82{$a}01{$b}02");
            self::assertStringStartsWith('duplicate_key at ', Outcome::of(static fn(): string => $form->canonicalize($bytes)), "{$a} {$b}");
        }
        $distinct = ['01', 'cb3ff0000000000000', 'a131', 'c40131', 'c3', 'c2', 'c0', '9101', '90', '80', '810101', '91a131', 'd40131',
            'd6ff00000001', 'cb0000000000000000', 'cb8000000000000000', '00', '9190', '9180', '8180c0', '81c080', '920101', '9102',
            '91a161', '91a162', 'c70231' . '3161', '82a16101a16202', '82a16102a16201'];
        $bytes = (string) \hex2bin('de' . \sprintf('%04x', \count($distinct)) . \implode('c0', $distinct) . 'c0');
        self::assertNotSame('', $form->canonicalize($bytes));
    }

    public function testFailuresAreThoseOfLosslessMode(): void
    {
        $form = new Canonical();
        self::assertSame('invalid_utf8 at 0 ()', Outcome::of(static fn(): string => $form->canonicalize("\xa1\xff")));
        self::assertSame('trailing_data at 1 ()', Outcome::of(static fn(): string => $form->canonicalize("\xc0\xc0")));
        self::assertSame('invalid_record at 0 ()', Outcome::of(static fn(): string => $form->canonicalize("\xd4\x72\x40\x90")));
        self::assertSame('80', \bin2hex((new Canonical(true))->canonicalize("\xd4\x72\x40\x90")));
        self::assertSame('limit_exceeded at 1 (/0)', Outcome::of(
            static fn(): string => (new Canonical(limits: new Limits(maxDepth: 1)))->canonicalize("\x91\x90"),
        ));
    }

    public function testTheFormHasAVersion(): void
    {
        self::assertSame(1, Canonical::VERSION);
    }

    /**
     * Limits of decoding don't count for a value that is packed.
     */
    public function testPackingHasNoLimitsButDepth(): void
    {
        $value = ['a' => [1, 2, 3], 'b' => \range(1, 100)];
        $packed = (new Canonical())->pack($value);
        self::assertSame($packed, (new Canonical(limits: new Limits(maxValues: 2, maxMemory: 1, maxCollisions: 1)))->pack($value));
        $canonical = new Canonical(limits: new Limits(maxValues: 2));
        self::assertSame('limit_exceeded at 0 ()', Outcome::of(static fn(): string => $canonical->canonicalize($packed)));
        $canonical = new Canonical(limits: new Limits(maxDepth: 1));
        self::assertSame('limit_exceeded at  (/a)', Outcome::of(static fn(): string => $canonical->pack($value)));
    }

    public function testIntegralFloatsMayBeInts(): void
    {
        $form = new Canonical(integralFloatsAsInts: true);
        self::assertSame((new Canonical())->pack(['price' => 10, 'rate' => 1.5]), $form->pack(['price' => 10.0, 'rate' => 1.5]));
        self::assertSame('cfffffffffffff' . 'f800', \bin2hex($form->pack(18446744073709549568.0)));
        self::assertSame('00', \bin2hex($form->pack(-0.0)));
        self::assertSame('cb43f0000000000000', \bin2hex($form->pack(18446744073709551616.0)));
        self::assertSame('82000101' . 'c0', \bin2hex($form->pack(new Entries([[1.0, null], [-0.0, 1.0]]))));
        self::assertSame('duplicate_key at  (/1)', Outcome::of(static fn(): string => $form->pack(new Entries([[1.0, 0], [1, 0]]))));
        self::assertSame('duplicate_key at 12 (/#1)', Outcome::of(static fn(): string => $form->canonicalize((string) \hex2bin('82' . '91cb3ff0000000000000' . 'c0' . '9101c0'))));
    }

    public function testNamesOfRecordsAreLimited(): void
    {
        $canonical = new Canonical(recordsInline: true, limits: new Limits(maxBytes: 12));
        $rows = "\x95\xd4\x72\x40\x92\xa1a\xa1b\x01\x02"; // five bytes of names in each row
        self::assertSame('82a16101a16202', \bin2hex($canonical->canonicalize(\substr($rows, 1))));
        self::assertSame('limit_exceeded at 14 (/2)', Outcome::of(
            static fn(): mixed => $canonical->canonicalize("{$rows}\x40\x03\x04\x40\x05\x06\x40\x07\x08\xc1"),
        ));
        self::assertSame('reserved_byte at 15 (/2/a)', Outcome::of(
            static fn(): mixed => (new Canonical(true))->canonicalize("{$rows}\x40\x03\x04\x40\xc1\x06\x40\x07\x08\x09"),
        ));
        // A count for each message.
        self::assertSame('82a16101a16202', \bin2hex($canonical->canonicalize(\substr($rows, 1))));
        self::assertSame('81a26162c0', \bin2hex($canonical->canonicalize("\x81\xa2ab\xc0")));
    }

    /**
     * An object may use the Canonical that is packing it.
     */
    public function testCanonicalizingInsideOfAnObjectOpensNoContainer(): void
    {
        $canonical = new Canonical(limits: new Limits(maxDepth: 2));
        $object = new Returning(static function (Packer $packer) use ($canonical): string {
            self::assertSame('9281a1610102', \bin2hex($canonical->canonicalize("\x92\x81\xa1a\x01\x02")));

            return $packer->pack([3]);
        });
        self::assertSame('91' . '9103', \bin2hex($canonical->pack([$object])));
    }
}
