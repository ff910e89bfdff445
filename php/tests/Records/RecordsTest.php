<?php

declare(strict_types=1);

namespace Polypack\Tests\Records;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\Attributes\RequiresPhp;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\CanBePacked;
use Polypack\Extension;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Raw;
use Polypack\Tests\Support\Box;
use Polypack\Tests\Support\BoxExtension;
use Polypack\Tests\Support\OneKind;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\ReferencePacker;
use Polypack\Tests\Support\Returning;
use Polypack\Tests\Support\Wrapped;
use Polypack\Type\Entries;
use Polypack\Type\Ext;
use Polypack\Type\Map;
use Polypack\Type\Timestamp;
use Polypack\Type\UInt64;
use Polypack\UnpackOptions;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * spec/05-records.md.
 */
final class RecordsTest extends TestCase
{
    /**
     * @return iterable<string, array{string, mixed}>
     */
    public static function records(): iterable
    {
        yield 'declaration' => ['d4724092a3666f6fa3626172' . '0402', ['foo' => 4, 'bar' => 2]];
        yield 'instance' => ['92' . 'd4724091a16101' . '4002', [['a' => 1], ['a' => 2]]];
        yield 'no names' => ['92' . 'd4724090' . '40', [[], []]];
        yield 'two bytes' => ['93' . 'd572600191a16101' . '600102' . '40', [['a' => 1], ['a' => 2], 0x40]];
        yield 'nested in itself' => ['d4724091a161' . '4001', ['a' => ['a' => 1]]];
        yield 'declared again' => ['93' . 'd4724091a16101' . 'd4724091a16202' . '4003', [['a' => 1], ['b' => 2], ['b' => 3]]];
        yield 'the last form counts' => [
            '95' . 'd572600091a16101' . 'd4726091a16202' . '6003' . 'd572600191a16304' . '600005',
            [['a' => 1], ['b' => 2], ['b' => 3], ['c' => 4], ['a' => 5]],
        ];
        yield 'ints' => ['93407f6f', [0x40, 0x7f, 0x6f]];
        yield 'as a value' => ['81a16b' . 'd4724091a16101', ['k' => ['a' => 1]]];
        yield 'names like ints' => ['d4724092a131a13001c0', [1 => 1, 0 => null]];
    }

    #[DataProvider('records')]
    public function testRecordsAreMaps(string $hex, mixed $value): void
    {
        $bytes = (string) \hex2bin($hex);
        self::assertSame($value, MessagePack::unpack($bytes, UnpackOptions::RECORDS_INLINE));
    }

    /**
     * Which values become records is the writer's choice; spec/05-records.md#declaration names PHP's.
     */
    public function testWhatBecomesARecord(): void
    {
        $pack = static fn(mixed $value): string => \bin2hex(MessagePack::pack($value, PackOptions::RECORDS_INLINE));
        foreach ([['a' => 1], (object) ['a' => 1], new \ArrayObject(['a' => 1])] as $record) {
            self::assertSame('d4724091a16101', $pack($record));
        }
        foreach ([new Map(['a' => 1]), new Entries([['a', 1]])] as $map) {
            self::assertSame('81a16101', $pack($map));
        }
        self::assertSame('92d472409040', $pack([new \stdClass(), new \stdClass()]));
        self::assertSame('90', $pack([]));
        self::assertSame('82a161010502', $pack(['a' => 1, 5 => 2]));
    }

    public function testLosslessTypes(): void
    {
        $unpack = static fn(string $hex): mixed => MessagePack::unpack(
            (string) \hex2bin($hex),
            UnpackOptions::RECORDS_INLINE | UnpackOptions::LOSSLESS,
        );
        self::assertEquals((object) ['1' => 5], $unpack('d4724091a13105'));
        self::assertEquals(new \stdClass(), $unpack('d4724090'));
        self::assertEquals(new Entries([['a', 1], ["\x00", 2]]), $unpack('d4724092a161a1000102'));
        self::assertEquals(new Entries([[(object) ['a' => 1], 2]]), $unpack('81' . 'd4724091a16101' . '02'));
    }

    /**
     * @return iterable<string, array{string, string}>
     */
    public static function faults(): iterable
    {
        yield 'id too small' => ['91d4723f', 'invalid_record at 1 (/0)'];
        yield 'id too great' => ['d47280', 'invalid_record at 0 ()'];
        yield 'lo too small' => ['d5725f0090', 'invalid_record at 0 ()'];
        yield 'behind ext 8' => ['c7017240', 'invalid_record at 0 ()'];
        yield 'behind ext 16' => ['c800027260' . '00', 'invalid_record at 0 ()'];
        yield 'no array' => ['d4724001', 'invalid_record at 3 ()'];
        yield 'nothing' => ['d47240', 'unexpected_end at 3 ()'];
        yield 'reserved' => ['d47240c1', 'reserved_byte at 3 ()'];
        yield 'half an array head' => ['d47240dc00', 'unexpected_end at 3 ()'];
        yield 'name cut short' => ['d4724092a161a46201', 'unexpected_end at 6 ()'];
        yield 'name that is missing' => ['d4724092a3616161', 'unexpected_end at 8 ()'];
        yield 'counts' => ['d4724092a16101', 'unexpected_end at 3 ()'];
        yield 'name that is no str' => ['d47240910102', 'invalid_record at 4 ()'];
        yield 'reserved name' => ['d4724091c102', 'reserved_byte at 4 ()'];
        yield 'name twice' => ['d4724092a161a1610102', 'invalid_record at 6 ()'];
        yield 'instance too short' => ['92d4724092a161a1620102' . '4001', 'unexpected_end at 11 (/1)'];
        yield 'pair without its second byte' => ['92d57260009060', 'unexpected_end at 6 (/1)'];
        yield 'pair that was not declared' => ['92d5726000906001', 'unknown_record at 6 (/1)'];
        yield 'fault in a value' => ['d4724092a161a162' . '01c1', 'reserved_byte at 9 (/b)'];
        yield 'fault in a value of an instance' => ['92d4724091a16101' . '40c1', 'reserved_byte at 9 (/1/a)'];
        yield 'as a key' => ['81' . 'd4724091a16101' . '02', 'invalid_key at 1 ()'];
        yield 'instance as a key' => ['92' . 'd4724091a16101' . '81400102', 'invalid_key at 9 (/1)'];
    }

    #[DataProvider('faults')]
    public function testFaults(string $hex, string $error): void
    {
        $bytes = (string) \hex2bin($hex);
        $call = static fn(): mixed => MessagePack::unpack($bytes, UnpackOptions::RECORDS_INLINE);
        self::assertSame($error, Outcome::of($call));
    }

    public function testOffAndStrict(): void
    {
        $unpack = static fn(string $hex, int $options): string => Outcome::of(
            static fn(): mixed => MessagePack::unpack((string) \hex2bin($hex), $options),
        );
        self::assertSame('invalid_record at 0 ()', $unpack('d4724090', 0));
        self::assertSame(Outcome::value(0x40), $unpack('40', UnpackOptions::STRICT));
        $strict = UnpackOptions::STRICT | UnpackOptions::RECORDS_INLINE;
        self::assertSame('unknown_record at 1 (/0)', $unpack('9140', $strict));
        self::assertSame('unknown_record at 1 ()', $unpack('814001', $strict));
        self::assertSame(Outcome::value([0x3f]), $unpack('913f', $strict));
        self::assertSame('invalid_utf8 at 4 ()', $unpack('d4724091a1ff01', $strict));
        self::assertSame(Outcome::value(["\xff" => 1]), $unpack('d4724091a1ff01', UnpackOptions::RECORDS_INLINE));
        self::assertSame(Outcome::value(["\xff" => 1]), $unpack('81a1ff01', 0));
    }

    public function testLimits(): void
    {
        $unpack = static fn(string $hex, Limits $limits): string => Outcome::of(
            static fn(): mixed => MessagePack::unpack((string) \hex2bin($hex), UnpackOptions::RECORDS_INLINE, $limits),
        );
        $one = 'd4724091a16101';
        self::assertSame('limit_exceeded at 0 ()', $unpack($one, new Limits(maxDepth: 0)));
        self::assertSame(Outcome::value(['a' => 1]), $unpack($one, new Limits(maxDepth: 1)));
        self::assertSame('limit_exceeded at 1 (/0)', $unpack("91{$one}", new Limits(maxDepth: 1)));
        self::assertSame('limit_exceeded at 6 (/a)', $unpack('d4724091a161' . '4001', new Limits(maxDepth: 1)));
        self::assertSame(Outcome::value(['a' => 1]), $unpack($one, new Limits(maxValues: 2)), 'names do not count');
        self::assertStringStartsWith('limit_exceeded', $unpack($one, new Limits(maxValues: 1)));
        self::assertSame('limit_exceeded at 8 (/1)', $unpack("92{$one}4002", new Limits(maxValues: 4)));
    }

    public function testDeclarationsEndWithTheirMessage(): void
    {
        $unpacker = new BufferUnpacker((string) \hex2bin('d4724091a16101' . '40' . '92d4724091a16101' . '4005'), UnpackOptions::RECORDS_INLINE);
        self::assertSame(['a' => 1], $unpacker->unpack());
        self::assertSame(0x40, $unpacker->unpack());
        self::assertSame([['a' => 1], ['a' => 5]], $unpacker->unpack());
        $unpacker->reset((string) \hex2bin('92d4724091a16101' . 'c1' . '40'));
        self::assertSame('reserved_byte at 8 (/1)', Outcome::of(static fn(): mixed => $unpacker->unpack()));
        self::assertSame(0x40, $unpacker->skip(9)->unpack());
    }

    /**
     * @return iterable<string, array{mixed, string}>
     */
    public static function written(): iterable
    {
        yield 'declaration' => [['foo' => 4, 'bar' => 2], 'd4724092a3666f6fa3626172' . '0402'];
        yield 'instance' => [[['a' => 1], ['a' => 2]], '92' . 'd4724091a16101' . '4002'];
        yield 'another order' => [[['a' => 1, 'b' => 2], ['b' => 3, 'a' => 4]], '92' . 'd4724092a161a1620102' . 'd4724192a162a1610304'];
        yield 'same first name and count' => [
            [['a' => 1, 'b' => 2], ['a' => 3, 'c' => 4], ['a' => 5, 'b' => 6], ['a' => 7, 'c' => 8]],
            '94' . 'd4724092a161a1620102' . 'd4724192a161a1630304' . '400506' . '410708',
        ];
        yield 'names that only look alike' => [
            [["a\0b" => 1, 'c' => 2], ['a' => 3, "b\0c" => 4]],
            '92' . 'd4724092a3610062a1630102' . 'd4724192a161a36200630304',
        ];
        yield 'in itself' => [['a' => ['a' => 1]], 'd4724091a161' . '4001'];
        yield 'objects' => [[(object) ['a' => 1], new \ArrayObject(['a' => 2]), (object) []], '93' . 'd4724091a16101' . '4002' . 'd4724190'];
        yield 'names like ints' => [(object) ['5' => 1], 'd4724091a13501'];
        yield 'int keys' => [['a' => 1, 100 => 2], '82a16101' . 'cc6402'];
        yield 'maps by name' => [[new Map(['a' => 64]), new Entries([['a', 64]])], '92' . '81a161cc40' . '81a161cc40'];
        yield 'records in maps by name' => [new Map(['a' => ['b' => 1]]), '81a161' . 'd4724091a16201'];
        yield 'in keys' => [new Entries([[['a' => 1], ['a' => 1]]]), '81' . '81a16101' . 'd4724091a16101'];
        yield 'ints' => [[0x3f, 0x40, 0x7f, 0x80, -1, -0x20], '96' . '3f' . 'cc40' . 'cc7f' . 'cc80' . 'ff' . 'e0'];
        yield 'many ints' => [\array_fill(0, 9, 0x50), '99' . \str_repeat('cc50', 9)];
        yield 'one int' => [100, 'cc64'];
        yield 'empty list' => [[], '90'];
        yield 'other objects' => [[new Wrapped(['a' => 100]), ['a' => 1], new UInt64('100')], '93' . '81a161cc64' . 'd4724091a16101' . 'cc64'];
        yield 'packed values' => [[['a' => 1], new Raw("\x81\xa1a\x40")], '92' . 'd4724091a16101' . '81a161cc40'];
    }

    #[DataProvider('written')]
    public function testWriting(mixed $value, string $hex): void
    {
        $packer = new Packer(PackOptions::RECORDS_INLINE);
        self::assertSame($hex, \bin2hex($packer->pack($value)));
        self::assertSame($hex, \bin2hex($packer->pack($value)), 'the next message starts anew');
        self::assertSame("91{$hex}", \bin2hex($packer->packArray([$value])));
        self::assertSame("81a178{$hex}", \bin2hex($packer->packMap(['x' => $value])));
    }

    public function testIdsAreGivenAgainInTurn(): void
    {
        $rows = [];
        for ($i = 0; $i < 70; ++$i) {
            $rows[] = ["n{$i}" => $i];
        }
        $rows = [...$rows, ['n69' => 1], ['n6' => 2], ['n0' => 3], ['n7' => 4]];
        $packed = MessagePack::pack($rows, PackOptions::RECORDS_INLINE);
        self::assertSame($rows, MessagePack::unpack($packed, UnpackOptions::RECORDS_INLINE));
        $declares = static fn(string $id, string $name): string => \bin2hex("\xd4\x72{$id}\x91" . \chr(0xa0 + \strlen($name)) . $name);
        $hex = \bin2hex($packed);
        foreach (['n0' => "\x40", 'n63' => "\x7f", 'n64' => "\x40", 'n69' => "\x45"] as $name => $id) {
            self::assertStringContainsString($declares($id, $name), $hex);
        }
        self::assertStringEndsWith('4501' . '4602' . $declares("\x46", 'n0') . '03' . '4704', $hex);
    }

    /**
     * A packer remembers packed names over messages, as far as they are few and short; its bytes do not show it.
     */
    #[Group('slow')]
    public function testWhatIsRememberedDoesNotShow(): void
    {
        $packer = new Packer(PackOptions::RECORDS_INLINE);
        $random = new Randomizer(new Xoshiro256StarStar(11));
        foreach ([2, 64, 65, 3, 130, 255, 256, 257, 64, 700, 5, 700, 64] as $shapes) {
            foreach (['', \str_repeat('n', 90), \str_repeat('n', 2000)] as $long) {
                $rows = [];
                for ($i = 0; $i < 2 * $shapes; ++$i) {
                    $shape = $random->getInt(0, $shapes - 1);
                    $rows[] = [['a' => $i, "{$long}{$shape}" => 'x'], ["{$long}{$shape}" => ['b' => null]]][$random->getInt(0, 1)];
                }
                $reference = new ReferencePacker(PackOptions::RECORDS_INLINE, 512);
                self::assertTrue($reference->pack($rows) === $packer->pack($rows), "{$shapes} shapes");
            }
        }
    }

    public function testWhatHasNoNamesIsNoRecord(): void
    {
        $pack = static fn(mixed $value, int $options): string => \bin2hex(MessagePack::pack($value, $options | PackOptions::RECORDS_INLINE));
        self::assertSame('81c4016101', $pack(['a' => 1], PackOptions::FORCE_BIN));
        self::assertSame('82a16101c401ff02', $pack(['a' => 1, "\xff" => 2], PackOptions::DETECT_STR_BIN));
        self::assertSame('d4724091a1ff01', $pack(["\xff" => 1], 0));
        self::assertSame('81000a', $pack([10], PackOptions::FORCE_MAP));
        self::assertSame('9101', $pack(['a' => 1], PackOptions::FORCE_ARR));
        self::assertSame('d4724091a161ca3f800000', $pack(['a' => 1.0], PackOptions::FORCE_FLOAT32));
        self::assertSame('9181c401ff01', $pack([["\xff" => 1]], PackOptions::STRICT));
        self::assertSame('invalid_utf8 at  (/0)', Outcome::of(static fn(): string => $pack([["\xff" => 1]], PackOptions::LOSSLESS)));
        self::assertSame('unsupported_value at  (/a)', Outcome::of(static fn(): string => $pack(['a' => \STDIN], 0)));
    }

    public function testIteratorsMayPackMeanwhile(): void
    {
        $packer = new Packer(PackOptions::RECORDS_INLINE);
        $generator = static function () use ($packer): \Generator {
            // A message of its own, which declares nothing for the one around it.
            yield \bin2hex($packer->pack(['a' => 1]));
            yield ['a' => 2];
        };
        self::assertSame(
            '92' . 'd4724091a17a00' . '92' . 'a8' . \bin2hex('81a16101') . 'd4724191a16102',
            \bin2hex($packer->pack([['z' => 0], $generator()])),
        );
    }

    /**
     * @return iterable<string, array{\Closure(\Closure(): mixed): object, mixed}> makes an object that runs the closure
     *     while it is read, and what it is packed as
     */
    public static function readByCode(): iterable
    {
        yield 'getArrayCopy()' => [
            static fn(\Closure $run): object => new class ($run) extends \ArrayObject {
                public function __construct(private readonly \Closure $run)
                {
                    parent::__construct(['a' => 2]);
                }

                public function getArrayCopy(): array
                {
                    ($this->run)();

                    return parent::getArrayCopy();
                }
            },
            ['a' => 2],
        ];
        yield 'getIterator()' => [
            static fn(\Closure $run): object => new class ($run) extends \ArrayObject {
                public function __construct(private readonly \Closure $run)
                {
                    @parent::__construct(new class { // getArrayCopy() returns it with a NUL byte in its name
                        private int $hidden = 1; // @phpstan-ignore property.onlyWritten
                    });
                }

                public function getIterator(): \Iterator
                {
                    ($this->run)();

                    return new \ArrayIterator(['a' => 2]); // @phpstan-ignore return.type (not covariant)
                }
            },
            ['a' => 2],
        ];
        yield 'format()' => [
            static fn(\Closure $run): object => new class ($run) extends \DateTimeImmutable {
                public function __construct(private readonly \Closure $run)
                {
                    parent::__construct('@5');
                }

                public function format(string $format): string
                {
                    ($this->run)();

                    return parent::format($format);
                }
            },
            new Timestamp(5),
        ];
        yield 'getTimestamp()' => [
            static fn(\Closure $run): object => new class ($run) extends \DateTime {
                public function __construct(private readonly \Closure $run)
                {
                    parent::__construct('@5');
                }

                public function getTimestamp(): int
                {
                    ($this->run)();

                    return parent::getTimestamp();
                }
            },
            new Timestamp(5),
        ];
    }

    /**
     * @param \Closure(\Closure(): mixed): object $make
     */
    #[DataProvider('readByCode')]
    public function testObjectsMayPackWhileTheyAreRead(\Closure $make, mixed $as): void
    {
        $packer = new Packer(PackOptions::RECORDS_INLINE);
        $packed = [];
        $object = $make(static function () use ($packer, &$packed): void {
            $packed[] = \bin2hex($packer->pack(['b' => 1]));
        });
        $rows = static fn(mixed $second): array => [['a' => 1], $second, ['b' => 3], ['a' => 4]];
        self::assertSame(\bin2hex($packer->pack($rows($as))), \bin2hex($packer->pack($rows($object))));
        self::assertSame(['81a16201'], \array_unique($packed), 'no part of the message, so it is a map');
    }

    /**
     * @param \Closure(\Closure(): mixed): object $make
     */
    #[DataProvider('readByCode')]
    public function testObjectsPackAtTheirPathWhileTheyAreRead(\Closure $make): void
    {
        foreach ([0, PackOptions::RECORDS_INLINE] as $options) {
            $packer = new Packer($options);
            $fault = static fn(object $object): string => Outcome::of(static fn(): string => $packer->pack([0, ['k' => $object]]));
            $packs = $make(static fn(): string => $packer->pack(['b' => \STDIN]));
            self::assertSame('unsupported_value at  (/1/k/b)', $fault($packs));
            $itself = null;
            $itself = $make(static function () use ($packer, &$itself): void {
                $packer->pack($itself);
            });
            self::assertSame('limit_exceeded at  (/1/k)', $fault($itself));
            $opens = $make(static fn(): string => $packer->packArrayHeader(1));
            $packer->pack([$opens]);
            self::assertSame('unsupported_value at  (/1/k)', $fault(new \SplFileInfo('x')));
            $deepest = \array_reduce(\range(1, 511), static fn(mixed $inner): array => [$inner], []);
            self::assertSame('90', \substr(\bin2hex($packer->pack($deepest)), -2), 'a head is a container only for its object');
        }
    }

    public function testDestructorsMayPackInsideAMessage(): void
    {
        $packer = new Packer(PackOptions::RECORDS_INLINE);
        $packed = [];
        $pack = static function () use ($packer, &$packed): void {
            $packed = [$packer->pack(['b' => 1]), $packer->packArray([['b' => 1]]), $packer->packMap(['b' => ['b' => 1]])];
            $packed[] = Outcome::of(static fn(): string => $packer->pack(['x' => ['y' => \STDIN]]));
            $packed[] = Outcome::of(static fn(): string => $packer->pack([new Returning('')]));
        };
        $dies = static fn(): object => new class ($pack) implements CanBePacked {
            public function __construct(private readonly \Closure $pack) {}

            public function pack(Packer $packer): string
            {
                return $packer->packNil();
            }

            public function __destruct()
            {
                ($this->pack)();
            }
        };
        $rows = static fn(): object => new class ($dies) extends \ArrayObject {
            public function __construct(private readonly \Closure $dies)
            {
                parent::__construct();
            }

            public function getArrayCopy(): array
            {
                return ['a' => ($this->dies)()]; // which only the packer holds
            }
        };
        $expected = '95' . 'd4724091a16101' . '40c0' . 'd4724191a16203' . '4004' . 'c0';
        self::assertSame($expected, \bin2hex($packer->pack([['a' => 1], $rows(), ['b' => 3], ['a' => 4], null])));
        self::assertSame(
            ["\x81\xa1b\x01", "\x91\x81\xa1b\x01", "\x81\xa1b\x81\xa1b\x01", 'unsupported_value at  (/x/y)', 'unexpected_end at  ()'],
            $packed,
        );
        $fault = static fn(): string => Outcome::of(static fn(): string => $packer->pack(['k' => [$rows(), \STDIN]]));
        self::assertSame('unsupported_value at  (/k/1)', $fault());
        self::assertSame('d4724091a16201', \bin2hex($packer->pack(['b' => 1])), 'the next message has records');
    }

    public function testMethodsForOneKindTakeARecordForAMap(): void
    {
        $records = UnpackOptions::RECORDS_INLINE;
        foreach (['d4724091a16101', 'd572600091a16101'] as $declaration) {
            foreach (OneKind::ALL as $kind) {
                $expected = $kind === 'map' ? Outcome::value(['a' => 1]) : 'type_mismatch at 0 ()';
                self::assertSame($expected, OneKind::of($kind, $declaration, $records), $kind);
                self::assertSame('invalid_record at 0 ()', OneKind::of($kind, $declaration), "{$kind}, records are off");
            }
        }
        self::assertSame(Outcome::value((object) ['a' => 1]), OneKind::of('map', 'd4724091a16101', $records | UnpackOptions::LOSSLESS));
        self::assertSame('reserved_byte at 6 (/a)', OneKind::of('map', 'd4724091a161c1', $records));
        self::assertSame('invalid_record at 0 ()', OneKind::of('map', 'c7017240', $records));
        self::assertSame('type_mismatch at 0 ()', OneKind::of('ext', 'c7017240', $records));
        self::assertSame('type_mismatch at 0 ()', OneKind::of('ext', 'd472', $records), 'the head says that it is a record');
        self::assertSame('unexpected_end at 0 ()', OneKind::of('map', 'd472', $records));
        self::assertSame('unexpected_end at 0 ()', OneKind::of('ext', 'd472'));

        self::assertSame(Outcome::value(0x40), OneKind::of('int', '40', $records));
        self::assertSame('type_mismatch at 0 ()', OneKind::of('map', '40', $records));
        foreach (['int', 'str', 'map'] as $kind) {
            self::assertSame('unknown_record at 0 ()', OneKind::of($kind, '40', $records | UnpackOptions::STRICT));
        }
        // An ext that is no declaration, and one whose kind isn't known yet.
        self::assertSame('type_mismatch at 0 ()', OneKind::of('map', 'c7037240404040', $records));
        self::assertSame(Outcome::value(new Ext(0x72, '@@@')), OneKind::of('ext', 'c70372404040', $records));
        foreach (['d4', 'c7', 'c701', 'c80001', 'c900000001'] as $head) {
            self::assertSame('unexpected_end at 0 ()', OneKind::of('map', $head, $records));
            self::assertSame('unexpected_end at 0 ()', OneKind::of('int', $head));
        }
    }

    public function testMethodsForOneKindLeaveTheRecordTypeToItsExtension(): void
    {
        $extension = self::createMock(Extension::class);
        $extension->method('getType')->willReturn(0x72);
        $extension->method('unpackExt')->willReturnCallback(static fn(BufferUnpacker $unpacker, int $length): string => $unpacker->read($length));
        $unpacker = new BufferUnpacker("\xd4\x72@", null, [$extension]);
        self::assertSame('type_mismatch at 0 ()', Outcome::of(static fn(): mixed => $unpacker->unpackMap()));
        self::assertSame('@', $unpacker->unpackExt());
    }

    public function testDeclarationsAreForgottenAfterAFault(): void
    {
        $packer = new Packer(PackOptions::RECORDS_INLINE);
        for ($i = 0; $i < 2; ++$i) {
            $fault = static fn(): string => $packer->pack([['a' => 1], new Entries([[['a' => \STDIN], 2]])]);
            self::assertSame('unsupported_value at  (/1)', Outcome::of($fault));
            self::assertSame('d4724091a16101', \bin2hex($packer->pack(['a' => 1])));
        }
        $extended = $packer->extendWith(new BoxExtension());
        self::assertSame('92' . 'd4724091a16101' . 'c7050781a161cc64', \bin2hex($extended->pack([['a' => 1], new Box(['a' => 100])])));
        self::assertSame('d4724091a16101', \bin2hex($packer->pack(['a' => 1])));
    }

    /**
     * The initializer of a lazy object runs while its properties are read, as property hooks do.
     */
    #[RequiresPhp('>= 8.4')]
    public function testLazyObjectsMayPackWhileTheyAreRead(): void
    {
        $packer = new Packer(PackOptions::RECORDS_INLINE);
        $class = new \ReflectionClass(new class extends \stdClass {
            public int $a = 1;
        });
        /** @var object $lazy */
        // @phpstan-ignore method.notFound
        $lazy = $class->newLazyGhost(static function () use ($packer): void {
            self::assertSame('9281a1630181a16302', \bin2hex($packer->pack([['c' => 1], ['c' => 2]])));
        });
        $expected = '93' . 'd4724091a162' . '01' . 'd4724191a161' . '01' . '4002';
        self::assertSame($expected, \bin2hex($packer->pack([['b' => 1], $lazy, ['b' => 2]])));
    }

    /**
     * A pack() method may pack a part of the message with a copy that has more transformers.
     */
    public function testACopyMadeInsideAMessageWritesNoRecordsInIt(): void
    {
        /** @var \ArrayObject<int, Packer> $kept */
        $kept = new \ArrayObject();
        $object = new Returning(static function (Packer $packer) use ($kept): string {
            if (\count($kept) === 0) {
                $kept[] = $packer->extendWith(new BoxExtension());
            }

            return self::keptIn($kept)->pack(['b' => new Box(1)]);
        });
        $packer = new Packer(PackOptions::RECORDS_INLINE);
        for ($i = 0; $i < 2; ++$i) {
            self::assertSame('93' . 'd4724091a161' . '01' . '81a162d40701' . '4002', \bin2hex($packer->pack([['a' => 1], $object, ['a' => 2]])));
            self::assertSame('92' . 'd4724091a162' . '01' . '4002', \bin2hex(self::keptIn($kept)->pack([['b' => 1], ['b' => 2]])));
        }
        unset($packer);
        self::assertSame('92' . 'd4724091a162' . '01' . '4002', \bin2hex(self::keptIn($kept)->pack([['b' => 1], ['b' => 2]])));
    }

    /**
     * @param \ArrayObject<int, Packer> $kept
     */
    private static function keptIn(\ArrayObject $kept): Packer
    {
        return $kept[0] ?? self::fail('no copy was kept');
    }
}
