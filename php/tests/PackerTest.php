<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhp;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\CanPack;
use Polypack\Exception\ErrorCode;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\PackingFaults;
use Polypack\Tests\Support\Returning;
use Polypack\Tests\Support\Suit;
use Polypack\Tests\Support\Weekday;
use Polypack\Tests\Support\Wrapped;
use Polypack\Type\Bin;
use Polypack\Type\Entries;
use Polypack\Type\Ext;
use Polypack\Type\Map;
use Polypack\Type\Timestamp;
use Polypack\Type\UInt64;
use Polypack\UnpackOptions;

final class PackerTest extends TestCase
{
    use PackingFaults;

    /**
     * @return iterable<string, array{mixed, string}>
     */
    public static function values(): iterable
    {
        yield 'nil' => [null, 'c0'];
        yield 'float that is integral' => [1.0, 'cb3ff0000000000000'];
        yield 'computed NaN' => [\INF - \INF, 'cb7ff8000000000000'];
        yield 'negative NaN' => [-\NAN, 'cb7ff8000000000000'];
        yield 'negative zero' => [-0.0, 'cb8000000000000000'];
        yield 'empty array' => [[], '90'];
        yield 'list' => [[1, 'a', null, true, false, 1.5, -1, 200], '98' . '01' . 'a161' . 'c0' . 'c3' . 'c2'
            . 'cb3ff8000000000000' . 'ff' . 'ccc8'];
        yield 'list out of order' => [[1 => 'b', 0 => 'a'], '8201a16200a161'];
        yield 'map' => [['a' => 1, 7 => [], 'n' => null, -1 => 'x'], '84a161010790a16ec0ffa178'];
        yield 'Map of a list' => [new Map([5]), '810005'];
        yield 'empty Map' => [new Map([]), '80'];
        yield 'Bin' => [new Bin("\xff"), 'c401ff'];
        yield 'Ext' => [new Ext(-5, 'abc'), 'c703fb616263'];
        yield 'empty Ext' => [new Ext(5, ''), 'c70005'];
        yield 'Timestamp' => [new Timestamp(1), 'd6ff00000001'];
        yield 'UInt64' => [new UInt64('18446744073709551615'), 'cfffffffffffffffff'];
        yield 'small UInt64' => [new UInt64('5'), '05'];
        yield 'Entries' => [new Entries([[null, 1], [[2], 'x']]), '82c001' . '9102a178'];
        yield 'DateTime' => [new \DateTime('1970-01-01T00:00:01.000002Z'), 'd7ff00001f4000000001'];
        yield 'DateTimeImmutable before 1970' => [
            new \DateTimeImmutable('1969-12-31T23:59:59.999999Z'),
            'c70cff3b9ac618ffffffffffffffff',
        ];
        yield 'enum of strings' => [Suit::Hearts, 'a148'];
        yield 'enum of ints' => [Weekday::Monday, '01'];
        yield 'stdClass' => [(object) ['a' => 1, '5' => 2], '82a16101a13502'];
        yield 'empty stdClass' => [new \stdClass(), '80'];
        yield 'ArrayObject' => [new \ArrayObject(['x']), '8100a178'];
        yield 'iterator of a list' => [new \ArrayIterator([1, 'a']), '9201a161'];
        yield 'iterator of other keys' => [new \ArrayIterator([1 => 1]), '810101'];
        yield 'iterator of nothing' => [new \EmptyIterator(), '90'];
        yield 'IteratorAggregate' => [
            new class implements \IteratorAggregate {
                public function getIterator(): \Iterator
                {
                    yield 'a' => 1;
                    yield 'a' => [2];
                    yield 1.5 => null;
                }
            },
            '83a16101a1619102cb3ff8000000000000c0',
        ];
        yield 'GMP int' => [\gmp_init(-5), 'fb'];
        yield 'GMP least' => [\gmp_init('-9223372036854775808'), 'd38000000000000000'];
        yield 'GMP uint 64' => [\gmp_init('9223372036854775808'), 'cf8000000000000000'];
        yield 'GMP greatest' => [\gmp_init('18446744073709551615'), 'cfffffffffffffffff'];
    }

    #[DataProvider('values')]
    public function testPack(mixed $value, string $hex): void
    {
        self::assertSame($hex, \bin2hex((new Packer())->pack($value)));
        self::assertSame("91{$hex}", \bin2hex((new Packer())->pack([$value])), 'in a list');
        self::assertSame("81a16b{$hex}", \bin2hex((new Packer())->pack(['k' => $value])), 'in a map');
    }

    public function testHeadsAreTheShortest(): void
    {
        $packer = new Packer();
        foreach ([0 => 'a0', 31 => 'bf', 32 => 'd920', 255 => 'd9ff', 256 => 'da0100', 65535 => 'daffff', 65536 => 'db00010000'] as $n => $head) {
            self::assertSame($head, \bin2hex(\rtrim($packer->pack(\str_repeat('z', $n)), 'z')));
        }
        foreach ([0 => 'c400', 255 => 'c4ff', 256 => 'c50100', 65535 => 'c5ffff', 65536 => 'c600010000'] as $n => $head) {
            self::assertSame($head, \bin2hex(\rtrim($packer->packBin(\str_repeat('z', $n)), 'z')));
        }
        foreach ([0 => '90', 15 => '9f', 16 => 'dc0010', 65535 => 'dcffff', 65536 => 'dd00010000'] as $n => $head) {
            self::assertSame($head, \bin2hex($packer->packArrayHeader($n)));
            self::assertSame($head . \str_repeat('c0', $n), \bin2hex($packer->packArray(\array_fill(0, $n, null))));
        }
        foreach ([0 => '80', 15 => '8f', 16 => 'de0010', 65535 => 'deffff', 65536 => 'df00010000'] as $n => $head) {
            self::assertSame($head, \bin2hex($packer->packMapHeader($n)));
        }
        self::assertSame('ddffffffff', \bin2hex($packer->packArrayHeader(0xffffffff)));
        self::assertSame('dfffffffff', \bin2hex($packer->packMapHeader(0xffffffff)));
        foreach ([1 => 'd405', 2 => 'd505', 3 => 'c70305', 4 => 'd605', 8 => 'd705', 12 => 'c70c05', 16 => 'd805', 255 => 'c7ff05',
            256 => 'c8010005', 65535 => 'c8ffff05', 65536 => 'c90001000005'] as $n => $head) {
            self::assertSame($head, \bin2hex(\substr($packer->packExt(5, \str_repeat('a', $n)), 0, -$n)));
        }
    }

    public function testListsOfFloatsAreWrittenAsOneByOne(): void
    {
        $special = [-0.0, \INF, -\INF, 1.0, 0.1, \PHP_FLOAT_MIN / 2];
        foreach ([1, 7, 8, 9, 2047, 2048, 2049, 4097] as $count) {
            $floats = [];
            for ($i = 0; $i < $count; ++$i) {
                $floats[] = $special[$i % \count($special)] * ($i + 1);
            }
            $withNan = $floats;
            $withNan[$count - 1] = MessagePack::unpack("\xcb\xff\xf8\x00\x00\x00\x00\x00\x12");
            $withInt = $floats;
            $withInt[$count - 1] = 1;
            $named = \array_combine(\array_map(static fn(int $i): string => "k{$i}", \array_keys($floats)), $floats);
            foreach ([0, PackOptions::FORCE_FLOAT32] as $options) {
                $packer = new Packer($options);
                foreach ([$floats, $withNan, $withInt, $named] as $list) {
                    $oneByOne = $packer->packArrayHeader($count);
                    foreach ($list as $value) {
                        $oneByOne .= $packer->pack($value);
                    }
                    self::assertSame(\bin2hex($oneByOne), \bin2hex($packer->packArray($list)), "{$count} elements");
                }
            }
        }
    }

    public function testMethodsForOneKind(): void
    {
        $packer = new Packer();
        self::assertSame('c0', \bin2hex($packer->packNil()));
        self::assertSame('c3', \bin2hex($packer->packBool(true)));
        self::assertSame('c2', \bin2hex($packer->packBool(false)));
        self::assertSame('cb3ff8000000000000', \bin2hex($packer->packFloat(1.5)));
        self::assertSame('ca3fc00000', \bin2hex($packer->packFloat32(1.5)));
        self::assertSame('ca7fc00000', \bin2hex($packer->packFloat32(-\NAN)));
        self::assertSame('92ca7fc00000ca3fc00000', \bin2hex(MessagePack::pack([\NAN, 1.5], PackOptions::FORCE_FLOAT32)));
        self::assertSame('ca7f800000', \bin2hex($packer->packFloat32(\INF)));
        self::assertSame('cb3ff8000000000000', \bin2hex($packer->packFloat64(1.5)));
        self::assertSame('a161', \bin2hex($packer->packStr('a')));
        self::assertSame('9102', \bin2hex($packer->packArray(['x' => 2])));
        self::assertSame('810002', \bin2hex($packer->packMap([2])));
        self::assertSame('d4fe61', \bin2hex($packer->packExt(-2, 'a')));
    }

    public function testIntsThatPhpHoldsAsSomethingElse(): void
    {
        $packer = new Packer();
        self::assertSame('05', \bin2hex($packer->packInt(5.0)));
        self::assertSame('00', \bin2hex($packer->packInt(-0.0)));
        self::assertSame('d38000000000000000', \bin2hex($packer->packInt(-9223372036854775808.0)));
        self::assertSame('ff', \bin2hex($packer->packInt('-1')));
        self::assertSame('d38000000000000000', \bin2hex($packer->packInt('-9223372036854775808')));
        self::assertSame('cfffffffffffffffff', \bin2hex($packer->packInt('18446744073709551615')));
        $faults = [
            1.8e19, -1.8e19, 9223372036854775808.0, 1.7, \NAN, \INF, -\INF,
            'abc', '', '1.0', '1e3', ' 1', '-0', '0x10', '18446744073709551616', '-9223372036854775809',
        ];
        foreach ($faults as $fault) {
            self::assertSame('out_of_range at  ()', Outcome::of(static fn(): string => $packer->packInt($fault)), \var_export($fault, true));
        }
        $this->expectExceptionMessage('the integer is 1.8E+19; it must be an integer from -9223372036854775808 to 18446744073709551615');
        $packer->packInt(1.8e19);
    }

    #[RequiresPhp('>= 8.4')]
    #[RequiresPhpExtension('bcmath')]
    public function testBcMathNumbers(): void
    {
        $pack = static fn(string $number): string => \bin2hex(MessagePack::pack([new \BcMath\Number($number)]));
        self::assertSame('9105', $pack('5'));
        self::assertSame('91d38000000000000000', $pack('-9223372036854775808'));
        self::assertSame('91cfffffffffffffffff', $pack('18446744073709551615'));
        foreach (['18446744073709551616', '-9223372036854775809', '1.5', '1.0'] as $number) {
            self::assertSame('out_of_range at  (/0)', Outcome::of(static fn(): string => $pack($number)), $number);
        }
    }

    public function testReferencesArePackedAsTheirValues(): void
    {
        $value = 1.5;
        $floats = [];
        for ($i = 0; $i < 9; ++$i) {
            $floats[] = &$value;
        }
        self::assertSame('99' . \str_repeat('cb3ff8000000000000', 9), \bin2hex((new Packer())->pack($floats)));
        $row = ['k' => 'v'];
        $rows = ['a' => &$row, 'b' => &$row['k']];
        self::assertSame('82a161' . '81a16ba176' . 'a162' . 'a176', \bin2hex((new Packer())->pack($rows)));
    }

    public function testOptions(): void
    {
        $pack = static fn(mixed $value, int $options): string => \bin2hex(MessagePack::pack($value, $options));
        self::assertSame('a1ff', $pack("\xff", PackOptions::FORCE_STR));
        self::assertSame('92c40161c400', $pack(['a', ''], PackOptions::FORCE_BIN));
        self::assertSame('81c4016101', $pack(['a' => 1], PackOptions::FORCE_BIN));
        self::assertSame('82a161c401ffc401fea162', $pack(['a' => "\xff", "\xfe" => 'b'], PackOptions::DETECT_STR_BIN));
        self::assertSame('9105', $pack(['a' => 5], PackOptions::FORCE_ARR));
        self::assertSame('810005', $pack([5], PackOptions::FORCE_MAP));
        self::assertSame('80', $pack([], PackOptions::FORCE_MAP));
        self::assertSame('91ca3fc00000', $pack([1.5], PackOptions::FORCE_FLOAT32));
        self::assertSame('cb3ff8000000000000', $pack(1.5, PackOptions::FORCE_FLOAT64));
        self::assertSame('c401ff', $pack("\xff", PackOptions::FORCE_BIN | PackOptions::STRICT));
    }

    public function testLosslessRefusesStringsThatAreNotUtf8(): void
    {
        $options = PackOptions::LOSSLESS;
        self::assertSame('a2c3a9', \bin2hex(MessagePack::pack('é', $options)));
        self::assertFails('invalid_utf8', '', "\xff", $options);
        self::assertFails('invalid_utf8', '/0/a', [['a' => "\xff"]], $options);
        self::assertFails('invalid_utf8', '/0', [["\xff" => 1]], $options);
        self::assertFails('invalid_utf8', '/0', [(object) ["\xff" => 1]], $options);
        self::assertFails('invalid_utf8', '', new Entries([["\xff", 1]]), $options);
    }

    public function testKeysThatRepeatAreRefused(): void
    {
        $pair = static function (mixed $first, mixed $second): \Generator {
            yield $first => 1;
            yield $second => 2;
        };
        $many = \array_map(static fn(int $i): array => [$i % 299, $i], \range(0, 399));
        $equal = [
            '/a' => $pair('a', 'a'),
            '/x/7' => ['x' => $pair(7, 7)],
            '/5' => new Entries([[5, 1], [new UInt64('5'), 2]]),
            '/#1' => new Entries([[['a' => 1, 'b' => 2], 1], [['b' => 2, 'a' => 1], 2]]),
            '/#2' => new Entries([[1.5, 1], [1, 2], [1.5, 3]]),
            '/0' => new Entries($many),
            '/0xff' => new Entries([[new Bin("\xff"), 1], [new Bin("\xff"), 1]]),
        ];
        foreach ($equal as $path => $value) {
            foreach ([PackOptions::STRICT, PackOptions::LOSSLESS] as $options) {
                self::assertFails('duplicate_key', $path, \is_array($value) ? ['x' => $pair(7, 7)] : ($value instanceof \Generator ? $pair('a', 'a') : $value), $options);
            }
        }
        $unequal = [[1, 1.0], [0.0, -0.0], ['a', new Bin('a')], [[1], [2]], [null, false], [new Timestamp(1), new Timestamp(1, 1)]];
        foreach ($unequal as [$first, $second]) {
            foreach ([PackOptions::STRICT, PackOptions::LOSSLESS] as $options) {
                self::assertStringStartsWith('82', \bin2hex(MessagePack::pack(new Entries([[$first, 1], [$second, 2]]), $options)));
            }
        }
        self::assertSame('82a16101a16102', \bin2hex(MessagePack::pack($pair('a', 'a'))));
        self::assertSame('duplicate_key', self::failure($pair(1, 1), PackOptions::LOSSLESS)->errorCode->value);
    }

    public function testIteratorsHaveKeysThatPhpArraysHave(): void
    {
        $float = static function (): \Generator {
            yield 'a' => 1;
            yield 1.5 => 2;
        };
        self::assertFails('invalid_key', '/in', ['in' => $float()], PackOptions::STRICT);
        self::assertSame('82a16101cb3ff800000000000002', \bin2hex(MessagePack::pack($float(), PackOptions::LOSSLESS)));
        self::assertSame('82a16101cb3ff800000000000002', \bin2hex(MessagePack::pack($float())));
    }

    public function testTimestampsMustBeValid(): void
    {
        foreach (['', "\x00", "\xff\xff\xff\xff\x00\x00\x00\x00", \str_repeat("\xff", 12), \str_repeat("\x00", 16)] as $data) {
            foreach ([0, PackOptions::STRICT, PackOptions::LOSSLESS, PackOptions::RECORDS_INLINE] as $options) {
                self::assertFails('invalid_timestamp', '/t/0', ['t' => [new Ext(-1, $data)]], $options);
            }
        }
        self::assertSame('d6ff00000001', \bin2hex(MessagePack::pack(new Ext(-1, "\x00\x00\x00\x01"))));
        self::assertSame('d4fe00', \bin2hex(MessagePack::pack(new Ext(-2, "\x00"))));
        $this->expectExceptionMessage('an ext value of type -1 has 1 bytes, not 4, 8 or 12');
        (new Packer())->packExt(-1, "\x00");
    }

    public function testStrictPacksWhatItHasRead(): void
    {
        $options = PackOptions::STRICT;
        self::assertSame('a2c3a9', \bin2hex(MessagePack::pack('é', $options)));
        self::assertSame('c401ff', \bin2hex(MessagePack::pack("\xff", $options)));
        self::assertSame('9181a161c401ff', \bin2hex(MessagePack::pack([['a' => "\xff"]], $options)));
        self::assertSame('9181c401ff01', \bin2hex(MessagePack::pack([["\xff" => 1]], $options)));
        self::assertSame('9181c401ff01', \bin2hex(MessagePack::pack([(object) ["\xff" => 1]], $options)));
        self::assertSame('81c401ff01', \bin2hex(MessagePack::pack(new Entries([["\xff", 1]]), $options)));
        self::assertSame('9181c401ff01', \bin2hex(MessagePack::pack([["\xff" => 1]], $options | PackOptions::RECORDS_INLINE)));
        foreach (['82a2696407a468617368c404deadbeef', '91c5012c' . \str_repeat('ff', 300), '81c402fffe90'] as $hex) {
            $value = MessagePack::unpack((string) \hex2bin($hex), UnpackOptions::STRICT);
            self::assertSame($hex, \bin2hex(MessagePack::pack($value, PackOptions::STRICT)));
        }
        $this->expectExceptionMessage('a string is not UTF-8');
        (new Packer($options))->packStr("\xff"); // asked for explicitly
    }

    public function testWhatCannotBePackedIsNamedWithItsPath(): void
    {
        self::assertFails('unsupported_value', '', static fn(): int => 1);
        self::assertFails('unsupported_value', '/jobs/0/run', ['jobs' => [['run' => new \DateInterval('P1D')]]]);
        self::assertFails('unsupported_value', '/a~1b/~0', ['a/b' => ['~' => \STDIN]]);
        self::assertFails('unsupported_value', '/-3/1', [-3 => [0, new \DateInterval('P1D')]]);
        self::assertFails('unsupported_value', '/0/name', [(object) ['name' => Support\Plain::One]]);
        self::assertFails('unsupported_value', '/x', new \ArrayObject(['x' => \STDIN]));
        self::assertFails('unsupported_value', '/0x00ff', new Entries([[new Bin("\x00\xff"), \STDIN]]));
        self::assertFails('unsupported_value', '/#1', new Entries([[1, 2], [null, \STDIN]]));
        self::assertFails('unsupported_value', '/18446744073709551615', new Entries([[new UInt64('18446744073709551615'), \STDIN]]));
        self::assertFails('unsupported_value', "/\u{fffd}", ["\xff" => \STDIN]);

        $this->expectExceptionMessage(
            'cannot pack Closure (path "/jobs/0"); register a transformer for it, or convert it before',
        );
        (new Packer())->pack(['jobs' => [static fn(): int => 1]]);
    }

    public function testEntriesMustBePairs(): void
    {
        // @phpstan-ignore argument.type
        self::assertSame('81a16b01', \bin2hex(MessagePack::pack(new Entries(['x' => ['k', 1]]))));
        foreach ([1, null, [], ['k'], ['k', 1, 2], ['k' => 1, 2 => 3], 'kv'] as $entry) {
            // @phpstan-ignore argument.type
            self::assertFails('unsupported_value', '/0/#1', [new Entries([['k', 1], $entry])]);
        }
    }

    public function testRangesAreChecked(): void
    {
        $packer = new Packer();
        $calls = [
            static fn(): string => $packer->packExt(128, 'a'),
            static fn(): string => $packer->packExt(999, 'a'),
            static fn(): string => $packer->packExt(-129, 'a'),
            static fn(): string => $packer->packArrayHeader(-1),
            static fn(): string => $packer->packArrayHeader(0x100000000),
            static fn(): string => $packer->packMapHeader(-1),
            static fn(): string => $packer->packMapHeader(0x100000000),
            static fn(): string => $packer->packFloat32(1e39),
            static fn(): string => $packer->packFloat32(-\PHP_FLOAT_MAX),
            static fn(): string => $packer->pack(\gmp_init('18446744073709551616')),
            static fn(): string => $packer->pack(\gmp_init('-9223372036854775809')),
        ];
        foreach ($calls as $i => $call) {
            self::assertSame('out_of_range at  ()', Outcome::of($call), "call {$i}");
        }
        self::assertFails('out_of_range', '/a', ['a' => \gmp_init('18446744073709551616')]);
        self::assertFails('out_of_range', '/a', ['a' => new Ext(999, 'a')]);
        self::assertFails('out_of_range', '/a', ['a' => 1e300], PackOptions::FORCE_FLOAT32);
        self::assertFails('invalid_record', '/0', [new Ext(0x72, 'a')]);
        self::assertFails('invalid_record', '', new Ext(0x72, 'ab'));
        self::assertSame('c70372616263', \bin2hex($packer->packExt(0x72, 'abc')));
        self::assertSame('c70072', \bin2hex($packer->packExt(0x72, '')));
    }

    public function testDepthIsLimited(): void
    {
        $nested = static function (int $containers): mixed {
            $value = 1;
            for ($i = 0; $i < $containers; ++$i) {
                $value = match ($i % 5) {
                    0 => [$value],
                    1 => ['k' => $value],
                    2 => (object) ['p' => $value],
                    3 => new Map([$value]),
                    default => new Entries([[null, $value]]),
                };
            }

            return $value;
        };
        self::assertNotSame('', MessagePack::pack($nested(512)));
        $error = self::failure($nested(513));
        self::assertSame(ErrorCode::LimitExceeded, $error->errorCode);
        self::assertSame(512, \substr_count($error->path, '/'));
        self::assertStringContainsString('depth 513 exceeds the limit 512', $error->getMessage());

        $limits = new Limits(maxDepth: 1);
        self::assertSame('91a178', \bin2hex(MessagePack::pack([new Wrapped('x')], limits: $limits)));
        self::assertSame('90', \bin2hex(MessagePack::pack(new Wrapped([]), limits: $limits)));
        self::assertSame('limit_exceeded at  (/0)', Outcome::of(static fn(): string => MessagePack::pack([new Wrapped([])], limits: $limits)));
        $iterator = static function (): \Generator {
            yield MessagePack::pack([]);
            yield new Wrapped([]);
        };
        self::assertSame('limit_exceeded at  (/1)', Outcome::of(static fn(): string => MessagePack::pack($iterator(), limits: $limits)));
        self::assertSame('9101', \bin2hex(MessagePack::pack([1], limits: $limits)));
        self::assertSame('limit_exceeded at  (/0)', Outcome::of(static fn(): string => MessagePack::pack([[]], limits: $limits)));
        $limits = new Limits(maxDepth: 0);
        self::assertSame('01', \bin2hex(MessagePack::pack(1, limits: $limits)));
        self::assertSame('limit_exceeded at  ()', Outcome::of(static fn(): string => MessagePack::pack([], limits: $limits)));
    }

    public function testCyclesEndAtTheDepthLimit(): void
    {
        $array = ['name' => 1];
        $array['self'] = &$array;
        $object = new \stdClass();
        $object->self = $object;
        /** @var \ArrayObject<string, mixed> $list */
        $list = new \ArrayObject();
        $list['self'] = $list;
        $options = [
            0, PackOptions::STRICT, PackOptions::DETECT_STR_BIN, PackOptions::FORCE_BIN, PackOptions::FORCE_MAP, PackOptions::RECORDS_INLINE,
        ];
        foreach ([$array, $object, $list] as $cycle) {
            foreach ($options as $option) {
                $error = self::failure($cycle, $option);
                self::assertSame(ErrorCode::LimitExceeded, $error->errorCode);
                self::assertSame(\str_repeat('/self', 512), $error->path);
            }
        }
    }

    /**
     * A map is the head and then each key and value as if it stood alone, in every mode.
     */
    public function testKeysOfEachLengthInEachMode(): void
    {
        $keys = [0, 1, 63, 64, 127, 128, 255, 256, 0xffff, 0x1_0000, 0xffff_ffff, 0x1_0000_0000, \PHP_INT_MAX];
        $keys = [...$keys, -1, -32, -33, -128, -129, -0x8000, -0x8001, -0x8000_0000, -0x8000_0001, \PHP_INT_MIN];
        foreach ([0, 1, 31, 32, 255, 256, 0xffff, 0x1_0000] as $length) {
            $keys[] = \str_repeat('k', $length);
        }
        foreach ([0, PackOptions::RECORDS_INLINE, PackOptions::FORCE_STR, PackOptions::FORCE_BIN, PackOptions::DETECT_STR_BIN, PackOptions::STRICT] as $options) {
            $packer = new Packer($options);
            foreach ($keys as $key) {
                foreach ([1, 'v', \str_repeat('v', 40), \str_repeat('v', 300), \str_repeat('v', 0x1_0001), 1.5, null, true, [-7]] as $value) {
                    $expected = "\x82" . $packer->pack(-5) . $packer->pack('x') . $packer->pack($key) . $packer->pack($value);
                    self::assertTrue($expected === $packer->packMap([-5 => 'x', $key => $value]), "{$options}: " . \substr((string) $key, 0, 40));
                }
            }
        }
    }

    /**
     * Each width of the length of a record's values.
     */
    public function testValuesOfRecords(): void
    {
        $packer = new Packer(PackOptions::RECORDS_INLINE);
        $values = ['s' => 'short', 'm' => \str_repeat('m', 40), 'l' => \str_repeat('l', 300), 'x' => \str_repeat('x', 0x1_0001), 'i' => 7];
        $names = '';
        $packed = '';
        foreach ($values as $name => $value) {
            $names .= $packer->pack($name);
            $packed .= $packer->pack($value);
        }
        self::assertTrue("\x92\xd4\x72\x40\x95{$names}{$packed}\x40{$packed}" === $packer->pack([$values, $values]));
    }

    public function testExtsOfEachLength(): void
    {
        $heads = [0 => 'c70005', 1 => 'd405', 2 => 'd505', 3 => 'c70305', 4 => 'd605', 8 => 'd705', 16 => 'd805', 255 => 'c7ff05', 256 => 'c8010005',
            0xffff => 'c8ffff05', 0x1_0000 => 'c90001000005', 0xff_ffff => 'c900ffffff05', 0x100_0000 => 'c90100000005'];
        foreach ($heads as $length => $head) {
            $data = \str_repeat('e', $length);
            self::assertTrue(\hex2bin($head) . $data === (new Packer())->packExt(5, $data), "{$length}");
            if ($length < 0xff_ffff) { // the longest once
                self::assertTrue(\hex2bin($head) . $data === (new Ext(5, $data))->pack(new Packer()), "{$length}");
            }
        }
    }

    public function testTheTypesPackThemselves(): void
    {
        $packer = new Packer();
        self::assertSame('d50a6162', \bin2hex((new Ext(10, 'ab'))->pack($packer)));
        self::assertSame('820001010' . '2', \bin2hex((new Map([1, 2]))->pack($packer)));
        self::assertSame(\bin2hex($packer->pack(new Map(['a' => [1]]))), \bin2hex((new Map(['a' => [1]]))->pack($packer)));
    }

    public function testPropertiesThatLookLikeIntsFollowTheLimits(): void
    {
        $object = (object) ['1' => 'a', 'b' => 2];
        $packer = new Packer(limits: new Limits(maxDepth: 1));
        self::assertSame('82a131a161a16202', \bin2hex($packer->pack($object)));
        self::assertSame('limit_exceeded at  (/0)', Outcome::of(static fn(): string => $packer->pack([$object])));
        self::assertSame('limit_exceeded at  (/1)', Outcome::of(static fn(): string => $packer->pack((object) ['1' => []])));
    }

    /**
     * Keys without a canonical form, as a map with the same key twice, are equal if their bytes are.
     */
    public function testKeysThatHaveNoCanonicalForm(): void
    {
        $twice = static fn(string $value): Returning => new Returning("\x82\xa1a{$value}\xa1a\x01");
        $packer = new Packer(PackOptions::LOSSLESS);
        $keys = static fn(Returning $first, Returning $second): Entries => new Entries([[$first, 1], [$second, 2]]);
        self::assertSame('82' . '82a16105a16101' . '01' . '82a16106a16101' . '02', \bin2hex($packer->pack($keys($twice("\x05"), $twice("\x06")))));
        self::assertSame('duplicate_key at  (/#1)', Outcome::of(static fn(): string => $packer->pack($keys($twice("\x05"), $twice("\x05")))));
    }

    public function testExtendWithLeavesTheOriginalAlone(): void
    {
        $transformer = new class implements CanPack {
            public function pack(Packer $packer, mixed $value): ?string
            {
                return $value instanceof \DateInterval ? $packer->packStr('stack') : null;
            }
        };
        $packer = new Packer();
        $extended = $packer->extendWith($transformer);
        self::assertSame('81a173a5737461636b', \bin2hex($extended->pack(['s' => new \DateInterval('P1D')])));
        self::assertSame('unsupported_value at  ()', Outcome::of(static fn(): string => $packer->pack(new \DateInterval('P1D'))));
        self::assertSame('unsupported_value at  ()', Outcome::of(static fn(): string => $extended->pack(new \DateTimeZone('UTC'))));
        self::assertSame('a5737461636b', \bin2hex((new Packer(null, [$transformer]))->pack(new \DateInterval('P1D'))));
    }
}
