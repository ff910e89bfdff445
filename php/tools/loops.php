<?php

declare(strict_types=1);

namespace Polypack\Tools;

// Writes the decoder's loops, one class per mode, src/Decoder/Loops/ (docs/decisions/0014-php-specialisation.md).
//
// usage: php tools/loops.php [--check]
//
// Plan: the modes · the loop of arrays · the loop of maps · values (with _runs.php) · the classes · the command. In the
// templates, a word in {braces} is replaced with the code of the mode or the loop. If that is empty, its line is
// removed. `break` leaves the rest of a container to the general loop, which finds out what is wrong, if anything is.

use Polypack\Decoder\Collisions;
use Polypack\Decoder\Loops;

require __DIR__ . '/_template.php';
require __DIR__ . '/_runs.php';
require __DIR__ . '/../src/Decoder/Collisions.php';
require __DIR__ . '/../src/Decoder/Loops.php';

/**
 * A mode: what its loops do differently from the others.
 */
final class Mode
{
    private function __construct(
        public readonly string $name,
        /** The class that the class of these loops extends. */
        public readonly string $parent,
        public readonly string $summary,
        public readonly bool $checksUtf8,
        public readonly bool $checksKeys,
        public readonly bool $isLossless,
        public readonly bool $countsMemory = false,
    ) {}

    /**
     * @return list<self>
     */
    public static function all(): array
    {
        return [
            new self('default', 'Loops', 'the default mode', false, false, false),
            new self('strict', 'DefaultLoops', 'strict mode', true, true, false, true),
            new self('lossless', 'StrictLoops', 'lossless mode', true, true, true),
        ];
    }

    public function className(): string
    {
        return \ucfirst($this->name) . 'Loops';
    }
}

// The loop of arrays

const ARRAY_LOOP = <<<'CODE'
    /**
     * @param int $byte   the head byte
     * @param int $head   offset of the head byte
     * @param int $depthLeft how many containers may be nested, counting this one
     * @param int $limit  the end of the buffer, minus a byte for each value that the outer containers still have to
     *                    deliver
     *
     * @return list<mixed>
     */
    final protected function {mode}Array(int $byte, int $head, int $depthLeft, int $limit): array
    {
        $buffer = $this->buffer;
        if ($byte < 0xa0) { // fixarray
            $count = $byte & 0x0f;
            $offset = $head + 1;
        } elseif ($byte === 0xdc && $head + 2 < $limit) { // array 16
            $count = \ord($buffer[$head + 1]) << 8 | \ord($buffer[$head + 2]);
            $offset = $head + 3;
            $this->hasJit ??= Jit::isOn();
        } elseif ($byte === 0xdd && $head + 4 < $limit) { // array 32
            $count = \ord($buffer[$head + 1]) << 24 | \ord($buffer[$head + 2]) << 16
                | \ord($buffer[$head + 3]) << 8 | \ord($buffer[$head + 4]);
            $offset = $head + 5;
            $this->hasJit ??= Jit::isOn();
        } else {
            $count = 0;
            $offset = $limit + 1; // never fits, so refuse() is called
        }
        // The current element must end at $bound or before, which leaves a byte for each element after it.
        $bound = $limit - $count + 1;
        if ($depthLeft <= 0 || $offset >= $bound{array memory}) {
            $this->refuse($byte, $head, $depthLeft, $limit);

            return [];
        }

        $array = [];
        $eights = $limit - 7; // while $bound is at most this, at least eight elements are left
        for (; $bound <= $limit; ++$bound) {
            $byte = \ord($buffer[$offset]);
            {values}
        }
        if ($bound <= $limit) {
            return $this->leftArray($array, $limit - $bound, $offset, $depthLeft, $limit);
        }
        $this->offset = $offset;

        return $array;
    }
    CODE;

// The loop of maps

const MAP_LOOP = <<<'CODE'
    /**
     * @param int $byte   the head byte
     * @param int $head   offset of the head byte
     * @param int $depthLeft how many containers may be nested, counting this one
     * @param int $limit  the end of the buffer, minus a byte for each value that the outer containers still have to
     *                    deliver
     *
     * @return {type}
     */
    final protected function {mode}Map(int $byte, int $head, int $depthLeft, int $limit): {native}
    {
        $buffer = $this->buffer;
        if ($byte < 0xa0) { // fixmap
            $count = ($byte & 0x0f) << 1;
            $offset = $head + 1;
            $pause = $limit;
        } elseif ($byte === 0xde && $head + 2 < $limit) { // map 16
            $count = \ord($buffer[$head + 1]) << 9 | \ord($buffer[$head + 2]) << 1;
            $offset = $head + 3;
            $pause = $count > {wide} ? $limit - $count + {seen} : $limit; // pause in wide maps; see WideMaps.php
            {collisions}
            $this->hasJit ??= Jit::isOn();
        } elseif ($byte === 0xdf && $head + 4 < $limit) { // map 32
            $count = \ord($buffer[$head + 1]) << 25 | \ord($buffer[$head + 2]) << 17
                | \ord($buffer[$head + 3]) << 9 | \ord($buffer[$head + 4]) << 1;
            $offset = $head + 5;
            $pause = $count > {wide} ? $limit - $count + {seen} : $limit;
            {collisions}
            $this->hasJit ??= Jit::isOn();
        } else {
            $count = 0;
            $offset = $limit + 1; // never fits, so refuse() is called
            $pause = $limit;
        }
        // The current entry must end at $bound or before, which leaves a byte for each key and value after it.
        $bound = $limit - $count + 2;
        if ($depthLeft <= 0 || $offset >= $bound - 1{map memory}) {
            $this->refuse($byte, $head, $depthLeft, $limit);

            return {nothing};
        }

        $map = [];
        $entry = $offset;
        do {
            for (; $bound <= $pause; $bound += 2) {
                $entry = $offset;
                $byte = \ord($buffer[$offset]);
                {keys}
                {newKey}

                $byte = \ord($buffer[$offset]);
                {values}
            }
            if ($bound > $limit) {
                $this->offset = $offset;

                return {result};
            }
            if ($bound <= $pause) {
                break;
            }
            {leaveColliding}
            $pause = $limit;
            if ($this->reserveCapacity($map, $count >> 1, $depthLeft)) {
                $map = $this->withCapacity($map, $count >> 1);
            }
        } while (true);

        return $this->{left}($map, $limit - $bound, $entry, $depthLeft, $limit);
    }
    CODE;

const COLLISIONS = <<<'CODE'
    if ($count > {free} && $count <= $limit - $offset{fits} && $this->collides($count >> 1, $head)) {
        {refuse}
    }
    CODE;

const LEAVE_COLLIDING = <<<'CODE'
    if ($pause < 0) {
        return $this->leftCollidingMap($count >> 1, $offset, $depthLeft, $limit);
    }
    CODE;

const KEYS = <<<'CODE'
    if (($length = $byte ^ 0xa0) < 0x20) { // fixstr
        ++$offset;
        $key = \substr($buffer, $offset, $length);
        $offset += $length;
        {checkKey}
    } elseif ($byte < 0x80) { // positive fixint
        $key = $byte;
        ++$offset;
    } elseif ($byte === 0xd9 && $offset + 1 < $limit) { // str 8
        $length = \ord($buffer[$offset + 1]);
        $offset += 2;
        $key = \substr($buffer, $offset, $length);
        $offset += $length;
        {checkKey}
    } elseif ($byte === 0xcd && $offset + 2 < $limit) { // uint 16
        $key = \ord($buffer[$offset + 1]) << 8 | \ord($buffer[$offset + 2]);
        $offset += 3;
    } elseif ($byte === 0xce && $offset + 4 < $limit) { // uint 32
        $key = \ord($buffer[$offset + 1]) << 24 | \ord($buffer[$offset + 2]) << 16
            | \ord($buffer[$offset + 3]) << 8 | \ord($buffer[$offset + 4]);
        $offset += 5;
    } elseif ($byte >= 0xe0) { // negative fixint
        $key = $byte - 0x100;
        ++$offset;
    } elseif ($byte === 0xcc && $offset + 1 < $limit) { // uint 8
        $key = \ord($buffer[$offset + 1]);
        $offset += 2;
    } elseif ($byte === 0xcf && $offset + 8 < $limit) { // uint 64
        $key = \unpack('Ja', $buffer, $offset + 1)['a'];
        if ($key < 0) { // 2⁶³ or more
            break;
        }
        $offset += 9;
    } elseif ($byte === 0xc4 && $offset + 1 < $limit) { // bin 8
        $length = \ord($buffer[$offset + 1]);
        $offset += 2;
        $key = \substr($buffer, $offset, $length);
        $offset += $length;
    } else {
        break;
    }
    if ($offset >= $bound) {
        break;
    }
    CODE;

const LOSSLESS_KEYS = <<<'CODE'
    if (($length = $byte ^ 0xa0) < 0x20) { // fixstr
        ++$offset;
    } elseif ($byte === 0xd9 && $offset + 1 < $limit) { // str 8
        $length = \ord($buffer[$offset + 1]);
        $offset += 2;
    } else { // with any other key, the map might have to become Entries
        break;
    }
    $key = \substr($buffer, $offset, $length);
    $offset += $length;
    if ($offset >= $bound || ($key !== '' && $key[0] === "\x00")) {
        break;
    }
    {checkKey}
    CODE;

// Values

/** One branch for each head byte, the most common first (docs/decisions/0014-php-specialisation.md#order). */
const VALUES = <<<'CODE'
    if ($byte < 0x80) { // positive fixint
        {fixint}
    } elseif (($length = $byte ^ 0xa0) < 0x20) { // fixstr
        ++$offset;
        {str 1}
    } elseif ($byte < 0xc4) {
        if ($byte === 0xc0) { // nil
            {sink} null;
            ++$offset;
        } elseif ($byte >= 0xc2) { // false, true
            {sink} $byte === 0xc3;
            ++$offset;
        } elseif (($byte & 0xef) === 0x80 && $depthLeft > 1) { // empty map, empty array
            {sink} {empty};
            ++$offset;
        } elseif ($byte < 0xa0) { // fixmap, fixarray
            if ($byte < 0x90) {
                {sink} $this->{mode}Map($byte, $offset, $depthLeft - 1, $bound);
            } else {
                {sink} $this->{mode}Array($byte, $offset, $depthLeft - 1, $bound);
            }
            $offset = $this->offset;
            {check end}
        } else { // reserved
            break;
        }
    } elseif ($byte === 0xd9) { // str 8
        if ($offset + 1 >= $bound) {
            break;
        }
        $length = \ord($buffer[$offset + 1]);
        $offset += 2;
        {str 2}
    } elseif ($byte < 0xd0) {
        if ($byte === 0xcb) { // float 64
            {float64}
        } elseif ($byte === 0xcd) { // uint 16
            {eight uint16}
            if ($offset + 2 >= $bound) {
                break;
            }
            {sink} \ord($buffer[$offset + 1]) << 8 | \ord($buffer[$offset + 2]);
            $offset += 3;
        } elseif ($byte === 0xce) { // uint 32
            {eight uint32}
            {uint32}
        } elseif ($byte === 0xcc) { // uint 8
            if ($offset + 1 >= $bound) {
                break;
            }
            {sink} \ord($buffer[$offset + 1]);
            $offset += 2;
        } elseif ($byte === 0xcf) { // uint 64
            if ($offset + 8 >= $bound) {
                break;
            }
            $number = \unpack('Ja', $buffer, $offset + 1)['a'];
            if ($number < 0) { // 2⁶³ or more
                break;
            }
            {sink} $number;
            $offset += 9;
        } elseif ($byte === 0xc5) { // bin 16
            if ($offset + 2 >= $bound) {
                break;
            }
            $length = \ord($buffer[$offset + 1]) << 8 | \ord($buffer[$offset + 2]);
            $offset += 3;
            {bin 3}
        } elseif ($byte === 0xc4) { // bin 8
            if ($offset + 1 >= $bound) {
                break;
            }
            $length = \ord($buffer[$offset + 1]);
            $offset += 2;
            {bin 2}
        } else { // float 32, bin 32, ext 8 to ext 32
            {uncommon}
        }
    } elseif ($byte >= 0xe0) { // negative fixint
        {sink} $byte - 0x100;
        ++$offset;
    } elseif ($byte < 0xd4) {
        if ($byte === 0xd3) { // int 64
            {int64}
        } elseif ($byte === 0xd2) { // int 32
            if ($offset + 4 >= $bound) {
                break;
            }
            {int32}
            {sink} $number < 0x80000000 ? $number : $number - 0x100000000;
            $offset += 5;
        } elseif ($byte === 0xd1) { // int 16
            if ($offset + 2 >= $bound) {
                break;
            }
            $number = \ord($buffer[$offset + 1]) << 8 | \ord($buffer[$offset + 2]);
            {sink} $number < 0x8000 ? $number : $number - 0x10000;
            $offset += 3;
        } else { // int 8
            if ($offset + 1 >= $bound) {
                break;
            }
            $number = \ord($buffer[$offset + 1]);
            {sink} $number < 0x80 ? $number : $number - 0x100;
            $offset += 2;
        }
    } elseif ($byte === 0xda) { // str 16
        if ($offset + 2 >= $bound) {
            break;
        }
        $length = \ord($buffer[$offset + 1]) << 8 | \ord($buffer[$offset + 2]);
        $offset += 3;
        {str 3}
    } elseif ($byte >= 0xdc) { // array 16, array 32, map 16, map 32
        if ($byte >= 0xde) {
            {sink} $this->{mode}Map($byte, $offset, $depthLeft - 1, $bound);
        } else {
            {sink} $this->{mode}Array($byte, $offset, $depthLeft - 1, $bound);
        }
        $offset = $this->offset;
        {check end}
    } else { // fixext 1 to fixext 16, str 32
        {uncommon}
    }
    CODE;

const UNCOMMON = <<<'CODE'
    $this->offset = $offset;
    {sink} $this->decodeUncommon($depthLeft - 1, $bound);
    $offset = $this->offset;
    {check end}
    CODE;

const NUMBER = <<<'CODE'
    if ($offset + {width} >= $bound) {
        break;
    }
    {one}
    $offset += {length};
    CODE;

const ONE_NUMBER = <<<'CODE'
    {sink} \unpack('{format}a', $buffer, $offset + 1)['a'];
    CODE;

/** With a JIT a call of ord() is cheap, while a call of unpack() still makes an array. */
const ONE_UINT32 = <<<'CODE'
    if ($this->hasJit === true) {
        {sink} \ord($buffer[$offset + 1]) << 24 | \ord($buffer[$offset + 2]) << 16
            | \ord($buffer[$offset + 3]) << 8 | \ord($buffer[$offset + 4]);
    } else {
        {sink} \unpack('Na', $buffer, $offset + 1)['a'];
    }
    CODE;

const FIXINT = <<<'CODE'
    {sink} $byte;
    ++$offset;
    CODE;

const BYTES = <<<'CODE'
    {sink} {bytes};
    $offset += $length;
    if ($offset > $bound) {
        {undo}
        {back}
        break;
    }
    CODE;

const CHECKED_STR = <<<'CODE'
    $str = \substr($buffer, $offset, $length);
    $offset += $length;
    if ($offset > $bound || !\mb_check_encoding($str, 'UTF-8')) {
        {back}
        break;
    }
    {sink} $str;
    CODE;

/** How a loop treats its values. */
final class Sink
{
    public function __construct(
        public readonly string $assign,
        /** Tells the general loop that the container has the current value already. */
        public readonly string $leave,
        public readonly bool $isArray,
    ) {}
}

function values(Mode $mode, Sink $sink): string
{
    $words = ['sink' => $sink->assign, 'mode' => $mode->name];
    $words['check end'] = "if (\$offset > \$bound) {\n    {$sink->leave}\n    break;\n}";
    $words['empty'] = $mode->isLossless ? '$byte === 0x80 ? new \stdClass() : []' : '[]';
    $words['uncommon'] = Template::fill(UNCOMMON, $words);
    $words['fixint'] = $sink->isArray ? Template::fill(MANY_FIXINTS, ['eight' => EIGHT]) : Template::fill(FIXINT, $words);
    $words['eight uint16'] = $sink->isArray ? EIGHT_UINT16 : '';
    $words['eight uint32'] = $sink->isArray ? EIGHT_UINT32 : '';
    $words['int32'] = Template::fill(ONE_UINT32, ['sink' => '$number =']);
    foreach ([1, 2, 3] as $head) {
        $here = $words + [
            // The general loop continues an array at the offset after its elements, and a map at the current entry.
            'undo' => $sink->isArray ? '$array = \array_slice($array, 0, -1);' : ($mode->checksKeys ? 'unset($map[$key]);' : ''),
            'back' => $sink->isArray ? "\$offset -= \$length + {$head};" : '',
        ];
        $bytes = '\substr($buffer, $offset, $length)';
        $words["str {$head}"] = Template::fill($mode->checksUtf8 ? CHECKED_STR : BYTES, $here + ['bytes' => $bytes]);
        $words["bin {$head}"] = Template::fill(BYTES, $here + ['bytes' => $mode->isLossless ? "new Bin({$bytes})" : $bytes]);
    }
    // Packers that choose the shortest form write only negative numbers as int 64, so two in a row are unlikely.
    foreach (['float64' => ['E', 8, 'xcb'], 'uint32' => ['N', 4, 'xce'], 'int64' => ['J', 8, 'xd3']] as $name => [$format, $width, $byte]) {
        $one = Template::fill($name === 'uint32' ? ONE_UINT32 : ONE_NUMBER, ['sink' => $sink->assign, 'format' => $format]);
        $words[$name] = Template::fill($sink->isArray && $name !== 'int64' ? FOUR_NUMBERS : NUMBER, $words + [
            'one' => $one,
            'format' => $format,
            'byte' => $byte,
            'width' => (string) $width,
            'length' => (string) ($width + 1),
            'second' => (string) (2 * $width + 2),
            'third' => (string) (3 * $width + 3),
            'all' => (string) (4 * $width + 4),
            'most' => (string) (4 * $width + 1), // and three more, because the bound is for the first
        ]);
    }

    return Template::fill(VALUES, $words);
}

/**
 * What a map weighs, from twice its count.
 */
function mapWeight(): string
{
    return Loops::MAP_WEIGHT . ' + ' . (Loops::ENTRY_WEIGHT >> 1) . ' * $count';
}

function loops(Mode $mode): string
{
    $array = Template::fill(ARRAY_LOOP, [
        'mode' => $mode->name,
        'array memory' => $mode->countsMemory
            ? ' || ($count > 0 && ($this->memory -= ' . Loops::ARRAY_WEIGHT . ' + ' . Loops::ELEMENT_WEIGHT . ' * $count) < 0)'
            : '',
        'values' => values($mode, new Sink('$array[] =', '$offset = -1;', true)),
    ]);
    $keys = Template::fill($mode->isLossless ? LOSSLESS_KEYS : KEYS, [
        'checkKey' => $mode->checksUtf8 ? "if (!\\mb_check_encoding(\$key, 'UTF-8')) {\n    break;\n}" : '',
    ]);
    $map = Template::fill(MAP_LOOP, [
        'mode' => $mode->name,
        'map memory' => $mode->countsMemory
            ? ' || ($count > 0 && ($this->memory -= ' . mapWeight() . ') < 0)'
            : '',
        'type' => $mode->isLossless ? '\stdClass|Entries' : 'array<array-key, mixed>',
        'native' => $mode->isLossless ? '\stdClass|Entries' : 'array',
        'nothing' => $mode->isLossless ? 'new \stdClass()' : '[]',
        'left' => $mode->isLossless ? 'leftMapWithAnyKeys' : 'leftMap',
        'keys' => $keys,
        'newKey' => $mode->checksKeys ? "if (\\array_key_exists(\$key, \$map)) {\n    break;\n}" : '',
        'values' => values($mode, new Sink('$map[$key] =', '$entry = ~$entry;', false)),
        'wide' => (string) (2 * Loops::NARROW),
        'seen' => (string) (2 * Loops::SEEN),
        'collisions' => Template::fill(COLLISIONS, [
            'free' => (string) (2 * Collisions::FREE),
            'fits' => $mode->countsMemory ? ' && $this->memory >= ' . mapWeight() : '',
            'refuse' => $mode->isLossless ? '$pause = -1;' : '$offset = $limit + 1; // never fits, so refuse() is called',
        ]),
        'leaveColliding' => $mode->isLossless ? LEAVE_COLLIDING : '',
        'result' => $mode->isLossless ? '(object) $map' : '$map',
    ]);

    return $array . "\n\n" . $map;
}

/** What only the loops of lossless mode need from the rest of the unpacker. */
const LOSSLESS_HOOKS = <<<'CODE'
    /**
     * Decodes the entries of a map that a loop has handed over in lossless mode; see Loops::leftMap().
     *
     * @param array<array-key, mixed> $properties
     */
    abstract protected function leftMapWithAnyKeys(
        array $properties,
        int $after,
        int $entry,
        int $depthLeft,
        int $limit,
    ): \stdClass|Entries;

    /**
     * Decodes a map whose keys must not become a hash table, in lossless mode.
     *
     * @param int $count  number of entries
     * @param int $offset offset of the first entry
     */
    abstract protected function leftCollidingMap(
        int $count,
        int $offset,
        int $depthLeft,
        int $limit,
    ): \stdClass|Entries;
    CODE;

const LOOPS_FILE = <<<'CODE'
    <?php

    declare(strict_types=1);

    namespace Polypack\Decoder\Loops;

    {uses}
    /**
     * The decoder's loops for {summary}. @generated by tools/loops.php: edit the templates there.
     *
     * The loops decode what is valid and common exactly as General does, and leave everything else to General; see
     * Loops.
     *
     * @internal
     */
    abstract class {class} extends {parent}
    {
        {hooks}
        {loops}
    }

    CODE;

function source(Mode $mode): string
{
    return Template::fill(LOOPS_FILE, [
        'uses' => "use Polypack\\Decoder\\Jit;\n"
            . ($mode->parent === 'Loops' ? "use Polypack\\Decoder\\Loops;\n" : '')
            . ($mode->isLossless ? "use Polypack\\Type\\Bin;\nuse Polypack\\Type\\Entries;\n" : ''),
        'summary' => $mode->summary,
        'class' => $mode->className(),
        'parent' => $mode->parent,
        'hooks' => $mode->isLossless ? LOSSLESS_HOOKS . "\n" : '',
        'loops' => loops($mode),
    ]);
}

// The command

$sources = [];
foreach (Mode::all() as $mode) {
    $sources["src/Decoder/Loops/{$mode->className()}.php"] = source($mode);
}
exit(Template::write($sources, 'loops'));
