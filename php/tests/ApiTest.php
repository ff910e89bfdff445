<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\Exception\InsufficientDataException;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\PolypackException;
use Polypack\Exception\UnpackingFailedException;

/**
 * The names that users of the library whose API this one carries rely on, with how many arguments they may pass.
 */
final class ApiTest extends TestCase
{
    /** Class or interface, below Polypack => its methods, each with the most arguments that are passed. */
    private const METHODS = [
        'MessagePack' => ['pack' => 2, 'unpack' => 2],
        'Packer' => [
            '__construct' => 2, 'extendWith' => 2, 'pack' => 1, 'packNil' => 0, 'packBool' => 1, 'packInt' => 1,
            'packFloat' => 1, 'packFloat32' => 1, 'packFloat64' => 1, 'packStr' => 1, 'packBin' => 1, 'packArray' => 1,
            'packArrayHeader' => 1, 'packMap' => 1, 'packMapHeader' => 1, 'packExt' => 2,
        ],
        'BufferUnpacker' => [
            '__construct' => 3, 'extendWith' => 2, 'withBuffer' => 1, 'append' => 1, 'reset' => 1, 'seek' => 1,
            'skip' => 1, 'getRemainingCount' => 0, 'hasRemaining' => 0, 'release' => 0, 'read' => 1, 'tryUnpack' => 0,
            'unpack' => 0, 'unpackNil' => 0, 'unpackBool' => 0, 'unpackInt' => 0, 'unpackFloat' => 0, 'unpackStr' => 0,
            'unpackBin' => 0, 'unpackArray' => 0, 'unpackArrayHeader' => 0, 'unpackMap' => 0, 'unpackMapHeader' => 0,
            'unpackExt' => 0,
        ],
        'PackOptions' => [
            'fromDefaults' => 0, 'fromBitmask' => 1, 'isDetectStrBinMode' => 0, 'isForceStrMode' => 0,
            'isForceBinMode' => 0, 'isDetectArrMapMode' => 0, 'isForceArrMode' => 0, 'isForceMapMode' => 0,
            'isForceFloat32Mode' => 0,
        ],
        'UnpackOptions' => [
            'fromDefaults' => 0, 'fromBitmask' => 1, 'isBigIntAsStrMode' => 0, 'isBigIntAsGmpMode' => 0,
            'isBigIntAsDecMode' => 0,
        ],
        'CanBePacked' => ['pack' => 1],
        'CanPack' => ['pack' => 2],
        'Extension' => ['getType' => 0, 'pack' => 2, 'unpackExt' => 2],
        'Extension\TimestampExtension' => ['getType' => 0, 'pack' => 2, 'unpackExt' => 2],
        'Type\Bin' => ['__construct' => 1, 'pack' => 1],
        'Type\Ext' => ['__construct' => 2, 'pack' => 1],
        'Type\Map' => ['__construct' => 1, 'pack' => 1],
        'Type\Timestamp' => [
            '__construct' => 2, 'now' => 0, 'fromDateTime' => 1, 'getSeconds' => 0, 'getNanoseconds' => 0,
        ],
        'TypeTransformer\StreamTransformer' => ['pack' => 2],
        'TypeTransformer\TraversableTransformer' => ['toMap' => 0, 'toArray' => 0, 'pack' => 2],
    ];

    /** Their values are part of the API: bitmasks may be stored in configurations. */
    private const CONSTANTS = [
        'PackOptions::FORCE_STR' => 0b00000001,
        'PackOptions::FORCE_BIN' => 0b00000010,
        'PackOptions::DETECT_STR_BIN' => 0b00000100,
        'PackOptions::FORCE_ARR' => 0b00001000,
        'PackOptions::FORCE_MAP' => 0b00010000,
        'PackOptions::DETECT_ARR_MAP' => 0b00100000,
        'PackOptions::FORCE_FLOAT32' => 0b01000000,
        'PackOptions::FORCE_FLOAT64' => 0b10000000,
        'UnpackOptions::BIGINT_AS_STR' => 0b001,
        'UnpackOptions::BIGINT_AS_GMP' => 0b010,
        'UnpackOptions::BIGINT_AS_DEC' => 0b100,
    ];

    /** What `catch` of today keeps catching. */
    private const PARENTS = [
        InvalidOptionException::class => [\InvalidArgumentException::class, PolypackException::class],
        PackingFailedException::class => [\RuntimeException::class, PolypackException::class],
        UnpackingFailedException::class => [\RuntimeException::class, PolypackException::class],
        InsufficientDataException::class => [UnpackingFailedException::class, PolypackException::class],
    ];

    /**
     * @return iterable<string, array{string, string, int}>
     */
    public static function methods(): iterable
    {
        foreach (self::METHODS as $class => $methods) {
            foreach ($methods as $method => $arguments) {
                yield "{$class}::{$method}" => ["Polypack\\{$class}", $method, $arguments];
            }
        }
    }

    #[DataProvider('methods')]
    public function testMethodsArePublicAndTakeTheArguments(string $class, string $method, int $arguments): void
    {
        self::assertTrue(\method_exists($class, $method));
        $reflection = new \ReflectionMethod($class, $method);

        self::assertTrue($reflection->isPublic());
        self::assertLessThanOrEqual($arguments, $reflection->getNumberOfRequiredParameters());
        self::assertTrue($reflection->isVariadic() || $reflection->getNumberOfParameters() >= $arguments);
    }

    public function testConstantsKeepTheirValues(): void
    {
        foreach (self::CONSTANTS as $name => $value) {
            self::assertSame($value, \constant("Polypack\\{$name}"), $name);
        }
    }

    public function testExceptionsKeepTheirParents(): void
    {
        foreach (self::PARENTS as $class => $parents) {
            foreach ($parents as $parent) {
                self::assertTrue((new \ReflectionClass($class))->isSubclassOf($parent), "{$class} is a {$parent}");
            }
        }
    }

    /**
     * PHP can't hide the loops from subclasses without a call per message (docs/decisions/0020-native-seam.md). So
     * they are internal, and no subclass can replace one by accident.
     *
     * @param list<string> $methods
     * @param list<string> $properties
     */
    #[DataProvider('surfaces')]
    public function testWhatSubclassesSeeIsInternalAndFinal(string $class, array $methods, array $properties): void
    {
        \assert(\class_exists($class));
        $reflection = new \ReflectionClass($class);
        $seen = [];
        foreach ($reflection->getMethods(\ReflectionMethod::IS_PROTECTED) as $method) {
            $seen[] = $method->getName();
            $file = (string) \file_get_contents((string) $method->getFileName());
            self::assertTrue($method->isFinal(), "{$class}::{$method->getName()}() is final");
            self::assertMatchesRegularExpression('~ \* @internal\n(?: \*[^\n]*\n)* \*/\n(?:abstract class|trait) ~', $file);
        }
        $names = \array_map(
            static fn(\ReflectionProperty $property): string => $property->getName(),
            $reflection->getProperties(\ReflectionProperty::IS_PROTECTED),
        );
        \sort($seen);
        \sort($names);

        self::assertSame($methods, $seen);
        self::assertSame($properties, $names);
    }

    /**
     * @return iterable<string, array{string, list<string>, list<string>}>
     */
    public static function surfaces(): iterable
    {
        yield 'Packer' => ['Polypack\Packer', [
            'anyFields', 'anyList', 'anyMap', 'append', 'appendKeyed', 'appendList', 'appendMap', 'appendNumbers',
            'appendObjects', 'array32', 'arrayHead', 'bin32', 'binHead', 'binList', 'binMap', 'checkExt',
            'checkedList', 'checkedMap', 'detectList', 'detectMap', 'ext32', 'float', 'float32', 'float64', 'int',
            'key', 'map32', 'mapHead', 'negativeInt', 'object', 'other', 'path', 'recordFields', 'recordList',
            'recordMap', 'str', 'str32', 'strHead', 'strList', 'strMap', 'string', 'tooDeep',
        ], [
            'checkUtf8', 'detectStrBin', 'fixintEnd', 'forceArr', 'forceBin', 'forceFloat32', 'forceMap', 'isStrict', 'keys',
            'loops', 'maxDepth', 'mostDepth', 'ownsRecordType', 'pathEnd', 'trail',
        ]];
        yield 'BufferUnpacker' => ['Polypack\BufferUnpacker', [
            'collides', 'decodeUncommon', 'defaultArray', 'defaultMap', 'leftArray', 'leftCollidingMap', 'leftMap',
            'leftMapWithAnyKeys', 'losslessArray', 'losslessMap', 'plainExt', 'plainTimestamp', 'refuse',
            'reserveCapacity', 'strictArray', 'strictMap', 'withCapacity',
        ], [
            'buffer', 'hasJit', 'memory', 'offset',
        ]];
    }

    public function testPackerAndUnpackerMayBeExtended(): void
    {
        self::assertFalse((new \ReflectionClass('Polypack\Packer'))->isFinal());
        self::assertFalse((new \ReflectionClass('Polypack\BufferUnpacker'))->isFinal());
    }
}
