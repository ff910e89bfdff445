<?php

declare(strict_types=1);

namespace Polypack\Encoder;

use Polypack\Encoder\Loops\DefaultLoops;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\Path;
use Polypack\Format;
use Polypack\Type\Timestamp;
use Polypack\Utf8;

/**
 * Packs the values that the encoder's loops leave to it, and holds the state that the default loops don't need.
 * Loops.php has what the default loops need, and explains the parameters. The trait Objects packs objects.
 *
 * @internal
 */
abstract class Encoder extends DefaultLoops
{
    /** How many packed keys $keys holds at most. Keys of LONG_KEY bytes or more aren't kept there. */
    private const MAX_KEYS = 1024;
    private const LONG_KEY = 64;

    // The properties have no native types, because PHP would check them on each assignment and, with a JIT, on each
    // read.

    /** @var 'any'|'bin'|'checked'|'detect'|'record'|'str' which loops pack lists and maps as the options ask */
    protected $loops = 'str';
    /** @var bool */
    protected $forceBin = false;
    /** @var bool */
    protected $detectStrBin = false;
    /** @var bool whether the mode is strict */
    protected $isStrict = false;
    /** @var bool whether a str must be UTF-8, as in strict and lossless mode */
    protected $checkUtf8 = false;
    /** @var bool */
    protected $forceArr = false;
    /** @var bool */
    protected $forceMap = false;
    /** @var bool */
    protected $forceFloat32 = false;
    /**
     * @var bool whether an extension is registered for the type of declarations; matters only if no records are written
     */
    protected $ownsRecordType = false;
    /** @var int Limits::$maxDepth */
    protected $mostDepth = Format::MAX_DEPTH;
    /**
     * @var int the greatest length of an error's path: inside a map key, the depth of the map. Otherwise PHP_INT_MAX,
     *          and only then records may be written
     */
    protected $pathEnd = \PHP_INT_MAX;
    /** @var array<string, string> packed keys */
    protected $keys = [];

    /**
     * Appends the values of a PHP array as an array, without their keys. The options decide which loop packs them.
     *
     * @param array<array-key, mixed> $list
     */
    abstract protected function appendList(array $list, int $depth, string &$out): void;

    /**
     * @param array<array-key, mixed> $map
     */
    abstract protected function appendMap(array $map, int $depth, string &$out): void;

    /**
     * Appends a map that may become a record. Maps from Type\Map and packMap() go to appendMap() instead.
     *
     * @param array<array-key, mixed> $map
     * @param int                     $depth
     * @param string                  $out
     */
    abstract protected function appendKeyed($map, $depth, &$out): void;

    /**
     * Appends a value of any kind.
     */
    final protected function append(mixed $value, int $depth, string &$out): void
    {
        if (\is_array($value)) {
            if (\array_is_list($value) ? !$this->forceMap : $this->forceArr) {
                $this->appendList($value, $depth, $out);
            } else {
                $this->appendKeyed($value, $depth, $out);
            }
        } else {
            $out .= $this->other($value, $depth);
        }
    }

    // Scalars that depend on options

    final protected function string(string $value, int $depth): string
    {
        if ($this->forceBin || ($this->detectStrBin && !Utf8::isValid($value))) {
            $length = \strlen($value);

            if ($length < 0x10000) { // inlined binHead(), because a call would be slower
                return $length < 0x100
                    ? "\xc4" . \chr($length) . $value
                    : "\xc5" . \chr($length >> 8) . \chr($length & 0xff) . $value;
            }

            return self::bin32($length) . $value;
        }

        return $this->str($value, $depth);
    }

    final protected function str(string $value, int $depth): string
    {
        if ($this->checkUtf8 && !Utf8::isValid($value)) {
            throw PackingFailedException::invalidUtf8($this->path($depth));
        }

        return self::strHead(\strlen($value)) . $value;
    }

    /**
     * Packs a key that isn't in $keys. Adds a short key to $keys if there is space, because rows repeat their keys.
     * MAX_KEYS guards against hostile input, which can have any number of different keys.
     */
    final protected function key(string $key, int $depth): string
    {
        $packed = $this->string($key, $depth);
        if (\strlen($key) < self::LONG_KEY && \count($this->keys) < self::MAX_KEYS) {
            $this->keys[$key] = $packed;
        }

        return $packed;
    }

    final protected function float(float $value, int $depth): string
    {
        return $this->forceFloat32 ? $this->float32($value, $depth) : self::float64($value);
    }

    final protected static function float64(float $value): string
    {
        // A computed NaN may have any sign and payload, but on the wire there is only one NaN (spec/02-wire.md#float).
        return \is_nan($value) ? "\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00" : "\xcb" . \pack('E', $value);
    }

    final protected function float32(float $value, int $depth): string
    {
        if (\is_nan($value)) {
            return "\xca\x7f\xc0\x00\x00";
        }
        $bytes = \pack('G', $value);
        if (($bytes === "\x7f\x80\x00\x00" || $bytes === "\xff\x80\x00\x00") && \is_finite($value)) {
            throw PackingFailedException::outOfRange(
                'the float',
                $value,
                'within ±3.4028235677973366e38 to fit float 32',
                $this->path($depth),
            );
        }

        return "\xca" . $bytes;
    }

    // Errors

    /**
     * Refuses an ext value that can't be packed. Callers may skip the check for the types 0 to 0x71, which are always
     * allowed.
     */
    final protected function checkExt(int $type, string $data, int $depth): void
    {
        if ($type < -0x80 || $type > 0x7f) {
            throw PackingFailedException::outOfRange('the extension type', $type, '-128 to 127', $this->path($depth));
        }
        $length = \strlen($data);
        if ($type === 0x72 && ($length === 1 || $length === 2) && (!$this->ownsRecordType || $this->fixintEnd < 0x80)) {
            throw PackingFailedException::reservedExt($length, $this->path($depth));
        }
        if ($type === Format::EXT_TIMESTAMP) {
            if ($length !== 4 && $length !== 8 && $length !== 12) {
                throw PackingFailedException::badTimestamp("has {$length} bytes, not 4, 8 or 12", $this->path($depth));
            }
            $nanoseconds = Timestamp::split($data)[1];
            if ($nanoseconds > 999_999_999) {
                throw PackingFailedException::badTimestamp("has {$nanoseconds} nanoseconds, more than 999999999", $this->path($depth));
            }
        }
    }

    final protected function path(int $depth): string
    {
        return Path::of($this->trail, 0, \min($depth, $this->pathEnd));
    }

    final protected function tooDeep(int $depth): PackingFailedException
    {
        return PackingFailedException::depth($this->mostDepth, $this->path($depth));
    }
}
