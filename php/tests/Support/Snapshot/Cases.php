<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

use Polypack\Snapshot\KeyRing;

/**
 * The sources of vectors/snapshot: values, bytes that are faulty, classes that changed, and signatures.
 *
 * @phpstan-type Case array<string, mixed>
 */
final class Cases
{
    /** From this length on a value has no native form in its vector. */
    private const LONG = 2000;

    public const KEY = 'a key for vectors only, 32 bytes';

    /**
     * Returns the files by room.
     *
     * @return array<string, array{about: string, cases: list<Case>}>
     */
    public static function files(): array
    {
        return [
            'values' => ['about' => 'values without objects; a writer must write these bytes', 'cases' => self::values(self::plain())],
            'objects' => ['about' => 'objects, cases of enums and references; a writer must write these bytes', 'cases' => self::values(self::objects())],
            'accepted' => ['about' => 'bytes that no writer chooses, and every reader must accept', 'cases' => self::accepted()],
            'invalid' => ['about' => 'bytes that are refused: code, offset and path', 'cases' => self::invalid()],
            'evolution' => ['about' => 'payloads that old code wrote, and what newer code makes of them under each on_mismatch', 'cases' => Evolution::cases()],
            'v1' => ['about' => 'V1 of phpser: values, and bytes that are refused', 'cases' => self::v1()],
            'signed' => ['about' => 'envelopes and plain frames', 'cases' => self::signed()],
        ];
    }

    /**
     * @param array{about: string, cases: list<Case>} $file
     */
    public static function text(string $room, array $file): string
    {
        $lines = \array_map(static fn(array $case): string => \json_encode($case, \JSON_UNESCAPED_SLASHES | \JSON_THROW_ON_ERROR), $file['cases']);

        return "{\n  \"schema\": 1,\n  \"kind\": \"snapshot\",\n  \"room\": \"{$room}\",\n  \"about\": \"{$file['about']}\",\n  \"cases\": [\n    "
            . \implode(",\n    ", $lines) . "\n  ]\n}\n";
    }

    /**
     * @param iterable<string, array{string, mixed, 2?: array<string, mixed>}> $values
     *
     * @return list<Case>
     */
    private static function values(iterable $values): array
    {
        $cases = [];
        foreach ($values as $name => $row) {
            [$spec, $value] = $row;
            $options = $row[2] ?? [];
            $bytes = Codec::serialize($value, $options);
            $cases[] = ['name' => "snapshot-{$name}", 'spec' => "10#{$spec}", 'bytes' => \bin2hex($bytes)]
                + ($options === [] ? [] : ['options' => $options])
                + ['native' => \bin2hex(\serialize($value)), 'value' => Described::of($bytes)];
            if (\strlen(\serialize($value)) > self::LONG) {
                unset($cases[\count($cases) - 1]['native']); // the description says the same
            }
        }

        return $cases;
    }

    /**
     * @return iterable<string, array{string, mixed, 2?: array<string, mixed>}>
     */
    private static function plain(): iterable
    {
        foreach (['null' => null, 'true' => true, 'false' => false, 'one-and-a-half' => 1.5, 'minus-zero' => -0.0, 'infinity' => \INF, 'not-a-number' => \NAN, 'empty-list' => []] as $name => $value) {
            yield $name => ['heads', $value];
        }
        foreach ([0, 63, 64, 127, 128, 32767, 32768, 2 ** 31 - 1, 2 ** 31, \PHP_INT_MAX] as $int) {
            yield "int-{$int}" => ['heads', $int];
        }
        foreach ([1, 32, 33, 128, 129, 32768, 32769, 2 ** 31, 2 ** 31 + 1] as $int) {
            yield "int-minus-{$int}" => ['heads', -$int];
        }
        yield 'int-least' => ['heads', \PHP_INT_MIN];
        foreach ([0, 1, 2, 31, 32, 255, 256] as $length) {
            yield "string-of-{$length}-twice" => ['strings', [\str_repeat('x', $length), \str_repeat('x', $length)]];
        }
        yield 'string-of-bytes' => ['strings', "\0\xff"];
        yield 'string-digits' => ['strings', ['10', '10', '010']];
        yield 'strings-305-again' => ['strings', [...\array_map(static fn(int $i): array => [$i => "s{$i}"], \range(1, 310)), 's1', 's49', 's305', 's310']];
        yield 'list-of-15' => ['heads', \array_map(static fn(int $i): array => [], \range(1, 15))];
        yield 'list-of-16' => ['heads', \array_map(static fn(int $i): array => [[]], \range(1, 16))];
        yield 'hash-list' => ['lists', \array_filter([1, 2, null], \is_int(...))];
        yield 'shape' => ['shapes', ['id' => 1, 'name' => 'x']];
        yield 'shape-again' => ['shapes', [['a' => 1], ['a' => 2], ['b' => 1], ['a' => 3]]];
        yield 'shape-33' => ['shapes', \array_map(static fn(int $i): array => ["k{$i}" => 1], [...\range(1, 33), 33, 1])];
        yield 'shape-of-64' => ['shapes', \array_fill_keys(\array_map(static fn(int $i): string => "k{$i}", \range(1, 64)), 1)];
        yield 'map-of-65-strings' => ['maps', \array_fill_keys(\array_map(static fn(int $i): string => "k{$i}", \range(1, 65)), [])];
        yield 'map-of-65-ints' => ['maps', \array_combine(\array_map(static fn(int $i): string => "k{$i}", \range(1, 65)), \range(3, 67))];
        yield 'map-of-one-int' => ['maps', [7 => 'x']];
        yield 'map-int-keys' => ['maps', [5 => true, 7 => false]];
        yield 'map-mixed-keys' => ['maps', [5 => 1, 'x' => 2, -1 => 3, '' => 4]];
        yield 'map-reversed' => ['maps', [2 => 'c', 1 => 'b', 0 => 'a']];
        yield 'map-extreme-keys' => ['maps', [\PHP_INT_MIN => 1, \PHP_INT_MAX => 2]];
        yield 'same-array' => ['same', [['t' => ['a', 1, null, true]], ['t' => ['a', 1, null, true]], ['t' => ['a', 2]], ['t' => ['a', 2]]]];
        yield 'same-array-not-with-floats' => ['same', [['t' => [0.0]], ['t' => [-0.0]], ['t' => [0.0]]]];
        yield 'same-array-not-nested' => ['same', [['t' => [[1]]], ['t' => [[1]]]]];
        yield 'same-array-not-inside-the-latest' => ['same', [['t' => [['t' => ['a', 1]], 5]], ['t' => ['a', 1]], ['t' => ['a', 1]]]];
        yield 'same-array-of-255' => ['same', [['t' => $long = \array_fill(0, 255, [])], ['t' => $long], ['t' => $flat = \array_fill(0, 255, 'ab')], ['t' => $flat], ['t' => $more = \array_fill(0, 256, 'ab')], ['t' => $more]]];
        foreach (self::columns() as $name => $cells) {
            yield "column-{$name}" => ['columns', $cells];
        }
        yield 'ints-of-7-are-a-list' => ['lists', [9, 8, 7, 6, 5, 4, 3]];
        yield 'strings-of-15-are-a-list' => ['how-a-writer-chooses', \array_map(static fn(int $i): string => "s{$i}", \range(1, 15))];
        yield 'floats-raw' => ['decimals', \array_map(static fn(int $i): float => $i + 0.5, \range(1, 10)), ['floats' => 'raw']];
        yield 'floats-decimal' => ['decimals', \array_map(static fn(int $i): float => $i * 1.0e14 + 0.5, \range(1, 9)), ['floats' => 'decimal']];
        yield 'charge-too-great' => ['limits', [\range(0, 99), \array_fill(0, 50, 'x'), \array_fill(0, 8, true), [['t' => ['ab']], ['t' => ['ab']]]], ['max_elements' => 60]];
        $rows = static fn(int $count): array => \array_map(static fn(int $i): array => [
            'id' => $i, 'name' => "user {$i}", 'mail' => $i % 5 === 0 ? null : "u{$i}@example.com", 'ok' => $i % 2 === 0, 'score' => $i * 1.5,
            'tags' => ['a', 'b', 'c'], 'other' => [$i, ['x' => 'y']], 'at' => '2026-01-01',
        ], \range(1, $count));
        foreach ([3, 4, 20] as $count) {
            yield "rows-{$count}" => ['tables', $rows($count)];
        }
        yield 'rows-by-key' => ['tables', \array_combine([3, 6, 9, 12, 20], $rows(5))];
        yield 'rows-that-cost-nothing' => ['tables', \array_map(static fn(int $i): array => ['a' => $i, 'b' => true], \range(1, 10))];
        yield 'rows-again' => ['tables', [$rows(4), $rows(4)]];
        yield 'rows-of-two-shapes' => ['tables', [['a' => 'x'], ['a' => 'y'], ['a' => 'z'], ['b' => 'x'], ['a' => 'w']]];
    }

    /**
     * @return iterable<string, list<mixed>>
     */
    private static function columns(): iterable
    {
        yield 'constant' => \array_fill(0, 8, 'same');
        yield 'constant-null' => \array_fill(0, 8, null);
        yield 'constant-array' => \array_fill(0, 8, ['a', 5 => 1]);
        yield 'constant-not-float' => \array_fill(0, 8, 0.1);
        foreach ([1, 7, 8, 9, 20, 32, 33, 55] as $bits) {
            yield "ints-{$bits}-bits" => [0, 1, 0, (1 << $bits) - 1, 1, 0, 0, 1, 1];
        }
        yield 'ints-64-bits' => [0, 1, 0, (1 << 56) + 5, 1, 0, 0, 1, 1];
        yield 'ints-extreme' => [\PHP_INT_MIN, \PHP_INT_MAX, 0, 1, 2, 3, 4, -1, -2];
        yield 'ints-base' => [-1000, -999, -1000, -997, -1000, -996, -1000, -1000];
        yield 'deltas-range' => \range(0, 299);
        yield 'deltas-down' => \range(1000, -1000, -7);
        yield 'deltas-sorted' => [100, 1101, 2100, 3105, 4100, 5110, 6100, 7100, 8101, 9100, 10100, 11101, 12100, 13103];
        yield 'bools' => [true, false, true, true, false, false, false, true, true, false];
        yield 'doubles' => \array_map(static fn(int $i): float => \sqrt($i), \range(2, 10));
        yield 'decimals' => [1.25, 3.5, 100.0, 0.1, 99.99, -5.0, 0.0, 2.5];
        yield 'decimals-not-minus-zero' => [1.25, 3.5, 100.0, 0.1, 99.99, -5.0, -0.0, 2.5];
        yield 'decimals-as-deltas' => \array_map(static fn(int $i): float => $i * 0.25, \range(1000, 1040));
        yield 'nullable-ints' => [1000, null, 7, 800, null, 5, 6, 900];
        yield 'nullable-bools' => [true, null, false, null, true, true, false, null];
        yield 'nullable-strings' => [...\array_map(static fn(int $i): string => "text {$i}", \range(1, 16)), null];
        yield 'strings' => \array_map(static fn(int $i): string => \str_repeat('x', $i), \range(1, 16));
        yield 'strings-wide' => \array_map(static fn(int $i): string => \str_repeat('x', $i * 20), \range(1, 16));
        yield 'choices' => \array_map(static fn(int $i): string => ['red', 'green', 'blue', '5'][$i % 4], \range(1, 20));
        yield 'choices-none-in-the-sample' => \array_map(static fn(int $i): string => 'word ' . ($i & ~1), \range(0, 63));
        yield 'choices-256' => \array_map(static fn(int $i): string => 'w' . ($i < 256 ? $i : 0), \range(0, 800));
        yield 'choices-257' => \array_map(static fn(int $i): string => 'w' . ($i < 257 ? $i : 0), \range(0, 800));
        yield 'mixed' => [1, 2, 3, 4, 5, 6, 7, 'x'];
        yield 'mixed-numbers' => [1, 2, 3, 4, 5, 6, 7, 8.5];
    }

    /**
     * @return iterable<string, array{string, mixed}>
     */
    private static function objects(): iterable
    {
        yield 'stdclass' => ['shapes', (object) ['a' => 1, '5' => 2]];
        yield 'object' => ['shapes', [new Point(1, new Point(2)), new Point(3)]];
        yield 'object-with-parent' => ['shapes', (new Person('Ann', 7, ['a'], Suit::Spades))->height(1.75)->remember([1, [2]])];
        $person = new Person('Bob');
        unset($person->tags);
        yield 'object-absent' => ['shapes', $person];
        yield 'object-dynamic' => ['shapes', Loose::with('more', 5)];
        yield 'object-many-properties' => ['shapes', (object) \array_fill_keys(\array_map(static fn(int $i): string => "k{$i}", \range(1, 256)), 1)];
        yield 'object-sleep' => ['objects', (new Sleeper())->set(9)];
        yield 'object-data' => ['objects', new \ArrayObject(['a' => 1])];
        yield 'object-dates' => ['objects', [new \DateTimeImmutable('2026-01-02 03:04:05 UTC'), new \DateTimeZone('Europe/Berlin'), new \DateInterval('P1D')]];
        $legacy = new Legacy();
        $legacy->text = 'bytes';
        yield 'object-legacy' => ['objects', $legacy];
        yield 'case' => ['shapes', [Suit::Hearts, Suit::Spades, Suit::Hearts]];
        yield 'case-column' => ['columns', \array_fill(0, 8, Suit::Hearts)];
        $point = new Point(1);
        yield 'object-again' => ['objects', [$point, $point]];
        $cycle = new Point(1);
        $cycle->next = $cycle;
        yield 'object-in-itself' => ['objects', $cycle];
        $rows = \array_map(static fn(int $i): Point => new Point($i * 1000), \range(1, 6));
        yield 'object-table' => ['tables', $rows];
        $linked = \array_map(static fn(int $i): Point => new Point($i * 1000), \range(1, 6));
        foreach ($linked as $i => $one) {
            $one->next = $linked[($i + 2) % 6];
        }
        yield 'object-table-linked' => ['tables', $linked];
        yield 'object-twice-is-no-table' => ['tables', [$rows[0], $rows[1], $rows[2], $rows[0]]];
        $a = 1;
        yield 'reference' => ['references', [&$a, 'x' => &$a]];
        $b = 1;
        yield 'reference-once' => ['references', [&$b, 2]];
        $self = [1];
        $self['self'] = &$self;
        yield 'reference-to-itself' => ['references', $self];
        $object = (object) ['a' => [1], 'b' => null];
        $object->b = &$object->a;
        yield 'reference-in-properties' => ['references', $object];
        $c = 1000;
        $table = \array_map(static fn(int $i): array => ['id' => $i * 1000, 'n' => "n{$i}"], \range(1, 6));
        $table[2]['id'] = &$c;
        $table[4]['id'] = &$c;
        yield 'reference-in-a-table' => ['references', $table];
        $d = 5;
        yield 'reference-makes-an-array-not-flat' => ['references', [['v' => ['u', &$d]], ['v' => ['u', 5]], ['v' => ['u', &$d]]]];
    }

    /**
     * @return list<Case>
     */
    private static function accepted(): array
    {
        $cases = [];
        foreach ([
            'int-in-more-bytes' => ['heads', 'c7 05 00 00 00 00 00 00 00'],
            'short-string-with-a-long-head' => ['strings', '82 ca 02 61 62 90'],
            'string-twice' => ['strings', '82 42 61 62 42 61 62'],
            'count-in-more-bytes' => ['numbers', 'd3 81 80 00 c0'],
            'list-with-a-long-head' => ['heads', 'd3 01 c0'],
            'shape-twice' => ['shapes', '82 ce 01 41 61 01 ce 01 41 61 02'],
            'table-of-one-row' => ['tables', 'd5 01 ce 01 41 61 00 05'],
            'column-of-one-cell' => ['columns', 'd4 01 02 0a 00'],
            'nullable-without-null' => ['columns', 'd4 02 82 03 00 08 05 06'],
            'nullable-all-null' => ['columns', 'd4 02 82 00 00 08'],
            'deltas-of-one' => ['columns', 'd4 01 03 0a 02 08'],
            'deltas-that-wrap' => ['bits', 'd4 02 03 fe ff ff ff ff ff ff ff ff 01 02 00'],
            'bits-behind-the-cells' => ['bits', 'd4 02 02 00 02 ff'],
            'constant-string' => ['columns', 'd4 02 01 42 61 62'],
            'choices-that-nobody-chose' => ['columns', 'd4 02 08 02 41 61 41 62 41 63 01 01'],
            'reference-once' => ['references', '81 da 05'],
            'reference-to-a-table-behind-a-constant-array' => ['references', '81 da d5 01 ce 02 41 61 41 62 01 81 01 00 db 00'],
            'reference-to-a-table-behind-an-empty-constant-array' => ['references', '81 da d8 01 00 41 78 ce 02 41 61 41 62 01 80 00 db 00'],
            'keys-mixed-though-ints' => ['maps', 'd6 02 00 05 07 c0 c0'],
            'map-that-is-a-list' => ['maps', 'd6 02 00 00 01 c0 c0'],
            'wide-decimals' => ['columns', 'd4 02 06 01 02 00 08 05 0f'],
        ] as $name => [$spec, $hex]) {
            $bytes = "\xc1\x53\x01\x00" . \hex2bin(\str_replace(' ', '', $hex));
            $cases[] = ['name' => "snapshot-accepted-{$name}", 'spec' => "10#{$spec}", 'bytes' => \bin2hex($bytes), 'native' => \bin2hex(\serialize(Codec::unserialize($bytes))), 'value' => Described::of($bytes)];
        }

        return $cases;
    }

    /**
     * @return list<Case>
     */
    private static function invalid(): array
    {
        $start = 'c1 53 01 00 ';
        $cases = [];
        foreach ([
            'nothing' => ['header', '', 'unexpected_end@0'],
            'half-a-header' => ['header', 'c1 53 01', 'unexpected_end@3'],
            'no-snapshot' => ['header', '81 a1 61 01', 'invalid_snapshot@0'],
            'other-kind' => ['header', 'c1 50 01 00', 'invalid_snapshot@0'],
            'other-version' => ['header', 'c1 53 02 00 c0', 'invalid_snapshot@2'],
            'flags' => ['header', 'c1 53 01 01 c0', 'invalid_snapshot@3'],
            'no-value' => ['header', $start, 'unexpected_end@4'],
            'trailing' => ['errors', $start . 'c0 c0', 'trailing_data@5'],
            'head-c1' => ['heads', $start . '81 c1', 'invalid_snapshot@5 /0'],
            'head-dd' => ['heads', $start . 'dd', 'invalid_snapshot@4'],
            'int-cut' => ['heads', $start . '82 05 c7 01 02', 'unexpected_end@6 /1'],
            'float-cut' => ['heads', $start . 'c8 00', 'unexpected_end@4'],
            'string-cut' => ['strings', $start . '45 61', 'unexpected_end@4'],
            'string-length-missing' => ['strings', $start . 'c9', 'unexpected_end@4'],
            'string-of-4-gib' => ['strings', $start . 'ca ff ff ff ff 0f 61', 'unexpected_end@4'],
            'count-too-great' => ['numbers', $start . 'd3 80 80 80 80 10', 'out_of_range@4'],
            'count-of-six-bytes' => ['numbers', $start . 'd3 80 80 80 80 80 00', 'out_of_range@4'],
            'sint-of-65-bits' => ['numbers', $start . 'd4 01 02 ff ff ff ff ff ff ff ff ff 02 00', 'out_of_range@6'],
            'string-again-before-any' => ['strings', $start . '81 90', 'invalid_snapshot@5 /0'],
            'string-of-one-has-no-number' => ['strings', $start . '82 41 61 90', 'invalid_snapshot@7 /1'],
            'cells-have-no-number' => ['strings', $start . '82 d4 01 07 01 02 61 62 90', 'invalid_snapshot@12 /1'],
            'list-promises-too-much' => ['limits', $start . '81 83 c0 c0', 'unexpected_end@5 /0'],
            'list-and-those-around' => ['limits', $start . '83 82 c0 c0 c0', 'unexpected_end@5 /0'],
            'list-of-4-billion' => ['limits', $start . 'd3 ff ff ff ff 0f c0', 'unexpected_end@4'],
            'shape-before-any' => ['shapes', $start . '60', 'invalid_snapshot@4'],
            'shape-without-keys' => ['shapes', $start . 'ce 00', 'invalid_snapshot@4'],
            'shape-of-65-keys' => ['shapes', $start . 'ce 41', 'invalid_snapshot@4'],
            'shape-key-no-string' => ['shapes', $start . 'ce 01 05 01', 'invalid_snapshot@6'],
            'shape-key-twice' => ['shapes', $start . 'ce 02 41 61 41 61 01 02', 'duplicate_key@8'],
            'shape-key-int' => ['shapes', $start . 'ce 01 41 35 01', 'invalid_key@6'],
            'shape-value-missing' => ['shapes', $start . 'ce 02 41 61 41 62 01', 'unexpected_end@4'],
            'shape-flags' => ['shapes', $start . 'cf 48 73 74 64 43 6c 61 73 73 02 00 00 00', 'invalid_snapshot@4'],
            'shape-more-declared-than-names' => ['shapes', $start . 'cf 48 73 74 64 43 6c 61 73 73 00 00 01 00', 'invalid_snapshot@4'],
            'data-no-array' => ['shapes', $start . 'd0 4b 41 72 72 61 79 4f 62 6a 65 63 74 00 05', 'invalid_snapshot@18'],
            'legacy-no-string' => ['shapes', $start . '82 d1 41 41 05 c0', 'invalid_snapshot@8 /0'],
            'map-key-float' => ['maps', $start . 'd6 01 00 c8 00 00 00 00 00 00 f8 3f c0', 'invalid_key@7'],
            'map-key-list' => ['maps', $start . 'd6 01 00 80 c0', 'invalid_key@7'],
            'map-keys-bools' => ['maps', $start . 'd6 01 04 01 c0', 'invalid_snapshot@6'],
            'map-key-twice' => ['maps', $start . 'd6 02 00 05 05 c0 c0', 'duplicate_key@4'],
            'map-key-digits' => ['maps', $start . 'd6 01 00 41 35 c0', 'invalid_key@4'],
            'map-of-nothing' => ['maps', $start . 'd6 00', 'invalid_snapshot@4'],
            'map-promises-too-much' => ['maps', $start . 'd6 05 00 01 02', 'unexpected_end@6'],
            'same-without-place' => ['same', $start . '81 d9', 'invalid_snapshot@5 /0'],
            'same-before-any' => ['same', $start . 'ce 01 41 61 d9', 'invalid_snapshot@8 /a'],
            'same-not-flat' => ['same', $start . '82 ce 01 41 61 81 81 01 60 d9', 'invalid_snapshot@13 /1/a'],
            'same-with-reference' => ['same', $start . '82 ce 01 41 61 81 da 05 60 d9', 'invalid_snapshot@13 /1/a'],
            'reference-before-any' => ['references', $start . '81 db 00', 'invalid_snapshot@5 /0'],
            'reference-at-the-top' => ['references', $start . 'da 05', 'invalid_snapshot@4'],
            'reference-in-a-reference' => ['references', $start . '81 da da 05', 'invalid_snapshot@6 /0'],
            'reference-as-constant' => ['references', $start . '82 da 05 d4 02 01 db 00', 'invalid_snapshot@10 /1'],
            'object-before-any' => ['objects', $start . 'dc 00', 'invalid_snapshot@4'],
            'object-constant' => ['columns', $start . 'd4 02 01 cf 48 73 74 64 43 6c 61 73 73 00 00 00 00', 'invalid_snapshot@7'],
            'constant-not-flat' => ['columns', $start . 'd4 02 01 81 80', 'invalid_snapshot@7'],
            'column-kind-9' => ['columns', $start . 'd4 01 09', 'invalid_snapshot@6'],
            'column-nullable-mixed' => ['columns', $start . 'd4 01 80 01', 'invalid_snapshot@6'],
            'column-mixed-list' => ['columns', $start . 'd4 01 00 c0', 'invalid_snapshot@6'],
            'column-without-cells' => ['columns', $start . 'd4 00', 'invalid_snapshot@4'],
            'column-without-kind' => ['columns', $start . '81 d4 01', 'unexpected_end@5 /0'],
            'ints-57-bits' => ['columns', $start . 'd4 01 02 00 39', 'invalid_snapshot@6'],
            'ints-cut' => ['columns', $start . 'd4 08 02 00 08 01 02', 'unexpected_end@6'],
            'decimals-of-10-digits' => ['columns', $start . 'd4 01 06 0a 02 00 08 01', 'invalid_snapshot@6'],
            'decimals-of-bools' => ['columns', $start . 'd4 01 06 01 04 01', 'invalid_snapshot@6'],
            'strings-width-3' => ['columns', $start . 'd4 01 07 03 01 00 00 61', 'invalid_snapshot@6'],
            'strings-cut' => ['columns', $start . 'd4 02 07 01 01 02 61', 'unexpected_end@6'],
            'choices-no-string' => ['columns', $start . 'd4 01 08 00 05 00', 'invalid_snapshot@8'],
            'choices-out-of-range' => ['columns', $start . 'd4 02 08 00 41 61 00 01', 'invalid_snapshot@6'],
            'table-without-shape' => ['tables', $start . 'd5 01 05', 'invalid_snapshot@6'],
            'table-of-a-case' => ['tables', $start . 'd5 01 d2 41 41 41 42', 'invalid_snapshot@6'],
            'table-that-costs-nothing' => ['tables', $start . 'd5 02 ce 01 41 61 01 05', 'invalid_snapshot@4'],
            'table-nullable-does-not-pay' => ['tables', $start . 'd5 02 ce 01 41 61 82 03 00 08 05 06', 'invalid_snapshot@4'],
            'table-of-2-28-rows' => ['tables', $start . 'd5 80 80 80 80 01 ce 01 41 61 00 05', 'unexpected_end@4'],
            'table-second-column-cut' => ['tables', $start . 'd5 02 ce 02 41 61 41 62 02 00 08 05 06 08 00 41 61 00', 'unexpected_end@17'],
            'table-cell' => ['tables', $start . 'd5 02 ce 01 41 61 00 05 c1', 'invalid_snapshot@12 /1/a'],
            'affine-too-many' => ['limits', $start . 'd4 ff ff ff ff 0f 03 00 02 00', 'limit_exceeded@10'],
            'constant-too-many' => ['limits', $start . 'd4 81 80 40 01 c0', 'limit_exceeded@8'],
            'constant-array-too-many' => ['limits', $start . 'd4 80 80 20 01 81 05', 'limit_exceeded@8', ['max_elements' => 2 ** 20 - 1]],
            'two-runs-too-many' => ['limits', $start . '82 d4 d8 04 03 00 02 00 d4 d8 04 03 00 02 00', 'limit_exceeded@15 /1', ['max_elements' => 1000]],
            'bools-too-many' => ['limits', $start . 'd4 08 04 ff', 'limit_exceeded@6', ['max_elements' => 7]],
            'nullable-too-many' => ['limits', $start . 'd4 08 82 ff 00 08 01 01 01 01 01 01 01 01', 'limit_exceeded@6', ['max_elements' => 7]],
            'same-too-many' => ['limits', $start . '82 ce 01 41 61 82 01 02 60 d9', 'limit_exceeded@13 /1/a', ['max_elements' => 2]],
            'depth' => ['limits', $start . '81 81 80', 'limit_exceeded@6 /0/0', ['max_depth' => 2]],
            'depth-of-a-row' => ['limits', $start . 'd5 01 ce 01 41 61 00 05', 'limit_exceeded@4', ['max_depth' => 1]],
            'depth-513' => ['limits', $start . \str_repeat('81 ', 512) . '80', 'limit_exceeded@516 ' . \str_repeat('/0', 512)],
            'class-not-allowed' => ['classes', $start . '81 cf 48 73 74 64 43 6c 61 73 73 00 00 00 00', 'class_not_allowed@5 /0', ['allowed_classes' => false, 'unknown_class' => 'throw']],
            'class-not-found' => ['classes', $start . '81 cf 47 4e 6f 53 75 63 68 41 00 00 00 00', 'class_not_found@5 /0', ['unknown_class' => 'throw']],
            'class-not-allowed-of-iterators' => ['classes', $start . 'd0 4b 41 72 72 61 79 4f 62 6a 65 63 74 00 84 00 80 80 46 4e 6f 53 75 63 68', 'class_not_allowed@22 /3', ['allowed_classes' => ['ArrayObject'], 'unknown_class' => 'throw']],
            'class-not-found-of-iterators' => ['classes', $start . 'd0 4b 41 72 72 61 79 4f 62 6a 65 63 74 00 84 00 80 80 46 4e 6f 53 75 63 68', 'class_not_found@22 /3', ['unknown_class' => 'throw']],
            'old-form-of-a-class-of-php' => ['classes', $start . 'd1 4b 41 72 72 61 79 4f 62 6a 65 63 74 52 78 3a 69 3a 30 3b 61 3a 30 3a 7b 7d 3b 6d 3a 61 3a 30 3a 7b 7d', 'class_mismatch@4'],
        ] as $name => $row) {
            [$spec, $hex, $error] = $row;
            $options = $row[3] ?? [];
            $cases[] = ['name' => "snapshot-invalid-{$name}", 'spec' => "10#{$spec}", 'bytes' => \str_replace(' ', '', $hex)]
                + ($options === [] ? [] : ['options' => $options]) + ['error' => self::error($error)];
        }

        return $cases;
    }

    /**
     * @return list<Case>
     */
    private static function v1(): array
    {
        $cases = [];
        foreach ([
            'null' => ['01 00 00', null, true],
            'true' => ['01 00 02', true, true],
            'int' => ['01 00 03 0d', -7, true],
            'int-least' => ['01 00 03 ff ff ff ff ff ff ff ff ff 01', \PHP_INT_MIN, true],
            'double' => ['01 00 04 00 00 00 00 00 00 f8 3f', 1.5, true],
            'string' => ['01 00 0c 02 61 62', 'ab', true],
            'string-again' => ['01 01 02 61 62 07 03 0c 02 61 62 05 00 05 00', ['ab', 'ab', 'ab'], true],
            'string-in-front' => ['01 01 02 61 62 05 00', 'ab', false],
            'map' => ['01 00 06 02 02 01 61 03 02 00 09 02', ['a' => 1, -5 => true], true],
            'map-key-again' => ['01 01 01 61 07 02 06 01 02 01 61 00 06 01 01 00 00', [['a' => null], ['a' => null]], true],
            'map-key-digits' => ['01 00 06 01 02 01 35 00', [5 => null], false],
            'map-key-twice' => ['01 00 06 02 02 01 61 01 02 01 61 02', ['a' => true], false],
            'ints' => ['01 00 08 03 02 04 05', [1, 2, -3], true],
            'doubles' => ['01 00 09 01 00 00 00 00 00 00 f8 3f', [1.5], true],
            'strings' => ['01 01 01 61 07 03 0c 01 61 05 00 0b 02 00 00', ['a', 'a', ['a', 'a']], true],
            'object' => ['01 02 08 73 74 64 43 6c 61 73 73 01 61 0a 00 01 01 03 02', (object) ['a' => 1], true],
            'object-again' => ['01 02 08 73 74 64 43 6c 61 73 73 01 61 07 02 0a 00 01 01 10 00 10 00', (static function (): array {
                $object = new \stdClass();
                $object->a = $object;

                return [$object, $object];
            })(), true],
            'private-names' => [self::v1Point(), new Point(7), true],
            'case' => ['01 02 24 ' . \bin2hex(Suit::class) . ' 06 48 65 61 72 74 73 0d 00 01', Suit::Hearts, true],
            'data' => ['01 01 0b 41 72 72 61 79 4f 62 6a 65 63 74 0e 00 07 04 03 00 07 00 07 00 00', new \ArrayObject(), true],
            'reference' => ['01 00 07 02 11 03 0a 10 00', (static function (): array {
                $value = 5;

                return [&$value, &$value];
            })(), true],
        ] as $name => [$hex, $value, $isWritten]) {
            $cases[] = ['name' => "snapshot-v1-{$name}", 'spec' => '10#v1', 'bytes' => \str_replace(' ', '', $hex), 'native' => \bin2hex(\serialize($value)), 'written' => $isWritten];
        }
        foreach ([
            'nothing' => ['', 'unexpected_end@0'],
            'version-2' => ['02 00 00', 'invalid_snapshot@0'],
            'snapshot' => ['c1 53 01 00 c0', 'invalid_snapshot@0'],
            'dictionary-of-4-billion' => ['01 ff ff ff ff 0f', 'unexpected_end@1'],
            'dictionary-cut' => ['01 01 05 61', 'unexpected_end@2'],
            'no-value' => ['01 00', 'unexpected_end@2'],
            'trailing' => ['01 00 00 00', 'trailing_data@3'],
            'tag-of-version-2' => ['01 00 07 01 16 01 00', 'invalid_snapshot@4 /0'],
            'string-not-in-the-dictionary' => ['01 00 05 00', 'invalid_snapshot@2'],
            'map-key-tag' => ['01 00 06 01 03 00', 'invalid_key@4'],
            'list-promises-too-much' => ['01 00 07 02 07 02 00 00 ', 'unexpected_end@4 /0'],
            'again-before-any' => ['01 00 07 01 10 00', 'invalid_snapshot@4 /0'],
            'reference-in-a-reference' => ['01 00 07 01 11 11 00', 'invalid_snapshot@5 /0'],
            'reference-again-in-a-reference' => ['01 00 07 01 11 10 00', 'invalid_snapshot@5 /0'],
            'property-twice' => ['01 02 08 73 74 64 43 6c 61 73 73 01 61 0a 00 02 01 00 01 00', 'duplicate_key@18'],
            'data-no-array' => ['01 01 0b 41 72 72 61 79 4f 62 6a 65 63 74 0e 00 00', 'invalid_snapshot@16'],
            'index-2-32' => ['01 01 01 61 05 80 80 80 80 10', 'out_of_range@4'],
            'class-that-is-refused' => ['01 01 07 43 6c 6f 73 75 72 65 0a 00 00', 'class_mismatch@10'],
        ] as $name => [$hex, $error]) {
            $cases[] = ['name' => "snapshot-v1-invalid-{$name}", 'spec' => '10#v1', 'bytes' => \str_replace(' ', '', $hex), 'error' => self::error($error)];
        }

        return $cases;
    }

    private static function v1Point(): string
    {
        $class = Point::class;

        return '01 03 ' . \bin2hex(\chr(\strlen($class)) . $class) . ' 01 78 04 6e 65 78 74 0a 00 02 01 03 0e 02 00';
    }

    /**
     * @return array{code: string, offset: int, path: string}
     */
    public static function error(string $outcome): array
    {
        [$code, $rest] = [...\explode('@', $outcome, 2), ''];
        [$offset, $path] = [...\explode(' ', $rest, 2), ''];

        return ['code' => $code, 'offset' => (int) $offset, 'path' => $path];
    }

    /**
     * @return list<Case>
     */
    private static function signed(): array
    {
        $value = ['id' => 7, 'name' => 'Ann'];
        $ring = new KeyRing(['k2' => self::KEY, 'k1' => 'an older key for vectors, 32 byte']);
        $old = new KeyRing(['k1' => 'an older key for vectors, 32 byte']);
        $made = [
            'key' => [Codec::serializeSigned($value, self::KEY), [], null],
            'purpose' => [Codec::serializeSigned($value, self::KEY, ['purpose' => 'cache:user:7']), ['purpose' => 'cache:user:7'], null],
            'ring' => [Codec::serializeSigned($value, $ring), [], ['k2', 'k1']],
            'older-key-of-the-ring' => [Codec::serializeSigned($value, $old), [], ['k2', 'k1']],
            'plain-frame' => [Codec::serializeSigned($value, self::KEY, ['frame' => 'plain']), ['frame' => 'plain'], null],
        ];
        $cases = [];
        foreach ($made as $name => [$bytes, $options, $keys]) {
            $spec = $name === 'plain-frame' ? '11#plain-frame' : '11#signed';
            $cases[] = ['name' => "envelope-{$name}", 'spec' => $spec, 'bytes' => \bin2hex($bytes), 'options' => $options, 'keys' => $keys, 'native' => \bin2hex(\serialize($value))];
            $end = \strlen($bytes) - 1;
            foreach ([
                'wrong-key' => [$bytes, $options, ['zz']],
                'first-byte' => [\chr(\ord($bytes[0]) ^ 1) . \substr($bytes, 1), $options, $keys],
                'last-byte' => [\substr($bytes, 0, $end) . \chr(\ord($bytes[$end]) ^ 1), $options, $keys],
                'cut' => [\substr($bytes, 0, $end), $options, $keys],
                'longer' => [$bytes . "\0", $options, $keys],
                'empty' => ['', $options, $keys],
            ] as $fault => [$changed, $others, $ids]) {
                $cases[] = ['name' => "envelope-{$name}-{$fault}", 'spec' => '11#verifying', 'bytes' => \bin2hex($changed), 'options' => $others, 'keys' => $ids, 'error' => self::error('invalid_signature@0')];
            }
        }
        foreach ([['purpose' => 'cache:user:8'], []] as $i => $options) {
            $cases[] = ['name' => "envelope-wrong-purpose-{$i}", 'spec' => '11#verifying', 'bytes' => \bin2hex($made['purpose'][0]), 'options' => $options, 'keys' => null, 'error' => self::error('invalid_signature@0')];
        }
        foreach ([2 => 'version', 3 => 'algorithm', 4 => 'compression', 5 => 'encryption', 6 => 'expiry', 14 => 'hash', 22 => 'id-length', 23 => 'tag'] as $offset => $name) {
            $bytes = $made['key'][0];
            $bytes[$offset] = \chr(\ord($bytes[$offset]) ^ 1);
            $cases[] = ['name' => "envelope-other-{$name}", 'spec' => '11#verifying', 'bytes' => \bin2hex($bytes), 'options' => [], 'keys' => null, 'error' => self::error('invalid_signature@0')];
        }

        return $cases;
    }
}
