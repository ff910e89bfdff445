<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhp;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\CanBePacked;
use Polypack\CanPack;
use Polypack\Exception\ErrorCode;
use Polypack\Exception\PackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Raw;
use Polypack\Tests\Support\Box;
use Polypack\Tests\Support\BoxExtension;
use Polypack\Tests\Support\Node;
use Polypack\Tests\Support\Outcome;
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

    public function testObjectsMayCallThePackerInTheMiddleOfLists(): void
    {
        $packer = new Packer();
        $inner = new class implements CanBePacked {
            public int $calls = 0;

            public function pack(Packer $packer): string
            {
                ++$this->calls;
                $thrownAway = $packer->pack([1, [2, ['x' => 3]], 'é']);
                TestCase::assertSame('93' . '01' . '9202' . '81a17803' . 'a2c3a9', \bin2hex($thrownAway));
                try {
                    $packer->pack([[[\STDIN]]]);
                } catch (PackingFailedException $error) {
                    return $packer->packStr($error->path);
                }

                return '';
            }
        };
        $path = static fn(string $path): string => \bin2hex(\chr(0xa0 + \strlen($path)) . $path);
        self::assertSame(
            '93' . '07' . '81a16b' . '92' . $path('/1/k/0/0/0/0') . 'a3656e64' . $path('/2/0/0/0'),
            \bin2hex($packer->pack([7, ['k' => [$inner, 'end']], $inner])),
        );
        self::assertSame(2, $inner->calls);
        self::assertSame('unsupported_value at  (/3)', Outcome::of(static fn(): string => $packer->pack([1, 2, $inner, \STDIN])));
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

    public function testObjectsThatCannotBeReadAreNamedWithTheirPath(): void
    {
        $unborn = (new \ReflectionClass(\DateTimeImmutable::class))->newInstanceWithoutConstructor();
        self::assertFails('unsupported_value', '/0/at', [['at' => $unborn]]);
        $refusing = new class extends \ArrayObject {
            public function getArrayCopy(): array
            {
                throw new \LogicException('no');
            }
        };
        self::assertFails('unsupported_value', '/a', ['a' => $refusing]);
        $error = self::failure($refusing);
        self::assertSame('no', $error->getPrevious()?->getMessage());
        self::assertStringContainsString('reading ArrayObject@anonymous failed', $error->getMessage());
        if (\PHP_VERSION_ID >= 80400) {
            $class = new \ReflectionClass(new class extends \stdClass {
                public int $a = 1;
            });
            /** @var object $lazy */
            // @phpstan-ignore method.notFound
            $lazy = $class->newLazyGhost(static fn() => throw new \LogicException('no'));
            self::assertFails('unsupported_value', '/a', ['a' => $lazy]);
        }
    }

    public function testAnArrayObjectPacksWhatALoopOverItGives(): void
    {
        $object = new class {
            public int $a = 1;
            protected int $b = 2;
            private int $c = 3; // @phpstan-ignore property.onlyWritten
        };
        self::assertSame('81a16101', \bin2hex(MessagePack::pack(@new \ArrayObject($object))));
        self::assertSame('82a20062' . '01a16102', \bin2hex(MessagePack::pack(new \ArrayObject(["\0b" => 1, 'a' => 2]))));
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

    /**
     * @return iterable<string, array{\Closure(Packer): string}>
     */
    public static function emptyContainers(): iterable
    {
        $values = [
            'array' => [], 'object' => new \stdClass(), 'Map' => new Map([]), 'Entries' => new Entries([]), 'ArrayObject' => new \ArrayObject(),
            'iterator' => new \EmptyIterator(), 'Raw' => new Raw("\x80"), 'handover' => new Wrapped(new Wrapped([])),
        ];
        foreach ($values as $name => $value) {
            yield $name => [static fn(Packer $packer): string => $packer->pack($value)];
        }
        yield 'packArray' => [static fn(Packer $packer): string => $packer->packArray([])];
        yield 'packMap' => [static fn(Packer $packer): string => $packer->packMap([])];
        yield 'packArrayHeader' => [static fn(Packer $packer): string => $packer->packArrayHeader(0)];
        yield 'packMapHeader' => [static fn(Packer $packer): string => $packer->packMapHeader(0)];
    }

    /**
     * @param \Closure(Packer): string $pack
     */
    #[DataProvider('emptyContainers')]
    public function testNoEmptyContainerIsPackedBeyondMaxDepth(\Closure $pack): void
    {
        $transformer = new class ($pack) implements CanPack {
            /**
             * @param \Closure(Packer): string $pack
             */
            public function __construct(private readonly \Closure $pack) {}

            public function pack(Packer $packer, mixed $value): ?string
            {
                return \is_resource($value) || $value instanceof Suit ? ($this->pack)($packer) : null;
            }
        };
        // What the iterator yields is packed by this packer, but not in the message.
        $iterator = static function (Packer $packer) use ($pack): \Generator {
            yield $pack($packer) === '' ? 1 : 0;
        };
        foreach ([0, PackOptions::FORCE_STR, PackOptions::LOSSLESS] as $options) {
            foreach ([0, 1, 2] as $depth) {
                $around = static fn(mixed $value): mixed => match ($depth) {
                    0 => $value, 1 => [$value], default => [[$value]],
                };
                $path = \str_repeat('/0', $depth);
                foreach ([new Returning($pack), \STDIN, Suit::Hearts] as $value) {
                    $packer = static fn(int $most): Packer => new Packer($options, [$transformer], new Limits(maxDepth: $most));
                    self::assertNotSame('', $packer($depth + 1)->pack($around($value)));
                    self::assertSame("limit_exceeded at  ({$path})", Outcome::of(static fn(): string => $packer($depth)->pack($around($value))));
                }
                $packer = static fn(int $most): Packer => new Packer($options, [], new Limits(maxDepth: $most));
                self::assertSame("limit_exceeded at  ({$path})", Outcome::of(static fn(): string => $packer($depth)->pack($around(new Returning($pack)))));
                $packIterator = static function (int $most) use ($packer, $around, $iterator): string {
                    $packer = $packer($most);

                    return $packer->pack($around($iterator($packer)));
                };
                self::assertNotSame('', $packIterator($depth + 2));
                self::assertStringStartsWith('limit_exceeded', Outcome::of(static fn(): string => $packIterator($depth + 1)));
            }
        }
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

    public function testIteratorsFollowTheOptionsForArrays(): void
    {
        $pack = static fn(int $options, array $values): string => \bin2hex((new Packer($options))->pack(new \ArrayIterator($values)));
        self::assertSame('8200010102', $pack(PackOptions::FORCE_MAP, [1, 2]));
        self::assertSame('920102', $pack(PackOptions::FORCE_ARR, ['a' => 1, 'b' => 2]));
        self::assertSame('91c40161', $pack(PackOptions::FORCE_BIN, ['a']));
    }

    public function testIteratorsMayFailAndPackMeanwhile(): void
    {
        $packer = new Packer();
        $generator = static function () use ($packer): \Generator {
            yield $packer->pack([1]);
            yield ['in' => [2]];
        };
        self::assertSame('92a29101' . '81a2696e9102', \bin2hex($packer->pack($generator())));

        $failing = static function (): \Generator {
            yield 1;
            throw new \LogicException('no more');
        };
        $error = self::failure(['rows' => $failing()]);
        self::assertSame('/rows', $error->path);
        self::assertInstanceOf(\LogicException::class, $error->getPrevious());
        self::assertSame('c0', \bin2hex($packer->pack(null)));

        $endless = static function () use (&$endless): \Generator {
            yield $endless();
        };
        self::assertSame(ErrorCode::LimitExceeded, self::failure($endless())->errorCode);
    }

    public function testObjectsThatPackAsThemselvesEnd(): void
    {
        $itself = new class implements CanBePacked {
            public function pack(Packer $packer): string
            {
                return $packer->pack($this);
            }
        };
        self::assertFails('limit_exceeded', '', $itself);
        self::assertFails('limit_exceeded', '/a/1', ['a' => [0, $itself]]);

        $wrapped = new class implements CanBePacked {
            public function pack(Packer $packer): string
            {
                return $packer->pack([1, 'in' => $this]);
            }
        };
        $error = self::failure($wrapped);
        self::assertSame(ErrorCode::LimitExceeded, $error->errorCode);
        self::assertSame(\str_repeat('/in', 512), $error->path);
    }

    public function testObjectsThatWriteTheirOwnHeadsNestToMaxDepth(): void
    {
        $packed = (new Packer())->pack(Node::chain(512));
        $value = MessagePack::unpack($packed);
        self::assertIsArray($value);
        self::assertSame(1, $value['v']);
        foreach ([Node::chain(513), Node::chain(512, []), [Node::chain(512)], Node::chain(511, [[]]), Node::chain(510, [[Node::chain(1)]])] as $deep) {
            foreach ([0, PackOptions::STRICT, PackOptions::RECORDS_INLINE] as $options) {
                $error = self::failure($deep, $options);
                self::assertSame(ErrorCode::LimitExceeded, $error->errorCode);
                self::assertStringContainsString('depth 513 exceeds the limit 512', $error->getMessage());
            }
        }
        $packer = new Packer(limits: new Limits(maxDepth: 2000));
        foreach ([Node::chain(2000), Node::chain(1999, []), [Node::chain(1997, [[]])]] as $deep) {
            $packed = $packer->pack($deep);
            self::assertIsArray(MessagePack::unpack($packed, limits: new Limits(maxDepth: 2000)));
        }
        // Neighbours aren't inside one another, and a fault leaves no depth behind.
        $packer = new Packer(limits: new Limits(maxDepth: 3));
        for ($i = 0; $i < 10; ++$i) {
            self::assertSame(2 * 20, \substr_count(\bin2hex($packer->pack(\array_fill(0, 20, Node::chain(2)))), '82'));
            self::assertSame('9282a17601a46e6578749007', \bin2hex($packer->pack([Node::chain(1, []), 7])));
            try {
                $packer->pack($i % 2 === 0 ? [Node::chain(3)] : \array_fill(0, 20, Node::chain(3)));
                self::fail('too deep');
            } catch (PackingFailedException $error) {
                self::assertSame('/0', $error->path);
            }
        }
    }

    public function testExtensionsInTheDataOfExtensionsNestToMaxDepth(): void
    {
        $box = null;
        for ($i = 0; $i < 512; ++$i) {
            $box = new Box($box);
        }
        $packed = (new Packer(transformers: [new BoxExtension()]))->pack($box);
        self::assertInstanceOf(Box::class, (new BufferUnpacker($packed, extensions: [new BoxExtension()]))->unpack());
        $error = null;
        try {
            (new Packer(transformers: [new BoxExtension()]))->pack(new Box($box));
        } catch (PackingFailedException $error) {
        }
        self::assertStringContainsString('comes after 512 objects in a row', (string) $error?->getMessage());
    }

    public function testObjectsPackInPlace(): void
    {
        $point = new class (1, [2]) implements CanBePacked {
            /**
             * @param list<mixed> $y
             */
            public function __construct(private readonly int $x, private readonly array $y) {}

            public function pack(Packer $packer): string
            {
                return $packer->packMapHeader(2) . $packer->packStr('x') . $packer->packInt($this->x)
                    . $packer->packStr('y') . $packer->packArray($this->y);
            }
        };
        $expected = '82a17801a1799102';
        self::assertSame("92{$expected}81a170{$expected}", \bin2hex(MessagePack::pack([$point, ['p' => $point]])));
    }

    public function testFailuresOfObjectsHaveTheirOwnAsCause(): void
    {
        $cause = new \DomainException('no');
        $object = new class ($cause) implements CanBePacked {
            public function __construct(private readonly \Throwable $cause) {}

            public function pack(Packer $packer): string
            {
                throw $this->cause;
            }
        };
        $error = self::failure([1, $object]);
        self::assertSame(ErrorCode::UnsupportedValue, $error->errorCode);
        self::assertSame('/1', $error->path);
        self::assertSame($cause, $error->getPrevious());
    }

    public function testThePackerIsUsableAfterAnError(): void
    {
        $packer = new Packer();
        $object = new class implements CanBePacked {
            public function pack(Packer $packer): string
            {
                return $packer->pack([\STDIN]);
            }
        };
        for ($i = 0; $i < 3; ++$i) {
            self::assertSame('unsupported_value at  (/a/0)', Outcome::of(static fn(): string => $packer->pack(['a' => $object])));
            self::assertSame('unsupported_value at  (/0)', Outcome::of(static fn(): string => $packer->pack([\STDIN])));
        }
        self::assertSame('9101', \bin2hex($packer->pack([1])));
    }

    public function testManyObjectsArePackedAsOneByOne(): void
    {
        $dates = new class implements CanPack {
            public function pack(Packer $packer, mixed $value): ?string
            {
                return $value instanceof \DateInterval ? $packer->pack(['days' => $value->d]) : null;
            }
        };
        $failing = new class implements CanPack {
            public function pack(Packer $packer, mixed $value): ?string
            {
                return $value instanceof \SplObjectStorage ? throw new \DomainException('no') : null;
            }
        };
        $objects = [
            new \DateInterval('P1D'), new Wrapped(new \DateInterval('P2D')), new Map(['m' => 1]), (object) ['r' => 1], new UInt64('1'), Suit::cases()[0],
            new \DateTimeImmutable('@1'), new Wrapped(['w' => 1]), new Bin('b'),
        ];
        foreach ([0, PackOptions::RECORDS_INLINE, PackOptions::FORCE_FLOAT32] as $options) {
            $packer = new Packer($options, [$dates, $failing]);
            // If the last element isn't an object, each is packed by itself.
            self::assertSame(\bin2hex($packer->packArray([...$objects, 5])), '9a' . \substr(\bin2hex($packer->packArray($objects)), 2) . '05');
            $objects[8] = new \SplObjectStorage();
            self::assertSame('unsupported_value at  (/a/8)', Outcome::of(static fn(): string => $packer->pack(['a' => $objects])));
            $objects[8] = new Wrapped([\STDIN]);
            self::assertSame('unsupported_value at  (/8/0)', Outcome::of(static fn(): string => $packer->pack($objects)));
            $objects[8] = new Bin('b');
        }
    }

    /**
     * Objects, transformers and iterators may write the head of a container at any place. It is open until they are
     * done, and then the packer is as deep as before.
     */
    public function testHeadsThatAreWrittenByHandCountWhileTheyAreOpen(): void
    {
        $stream = \fopen('php://memory', 'r');
        self::assertIsResource($stream);
        $list = new Returning(static fn(Packer $packer): string => $packer->packArrayHeader(1) . $packer->packArray([1]));
        $map = new Returning(static fn(Packer $packer): string => $packer->packMapHeader(1) . $packer->packStr('k') . $packer->packArray([1]));
        $writesForStreams = new class implements CanPack {
            public function pack(Packer $packer, mixed $value): ?string
            {
                return \is_resource($value) ? $packer->packArrayHeader(1) . $packer->packArray([1]) : null;
            }
        };
        $writesAndDeclines = new class implements CanPack {
            public function pack(Packer $packer, mixed $value): ?string
            {
                if ($value instanceof \stdClass) {
                    $packer->packMapHeader(2);
                }

                return null;
            }
        };
        $bytes = ['list' => '919101', 'map' => '81a16b9101', 'known' => '81a16101', 'stream' => '919101'];
        $known = (object) ['a' => 1];
        $packer = new Packer(null, [$writesAndDeclines, $writesForStreams], new Limits(maxDepth: 3));
        $plain = new Packer(limits: new Limits(maxDepth: 3));
        for ($i = 0; $i < 3; ++$i) {
            self::assertSame("92{$bytes['list']}{$bytes['map']}", \bin2hex($plain->pack([$list, $map])));
            self::assertSame('9a' . \str_repeat($bytes['list'] . $bytes['map'], 5), \bin2hex($plain->pack([$list, $map, $list, $map, $list, $map, $list, $map, $list, $map])));
            self::assertSame("94{$bytes['list']}{$bytes['known']}{$bytes['stream']}07", \bin2hex($packer->pack([$list, $known, $stream, 7])));
            self::assertSame(
                '9a' . \str_repeat($bytes['list'] . $bytes['known'] . $bytes['map'], 3) . $bytes['known'],
                \bin2hex($packer->pack([$list, $known, $map, $list, $known, $map, $list, $known, $map, $known])),
            );
            $iterator = static function () use ($packer): \Generator {
                yield $packer->packArrayHeader(2);
                yield [1];
            };
            self::assertSame('92' . 'a192' . '9101', \bin2hex($packer->pack($iterator())));
            foreach ([[[$list]], [[$map]], [[$stream]], [[[$known]]], [[$known, \array_fill(0, 20, $known)]], [[$iterator()]]] as $deep) {
                self::assertSame('limit_exceeded', self::codeOf(static fn(): string => $packer->pack($deep)));
            }
        }
    }

    /**
     * A fault among the elements of a container that an object has opened leaves no depth behind.
     */
    public function testFaultsBehindAHeadThatIsWrittenByHand(): void
    {
        $none = new class implements CanPack {
            public function pack(Packer $packer, mixed $value): ?string
            {
                return null;
            }
        };
        $deep = [[[[]]]];
        $fails = new Returning(static fn(Packer $packer): string => $packer->packArrayHeader(1) . $packer->packArray(\array_fill(0, 20, new \DateInterval('P1D'))));
        foreach ([new Packer(null, [$none], new Limits(maxDepth: 3)), new Packer(limits: new Limits(maxDepth: 3))] as $packer) {
            for ($i = 0; $i < 3; ++$i) {
                self::assertSame('unsupported_value at  (/0)', Outcome::of(static fn(): string => $packer->pack($fails)));
                self::assertSame('limit_exceeded at  (/0/0/0)', Outcome::of(static fn(): string => $packer->pack($deep)));
                self::assertSame('91919101', \bin2hex($packer->pack([[[1]]])));
            }
        }
    }

    /**
     * @param \Closure(): string $pack
     */
    private static function codeOf(\Closure $pack): string
    {
        return \explode(' ', Outcome::of($pack))[0];
    }

    public function testListsThatBeginAndEndWithObjects(): void
    {
        $transformer = new class implements CanPack {
            public function pack(Packer $packer, mixed $value): ?string
            {
                return $value instanceof \DateInterval ? $packer->packInt($value->d) : null;
            }
        };
        $day = new \DateInterval('P5D');
        foreach ([0, PackOptions::RECORDS_INLINE, PackOptions::FORCE_FLOAT32, PackOptions::FORCE_BIN, PackOptions::DETECT_STR_BIN, PackOptions::STRICT, PackOptions::LOSSLESS] as $options) {
            $packer = new Packer($options, [$transformer]);
            $plain = new Packer($options);
            foreach ([1, 7, 11] as $i) {
                $list = \array_fill(0, 12, $day);
                $list[$i] = [3];
                $expected = \array_fill(0, 12, '05');
                $expected[$i] = '9103';
                self::assertSame('9c' . \implode('', $expected), \bin2hex($packer->pack($list)), "{$options} {$i}");

                $list = \array_fill(0, 12, new Wrapped(5));
                $list[$i] = [3];
                self::assertSame('9c' . \implode('', $expected), \bin2hex($plain->pack($list)), "{$options} {$i}");
            }
            self::assertSame('9c' . \str_repeat('05', 12), \bin2hex($plain->pack(\array_fill(0, 12, new Wrapped(5)))));
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
        $twice = static fn(string $value): Raw => new Raw("\x82\xa1a{$value}\xa1a\x01");
        $packer = new Packer(PackOptions::LOSSLESS);
        $keys = static fn(Raw $first, Raw $second): Entries => new Entries([[$first, 1], [$second, 2]]);
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

    /**
     * A pack() method may keep a copy of the packer for later, which knows nothing of the message around.
     */
    public function testACopyMadeInsideAMessageStartsAnew(): void
    {
        $deep = 1;
        for ($i = 0; $i < 5; ++$i) {
            $deep = [$deep];
        }
        $copies = [
            static fn(Packer $packer): Packer => clone $packer,
            static fn(Packer $packer): Packer => $packer->extendWith(new BoxExtension()),
        ];
        foreach ($copies as $copy) {
            foreach ([0, PackOptions::LOSSLESS, PackOptions::RECORDS_INLINE] as $options) {
                /** @var \ArrayObject<int, Packer> $kept */
                $kept = new \ArrayObject();
                $object = new Returning(static function (Packer $packer) use ($kept, $copy): string {
                    $packed = $packer->packArrayHeader(1) . $packer->pack('x');
                    $kept[0] = $copy($packer);

                    return $packed;
                });
                $packer = new Packer($options, [], new Limits(maxDepth: 5));
                self::assertSame('91' . '91' . '91' . '91a178', \bin2hex($packer->pack([[[$object]]])));
                $packer = $kept[0] ?? self::fail('no copy was kept');
                self::assertSame('9191919191' . '01', \bin2hex($packer->pack($deep)));
                self::assertSame('limit_exceeded at  (/0/0/0/0/0)', Outcome::of(static fn(): string => $packer->pack([$deep])));
                self::assertSame('unsupported_value at  (/0)', Outcome::of(static fn(): string => $packer->pack([\STDIN])));
                self::assertSame('91a178', \bin2hex($packer->packArrayHeader(1) . $packer->pack('x')));
                self::assertSame('9191919191' . '01', \bin2hex($packer->pack($deep)));
                $expected = (new Packer($options))->pack([['a' => 1], ['a' => 2]]);
                self::assertSame(\bin2hex($expected), \bin2hex($packer->pack([['a' => 1], ['a' => 2]])));
            }
        }
    }

    private static function assertFails(string $code, string $path, mixed $value, int $options = 0): void
    {
        self::assertSame("{$code} at  ({$path})", Outcome::of(static fn(): string => MessagePack::pack($value, $options)));
    }

    private static function failure(mixed $value, int $options = 0): PackingFailedException
    {
        try {
            MessagePack::pack($value, $options);
        } catch (PackingFailedException $error) {
            return $error;
        }
        self::fail('packing succeeded');
    }
}
