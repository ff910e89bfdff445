<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\Type\Bin;
use Polypack\Type\Entries;
use Polypack\Type\Ext;
use Polypack\Type\Timestamp;
use Polypack\Type\UInt64;

/**
 * The specification as code: slow, obvious, and written without a look at the real decoder, which is held against it.
 *
 * It decodes one value step by step as spec/07-errors.md#which-fault-wins lists the steps, and carries the path along.
 */
final class ReferenceDecoder
{
    private const NUMBERS = [
        0xc4 => ['bin', 1], 0xc5 => ['bin', 2], 0xc6 => ['bin', 4],
        0xc7 => ['ext', 1], 0xc8 => ['ext', 2], 0xc9 => ['ext', 4],
        0xca => ['float', 4], 0xcb => ['float', 8],
        0xcc => ['uint', 1], 0xcd => ['uint', 2], 0xce => ['uint', 4], 0xcf => ['uint', 8],
        0xd0 => ['int', 1], 0xd1 => ['int', 2], 0xd2 => ['int', 4], 0xd3 => ['int', 8],
        0xd9 => ['str', 1], 0xda => ['str', 2], 0xdb => ['str', 4],
        0xdc => ['array', 2], 0xdd => ['array', 4], 0xde => ['map', 2], 0xdf => ['map', 4],
    ];

    private string $bytes = '';
    private int $at = 0;
    private int $values = 1;
    /** @var array<string, list<string>> by id in hex */
    private array $declared = [];
    /** @var array<int, string> 'one' or 'two' bytes, by first byte */
    private array $form = [];

    public function __construct(
        private readonly string $mode = 'default',
        private readonly bool $records = false,
        private readonly int $maxDepth = 512,
        private readonly int $maxValues = \PHP_INT_MAX,
    ) {}

    /**
     * Decodes bytes that are exactly one value.
     *
     * @throws ReferenceFault
     */
    public function decode(string $bytes): mixed
    {
        $value = $this->decodeAt($bytes, 0);
        if ($this->at < \strlen($bytes)) {
            throw new ReferenceFault('trailing_data', $this->at, '');
        }

        return $value;
    }

    /**
     * Decodes one value from an offset on; end() is where it ended.
     *
     * @throws ReferenceFault
     */
    public function decodeAt(string $bytes, int $offset): mixed
    {
        $this->bytes = $bytes;
        $this->at = $offset;
        $this->values = 1;
        $this->declared = [];
        $this->form = [];

        return $this->value(0, 0, '', false, false);
    }

    public function end(): int
    {
        return $this->at;
    }

    /**
     * @param string $place   path for faults of the value; for a key that of the map
     * @param bool   $frozen  whether it is a key or inside one, so that the path grows no more
     */
    private function value(int $depth, int $owed, string $place, bool $frozen, bool $isKey): mixed
    {
        $head = $this->at;
        // 1. no byte left
        if ($head >= \strlen($this->bytes)) {
            throw new ReferenceFault('unexpected_end', $head, $place);
        }
        $byte = \ord($this->bytes[$head]);
        // 2. reserved
        if ($byte === 0xc1) {
            throw new ReferenceFault('reserved_byte', $head, $place);
        }
        // 3. a key of a kind that a PHP array cannot hold
        $isInstance = $this->records && $byte >= 0x40 && $byte <= 0x7f && isset($this->form[$byte]);
        $kind = $isInstance ? 'record' : $this->kind($byte);
        if ($isKey && $this->mode !== 'lossless' && !\in_array($kind, ['int', 'str', 'bin'], true)) {
            if ($kind === 'ext') { // known by its type
                $this->head($byte, $head, $place);
            }
            throw new ReferenceFault('invalid_key', $head, $place);
        }
        if ($isInstance) {
            return $this->instance($byte, $head, $depth, $owed, $place, $frozen);
        }
        // 4. the rest of the head
        [$format, $number] = $this->head($byte, $head, $place);
        switch ($format) {
            case 'nil':
                return null;
            case 'bool':
                return $byte === 0xc3;
            case 'fixint':
                if ($this->records && $this->mode === 'strict' && $byte >= 0x40 && $byte <= 0x7f) {
                    throw new ReferenceFault('unknown_record', $head, $place);
                }

                return $byte <= 0x7f ? $byte : $byte - 256;
            case 'uint':
                return $this->unsigned($number);
            case 'int':
                return $this->signed($number);
            case 'float':
                /** @var array{1: float} $float */
                $float = \unpack(\strlen($number) === 4 ? 'G' : 'E', $number);

                return $float[1];
            case 'str':
                $text = $this->body($this->length($number), $head, $place);
                if ($this->mode !== 'default' && \preg_match('//u', $text) !== 1) {
                    throw new ReferenceFault('invalid_utf8', $head, $place);
                }

                return $text;
            case 'bin':
                $data = $this->body($this->length($number), $head, $place);

                return $this->mode === 'lossless' ? new Bin($data) : $data;
            case 'ext':
                $length = $this->length(\substr($number, 0, -1));

                return $this->ext($byte, $length, \ord($number[-1]), $head, $depth, $owed, $place, $frozen);
            case 'array':
                $count = $this->length($number);
                $this->open($count, $head, $depth, $owed, $place);
                $array = [];
                for ($i = 0; $i < $count; ++$i) {
                    $array[] = $this->value($depth + 1, $owed + $count - $i - 1, $frozen ? $place : "{$place}/{$i}", $frozen, false);
                }

                return $array;
            default:
                return $this->map($this->length($number), $head, $depth, $owed, $place, $frozen);
        }
    }

    private function kind(int $byte): string
    {
        if ($byte <= 0x7f || $byte >= 0xe0) {
            return 'int';
        }
        if ($byte <= 0xbf) {
            return $byte <= 0x8f ? 'map' : ($byte <= 0x9f ? 'array' : 'str');
        }
        $kind = self::NUMBERS[$byte][0] ?? ($byte >= 0xd4 && $byte <= 0xd8 ? 'ext' : 'nil or bool');

        return $kind === 'uint' ? 'int' : $kind;
    }

    /**
     * Reads the head and returns its format, and the bytes of its number; for ext the length and then the type.
     *
     * @return array{string, string}
     */
    private function head(int $byte, int $head, string $place): array
    {
        $this->at = $head + 1;
        if ($byte <= 0x7f || $byte >= 0xe0) {
            return ['fixint', ''];
        }
        if ($byte <= 0x9f) {
            return [$byte <= 0x8f ? 'map' : 'array', \chr($byte & 0x0f)];
        }
        if ($byte <= 0xbf) {
            return ['str', \chr($byte & 0x1f)];
        }
        if ($byte <= 0xc3) {
            return [$byte === 0xc0 ? 'nil' : 'bool', ''];
        }
        if ($byte >= 0xd4 && $byte <= 0xd8) {
            return ['ext', \chr(2 ** ($byte - 0xd4)) . $this->take(1, $head, $place)];
        }
        [$format, $length] = self::NUMBERS[$byte];

        return [$format, $this->take($format === 'ext' ? $length + 1 : $length, $head, $place)];
    }

    private function take(int $length, int $head, string $place): string
    {
        if ($length > \strlen($this->bytes) - $this->at) {
            throw new ReferenceFault('unexpected_end', $head, $place);
        }
        $taken = \substr($this->bytes, $this->at, $length);
        $this->at += $length;

        return $taken;
    }

    private function length(string $number): int
    {
        return (int) \hexdec(\bin2hex($number));
    }

    private function unsigned(string $number): int|string|UInt64
    {
        $decimal = \gmp_strval(\gmp_import($number));
        if (\strlen($number) === 8 && \ord($number[0]) >= 0x80) {
            return $this->mode === 'lossless' ? new UInt64($decimal) : $decimal;
        }

        return (int) $decimal;
    }

    private function signed(string $number): int
    {
        $value = \gmp_import($number);
        if (\ord($number[0]) >= 0x80) {
            $value = \gmp_sub($value, \gmp_pow(256, \strlen($number)));
        }

        return (int) \gmp_strval($value);
    }

    private function body(int $length, int $head, string $place): string
    {
        return $this->take($length, $head, $place);
    }

    /**
     * Checks what must hold at the head of a container: depth, counts, maxValues.
     */
    private function open(int $children, int $head, int $depth, int $owed, string $place): void
    {
        if ($depth >= $this->maxDepth) {
            throw new ReferenceFault('limit_exceeded', $head, $place);
        }
        if ($children + $owed > \strlen($this->bytes) - $this->at) {
            throw new ReferenceFault('unexpected_end', $head, $place);
        }
        $this->count($children, $head, $place);
    }

    private function count(int $values, int $head, string $place): void
    {
        $this->values += $values;
        if ($this->values > $this->maxValues) {
            throw new ReferenceFault('limit_exceeded', $head, $place);
        }
    }

    private function map(int $count, int $head, int $depth, int $owed, string $place, bool $frozen): mixed
    {
        $this->open(2 * $count, $head, $depth, $owed, $place);
        $entries = [];
        $seen = [];
        for ($i = 0; $i < $count; ++$i) {
            $keyHead = $this->at;
            $keyByte = \ord($this->bytes[$keyHead] ?? "\x00");
            $owedAfterKey = $owed + 2 * ($count - $i) - 1;
            $key = $this->value($depth + 1, $owedAfterKey, $place, true, true);
            $path = $frozen ? $place : $place . '/' . $this->segment($key, $keyByte, $i);
            // Two keys are the same when their canonical encodings are; those of a PHP array also when PHP says so.
            $same = $this->mode === 'lossless' ? ReferenceEncoder::canonical($key) : 'key ' . self::text($key);
            if ($this->mode !== 'default' && isset($seen[$same])) {
                throw new ReferenceFault('duplicate_key', $keyHead, $path);
            }
            $seen[$same] = true;
            $value = $this->value($depth + 1, $owedAfterKey - 1, $path, $frozen, false);
            $entries[] = [$key, $value];
        }

        return $this->asMap($entries);
    }

    private static function text(mixed $key): string
    {
        \assert(\is_int($key) || \is_string($key));

        return (string) $key;
    }

    private function segment(mixed $key, int $keyByte, int $entry): string
    {
        if ($key instanceof Bin || ($keyByte >= 0xc4 && $keyByte <= 0xc6)) {
            return '0x' . \bin2hex($key instanceof Bin ? $key->data : self::text($key));
        }
        if (\is_int($key) || $key instanceof UInt64) {
            return (string) $key;
        }
        if (!\is_string($key)) {
            return "#{$entry}";
        }
        // mbstring writes one U+FFFD for each maximal subpart, as the library's own text does.
        \mb_substitute_character(0xfffd);

        return \strtr(\mb_scrub($key, 'UTF-8'), ['~' => '~0', '/' => '~1']);
    }

    /**
     * @param list<array{mixed, mixed}> $entries
     */
    private function asMap(array $entries): mixed
    {
        if ($this->mode !== 'lossless') {
            $map = [];
            foreach ($entries as [$key, $value]) {
                $map[self::text($key)] = $value;
            }

            return $map;
        }
        $object = new \stdClass();
        foreach ($entries as [$key, $value]) {
            if (!\is_string($key) || \str_starts_with($key, "\x00")) {
                return new Entries($entries);
            }
            $object->{$key} = $value;
        }

        return $object;
    }

    private function ext(
        int $byte,
        int $length,
        int $type,
        int $head,
        int $depth,
        int $owed,
        string $place,
        bool $frozen,
    ): mixed {
        $data = $this->body($length, $head, $place);
        if ($type === 0x72 && ($length === 1 || $length === 2)) {
            if (!$this->records || ($byte !== 0xd4 && $byte !== 0xd5)) {
                throw new ReferenceFault('invalid_record', $head, $place);
            }

            return $this->declaration($data, $head, $depth, $owed, $place, $frozen);
        }
        $type = $type > 127 ? $type - 256 : $type;
        if ($type === -1) {
            return $this->timestamp($data, $head, $place);
        }
        if ($type === 0 && $data === "\x00" && $this->mode !== 'lossless') {
            return null;
        }

        return new Ext($type, $data);
    }

    private function timestamp(string $data, int $head, string $place): Timestamp
    {
        if (\strlen($data) === 4) {
            return new Timestamp($this->length($data), 0);
        }
        if (\strlen($data) === 8) {
            $bits = \str_pad(\gmp_strval(\gmp_import($data), 2), 64, '0', \STR_PAD_LEFT);
            [$nanoseconds, $seconds] = [(int) \bindec(\substr($bits, 0, 30)), (int) \bindec(\substr($bits, 30))];
        } elseif (\strlen($data) === 12) {
            [$nanoseconds, $seconds] = [$this->length(\substr($data, 0, 4)), $this->signed(\substr($data, 4))];
        } else {
            throw new ReferenceFault('invalid_timestamp', $head, $place);
        }
        if ($nanoseconds > 999_999_999) {
            throw new ReferenceFault('invalid_timestamp', $head, $place);
        }

        return new Timestamp($seconds, $nanoseconds);
    }

    private function declaration(string $id, int $head, int $depth, int $owed, string $place, bool $frozen): mixed
    {
        $least = \strlen($id) === 1 ? 0x40 : 0x60;
        if (\ord($id[0]) < $least || \ord($id[0]) > 0x7f) {
            throw new ReferenceFault('invalid_record', $head, $place);
        }
        if ($depth >= $this->maxDepth) {
            throw new ReferenceFault('limit_exceeded', $head, $place);
        }
        $names = $this->names($head, $depth, $owed, $place);
        $this->declared[\bin2hex($id)] = $names;
        $this->form[\ord($id[0])] = \strlen($id) === 1 ? 'one' : 'two';

        return $this->fields($names, $depth, $owed, $place, $frozen);
    }

    /**
     * @return list<string>
     */
    private function names(int $declaration, int $depth, int $owed, string $place): array
    {
        $head = $this->at;
        if ($head >= \strlen($this->bytes)) {
            throw new ReferenceFault('unexpected_end', $head, $place);
        }
        $byte = \ord($this->bytes[$head]);
        if ($byte === 0xc1) {
            throw new ReferenceFault('reserved_byte', $head, $place);
        }
        if ($this->kind($byte) !== 'array') {
            throw new ReferenceFault('invalid_record', $head, $place);
        }
        [, $number] = $this->head($byte, $head, $place);
        $count = $this->length($number);
        if (2 * $count + $owed > \strlen($this->bytes) - $this->at) {
            throw new ReferenceFault('unexpected_end', $head, $place);
        }
        $this->count($count, $declaration, $place);
        $names = [];
        for ($i = 0; $i < $count; ++$i) {
            $nameHead = $this->at;
            $nameByte = \ord($this->bytes[$nameHead] ?? "\xa0");
            if ($nameByte !== 0xc1 && $this->kind($nameByte) !== 'str') {
                throw new ReferenceFault('invalid_record', $nameHead, $place);
            }
            $name = $this->value($depth, 0, $place, true, false);
            \assert(\is_string($name));
            if (\in_array($name, $names, true)) {
                throw new ReferenceFault('invalid_record', $nameHead, $place);
            }
            $names[] = $name;
        }

        return $names;
    }

    private function instance(int $byte, int $head, int $depth, int $owed, string $place, bool $frozen): mixed
    {
        $this->at = $head + 1;
        $id = \chr($byte);
        if ($this->form[$byte] === 'two') {
            $id .= $this->take(1, $head, $place);
        }
        if (!isset($this->declared[\bin2hex($id)])) {
            throw new ReferenceFault('unknown_record', $head, $place);
        }
        $names = $this->declared[\bin2hex($id)];
        $this->open(\count($names), $head, $depth, $owed, $place);

        return $this->fields($names, $depth, $owed, $place, $frozen);
    }

    /**
     * @param list<string> $names
     */
    private function fields(array $names, int $depth, int $owed, string $place, bool $frozen): mixed
    {
        $entries = [];
        foreach ($names as $i => $name) {
            $path = $frozen ? $place : $place . '/' . $this->segment($name, 0xa0, $i);
            $entries[] = [$name, $this->value($depth + 1, $owed + \count($names) - $i - 1, $path, $frozen, false)];
        }

        return $this->asMap($entries);
    }
}
