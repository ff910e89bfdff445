<?php

declare(strict_types=1);

namespace Polypack\Tools\Packer;

use Polypack\Tools\Template;

// Writes the encoder's loops, src/Encoder/Loops/ (docs/decisions/0014-php-specialisation.md), and the tables of bytes
// in src/Packer.php, because PHP folds a constant only in the class that declares it.
//
// usage: php tools/packer-loops.php [--check]
//
// Plan: the modes · the loop of lists · the loop of maps · the loop of records · values and keys · the class · the
// command. In the templates, a word in {braces} is replaced with the code of the mode or the loop. If that is empty,
// its line is removed.

require __DIR__ . '/_template.php';

/**
 * How strings are packed. Everything else is packed in the default way, except that `Record` writes records and is
 * otherwise like `Str`, and `Any` obeys every option.
 */
enum Mode: string
{
    case Str = 'str';
    case Checked = 'checked';
    case Detect = 'detect';
    case Bin = 'bin';
    case Record = 'record';
    case Any = 'any';

    public function summary(): string
    {
        return match ($this) {
            self::Str => 'pack strings as str, without a check',
            self::Checked => 'pack strings as str, which must be UTF-8',
            self::Detect => 'pack strings as str when they are UTF-8, else as bin',
            self::Bin => 'pack strings as bin',
            self::Record => 'pack strings as str, without a check, and may write maps as records',
            self::Any => 'obey all options',
        };
    }
}

// The loop of lists

const LIST_LOOP = <<<'CODE'
    /**
     * @param array<array-key, mixed> $list  its keys aren't packed
     * @param int                     $depth
     * @param string                  $out
     */
    final protected function {mode}List($list, $depth, &$out): void
    {
        if ($depth >= $this->maxDepth) {
            throw $this->tooDeep($depth);
        }
        $count = \count($list);
        if ($count < 0x10) {
            $out .= self::BYTES[0x90 | $count]; // fixarray
        } else {
            $out .= $count < 0x10000 ? "\xdc" . self::BYTES[$count >> 8] . self::BYTES[$count & 0xff] : self::array32(\count($list));
        }
        $i = 0;
        if ($count >= self::MIN_BULK) {
            $first = $list[0] ?? null;
            if (\is_int($first) ? $count >= self::MIN_SMALL_BULK || $first > 0xff || $first < -0x80 : \is_float($first)) {
                $i = $this->appendNumbers($list, $count, $out);
            } elseif (\is_object($first)) {
                $i = $this->appendObjects($list, $depth + 1, $out);
            }
            if ($i !== 0) {
                if ($i === $count) {
                    return;
                }
                $list = \array_slice($list, $i);
            }
        }
        foreach ($list as $value) {
            if (\is_int($value)) {
                {int value}
            } elseif (\is_string($value)) {
                {str value}
            {others}
            ++$i;
        }
    }
    CODE;

// The loop of maps

const MAP_LOOP = <<<'CODE'
    /**
     * @param array<array-key, mixed> $map
     * @param int                     $depth
     * @param string                  $out
     */
    final protected function {mode}Map($map, $depth, &$out): void
    {
        if ($depth >= $this->maxDepth) {
            throw $this->tooDeep($depth);
        }
        $count = \count($map);
        if ($count < 0x10) {
            $out .= self::BYTES[0x80 | $count]; // fixmap
        } else {
            $out .= $count < 0x10000 ? "\xde" . self::BYTES[$count >> 8] . self::BYTES[$count & 0xff] : self::map32(\count($map));
        }
        foreach ($map as $key => $value) {
            if (\is_int($key)) {
                {int key}
            } else {
                {key}
            }
            if (\is_string($value)) {
                {str value}
            } elseif (\is_int($value)) {
                {int value}
            {others}
        }
    }
    CODE;

// The loop of records

const FIELDS_LOOP = <<<'CODE'
    /**
     * Appends the values of a record. The caller has appended its id or declaration.
     *
     * @param array<array-key, mixed> $map
     * @param int                     $depth
     * @param string                  $out
     */
    final protected function {mode}Fields($map, $depth, &$out): void
    {
        foreach ($map as $key => $value) {
            if (\is_string($value)) {
                {str value}
            } elseif (\is_int($value)) {
                {int value}
            {others}
        }
    }
    CODE;

// Values and keys

/** `{x}` is the name of the variable, and `{step}` is its step on the trail. */
const INT = <<<'CODE'
    if (${x} < 0x80) {
        if (${x} >= -0x20) {
            $out .= self::BYTES[${x} & 0xff]; // fixint
        } elseif (${x} >= -0x8000) {
            $out .= ${x} >= -0x80
                ? "\xd0" . self::BYTES[${x} & 0xff] // int 8
                : "\xd1" . self::BYTES[${x} >> 8 & 0xff] . self::BYTES[${x} & 0xff]; // int 16
        } else {
            $out .= ${x} >= -0x80000000 ? \pack('CN', 0xd2, ${x}) : \pack('CJ', 0xd3, ${x}); // int 32, int 64
        }
    } elseif (${x} < 0x10000) {
        $out .= ${x} < 0x100
            ? "\xcc" . self::BYTES[${x}] // uint 8
            : "\xcd" . self::BYTES[${x} >> 8] . self::BYTES[${x} & 0xff]; // uint 16
    } else {
        $out .= ${x} < 0x100000000 ? \pack('CN', 0xce, ${x}) : \pack('CJ', 0xcf, ${x}); // uint 32, uint 64
    }
    CODE;

/** Replaces the first condition of INT where the bytes from 0x40 on are ids. */
const FIRST_ID = ['if (${x} < 0x80) {', 'if (${x} < 0x40) {'];

const ANY_INT = <<<'CODE'
    $out .= $this->int(${x});
    CODE;

const STR_HEAD = <<<'CODE'
    if ($length < 0x20) {
        $out .= self::FIXSTR[$length];
    } elseif ($length < 0x100) {
        $out .= "\xd9" . self::BYTES[$length]; // str 8
    } else {
        $out .= $length < 0x10000 ? "\xda" . self::BYTES[$length >> 8] . self::BYTES[$length & 0xff] : self::str32(\strlen(${x}));
    }
    CODE;

const BIN_HEAD = <<<'CODE'
    if ($length < 0x100) {
        $out .= "\xc4" . self::BYTES[$length]; // bin 8
    } else {
        $out .= $length < 0x10000 ? "\xc5" . self::BYTES[$length >> 8] . self::BYTES[$length & 0xff] : self::bin32(\strlen(${x}));
    }
    CODE;

const STR = [
    'str' => <<<'CODE'
        $length = \strlen(${x});
        {str head}
        $out .= ${x};
        CODE,
    'checked' => <<<'CODE'
        if (!Utf8::isValid(${x})) {
            $this->trail[$depth] = {step};
            throw PackingFailedException::invalidUtf8($this->path($depth + 1));
        }
        $length = \strlen(${x});
        {str head}
        $out .= ${x};
        CODE,
    'detect' => <<<'CODE'
        $length = \strlen(${x});
        if (Utf8::isValid(${x})) {
            {str head}
        } else {
            {bin head}
        }
        $out .= ${x};
        CODE,
    'bin' => <<<'CODE'
        $length = \strlen(${x});
        {bin head}
        $out .= ${x};
        CODE,
    'any' => <<<'CODE'
        $this->trail[$depth] = {step};
        $out .= $this->string(${x}, $depth + 1);
        CODE,
];

/**
 * Keys that need more than a check of their length are kept with their heads. A fault inside a key has the path of the
 * map.
 */
const KEYS = [
    // Keeping these keys, too, would save an append per key: rows with few names would be 8 % faster, but maps with
    // many names 20 % slower.
    'str' => STR['str'],
    'checked' => '$out .= $this->keys[$key] ?? $this->key($key, $depth);',
    'detect' => '$out .= $this->keys[$key] ?? $this->key($key, $depth);',
    'bin' => STR['bin'],
    'record' => STR['str'],
    'any' => '$out .= $this->keys[$key] ?? $this->key($key, $depth);',
];

const OTHERS = <<<'CODE'
    } elseif (\is_array($value)) {
        $this->trail[$depth] = {step};
        {container}
    } elseif ($value === null) {
        $out .= "\xc0";
    } elseif (\is_bool($value)) {
        $out .= $value ? "\xc3" : "\xc2";
    {float}
    } elseif (\is_object($value)) {
        $this->trail[$depth] = {step};
        $out .= $this->object($value, $depth + 1);
    } else {
        $this->trail[$depth] = {step};
        $out .= $this->other($value, $depth + 1);
    }
    CODE;

const CONTAINER = <<<'CODE'
    if (\array_is_list($value)) {
        $this->{mode}List($value, $depth + 1, $out);
    } else {
        $this->{mode}Map($value, $depth + 1, $out);
    }
    CODE;

const RECORD_CONTAINER = <<<'CODE'
    if (\array_is_list($value)) {
        $this->recordList($value, $depth + 1, $out);
    } else {
        $this->appendKeyed($value, $depth + 1, $out);
    }
    CODE;

const ANY_CONTAINER = <<<'CODE'
    $this->append($value, $depth + 1, $out);
    CODE;

const FLOAT = <<<'CODE'
    } elseif (\is_float($value) && $value <= \INF) { // not NaN
        $out .= "\xcb" . \pack('E', $value);
    CODE;

function loop(string $template, Mode $mode, string $step): string
{
    $any = $mode === Mode::Any;
    $words = ['mode' => $mode->value, 'step' => $step];
    $words['container'] = Template::fill(match ($mode) {
        Mode::Any => ANY_CONTAINER,
        Mode::Record => RECORD_CONTAINER,
        default => CONTAINER,
    }, $words);
    $words['float'] = $any ? '' : FLOAT;
    $int = match ($mode) {
        Mode::Any => ANY_INT,
        Mode::Record => \str_replace(FIRST_ID[0], FIRST_ID[1], INT),
        default => INT,
    };
    $string = static fn(string $template, string $x): string => Template::fill($template, $words + [
        'x' => $x,
        'str head' => Template::fill(STR_HEAD, ['x' => $x]),
        'bin head' => Template::fill(BIN_HEAD, ['x' => $x]),
    ]);

    return Template::fill($template, $words + [
        'key' => $string(KEYS[$mode->value], 'key'),
        'int key' => Template::fill($int, ['x' => 'key']),
        'int value' => Template::fill($int, ['x' => 'value']),
        'str value' => $string(STR[$mode === Mode::Record ? 'str' : $mode->value], 'value'),
        'others' => Template::fill(OTHERS, $words),
    ]);
}

// The class

const DISPATCH = <<<'CODE'
    /**
     * Appends the values of a PHP array as an array, without their keys. The options decide which loop packs them.
     *
     * @param array<array-key, mixed> $list
     */
    final protected function appendList(array $list, int $depth, string &$out): void
    {
        {lists}
    }

    /**
     * @param array<array-key, mixed> $map
     */
    final protected function appendMap(array $map, int $depth, string &$out): void
    {
        {maps}
    }

    final protected function appendNumbers($list, $count, &$out)
    {
        return Numbers::append($list, $count, $this->fixintEnd, $this->forceFloat32, $out);
    }
    CODE;

/** Where DISPATCH has the method itself. */
const DISPATCHED = "abstract protected function appendNumbers(\$list, \$count, &\$out);\n\n";

const LOOPS_FILE = <<<'CODE'
    <?php

    declare(strict_types=1);

    namespace Polypack\Encoder\Loops;

    {uses}
    /**
     * The encoder's loops over lists and maps, {summary}.
     * @generated by php/tools/packer-loops.php: edit the templates there.
     *
     * The loops append to one buffer. Most of them pack the common scalars themselves, which saves a call per value.
     * Before a loop descends to a child, it adds a step to the trail. A path is made from the trail only when something
     * fails.
     *
     * @internal
     */
    abstract class {class}
    {
        /**
         * Lists of numbers or objects are packed in bulk if they have at least MIN_BULK elements. If the first element
         * is an int that takes one or two bytes, at least MIN_SMALL_BULK elements are needed.
         */
        private const MIN_BULK = 8;
        private const MIN_SMALL_BULK = 16;

        /**
         * The byte of each number from 0 to 255. Reading a byte here is faster than calling chr(). PHP folds a constant
         * only in the class that declares it, so each class has a copy.
         */
        private const BYTES = {bytes};

        /** The head of each fixstr, by length. */
        private const FIXSTR = {fixstr};

        {prototypes}

        {dispatch}

        {loops}
    }

    CODE;

/** Methods that the loops of more than one class call. */
const PROTOTYPES = <<<'CODE'
    // These methods are declared again here. Otherwise PHP would assume that their arguments may be passed by
    // reference, and the loops would check the variables for references after such a call.

    abstract protected function appendNumbers($list, $count, &$out);

    abstract protected function appendObjects($list, $depth, &$out);

    abstract protected function object($value, $depth);

    abstract protected function other($value, $depth);
    CODE;

const RECORD_PROTOTYPES = <<<'CODE'
    abstract protected function appendKeyed($map, $depth, &$out): void;
    CODE;

/**
 * Writes bytes as PHP does, 16 in a line.
 */
function bytes(int $from, int $to): string
{
    $lines = [];
    for ($line = $from; $line < $to; $line += 16) {
        $lines[] = '"' . \implode('', \array_map(static fn(int $byte): string => \sprintf('\x%02x', $byte), \range($line, $line + 15))) . '"';
    }

    return \implode("\n        . ", $lines);
}

function dispatch(string $loop): string
{
    $array = '$' . \lcfirst($loop);
    $calls = \array_map(
        static fn(Mode $mode): string => "'{$mode->value}' => \$this->{$mode->value}{$loop}({$array}, \$depth, \$out),",
        Mode::cases(),
    );

    return "match (\$this->loops) {\n    " . \implode("\n    ", $calls) . "\n};";
}

/**
 * @param list<Mode> $modes
 */
function loops(array $modes): string
{
    $loops = [];
    foreach ($modes as $mode) {
        $loops[] = "// Loops that {$mode->summary()}";
        $loops[] = loop(LIST_LOOP, $mode, '$i');
        $loops[] = loop(MAP_LOOP, $mode, '$key');
        if ($mode === Mode::Record || $mode === Mode::Any) {
            $loops[] = loop(FIELDS_LOOP, $mode, '$key');
        }
    }

    return \implode("\n\n", $loops);
}

/**
 * Three classes: the default loops, which a default request loads alone; on top of them the loops that may write
 * records; and those for strings, which also choose among all loops.
 *
 * @return array<string, string> by path
 */
function sources(): array
{
    $words = ['bytes' => bytes(0, 0x100), 'fixstr' => bytes(0xa0, 0xc0), 'prototypes' => PROTOTYPES];

    return [
        'src/Packer.php' => (string) \preg_replace(
            ['/(?<=private const BYTES = )[^;]*(?=;)/', '/(?<=private const FIXSTR = )[^;]*(?=;)/'],
            [\addcslashes($words['bytes'], '\\'), \addcslashes($words['fixstr'], '\\')],
            (string) \file_get_contents(\dirname(__DIR__) . '/src/Packer.php'),
        ),
        'src/Encoder/Loops/DefaultLoops.php' => Template::fill(LOOPS_FILE, $words + [
            'uses' => "use Polypack\\Encoder\\Loops;\n",
            'summary' => 'for default options',
            'class' => 'DefaultLoops extends Loops',
            'dispatch' => '',
            'loops' => loops([Mode::Str]),
        ]),
        'src/Encoder/Loops/RecordLoops.php' => Template::fill(LOOPS_FILE, $words + [
            'uses' => "use Polypack\\Encoder\\Encoder;\n",
            'summary' => "and over the values of records. The `any` loops obey all options,\n * so they call a method for most values",
            'class' => 'RecordLoops extends Encoder',
            'dispatch' => RECORD_PROTOTYPES,
            'loops' => loops([Mode::Record, Mode::Any]),
        ]),
        'src/Encoder/Loops/StringLoops.php' => Template::fill(LOOPS_FILE, [
            'uses' => "use Polypack\\Encoder\\Numbers;\nuse Polypack\\Exception\\PackingFailedException;\nuse Polypack\\Utf8;\n",
            'summary' => "for the options that check strings or pack them as bin.\n * appendList() and appendMap() choose among all loops",
            'class' => 'StringLoops extends RecordLoops',
            'prototypes' => \str_replace(DISPATCHED, '', PROTOTYPES),
            'dispatch' => Template::fill(DISPATCH, ['lists' => dispatch('List'), 'maps' => dispatch('Map')]),
            'loops' => loops([Mode::Checked, Mode::Detect, Mode::Bin]),
        ] + $words),
    ];
}

// The command

exit(Template::write(sources(), 'packer-loops'));
