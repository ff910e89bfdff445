<?php

declare(strict_types=1);

namespace Polypack\Tools;

// Writes the decoder's loops for one mode each, src/BufferUnpacker/*Loops.php (docs/decisions/0014-php-specialisation.md).
//
// usage: php tools/loops.php [--check]
//
// Plan: the modes · the loop of arrays · the loop of maps · values · the trait · the command.
//
// In the templates a word in {braces} stands for what the mode, or the loop, has in its place; an empty one takes its line
// with it. `break` leaves the rest of a container to the general loop, which finds out what is wrong, if anything is.

require __DIR__ . '/_template.php';

/**
 * A mode, by what its loops do in another way than the others.
 */
final class Mode
{
    private function __construct(
        public readonly string $name,
        public readonly string $summary,
        public readonly bool $checksUtf8,
        public readonly bool $checksKeys,
        public readonly bool $isLossless,
    ) {}

    /**
     * @return list<self>
     */
    public static function all(): array
    {
        return [
            new self('default', 'the default mode', false, false, false),
            new self('strict', 'strict mode', true, true, false),
            new self('lossless', 'lossless mode', true, true, true),
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
     * @param int $limit the end of the buffer, less a byte for each value that the containers around still have to deliver
     *
     * @return list<mixed>
     */
    private function {mode}Array(int $count, int $head, int $offset, int $depth, int $limit): array
    {
        $buffer = $this->buffer;
        if ($count > $limit - $offset || $depth >= $this->maxDepth) {
            return $this->array($count, $head, $offset, $depth, \strlen($buffer) - $limit);
        }

        $array = [];
        $after = $count - 1; // elements after the current one: between $offset and $limit there is a byte for each
        try {
            for (; $after >= 0; --$after) {
                $byte = \ord($buffer[$offset]);
                {values}
            }
        } catch (Unwind $unwind) {
            $this->trail[$depth] = \count($array);
            throw $unwind;
        }
        if ($after >= 0) {
            return $this->restOfArray($array, $count, $offset, $depth, \strlen($buffer) - $limit);
        }
        $this->offset = $offset;

        return $array;
    }
    CODE;

// The loop of maps

const MAP_LOOP = <<<'CODE'
    /**
     * @param int $limit the end of the buffer, less a byte for each value that the containers around still have to deliver
     *
     * @return {type}
     */
    private function {mode}Map(int $count, int $head, int $offset, int $depth, int $limit): {native}
    {
        $buffer = $this->buffer;
        $after = 2 * $count; // keys and values after the current entry: between $offset and $limit there is a byte for each
        if ($after > $limit - $offset || $depth >= $this->maxDepth) {
            return $this->{general}($count, $head, $offset, $depth, \strlen($buffer) - $limit);
        }

        $map = [];
        $entry = $offset;
        $key = 0;
        $keyByte = 0;
        try {
            while (($after -= 2) >= 0) {
                $entry = $offset;
                $keyByte = \ord($buffer[$offset]);
                {keys}
                {newKey}

                $byte = \ord($buffer[$offset]);
                {values}
            }
        } catch (Unwind $unwind) {
            $this->trail[$depth] = self::step($key, $keyByte);
            throw $unwind;
        }
        if ($after !== -2) { // the entry is decoded anew
            return $this->{restOf}($map, {of}($after >> 1) + 1, $entry, $depth, \strlen($buffer) - $limit);
        }
        $this->offset = $offset;

        return {result};
    }
    CODE;

const KEYS = <<<'CODE'
    if ($keyByte >= 0xa0 && $keyByte < 0xc0) { // fixstr
        $length = $keyByte & 0x1f;
        $key = \substr($buffer, $offset + 1, $length);
        $offset += $length + 1;
        {checkKey}
    } elseif ($keyByte < 0x80) { // positive fixint
        $key = $keyByte;
        ++$offset;
    } elseif ($keyByte === 0xd9 && $offset + 1 < $limit) { // str 8
        $length = \ord($buffer[$offset + 1]);
        $key = \substr($buffer, $offset + 2, $length);
        $offset += $length + 2;
        {checkKey}
    } elseif ($keyByte === 0xcd && $offset + 2 < $limit) { // uint 16
        $key = \ord($buffer[$offset + 1]) << 8 | \ord($buffer[$offset + 2]);
        $offset += 3;
    } elseif ($keyByte === 0xce && $offset + 4 < $limit) { // uint 32
        $key = \ord($buffer[$offset + 1]) << 24 | \ord($buffer[$offset + 2]) << 16
            | \ord($buffer[$offset + 3]) << 8 | \ord($buffer[$offset + 4]);
        $offset += 5;
    } else {
        $this->offset = $offset;
        $key = $this->key($keyByte, $depth);
        $offset = $this->offset;
    }
    if ($offset + $after >= $limit) {
        break;
    }
    CODE;

const LOSSLESS_KEYS = <<<'CODE'
    if ($keyByte >= 0xa0 && $keyByte < 0xc0) { // fixstr
        $length = $keyByte & 0x1f;
        ++$offset;
    } elseif ($keyByte === 0xd9 && $offset + 1 < $limit) { // str 8
        $length = \ord($buffer[$offset + 1]);
        $offset += 2;
    } else { // any other may make the map something else than an object
        break;
    }
    $key = \substr($buffer, $offset, $length);
    $offset += $length;
    if ($offset + $after >= $limit || ($key !== '' && $key[0] === "\x00")) {
        break;
    }
    {checkKey}
    CODE;

// Values

/** One branch for each head byte, the commonest first (docs/decisions/0014-php-specialisation.md#order). */
const VALUES = <<<'CODE'
    if ($byte < 0x80) { // positive fixint
        {sink} $byte;
        ++$offset;
    } elseif ($byte < 0xc0) {
        if ($byte >= 0xa0) { // fixstr
            $length = $byte & 0x1f;
            if ($offset + $length + $after >= $limit) {
                break;
            }
            {str 1}
            $offset += $length + 1;
        } else { // fixmap, fixarray
            {sink} $byte < 0x90
                ? $this->{mode}Map($byte & 0x0f, $offset, $offset + 1, $depth + 1, $limit - $after)
                : $this->{mode}Array($byte & 0x0f, $offset, $offset + 1, $depth + 1, $limit - $after);
            $offset = $this->offset;
            {room}
        }
    } elseif ($byte < 0xc4) {
        if ($byte === 0xc1) {
            break;
        }
        {sink} $byte === 0xc0 ? null : $byte === 0xc3; // nil, false, true
        ++$offset;
    } elseif ($byte === 0xd9) { // str 8
        if ($offset + 1 >= $limit) {
            break;
        }
        $length = \ord($buffer[$offset + 1]);
        if ($offset + 1 + $length + $after >= $limit) {
            break;
        }
        {str 2}
        $offset += $length + 2;
    } elseif ($byte < 0xd0) {
        if ($byte === 0xcb) { // float 64
            {run 8 xcb}
            {sink} \unpack('E', $buffer, $offset + 1)[1];
            {next 9 xcb}
        } elseif ($byte === 0xcd) { // uint 16
            {run 2 xcd}
            {sink} \ord($buffer[$offset + 1]) << 8 | \ord($buffer[$offset + 2]);
            {next 3 xcd}
        } elseif ($byte === 0xce) { // uint 32
            {run 4 xce}
            {sink} \unpack('N', $buffer, $offset + 1)[1];
            {next 5 xce}
        } elseif ($byte === 0xcc) { // uint 8
            {run 1 xcc}
            {sink} \ord($buffer[$offset + 1]);
            {next 2 xcc}
        } elseif ($byte === 0xcf) { // uint 64
            {run 8 xcf}
            $number = \unpack('J', $buffer, $offset + 1)[1];
            {sink} $number >= 0 ? $number : $this->bigInt($number, $offset, $depth + 1);
            {next 9 xcf}
        } elseif ($byte === 0xc5) { // bin 16
            if ($offset + 2 >= $limit) {
                break;
            }
            $length = \ord($buffer[$offset + 1]) << 8 | \ord($buffer[$offset + 2]);
            if ($offset + 2 + $length + $after >= $limit) {
                break;
            }
            {bin 3}
            $offset += $length + 3;
        } else { // bin 8, bin 32, ext 8 to ext 32, float 32
            {rare}
        }
    } elseif ($byte >= 0xe0) { // negative fixint
        {sink} $byte - 0x100;
        ++$offset;
    } elseif ($byte < 0xd4) {
        if ($byte === 0xd3) { // int 64
            {run 8 xd3}
            {sink} \unpack('J', $buffer, $offset + 1)[1];
            {next 9 xd3}
        } elseif ($byte === 0xd2) { // int 32
            {run 4 xd2}
            $number = \unpack('N', $buffer, $offset + 1)[1];
            {sink} $number < 0x80000000 ? $number : $number - 0x100000000;
            {next 5 xd2}
        } elseif ($byte === 0xd1) { // int 16
            {run 2 xd1}
            $number = \ord($buffer[$offset + 1]) << 8 | \ord($buffer[$offset + 2]);
            {sink} $number < 0x8000 ? $number : $number - 0x10000;
            {next 3 xd1}
        } else { // int 8
            {run 1 xd0}
            $number = \ord($buffer[$offset + 1]);
            {sink} $number < 0x80 ? $number : $number - 0x100;
            {next 2 xd0}
        }
    } elseif ($byte === 0xda) { // str 16
        if ($offset + 2 >= $limit) {
            break;
        }
        $length = \ord($buffer[$offset + 1]) << 8 | \ord($buffer[$offset + 2]);
        if ($offset + 2 + $length + $after >= $limit) {
            break;
        }
        {str 3}
        $offset += $length + 3;
    } elseif ($byte >= 0xdc && $offset + 4 < $limit) { // array 16, array 32, map 16, map 32
        $length = ($byte & 1) === 0 ? 3 : 5;
        $size = $length === 3
            ? \ord($buffer[$offset + 1]) << 8 | \ord($buffer[$offset + 2])
            : \unpack('N', $buffer, $offset + 1)[1];
        {sink} $byte >= 0xde
            ? $this->{mode}Map($size, $offset, $offset + $length, $depth + 1, $limit - $after)
            : $this->{mode}Array($size, $offset, $offset + $length, $depth + 1, $limit - $after);
        $offset = $this->offset;
        {room}
    } else { // fixext 1 to fixext 16, str 32, and what is cut
        {rare}
    }
    CODE;

const RARE = <<<'CODE'
    $this->offset = $offset;
    {sink} $this->value($depth + 1, \strlen($buffer) - $limit + $after);
    $offset = $this->offset;
    {room}
    CODE;

const CHECKED_STR = <<<'CODE'
    $str = \substr($buffer, $offset + {head}, $length);
    if (!\mb_check_encoding($str, 'UTF-8')) {
        break;
    }
    {sink} $str;
    CODE;

/** How a loop treats the values in it. */
final class Sink
{
    public function __construct(
        public readonly string $assign,
        /** When too little room is left behind a value. */
        public readonly string $leave,
        public readonly bool $runs,
    ) {}
}

function values(Mode $mode, Sink $sink): string
{
    $words = ['sink' => $sink->assign, 'mode' => $mode->name];
    $words['room'] = "if (\$offset + \$after > \$limit) {\n{$sink->leave}    break;\n}";
    $words['rare'] = Template::fill(RARE, $words);
    foreach ([1, 2, 3] as $head) {
        $bytes = "\\substr(\$buffer, \$offset + {$head}, \$length)";
        $words["str {$head}"] = $mode->checksUtf8
            ? Template::fill(CHECKED_STR, $words + ['head' => (string) $head])
            : "{$sink->assign} {$bytes};";
        $words["bin {$head}"] = $mode->isLossless ? "{$sink->assign} new Bin({$bytes});" : "{$sink->assign} {$bytes};";
    }
    foreach ([0xcb => 8, 0xcc => 1, 0xcd => 2, 0xce => 4, 0xcf => 8, 0xd0 => 1, 0xd1 => 2, 0xd2 => 4, 0xd3 => 8] as $byte => $width) {
        $code = \sprintf('x%02x', $byte);
        $words["run {$width} {$code}"] = "if (\$offset + {$width} + \$after >= \$limit) {\n    break;\n}";
        $words['next ' . ($width + 1) . " {$code}"] = '$offset += ' . ($width + 1) . ';';
    }

    return Template::fill($sink->runs ? withRuns(VALUES) : VALUES, $words);
}

/**
 * Makes each branch of numbers a loop over elements with the same head byte, which are seldom alone in an array.
 */
function withRuns(string $template): string
{
    return (string) \preg_replace_callback(
        '/^( *)\{run (\d) x(..)\}\n(.*?)\n *\{next (\d) x..\}$/ms',
        static function (array $match): string {
            [, $indent, $width, $byte, $body, $length] = $match;
            $body = \preg_replace('/^/m', '    ', $body);

            return <<<CODE
                {$indent}for (;; --\$after) {
                {$indent}    if (\$offset + {$width} + \$after >= \$limit) {
                {$indent}        break 2;
                {$indent}    }
                {$body}
                {$indent}    \$offset += {$length};
                {$indent}    if (\$after === 0 || \$buffer[\$offset] !== "\\x{$byte}") {
                {$indent}        break;
                {$indent}    }
                {$indent}}
                CODE;
        },
        $template,
    );
}

function loops(Mode $mode): string
{
    $array = Template::fill(ARRAY_LOOP, [
        'mode' => $mode->name,
        'values' => values($mode, new Sink('$array[] =', '', true)),
    ]);
    $keys = Template::fill($mode->isLossless ? LOSSLESS_KEYS : KEYS, [
        'checkKey' => $mode->checksUtf8 ? "if (!\\mb_check_encoding(\$key, 'UTF-8')) {\n    break;\n}" : '',
    ]);
    $map = Template::fill(MAP_LOOP, [
        'mode' => $mode->name,
        'type' => $mode->isLossless ? '\stdClass|Entries' : 'array<array-key, mixed>',
        'native' => $mode->isLossless ? '\stdClass|Entries' : 'array',
        'general' => $mode->isLossless ? 'mapWithAnyKeys' : 'map',
        'restOf' => $mode->isLossless ? 'restOfMapWithAnyKeys' : 'restOfMap',
        'of' => $mode->isLossless ? '$count, ' : '',
        'keys' => $keys,
        'newKey' => $mode->checksKeys ? "if (\\array_key_exists(\$key, \$map)) {\n    break;\n}" : '',
        'values' => values($mode, new Sink('$map[$key] =', "    \$entry = \$offset; // this one is complete\n    \$after -= 2;\n", false)),
        'result' => $mode->isLossless ? '(object) $map' : '$map',
    ]);

    return $array . "\n\n" . $map;
}

const LOOPS_FILE = <<<'CODE'
    <?php

    declare(strict_types=1);

    namespace Polypack\BufferUnpacker;

    {uses}
    /**
     * The decoder's loops for {summary}. @generated by tools/loops.php: change the templates there.
     *
     * They decode what is valid and common, as Values does, and leave everything else to it.
     *
     * @internal
     */
    trait {trait}
    {
        {loops}
    }

    CODE;

function source(Mode $mode): string
{
    return Template::fill(LOOPS_FILE, [
        'uses' => $mode->isLossless ? "use Polypack\\Type\\Bin;\nuse Polypack\\Type\\Entries;\n" : '',
        'summary' => $mode->summary,
        'trait' => $mode->className(),
        'loops' => loops($mode),
    ]);
}

// The command

$sources = [];
foreach (Mode::all() as $mode) {
    $sources["src/BufferUnpacker/{$mode->className()}.php"] = source($mode);
}
exit(Template::write($sources, 'loops'));
