<?php

declare(strict_types=1);

// The rows of docs/guides/migrating-from-msgpack-php.md about the pure library, as programs of rybakit/msgpack, for
// MigrationRowsTest.
//
// usage: php rybakit-rows.php ours|FOLDER    FOLDER is a checkout of rybakit/msgpack
//
// Prints, serialized, for the head of each row a list of [was, is, got]: what the guide says of either library, and
// what the library in use does. With the head '' it prints the names that the library has.

namespace Rows;

use MessagePack\BufferUnpacker;
use MessagePack\CanBePacked;
use MessagePack\Exception\InsufficientDataException;
use MessagePack\Exception\InvalidOptionException;
use MessagePack\Exception\PackingFailedException;
use MessagePack\Exception\UnpackingFailedException;
use MessagePack\Extension;
use MessagePack\Extension\TimestampExtension;
use MessagePack\MessagePack;
use MessagePack\Packer;
use MessagePack\PackOptions;
use MessagePack\Type\Bin;
use MessagePack\Type\Map;
use MessagePack\Type\Timestamp;
use MessagePack\TypeTransformer\StreamTransformer;
use MessagePack\TypeTransformer\TraversableTransformer;
use MessagePack\UnpackOptions;

/** Instead of what a library does: it has nothing to do this with. */
const NOTHING = ['nothing'];

require __DIR__ . '/rybakit-library.php';

/** Packs itself as it is told to. */
final class Returning implements CanBePacked
{
    public function __construct(private \Closure $pack) {}

    public function pack(Packer $packer): string
    {
        return ($this->pack)($packer);
    }
}

/** An extension or a transformer that does what it is told to. */
final class Telling implements Extension
{
    public function __construct(private int $type, private ?\Closure $unpack = null, private ?\Closure $pack = null) {}

    public function getType(): int
    {
        return $this->type;
    }

    public function pack(Packer $packer, $value): ?string
    {
        return $this->pack === null ? null : ($this->pack)($packer, $value);
    }

    public function unpackExt(BufferUnpacker $unpacker, int $extLength)
    {
        return ($this->unpack)($unpacker, $extLength);
    }
}

/** Returns what a call returns, or the code of its error, or the class of what else it throws. */
function got(\Closure $call): mixed
{
    try {
        return $call();
    } catch (\Throwable $error) {
        return isset($error->errorCode) ? $error->errorCode->value : named($error);
    }
}

/** Returns the name of a class without its namespace. */
function named(object|string $class): string
{
    $name = \is_object($class) ? $class::class : $class;

    return \substr($name, (int) \strrpos("\\{$name}", '\\'));
}

/** Returns a timestamp as a list. */
function moment(mixed $value): mixed
{
    return $value instanceof Timestamp ? [$value->getSeconds(), $value->getNanoseconds()] : named($value);
}

function throwing(string $class): \Closure
{
    return static fn() => throw new $class('mine');
}

/** Returns the classes of what a call throws, the outer one first, and where that was. */
function thrown(\Closure $call): string
{
    try {
        $call();
    } catch (\Throwable $error) {
        $place = isset($error->path) ? " {$error->path}" : '';
        $cause = $error->getPrevious() === null ? '' : ' of ' . named($error->getPrevious());

        return named($error) . $cause . $place;
    }

    return 'nothing';
}

/** Returns how often an element is decoded, when the message comes byte by byte. */
function decodings(): int
{
    $count = 0;
    $extension = new Telling(5, static function (BufferUnpacker $unpacker, int $length) use (&$count): string {
        ++$count;

        return $unpacker->read($length);
    });
    $unpacker = (new BufferUnpacker())->extendWith($extension);
    foreach (\str_split("\x94\xd4\x05x\x01\x02\x03") as $byte) {
        $unpacker->append($byte)->tryUnpack();
    }

    return $count;
}

/** Writes the heads of maps inside one another. */
function maps(int $depth): CanBePacked
{
    return new Returning(static fn(Packer $packer): string => $packer->packMapHeader(1) . $packer->packStr('a')
        . $packer->pack($depth === 1 ? 1 : maps($depth - 1)));
}

function repeating(): \Generator
{
    yield 'a' => 1;
    yield 'a' => 2;
}

const TOO_MANY = "\xc7\x0c\xff\x3b\x9a\xca\x00\0\0\0\0\0\0\0\5";
$deep = \str_repeat("\x91", 513) . "\x01";
$big = "\xcf" . \str_repeat("\xff", 8);

/** Of each row a list of [was, is, what to do]. */
$rows = [
    '`MessagePack::unpack()` with bytes behind the value' => [
        [1, 'trailing_data', static fn() => MessagePack::unpack("\x01\x02")],
        [[1, 2], [1, 2], static function (): array {
            $unpacker = new BufferUnpacker("\x01\x02");

            return [$unpacker->unpack(), $unpacker->unpack()];
        }],
    ],
    'position after a failed `unpack()`' => [
        [[0, 2], [2, [1, 2]], static function (): array {
            $unpacker = new BufferUnpacker("\x92\x01");
            got($unpacker->unpack(...));

            return [$unpacker->getRemainingCount(), $unpacker->append("\x02")->unpack()];
        }],
    ],
    '`tryUnpack()` with a bad byte behind good messages' => [
        [['UnpackingFailedException', []], [[1, 2], 'reserved_byte'], static function (): array {
            $unpacker = new BufferUnpacker("\x01\x02\xc1");

            return [got($unpacker->tryUnpack(...)), got($unpacker->tryUnpack(...))];
        }],
    ],
    'the first bytes of a long message, chunk after chunk' => [[4, 1, decodings(...)]],
    'depth' => [
        [true, 'limit_exceeded', static fn() => \is_array(MessagePack::unpack($deep))],
        [NOTHING, true, static fn() => \is_array(MessagePack::unpack($deep, limits: new \Polypack\Limits(maxDepth: 513)))],
        [true, 'limit_exceeded', static fn() => MessagePack::pack(maps(513)) !== ''],
    ],
    'timestamps' => [
        [[3, 0], [3, 0], static fn() => moment(MessagePack::unpack("\xd6\xff\0\0\0\3"))],
        ['Ext', [3, 0], static fn() => moment((new BufferUnpacker("\xd6\xff\0\0\0\3"))->unpack())],
        ['PackingFailedException', 'd6ff00000003', static fn() => \bin2hex((new Packer())->pack(new Timestamp(3)))],
        [[3, 0], [3, 0], static fn() => moment((new BufferUnpacker("\xd6\xff\0\0\0\3"))->extendWith(new TimestampExtension())->unpack())],
    ],
    'timestamps of a wrong length, or with 10⁹ nanoseconds' => [
        [[3, 1], 'invalid_timestamp', static fn() => moment(MessagePack::unpack("\xc7\x0d\xff\0\0\0\1\0\0\0\0\0\0\0\3\0"))],
        [[5, 1_000_000_000], 'invalid_timestamp', static fn() => moment(MessagePack::unpack(TOO_MANY))],
    ],
    'what `CanBePacked` objects and transformers return' => [
        ['910102', 'trailing_data', static fn() => \bin2hex(MessagePack::pack([new Returning(static fn() => "\x01\x02")]))],
        ['9192', 'unexpected_end', static fn() => \bin2hex((new Packer())->extendWith(new Telling(5, null, static fn() => "\x92"))->pack([new \stdClass()]))],
        [NOTHING, ['Returning', '/0'], static function (): array {
            try {
                MessagePack::pack([new Returning(static fn() => "\x01\x02")]);
            } catch (PackingFailedException $error) {
                return [\preg_match('/\bReturning\b/', $error->getMessage(), $match) === 1 ? $match[0] : '', $error->path];
            }
        }],
    ],
    '`DateTimeInterface`, backed enums, `stdClass`, `ArrayObject`, GMP, iterators' => [
        ['PackingFailedException', 'd6ff00000003', static fn() => \bin2hex(MessagePack::pack(new \DateTimeImmutable('@3')))],
        ['PackingFailedException', 'a46e657874', static fn() => \bin2hex(MessagePack::pack(Step::Next))],
        ['PackingFailedException', '81a16101', static fn() => \bin2hex(MessagePack::pack((object) ['a' => 1]))],
        ['PackingFailedException', '8200010102', static fn() => \bin2hex(MessagePack::pack(new \ArrayObject([1, 2])))],
        ['PackingFailedException', '920102', static fn() => \bin2hex(MessagePack::pack(new \ArrayIterator([1, 2])))],
        ['PackingFailedException', '82a16101a16102', static fn() => \bin2hex(MessagePack::pack(repeating()))],
        [NOTHING, 'duplicate_key', static fn() => MessagePack::pack(repeating(), PackOptions::STRICT)],
        [NOTHING, 'duplicate_key', static fn() => MessagePack::pack(repeating(), PackOptions::LOSSLESS)],
        ...(\extension_loaded('gmp') ? [['PackingFailedException', '05', static fn() => \bin2hex(MessagePack::pack(\gmp_init(5)))]] : []),
    ],
    'extension type 0 with one zero byte (JavaScript\'s `undefined`)' => [
        ['Ext', null, static fn() => ($value = MessagePack::unpack("\xd4\0\0")) === null ? null : named($value)],
    ],
    '`packExt()` with a type outside −128…127' => [
        ['d48078', 'out_of_range', static fn() => \bin2hex((new Packer())->packExt(128, 'x'))],
        ['d47f78', 'out_of_range', static fn() => \bin2hex((new Packer())->packExt(-129, 'x'))],
    ],
    '`packArrayHeader()` and `packMapHeader()` with a count below 0 or above 2³²−1' => [
        ['ff', 'out_of_range', static fn() => \bin2hex((new Packer())->packArrayHeader(-1))],
        ['dd00000000', 'out_of_range', static fn() => \bin2hex((new Packer())->packArrayHeader(1 << 32))],
        ['ff', 'out_of_range', static fn() => \bin2hex((new Packer())->packMapHeader(-1))],
        ['df00000000', 'out_of_range', static fn() => \bin2hex((new Packer())->packMapHeader(1 << 32))],
    ],
    'extension type 0x72 with 1 or 2 bytes of data' => [
        ['Ext', 'invalid_record', static fn() => named(MessagePack::unpack("\xd4\x72x"))],
        ['Ext', 'invalid_record', static fn() => named(MessagePack::unpack("\xd5\x72xx"))],
        ['Ext', 'Ext', static fn() => named(MessagePack::unpack("\xc7\x03\x72xxx"))],
        ['d47278 X', 'd47278 X', static function (): string {
            $extension = new Telling(
                0x72,
                static fn(BufferUnpacker $unpacker, int $length): string => \strtoupper($unpacker->read($length)),
                static fn(Packer $packer): string => $packer->packExt(0x72, 'x'),
            );
            $packed = (new Packer())->extendWith($extension)->pack(new \SplFixedArray());

            return \bin2hex($packed) . ' ' . (new BufferUnpacker($packed))->extendWith($extension)->unpack();
        }],
    ],
    '`packExt(-1, …)` with data that is no timestamp' => [
        ['d4ff78', 'invalid_timestamp', static fn() => \bin2hex((new Packer())->packExt(-1, 'x'))],
    ],
    '`seek()` and `skip()` to the end of the buffer' => [
        ['InsufficientDataException', 0, static fn() => (new BufferUnpacker('ab'))->seek(2)->getRemainingCount()],
        ['InsufficientDataException', 0, static fn() => (new BufferUnpacker('ab'))->skip(2)->getRemainingCount()],
    ],
    'constants of `PackOptions` for unpacking, and the other way round' => [
        [5, 'InvalidOptionException', static fn() => MessagePack::unpack("\x05", PackOptions::FORCE_ARR)],
        [5, 'InvalidOptionException', static fn() => MessagePack::unpack("\x05", PackOptions::FORCE_FLOAT32)],
        [5, 5, static fn() => MessagePack::unpack("\x05", PackOptions::FORCE_STR)],
        ['c40161', 'c40161', static fn() => \bin2hex(MessagePack::pack('a', UnpackOptions::BIGINT_AS_GMP))],
        [NOTHING, 'InvalidOptionException', static fn() => MessagePack::pack(1.5, UnpackOptions::BIGINT_AS_FLOAT)],
        [NOTHING, 'TypeError', static fn() => PackOptions::of(strings: \Polypack\Options\BigInts::Str)],
    ],
    'a `DomainException` or the like thrown in `unpackExt()`, in an object or in a transformer' => [
        ['DomainException', 'UnpackingFailedException of DomainException /0',
            static fn() => thrown(static fn() => (new BufferUnpacker("\x91\xd4\x05x"))->extendWith(new Telling(5, throwing(\DomainException::class)))->unpack())],
        ['DomainException', 'PackingFailedException of DomainException /0',
            static fn() => thrown(static fn() => MessagePack::pack([new Returning(throwing(\DomainException::class))]))],
        ['DomainException', 'PackingFailedException of DomainException /0',
            static fn() => thrown(static fn() => (new Packer())->extendWith(new Telling(5, null, throwing(\DomainException::class)))->pack([new \stdClass()]))],
        ['UnpackingFailedException', 'UnpackingFailedException /0',
            static fn() => thrown(static fn() => (new BufferUnpacker("\x91\xd4\x05x"))->extendWith(new Telling(5, throwing(UnpackingFailedException::class)))->unpack())],
        ['PackingFailedException', 'PackingFailedException /0',
            static fn() => thrown(static fn() => MessagePack::pack([new Returning(throwing(PackingFailedException::class))]))],
    ],
    '`PackingFailedException::unsupportedType()`, `invalidMapKeyType()`, `UnpackingFailedException::unexpectedCode()`, `unknownCode()`, `InvalidOptionException::outOfRange()`' => [
        [true, false, static fn() => \is_callable([PackingFailedException::class, 'unsupportedType'])],
        [true, false, static fn() => \is_callable([UnpackingFailedException::class, 'invalidMapKeyType'])],
        [true, false, static fn() => \is_callable([UnpackingFailedException::class, 'unexpectedCode'])],
        [true, false, static fn() => \is_callable([UnpackingFailedException::class, 'unknownCode'])],
        [true, false, static fn() => \is_callable([InvalidOptionException::class, 'outOfRange'])],
        [NOTHING, 'unsupported_value', static fn() => throw new PackingFailedException('mine', \Polypack\Exception\ErrorCode::UnsupportedValue)],
    ],
    'subclasses of `PackingFailedException`, `InsufficientDataException`, `InvalidOptionException`' => [
        [false, true, static fn() => (new \ReflectionClass(PackingFailedException::class))->isFinal()],
        [false, true, static fn() => (new \ReflectionClass(InsufficientDataException::class))->isFinal()],
        [false, true, static fn() => (new \ReflectionClass(InvalidOptionException::class))->isFinal()],
    ],
    'texts of exceptions' => [
        ['Unknown code: 0xc1', 'the head byte 0xc1 is reserved, at byte 0; the input is damaged, or is not MessagePack', static function (): string {
            try {
                return MessagePack::unpack("\xc1");
            } catch (UnpackingFailedException $error) {
                return $error->getMessage();
            }
        }],
        [NOTHING, 'reserved_byte', static fn() => MessagePack::unpack("\xc1")],
    ],
    'named arguments' => [
        [1, 'Error', static fn() => MessagePack::unpack(data: "\x01")],
        ['Error', 1, static fn() => MessagePack::unpack(packed: "\x01")],
        ["\x91", 'Error', static fn() => (new Packer())->packArrayHeader(size: 1)],
        ['Error', "\x91", static fn() => (new Packer())->packArrayHeader(count: 1)],
        ["\xc4\x01x", 'Error', static fn() => (new Packer())->packBin(str: 'x')],
        ['Error', "\xc4\x01x", static fn() => (new Packer())->packBin(bin: 'x')],
        [[3, 0], 'Error', static fn() => moment(Timestamp::fromDateTime(date: new \DateTimeImmutable('@3')))],
        ['Error', [3, 0], static fn() => moment(Timestamp::fromDateTime(dateTime: new \DateTimeImmutable('@3')))],
    ],
    '`Bin::$data` and `Map::$map`' => [
        ['y', 'Error', static function (): string {
            $bin = new Bin('x');

            return $bin->data = 'y';
        }],
        [[2], 'Error', static function (): array {
            $map = new Map([1]);

            return $map->map = [2];
        }],
    ],
    '`packMap()` and `packArray()` with `ArrayObject` or an iterator' => [
        ['810001', 'TypeError', static fn() => \bin2hex((new Packer())->packMap(new \ArrayObject([1])))],
        ['9101', 'TypeError', static fn() => \bin2hex((new Packer())->packArray(new \ArrayIterator([1])))],
        ['PackingFailedException', '810001', static fn() => \bin2hex((new Packer())->pack(new \ArrayObject([1])))],
        ['PackingFailedException', '9101', static fn() => \bin2hex((new Packer())->pack(new \ArrayIterator([1])))],
    ],
    '`FORCE_FLOAT32` and `packFloat32()` with a number too great for it, such as 1e300' => [
        ['ca7f800000', 'out_of_range', static fn() => \bin2hex((new Packer(PackOptions::FORCE_FLOAT32))->pack(1e300))],
        ['ca7f800000', 'out_of_range', static fn() => \bin2hex((new Packer())->packFloat32(1e300))],
    ],
    '`packInt(5.5)`, `packStr(null)` and the like' => [
        ['05', 'out_of_range', static fn() => \bin2hex(@(new Packer())->packInt(5.5))],
        ['a0', 'TypeError', static fn() => \bin2hex(@(new Packer())->packStr(null))],
        ['c2', 'TypeError', static fn() => \bin2hex((new Packer())->packBool(null))],
    ],
    '`read()` with a negative length' => [
        [[1, 3], 'InvalidOptionException', static function (): array {
            $unpacker = new BufferUnpacker("\x01\x02\x03");
            $first = $unpacker->unpack();
            $unpacker->read(-1);

            return [$first, $unpacker->getRemainingCount()];
        }],
    ],
    'subclasses of `Packer` and `BufferUnpacker` that override `pack()` or `unpack()`' => [
        ['', 'string', static fn() => (string) (new \ReflectionMethod(Packer::class, 'pack'))->getReturnType()],
        ['', 'mixed', static fn() => (string) (new \ReflectionMethod(BufferUnpacker::class, 'unpack'))->getReturnType()],
        [false, false, static fn() => (new \ReflectionClass(Packer::class))->isFinal() || (new \ReflectionClass(BufferUnpacker::class))->isFinal()],
    ],
    '`StreamTransformer`, `TraversableTransformer`' => [
        [false, true, static fn() => (new \ReflectionClass(StreamTransformer::class))->isFinal()],
        [false, true, static fn() => (new \ReflectionClass(TraversableTransformer::class))->isFinal()],
    ],
    '`unpackBin()` in lossless mode, `unpackInt()` above 2⁶³−1' => [
        ['x', 'x', static fn() => (new BufferUnpacker("\xc4\x01x"))->unpackBin()],
        [NOTHING, 'Bin', static fn() => named((new BufferUnpacker("\xc4\x01x", UnpackOptions::LOSSLESS))->unpackBin())],
        ['18446744073709551615', '18446744073709551615', static fn() => (new BufferUnpacker($big))->unpackInt()],
        [NOTHING, 1.8446744073709552e19, static fn() => (new BufferUnpacker($big, UnpackOptions::BIGINT_AS_FLOAT))->unpackInt()],
    ],
    '`unpackMap()` and `unpackMapHeader()` on an empty array' => [
        ['UnpackingFailedException', [], static fn() => (new BufferUnpacker("\x90"))->unpackMap()],
        ['UnpackingFailedException', 0, static fn() => (new BufferUnpacker("\x90"))->unpackMapHeader()],
    ],
];

/**
 * Returns the names of the classes, and behind them those of parents, methods and, with their values, constants.
 *
 * @return list<string>
 */
function names(string $library): array
{
    $names = [];
    $folder = $library === 'ours' ? \dirname(__DIR__, 2) . '/src' : "{$library}/src";
    foreach (new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($folder, \FilesystemIterator::SKIP_DOTS)) as $file) {
        $name = \strtr(\substr((string) $file, \strlen($folder) + 1, -4), '/', '\\');
        if (!\class_exists("MessagePack\\{$name}") && !\interface_exists("MessagePack\\{$name}")) {
            continue;
        }
        $class = new \ReflectionClass("MessagePack\\{$name}");
        $names[] = $name;
        foreach (\class_parents($class->getName()) + \class_implements($class->getName()) as $parent) {
            $names[] = "{$name} is a " . \preg_replace('/^(MessagePack|Polypack)\\\\/', '', $parent);
        }
        foreach ($class->getMethods(\ReflectionMethod::IS_PUBLIC) as $method) {
            $names[] = "{$name}::{$method->getName()}()";
        }
        foreach ($class->getReflectionConstants(\ReflectionClassConstant::IS_PUBLIC) as $constant) {
            $names[] = "{$name}::{$constant->getName()} = " . \json_encode($constant->getValue());
        }
    }

    return $names;
}

enum Step: string
{
    case Next = 'next';
}

$column = $library === 'ours' ? 1 : 0;
foreach ($rows as $head => $checks) {
    foreach ($checks as $i => $check) {
        $rows[$head][$i][2] = $check[$column] === NOTHING ? NOTHING : got($check[2]);
    }
}
echo \serialize($rows + ['' => names($library)]);
