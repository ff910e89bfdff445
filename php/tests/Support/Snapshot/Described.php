<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

use Polypack\Exception\Text;

/**
 * Reads a snapshot as another language would: it describes the value, and knows no class. Written from
 * spec/10-snapshot.md alone, simple and slow; tests compare the library with it.
 *
 * @phpstan-type Value array<string, mixed>
 * @phpstan-type Shape array{head: int, class: string, keys: list<string>, declared: int, absent: list<string>,
 *     flags: int, latest: array<int, Value>}
 */
final class Described
{
    private int $at = 4;
    private int $left;
    private int $objects = 0;
    private int $references = 0;

    /** @var list<string> */
    private array $strings = [];

    /** @var list<Shape> */
    private array $shapes = [];

    private function __construct(private readonly string $bytes, private readonly int $maxDepth, int $maxElements)
    {
        $this->left = $maxElements;
    }

    /**
     * @return Value|string the description, or the error as `code@offset path`
     */
    public static function of(string $bytes, int $maxDepth = 512, int $maxElements = 1 << 20): array|string
    {
        $self = new self($bytes, $maxDepth, $maxElements);
        try {
            $start = "\xc1\x53\x01\x00";
            for ($i = 0; $i < 4; ++$i) {
                if (!isset($bytes[$i])) {
                    return 'unexpected_end@' . \strlen($bytes);
                }
                if ($bytes[$i] !== $start[$i] && $i !== 2 && $i !== 3) {
                    return 'invalid_snapshot@0';
                }
            }
            foreach ([2, 3] as $i) {
                if ($bytes[$i] !== $start[$i]) {
                    return "invalid_snapshot@{$i}";
                }
            }
            $value = $self->value(0, 0, '', null);

            return $self->at === \strlen($bytes) ? $value : "trailing_data@{$self->at}";
        } catch (\UnexpectedValueException $fault) {
            return $fault->getMessage();
        }
    }

    private static function fault(string $code, int $at, string $path): \UnexpectedValueException
    {
        return new \UnexpectedValueException("{$code}@{$at}" . ($path === '' ? '' : " {$path}"));
    }

    private function take(int $length, int $at, string $path): string
    {
        if ($this->at + $length > \strlen($this->bytes)) {
            throw self::fault('unexpected_end', $at, $path);
        }
        $this->at += $length;

        return \substr($this->bytes, $this->at - $length, $length);
    }

    private function byte(int $at, string $path): int
    {
        return \ord($this->take(1, $at, $path));
    }

    private function leb(int $at, string $path, int $most): string
    {
        $bits = '';
        for ($i = 1; ; ++$i) {
            $byte = $this->byte($at, $path);
            $bits = \sprintf('%07b', $byte & 0x7f) . $bits;
            if ($byte < 0x80) {
                return \ltrim($bits, '0');
            }
            if ($i === $most) {
                throw self::fault('out_of_range', $at, $path);
            }
        }
    }

    private function uint(int $at, string $path): int
    {
        $bits = $this->leb($at, $path, 5);

        return \strlen($bits) > 32 ? throw self::fault('out_of_range', $at, $path) : (int) \bindec($bits);
    }

    private function sint(int $at, string $path): \GMP
    {
        $bits = $this->leb($at, $path, 10);
        if (\strlen($bits) > 64) {
            throw self::fault('out_of_range', $at, $path);
        }
        $number = \gmp_init($bits === '' ? '0' : $bits, 2);

        return \gmp_testbit($number, 0) ? -\gmp_div_q($number + 1, 2) : \gmp_div_q($number, 2);
    }

    private function text(string $path): string
    {
        $at = $this->at;
        $head = $this->byte($at, $path);
        $isText = ($head >= 0x40 && $head < 0x60) || ($head >= 0x90 && $head < 0xc0) || ($head >= 0xc9 && $head <= 0xcc);
        if (!$isText) {
            throw self::fault('invalid_snapshot', $at, $path);
        }
        $earlier = match (true) {
            $head >= 0x90 && $head < 0xc0 => $head - 0x90,
            $head === 0xcb => 48 + $this->byte($at, $path),
            $head === 0xcc => 304 + $this->uint($at, $path),
            default => null,
        };
        if ($earlier !== null) {
            return $this->strings[$earlier] ?? throw self::fault('invalid_snapshot', $at, $path);
        }
        $length = match ($head) {
            0xc9 => $this->byte($at, $path),
            0xca => $this->uint($at, $path),
            default => $head - 0x40,
        };
        $text = $this->take($length, $at, $path);
        if ($length > 1 && $length < 256) {
            $this->strings[] = $text;
        }

        return $text;
    }

    /**
     * @return Value
     */
    public static function ofString(string $text): array
    {
        return \preg_match('/^[\x20-\x7e]*$/D', $text) === 1 ? ['str' => $text] : ['hex' => \bin2hex($text)];
    }

    private static function ofInt(\GMP|int $int): string
    {
        $int = \gmp_mod(\gmp_init((string) $int), \gmp_pow(2, 64));

        return \gmp_strval(\gmp_testbit($int, 63) ? $int - \gmp_pow(2, 64) : $int);
    }

    /**
     * @param ?array{int, int} $place shape and number
     *
     * @return Value
     */
    private function value(int $owed, int $depth, string $path, ?array $place): array
    {
        $at = $this->at;
        $head = $this->byte($at, $path);
        if ($head < 0x40 || $head >= 0xe0) {
            return ['int' => (string) ($head < 0x40 ? $head : $head - 256)];
        }
        if ($head < 0x60 || ($head >= 0x90 && $head < 0xc0) || ($head >= 0xc9 && $head <= 0xcc)) {
            --$this->at;

            return self::ofString($this->text($path));
        }
        if ($head >= 0xc4 && $head <= 0xc7) {
            $bytes = $this->take(1 << $head - 0xc4, $at, $path);
            $number = \gmp_import($bytes, 1, \GMP_LSW_FIRST);

            return ['int' => self::ofInt(\gmp_testbit($number, 8 * \strlen($bytes) - 1) ? $number - \gmp_pow(2, 8 * \strlen($bytes)) : $number)];
        }
        switch ($head) {
            case 0xc0:
                return ['null' => true];
            case 0xc2:
                return ['bool' => false];
            case 0xc3:
                return ['bool' => true];
            case 0xc8:
                return ['float' => \bin2hex(\strrev($this->take(8, $at, $path)))];
            case 0xd9:
                $latest = $place === null ? null : $this->shapes[$place[0]]['latest'][$place[1]] ?? null;
                if ($latest === null || self::flat($latest) === null) {
                    throw self::fault('invalid_snapshot', $at, $path);
                }
                $this->charge(self::flat($latest) + 1, $at, $path);

                return $latest;
            case 0xda:
            case 0xdb:
                throw self::fault('invalid_snapshot', $at, $path);
            case 0xdc:
                $number = $this->uint($at, $path);

                return $number < $this->objects ? ['again' => $number] : throw self::fault('invalid_snapshot', $at, $path);
        }
        $isShape = ($head < 0x80) || ($head >= 0xcd && $head <= 0xd2);
        if (!$isShape && !($head < 0x90) && !($head >= 0xd3 && $head <= 0xd8)) {
            throw self::fault('invalid_snapshot', $at, $path);
        }
        $value = $isShape ? $this->shaped($head, $at, $owed, $depth, $path) : $this->array($head, $at, $owed, $depth, $path);
        if ($place !== null && (isset($value['map']) || ($value['list'] ?? []) !== [])) {
            $this->shapes[$place[0]]['latest'][$place[1]] = $value;
        }

        return $value;
    }

    /**
     * @param ?array{int, int} $place
     *
     * @return Value
     */
    private function slot(int $owed, int $depth, string $path, ?array $place): array
    {
        $at = $this->at;
        $head = $this->bytes[$at] ?? '';
        if ($head === "\xdb") {
            ++$this->at;
            $number = $this->uint($at, $path);

            return $number < $this->references ? ['reference' => $number] : throw self::fault('invalid_snapshot', $at, $path);
        }
        if ($head === "\xda") {
            ++$this->at;
            $number = $this->references++;

            return ['reference' => $number, 'value' => $this->value($owed, $depth, $path, null)];
        }

        return $this->value($owed, $depth, $path, $place);
    }

    private function charge(int $values, int $at, string $path): void
    {
        $this->left -= $values;
        if ($this->left < 0) {
            throw self::fault('limit_exceeded', $at, $path);
        }
    }

    private function open(int $promised, int $depth, int $at, string $path): void
    {
        $this->deep($depth, $at, $path);
        if ($this->at + $promised > \strlen($this->bytes)) {
            throw self::fault('unexpected_end', $at, $path);
        }
    }

    private function deep(int $depth, int $at, string $path): void
    {
        if ($depth >= $this->maxDepth) {
            throw self::fault('limit_exceeded', $at, $path);
        }
    }

    private static function step(string $path, int|string $key): string
    {
        $segment = \is_int($key) ? (string) $key : \str_replace(['~', '/'], ['~0', '~1'], Text::utf8($key));

        return "{$path}/{$segment}";
    }

    private static function plain(string $name): string
    {
        $parts = \explode("\0", $name);

        return $parts[\count($parts) - 1];
    }

    /**
     * Returns the number of elements of a flat array.
     *
     * @param Value $value
     */
    private static function flat(array $value): ?int
    {
        $children = $value['list'] ?? (\is_array($value['map'] ?? null) ? \array_column($value['map'], 1) : []);
        \assert(\is_array($children));
        foreach ($children as $child) {
            \assert(\is_array($child));
            if (\array_intersect_key($child, ['list' => 1, 'map' => 1, 'float' => 1, 'object' => 1, 'again' => 1, 'reference' => 1]) !== []) {
                return null;
            }
        }

        return \count($children) > 255 ? null : \count($children);
    }

    /**
     * @return Value
     */
    private function array(int $head, int $at, int $owed, int $depth, string $path): array
    {
        if ($head < 0x90 || $head === 0xd3) {
            $count = $head < 0x90 ? $head - 0x80 : $this->uint($at, $path);
            $this->open($count + $owed, $depth, $at, $path);

            return ['list' => $this->children($count, null, $owed, $depth, $path)];
        }
        $count = $this->uint($at, $path);
        if ($count === 0) {
            throw self::fault('invalid_snapshot', $at, $path);
        }
        $this->deep($depth, $at, $path);
        $keys = $head >= 0xd6 ? $this->keys($count, $path) : null;
        if ($head === 0xd4 || $head === 0xd7) {
            $kind = \ord($this->bytes[$this->at] ?? "\1");
            if ($kind === 0) {
                throw self::fault('invalid_snapshot', $this->at, $path);
            }
            [$children] = $this->column($count, $depth, $at, $path);
        } elseif ($head === 0xd5 || $head === 0xd8) {
            $children = $this->table($count, $keys, $at, $owed, $depth, $path);
        } else {
            $this->open($count + $owed, $depth, $at, $path);
            $children = $this->children($count, $keys, $owed, $depth, $path);
        }
        if ($keys === null) {
            return ['list' => $children];
        }
        $seen = [];
        foreach ($keys as $key) {
            $name = \is_int($key) ? "i{$key}" : "s{$key}";
            if (\is_string($key) && (string) (int) $key === $key) {
                throw self::fault('invalid_key', $at, $path);
            }
            if (isset($seen[$name])) {
                throw self::fault('duplicate_key', $at, $path);
            }
            $seen[$name] = true;
        }

        return ['map' => \array_map(static fn(int|string $key, mixed $child): array => [self::ofKey($key), $child], $keys, $children ?? [])];
    }

    /**
     * @return Value
     */
    private static function ofKey(int|string $key): array
    {
        return \is_int($key) ? ['int' => (string) $key] : self::ofString($key);
    }

    /**
     * @param ?list<int|string> $keys
     *
     * @return list<Value>
     */
    private function children(int $count, ?array $keys, int $owed, int $depth, string $path): array
    {
        $children = [];
        for ($i = 0; $i < $count; ++$i) {
            $children[] = $this->slot($owed + $count - $i - 1, $depth + 1, self::step($path, $keys[$i] ?? $i), null);
        }

        return $children;
    }

    /**
     * @return list<int|string>
     */
    private function keys(int $count, string $path): array
    {
        $at = $this->at;
        $kind = \ord($this->bytes[$at] ?? "\0");
        if (isset($this->bytes[$at]) && !\in_array($kind, [0, 2, 3, 7], true)) {
            throw self::fault('invalid_snapshot', $at, $path);
        }
        if ($kind !== 0 || !isset($this->bytes[$at])) {
            [$cells] = $this->column($count, 0, $at, $path);

            return \array_map(static fn(array $cell): int|string => isset($cell['int']) ? (int) $cell['int'] : (\is_string($cell['str'] ?? null) ? $cell['str'] : (string) \hex2bin($cell['hex'])), $cells ?? []); // @phpstan-ignore cast.int, argument.type
        }
        ++$this->at;
        if ($this->at + $count > \strlen($this->bytes)) {
            throw self::fault('unexpected_end', $at, $path);
        }
        $keys = [];
        for ($i = 0; $i < $count; ++$i) {
            $start = $this->at;
            $head = \ord($this->bytes[$start] ?? "\0");
            $isInt = $head < 0x40 || $head >= 0xe0 || ($head >= 0xc4 && $head <= 0xc7);
            $isText = ($head >= 0x40 && $head < 0x60) || ($head >= 0x90 && $head < 0xc0) || ($head >= 0xc9 && $head <= 0xcc);
            if (!$isInt && !$isText) {
                throw self::fault('invalid_key', $start, $path);
            }
            if ($isInt) {
                $int = $this->value(0, 0, $path, null)['int'];
                \assert(\is_string($int));
                $keys[] = (int) $int;
            } else {
                $keys[] = $this->text($path);
            }
        }

        return $keys;
    }

    private function newShape(int $head, int $at, string $path): int
    {
        $shape = ['head' => $head, 'class' => '', 'keys' => [], 'declared' => 0, 'absent' => [], 'flags' => 0, 'latest' => []];
        $names = 0;
        if ($head === 0xce) {
            $names = $this->byte($at, $path);
            if ($names < 1 || $names > 64) {
                throw self::fault('invalid_snapshot', $at, $path);
            }
        } else {
            $shape['class'] = $this->text($path);
        }
        if ($head === 0xcf) {
            [$shape['flags'], $count, $shape['declared'], $missing] = [$this->byte($at, $path), $this->byte($at, $path), $this->byte($at, $path), $this->byte($at, $path)];
            $names = $count + $missing;
            if ($shape['flags'] > 1 || $shape['declared'] > $count) {
                throw self::fault('invalid_snapshot', $at, $path);
            }
        } elseif ($head === 0xd0) {
            $shape['flags'] = $this->byte($at, $path);
            if ($shape['flags'] > 1) {
                throw self::fault('invalid_snapshot', $at, $path);
            }
        } elseif ($head === 0xd2) {
            $names = 1;
        }
        $keys = [];
        for ($i = 0; $i < $names; ++$i) {
            $start = $this->at;
            $key = $this->text($path);
            if (\in_array($key, $keys, true)) {
                throw self::fault('duplicate_key', $start, $path);
            }
            if ($head === 0xce && (string) (int) $key === $key) {
                throw self::fault('invalid_key', $start, $path);
            }
            $keys[] = $key;
        }
        $shape['keys'] = isset($count) ? \array_slice($keys, 0, $count) : $keys;
        $shape['absent'] = isset($count) ? \array_slice($keys, $count) : [];
        $this->shapes[] = $shape;

        return \count($this->shapes) - 1;
    }

    /**
     * @return Value
     */
    private function shaped(int $head, int $at, int $owed, int $depth, string $path): array
    {
        $number = $head < 0x80 ? $head - 0x60 : ($head === 0xcd ? 32 + $this->uint($at, $path) : $this->newShape($head, $at, $path));
        $shape = $this->shapes[$number] ?? throw self::fault('invalid_snapshot', $at, $path);
        if ($shape['head'] === 0xd2) {
            return ['case' => [$shape['class'], $shape['keys'][0] ?? '']];
        }
        $count = $shape['head'] === 0xce || $shape['head'] === 0xcf ? \count($shape['keys']) : 1;
        $this->open($count + $owed, $depth, $at, $path);
        $id = $shape['head'] === 0xce ? 0 : $this->objects++;
        if ($shape['head'] === 0xd0) {
            $start = $this->at;
            $data = $this->value($owed, $depth + 1, $path, null);
            if (!isset($data['list']) && !isset($data['map'])) {
                throw self::fault('invalid_snapshot', $start, $path);
            }

            return ['object' => $shape['class'], 'id' => $id, $shape['flags'] === 1 ? 'many' : 'data' => $data];
        }
        if ($shape['head'] === 0xd1) {
            return ['object' => $shape['class'], 'id' => $id, 'bytes' => self::ofString($this->text($path))];
        }
        $values = [];
        foreach ($shape['keys'] as $i => $key) {
            $values[] = $this->slot($owed + $count - $i - 1, $depth + 1, self::step($path, self::plainOf($shape, $key)), [$number, $i]);
        }

        return $this->described($number, $values, $id);
    }

    /**
     * @param Shape $shape
     */
    private static function plainOf(array $shape, string $key): string
    {
        return $shape['head'] === 0xcf ? self::plain($key) : $key;
    }

    /**
     * @param list<Value> $values
     *
     * @return Value
     */
    private function described(int $number, array $values, int $id): array
    {
        $shape = $this->shapes[$number] ?? throw new \LogicException();
        $entries = \array_map(static fn(string $key, mixed $value): array => [self::ofString($key), $value], $shape['keys'], $values);
        if ($shape['head'] === 0xce) {
            return ['map' => $entries];
        }
        $value = ['object' => $shape['class'], 'id' => $id, 'properties' => $entries];
        $value += $shape['declared'] === \count($entries) ? [] : ['declared' => $shape['declared']];
        $value += $shape['absent'] === [] ? [] : ['absent' => \array_map(self::ofString(...), $shape['absent'])];

        return $value + ($shape['flags'] === 1 ? ['chosen' => true] : []);
    }

    /**
     * @return array{?list<Value>, bool} the cells, null if they come later; and whether each costs a byte
     */
    private function column(int $count, int $depth, int $container, string $path): array
    {
        $at = $this->at;
        $kind = $this->byte($container, $path);
        $there = null;
        $present = $count;
        if ($kind >= 0x80) {
            $kind -= 0x80;
            if ($kind < 2) {
                throw self::fault('invalid_snapshot', $at, $path);
            }
            $this->charge($count, $at, $path);
            $there = \str_split(self::bits($this->take(\intdiv($count + 7, 8), $at, $path)));
            $present = \count(\array_keys(\array_slice($there, 0, $count), '1', true));
        }
        $pays = $there === null;
        switch ($kind) {
            case 0:
                return [null, true];
            case 1:
                $start = $this->at;
                $value = $this->value(0, $depth + 1, $path, null);
                $flat = isset($value['list']) || isset($value['map']) ? self::flat($value) : 0;
                if ($flat === null || isset($value['object']) || isset($value['again'])) {
                    throw self::fault('invalid_snapshot', $start, $path);
                }
                $this->charge($count * ($flat + 1), $at, $path);

                return [\array_fill(0, $count, $value), false];
            case 2:
            case 3:
                [$cells, $width] = $this->ints($kind, $present, $at, $path);
                $cells = \array_map(static fn(\GMP $cell): array => ['int' => self::ofInt($cell)], $cells);
                $pays = $pays && $width >= 8;
                break;
            case 4:
                $this->charge($present, $at, $path);
                $bits = self::bits($this->take(\intdiv($present + 7, 8), $at, $path));
                $cells = [];
                for ($i = 0; $i < $present; ++$i) {
                    $cells[] = ['bool' => ($bits[$i] ?? '') === '1'];
                }
                $pays = false;
                break;
            case 5:
                $cells = [];
                $all = $this->take(8 * $present, $at, $path);
                for ($i = 0; $i < $present; ++$i) {
                    $cells[] = ['float' => \bin2hex(\strrev(\substr($all, 8 * $i, 8)))];
                }
                break;
            case 6:
                $digits = $this->byte($at, $path);
                $inner = $this->byte($at, $path);
                if ($digits > 9 || ($inner !== 2 && $inner !== 3)) {
                    throw self::fault('invalid_snapshot', $at, $path);
                }
                [$wholes, $width] = $this->ints($inner, $present, $at, $path);
                $cells = \array_map(static fn(\GMP $whole): array => ['float' => \bin2hex(\pack('E', (float) self::ofInt($whole) / 10 ** $digits))], $wholes);
                $pays = $pays && $width >= 8;
                break;
            case 7:
                $width = $this->byte($at, $path);
                if (!\in_array($width, [1, 2, 4], true)) {
                    throw self::fault('invalid_snapshot', $at, $path);
                }
                $lengths = [];
                $all = $this->take($width * $present, $at, $path);
                for ($i = 0; $i < $present; ++$i) {
                    $lengths[] = \gmp_intval(\gmp_import(\substr($all, $width * $i, $width), 1, \GMP_LSW_FIRST));
                }
                $all = $this->take(\array_sum($lengths), $at, $path);
                $cells = [];
                $from = 0;
                foreach ($lengths as $length) {
                    $cells[] = self::ofString(\substr($all, $from, $length));
                    $from += $length;
                }
                break;
            case 8:
                $choices = [];
                for ($i = $this->byte($at, $path); $i >= 0; --$i) {
                    $choices[] = self::ofString($this->text($path));
                }
                $cells = [];
                foreach (\str_split($this->take($present, $at, $path)) as $choice) {
                    $cells[] = $choices[\ord($choice)] ?? throw self::fault('invalid_snapshot', $at, $path);
                }
                break;
            default:
                throw self::fault('invalid_snapshot', $at, $path);
        }
        if ($there === null) {
            return [$cells, $pays];
        }
        $all = [];
        for ($i = 0; $i < $count; ++$i) {
            $all[] = $there[$i] === '1' ? \array_shift($cells) ?? [] : ['null' => true];
        }

        return [$all, false];
    }

    /**
     * Returns bits as text, the lowest first.
     */
    private static function bits(string $bytes): string
    {
        return \implode('', \array_map(static fn(string $byte): string => \strrev(\sprintf('%08b', \ord($byte))), \str_split($bytes)));
    }

    /**
     * @return array{list<\GMP>, int}
     */
    private function ints(int $kind, int $count, int $at, string $path): array
    {
        $first = $kind === 3 ? $this->sint($at, $path) : null;
        $base = $this->sint($at, $path);
        $width = $this->byte($at, $path);
        if ($width > 56 && $width !== 64) {
            throw self::fault('invalid_snapshot', $at, $path);
        }
        if ($width < 8) {
            $this->charge($count, $at, $path);
        }
        $numbers = $kind === 3 ? \max(0, $count - 1) : $count;
        $bits = self::bits($this->take(\intdiv($numbers * $width + 7, 8), $at, $path));
        /** @var list<\GMP> $cells */
        $cells = $kind === 3 && $count > 0 ? [$first ?? \gmp_init(0)] : [];
        for ($i = 0; $i < $numbers; ++$i) {
            $number = $width === 0 ? \gmp_init(0) : \gmp_init(\strrev(\substr($bits, $i * $width, $width)), 2);
            $before = $kind === 3 ? $cells[$i] : \gmp_init(0);
            $cells[] = $number + $base + $before;
        }

        return [$cells, $width];
    }

    /**
     * @param ?list<int|string> $keys
     *
     * @return list<Value>
     */
    private function table(int $count, ?array $keys, int $at, int $owed, int $depth, string $path): array
    {
        $start = $this->at;
        $head = $this->byte($at, $path);
        $number = match (true) {
            $head >= 0x60 && $head < 0x80 => $head - 0x60,
            $head === 0xcd => 32 + $this->uint($start, $path),
            $head === 0xce || $head === 0xcf => $this->newShape($head, $start, $path),
            default => throw self::fault('invalid_snapshot', $start, $path),
        };
        $shape = $this->shapes[$number] ?? throw self::fault('invalid_snapshot', $start, $path);
        if ($shape['head'] > 0xcf || $shape['keys'] === []) {
            throw self::fault('invalid_snapshot', $start, $path);
        }
        $this->deep($depth + 1, $at, $path);
        $columns = [];
        $pays = false;
        foreach ($shape['keys'] as $_) {
            [$columns[], $paysAlone] = $this->column($count, $depth + 1, $at, $path);
            $pays = $pays || $paysAlone;
        }
        if (!$pays) {
            throw self::fault('invalid_snapshot', $at, $path);
        }
        $owed += $count * \count(\array_keys($columns, null, true));
        if ($this->at + $owed > \strlen($this->bytes)) {
            throw self::fault('unexpected_end', $at, $path);
        }
        $first = $this->objects;
        $this->objects += $shape['head'] === 0xcf ? $count : 0;
        $rows = [];
        for ($i = 0; $i < $count; ++$i) {
            $values = [];
            foreach ($columns as $place => $cells) {
                $inner = self::step(self::step($path, $keys[$i] ?? $i), self::plainOf($shape, $shape['keys'][$place] ?? ''));
                $values[] = $cells === null ? $this->slot(--$owed, $depth + 2, $inner, [$number, $place]) : $cells[$i] ?? [];
            }
            $rows[] = $this->described($number, $values, $first + $i);
        }

        return $rows;
    }
}
