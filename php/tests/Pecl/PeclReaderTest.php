<?php

declare(strict_types=1);

namespace Polypack\Tests\Pecl;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\Exception\ErrorCode;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\Pecl\PeclReader;
use Polypack\Pecl\PhpObject;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\PeclPoint;
use Polypack\Tests\Support\PeclState;
use Polypack\Tests\Support\RandomBytes;
use Polypack\Tests\Support\Suit;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * The bytes are those that version 2.2 of the extension writes, or 3.0 where it says so. With the extension loaded
 * they are made again and compared.
 */
final class PeclReaderTest extends TestCase
{
    /**
     * @return array<string, array{string, string}> bytes, as describe() writes them
     */
    public static function data(): array
    {
        return [
            'a scalar' => ['cb3ff8000000000000', '1.5'],
            'a list' => ['92a161c0', '[0=>"a",1=>null]'],
            'a map' => ['82a161010502', '["a"=>1,5=>2]'],
            'a bin as key' => ['82c4016101c4013802', '["a"=>1,8=>2]'],
            'an object' => ['85c0a150a16101a4002a006202a40050006303a16ec0', 'P#1("a"=>1,"b"=>2,"c"=>3,"n"=>null)'],
            'stdClass' => ['82c0a8737464436c617373a16101', 'stdClass#1("a"=>1)'],
            'Serializable' => ['82c003a153a3616263', 'S#1()"abc"'],
            '__serialize' => ['82c0a14dc082a17601a16b02', 'M#1()["v"=>1,"k"=>2]'],
            'ArrayObject' => ['82c0ab41727261794f626a656374c0940092010290c0', 'ArrayObject#1()[0=>0,1=>[0=>1,1=>2],2=>[],3=>null]'],
            'an enum' => ['83c0a453756974a46e616d65a148a576616c7565a168', 'Suit#1("name"=>"H","value"=>"h")'],
            'an enum of version 3' => ['9282c006a453756974a64865617274' . '7382c0040002', '[0=>Suit#1("name"=>"Hearts"),1=>Suit#1]'],
            'a reference to an array' => ['9282c001000182c0020002', '[0=>[0=>1],1=>[0=>1]]'],
            'one object twice' => ['949101910282c0a150a1610782c0040004', '[0=>[0=>1],1=>[0=>2],2=>P#1("a"=>7),3=>P#1]'],
            'an object in itself' => ['82c0a150a16182c0040001', 'P#1("a"=>P#1)'],
            'an object by reference' => ['9382c0a150a161c082c005000282c0040002', '[0=>P#1("a"=>null),1=>P#1,2=>P#1]'],
            'references to an object' => ['9283c001c0a150a161c082c0050002', '[0=>P#1("a"=>null),1=>P#1]'],
            'references count, too' => ['9482c0a14dc081a17692010282c004000282c0a150a1610782c0040006',
                '[0=>M#1()["v"=>[0=>1,1=>2]],1=>M#1,2=>P#2("a"=>7),3=>P#2]'],
            'references to arrays do not count' => ['9482c001000182c002000281c0a150' . '82c0040003', '[0=>[0=>1],1=>[0=>1],2=>P#1(),3=>P#1]'],
            'private properties of the same name' => ['83c0a150a40050006301a40051006302', "P#1(\"c\"=>1,\"\0Q\0c\"=>2)"],
        ];
    }

    #[DataProvider('data')]
    public function testData(string $hex, string $expected): void
    {
        self::assertSame($expected, self::describe((new PeclReader())->read((string) \hex2bin($hex))));
    }

    /**
     * @return array<string, array{0: string, 1: string, 2?: Limits}>
     */
    public static function faults(): array
    {
        return [
            'nothing' => ['', 'unexpected_end at 0 ()'],
            'the end inside an array' => ['920181a16192', 'unexpected_end at 5 (/1/a)'],
            'the end in front of a property' => ['9183c0a150a161' . '9101' . 'a162', 'unexpected_end at 11 (/0/b)'],
            'the end inside a property' => ['9183c0a150a161' . '9201' . 'a162', 'unexpected_end at 7 (/0/a)'],
            'the end inside a state' => ['9182c0a14dc0' . '9201', 'unexpected_end at 6 (/0/)'],
            'a reserved byte' => ['9201c1', 'reserved_byte at 2 (/1)'],
            'bytes behind' => ['0102', 'trailing_data at 1 ()'],
            'an enum without a case' => ['9182c006a15305', 'type_mismatch at 6 (/0)'],
            'a strange marker' => ['9182c0070001', 'unsupported_value at 1 (/0)'],
            'a marker without class' => ['91' . '81c001' . '01', 'trailing_data at 4 ()'],
            'two markers' => ['9184c001c001c0a150a16101', 'unsupported_value at 1 (/0)'],
            'a reference to nothing' => ['9182c0040009', 'unsupported_value at 1 (/0)'],
            'a negative reference' => ['9182c00400ff', 'unsupported_value at 1 (/0)'],
            'a reference that is no number' => ['9182c00400a161', 'type_mismatch at 5 (/0)'],
            'an array in itself' => ['920183c00100010182c0020002', 'unsupported_value at 8 (/1/1)'],
            'an array as object' => ['9283c0010001010282c0040002', 'unsupported_value at 8 (/1)'],
            'a state that is no array' => ['82c0a14dc001', 'unsupported_value at 4 ()'],
            'a key that PHP has not' => ['91' . '81cb000000000000000001', 'invalid_key at 2 (/0)'],
            'a reserved byte as key' => ['91' . '81c101', 'reserved_byte at 2 (/0)'],
            'a fault behind a bin as key' => ['81c40161' . '91c1', 'reserved_byte at 5 (/0x61/0)'],
            'a key above the ints' => ['81cfffffffffffffffff01', 'ok'],
            'a nil key later' => ['9182a16101c0a150', 'invalid_key at 5 (/0)'],
            'a serialized object without data' => ['81c003', 'unsupported_value at 0 ()'],
            'a nil key without meaning' => ['91' . '81c0', 'unexpected_end at 1 (/0)'],
            'a reserved byte behind a nil key' => ['91' . '81c0c1', 'reserved_byte at 3 (/0)'],
            'a container behind a nil key' => ['91' . '81c0' . '92c1', 'unsupported_value at 1 (/0)'],
            'a deep value behind a nil key' => ['91' . '81c0' . \str_repeat('91', 600) . '01', 'unsupported_value at 1 (/0)'],
            'depth' => ['919191c0', 'limit_exceeded at 2 (/0/0)', new Limits(maxDepth: 2)],
            'values' => ['93010203', 'limit_exceeded at 0 ()', new Limits(maxValues: 3)],
            'keys are values' => ['9181a16101', 'limit_exceeded at 1 (/0)', new Limits(maxValues: 3)],
            'keys that stand for a class, too' => ['9181c0a150', 'limit_exceeded at 1 (/0)', new Limits(maxValues: 3)],
            'depth before values' => ['9191c0', 'limit_exceeded at 1 (/0)', new Limits(maxDepth: 1, maxValues: 2)],
            'counts' => ['df7fffffff', 'unexpected_end at 0 ()'],
            'many elements' => ['ddffffffff01', 'unexpected_end at 0 ()'],
            'depth before counts' => ['9192c0', 'limit_exceeded at 1 (/0)', new Limits(maxDepth: 1)],
            'counts before values' => ['9192c0', 'unexpected_end at 1 (/0)', new Limits(maxValues: 2)],
        ];
    }

    #[DataProvider('faults')]
    public function testFaults(string $hex, string $expected, ?Limits $limits = null): void
    {
        $reader = new PeclReader($limits);
        $outcome = Outcome::of(static fn(): mixed => $reader->read((string) \hex2bin($hex)));
        self::assertSame($expected, $expected === 'ok' && \str_starts_with($outcome, 'a:') ? 'ok' : $outcome);
        self::assertSame(1, $reader->read("\x01")); // usable after an error
    }

    /**
     * Except that nil keys have a meaning.
     */
    public function testPlainMessagesAndTheirFaultsAreThoseOfBufferUnpacker(): void
    {
        $random = new RandomBytes(11);
        $faults = 0;
        for ($i = 0; $i < 4000; ++$i) {
            $packed = $random->next();
            $limits = new Limits(maxDepth: $random->int(1, 6), maxValues: $random->int(0, 3) > 0 ? null : $random->int(1, 20));
            $expected = Outcome::of(static fn(): mixed => MessagePack::unpack($packed, limits: $limits));
            if (\preg_match('/^invalid_key at (\d+)/', $expected, $match) === 1 && $packed[(int) $match[1]] === "\xc0") {
                continue;
            }
            $text = \bin2hex($packed) . ", maxDepth {$limits->maxDepth}, maxValues {$limits->maxValues}";
            self::assertSame($expected, Outcome::of(static fn(): mixed => (new PeclReader($limits))->read($packed)), $text);
            $faults += \str_contains($expected, ' at ') ? 1 : 0;
        }
        self::assertGreaterThan(1000, $faults);
    }

    public function testAnArrayInItselfIsNotCalledDamaged(): void
    {
        $this->expectExceptionMessage('an array contains itself by a PHP reference, at byte 8 (path "/1/1"); write it without the reference to itself');
        (new PeclReader())->read((string) \hex2bin('920183c00100010182c0020002'));
    }

    public function testCopiesOfArraysAreLimited(): void
    {
        // Of a list, element i is an array with two references to the array before it: twice as many values as that.
        $packed = static function (int $count): string {
            $packed = "\xdc" . \pack('n', $count) . "\x81\xc0\x01";
            for ($i = 1; $i < $count; ++$i) {
                $reference = "\x82\xc0\x02\x00" . (new Packer())->packInt($i + 1);
                $packed .= "\x83\xc0\x01\x00{$reference}\x01{$reference}";
            }

            return $packed;
        };
        self::assertCount(15, (array) (new PeclReader())->read($packed(15)));
        foreach ([[null, 60, '/15/1'], [984, 60, '/5/1'], [985, 60, '/6'], [3, 3, '']] as [$maxValues, $count, $path]) {
            try {
                (new PeclReader(new Limits(maxValues: $maxValues)))->read($packed($count));
                self::fail('it was read');
            } catch (UnpackingFailedException $error) {
                self::assertSame(ErrorCode::LimitExceeded, $error->errorCode);
                self::assertSame($path, $error->path);
            }
        }
        $reader = new PeclReader();
        for ($i = 0; $i < 100; ++$i) { // each message counts for itself
            self::assertCount(15, (array) $reader->read($packed(15)));
        }
    }

    #[RequiresPhpExtension('msgpack')]
    public function testWhatTheExtensionWrites(): void
    {
        foreach ([new PeclPoint(), new PeclState(), Suit::Hearts, new \ArrayObject(['a' => [1]]), new \DateTimeImmutable('@0')] as $object) {
            $read = (new PeclReader())->read(\msgpack_pack(['o' => $object, 'again' => $object]));
            self::assertIsArray($read);
            self::assertInstanceOf(PhpObject::class, $read['o']);
            self::assertSame($object::class, $read['o']->class);
            self::assertSame($read['o'], $read['again']);
        }
        $point = (new PeclReader())->read(\msgpack_pack(new PeclPoint()));
        self::assertInstanceOf(PhpObject::class, $point);
        self::assertSame(['x' => 1, 'y' => 2, 'z' => 3], $point->properties);
        $state = (new PeclReader())->read(\msgpack_pack(new PeclState()));
        self::assertInstanceOf(PhpObject::class, $state);
        self::assertSame(['kept' => [1, 2]], $state->state);
    }

    #[RequiresPhpExtension('msgpack')]
    public function testRandomGraphs(): void
    {
        $random = new Randomizer(new Xoshiro256StarStar(5));
        for ($i = 0; $i < 300; ++$i) {
            $objects = [];
            $arrays = [];
            $graph = self::graph($random, 4, $objects, $arrays);
            $packed = \msgpack_pack($graph);
            self::assertSame(self::describe($graph), self::describe((new PeclReader())->read($packed)), \bin2hex($packed));
        }
    }

    /**
     * Makes a value in which objects occur again, also inside themselves, and references to arrays.
     *
     * @param list<object>                   $objects
     * @param list<array<array-key, mixed>> $arrays
     */
    private static function graph(Randomizer $random, int $depth, array &$objects, array &$arrays): mixed
    {
        $kind = $random->getInt(0, $depth > 0 ? 9 : 3);
        if ($kind < 4) {
            return [$random->getInt(-1000, 1000), 'text', null, 1.5][$kind];
        }
        if ($kind === 4 && $objects !== []) {
            return $objects[$random->getInt(0, \count($objects) - 1)];
        }
        if ($kind < 7) {
            $object = new \stdClass();
            $objects[] = $object;
            for ($i = $random->getInt(0, 3); $i > 0; --$i) {
                $object->{"p{$i}"} = self::graph($random, $depth - 1, $objects, $arrays);
            }

            return $object;
        }
        $array = [];
        for ($i = $random->getInt(0, 4); $i > 0; --$i) {
            $array[$random->getInt(0, 1) === 0 ? $i : "k{$i}"] = self::graph($random, $depth - 1, $objects, $arrays);
        }
        if ($kind === 9 && $array !== []) {
            return ['first' => &$array, 'second' => &$array];
        }

        return $array;
    }

    /**
     * Writes a value as text, objects with the number of their first place.
     *
     * @param array<int, int> $known
     */
    private static function describe(mixed $value, array &$known = []): string
    {
        if (!\is_object($value)) {
            if (!\is_array($value)) {
                return \is_string($value) ? "\"{$value}\"" : \json_encode($value, \JSON_THROW_ON_ERROR);
            }

            return '[' . self::entries($value, $known) . ']';
        }
        $class = $value instanceof PhpObject ? $value->class : $value::class;
        $id = \spl_object_id($value);
        if (isset($known[$id])) {
            return "{$class}#{$known[$id]}";
        }
        $number = \count($known) + 1;
        $known[$id] = $number;
        $properties = $value instanceof PhpObject ? $value->properties : \get_object_vars($value);
        $state = $value instanceof PhpObject && $value->state !== null ? self::describe($value->state, $known) : '';

        return "{$class}#{$number}(" . self::entries($properties, $known) . "){$state}";
    }

    /**
     * @param array<array-key, mixed> $array
     * @param array<int, int>         $known
     */
    private static function entries(array $array, array &$known): string
    {
        $texts = [];
        foreach ($array as $key => $value) {
            $texts[] = (\is_int($key) ? $key : "\"{$key}\"") . '=>' . self::describe($value, $known);
        }

        return \implode(',', $texts);
    }
}
