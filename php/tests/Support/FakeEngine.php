<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\BufferUnpacker;
use Polypack\Extension;
use Polypack\Native\Engine;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\UnpackOptions;

/**
 * Stands for the extension: takes messages over as it will (docs/decisions/0020-native-seam.md), except for its speed.
 *
 * It knows what is common in default and strict mode. At anything else, and at faults, it declines as long as no code
 * of the user has run; afterwards it asks the packer or the unpacker. It shares no code with the library's PHP code.
 */
final class FakeEngine
{
    /** Messages that it finished, declined and failed, since start(). */
    public static int $finished = 0;
    public static int $declined = 0;
    public static int $failed = 0;
    /** @var ?array{mixed} given as the answer to the next message to decode, instead of decoding it */
    public static ?array $answer = null;

    /** Whether code of the user has run in this message. */
    private bool $ran = false;
    private bool $hasTransformers = false;
    /** @var array<int, int|string> the latest key of each depth */
    private array $steps = [];

    /**
     * Makes packers and unpackers that are made from now on use it; with the extension loaded, that.
     */
    public static function start(): void
    {
        if (\extension_loaded('polypack')) {
            Engine::$isActive = true;

            return;
        }
        require_once __DIR__ . '/fake-engine.php';
        [self::$finished, self::$declined, self::$failed, self::$answer] = [0, 0, 0, null];
        Engine::$isActive = true;
    }

    public static function stop(?bool $before): void
    {
        Engine::$isActive = $before;
    }

    public static function encode(
        mixed $value,
        int $options,
        int $depth,
        int $maxDepth,
        bool $hasTransformers,
        ?Packer $packer,
    ): ?string {
        if ($packer === null || ($options & ~PackOptions::STRICT) !== 0) {
            return self::decline();
        }
        $message = new self();
        $message->hasTransformers = $hasTransformers;

        return self::run(static fn(): string => $message->packed($value, 0, $maxDepth - $depth, $options !== 0, $packer));
    }

    /**
     * @param array<int, Extension> $extensions
     */
    public static function decode(
        string $buffer,
        int &$offset,
        int $options,
        int $depth,
        int $maxDepth,
        ?int $maxValues,
        int $comparisons,
        int $memory,
        array $extensions,
        ?BufferUnpacker $unpacker,
    ): mixed {
        if (self::$answer !== null) {
            [[$answer], self::$answer] = [self::$answer, null];
            $offset = \strlen($buffer);

            return $answer;
        }
        if ($unpacker === null || ($options & (UnpackOptions::LOSSLESS | UnpackOptions::RECORDS_INLINE)) !== 0 || $maxValues !== null) {
            self::decline();

            return $unpacker;
        }
        $budgets = [$comparisons, $memory];
        $message = new FakeDecoding($buffer, $offset, ($options & UnpackOptions::STRICT) !== 0, $maxDepth - $depth, $budgets, $extensions, $unpacker);
        $result = self::run(static fn(): array => [$message->value(0, 0)]);
        if ($result === null) {
            return $unpacker;
        }
        $offset = $message->offset;
        if ($depth > 0) {
            $unpacker->leaveInside(...$message->budgets);
        }

        return $result[0];
    }

    /**
     * @template T
     *
     * @param \Closure(): T $work
     *
     * @return ?T
     */
    private static function run(\Closure $work): mixed
    {
        try {
            $result = $work();
        } catch (FakeDecline) {
            return self::decline();
        } catch (\Throwable $error) {
            ++self::$failed;
            throw $error;
        }
        ++self::$finished;

        return $result;
    }

    private static function decline(): null
    {
        ++self::$declined;

        return null;
    }

    private function packed(mixed $value, int $depth, int $depthLeft, bool $isStrict, Packer $packer): string
    {
        if (\is_object($value)) {
            // Types of the library run no code of the user; a transformer may, but not before it is asked.
            $this->ran = $this->ran || !\str_starts_with($value::class, 'Polypack\\Type\\') || $this->hasTransformers;

            return $packer->packInside($value, \array_slice($this->steps, 0, $depth));
        }
        if (\is_array($value) && $depth < $depthLeft && \count($value) < 0x10000) {
            $isList = \array_is_list($value);
            $count = \count($value);
            $out = $count < 0x10 ? \chr(($isList ? 0x90 : 0x80) | $count) : ($isList ? "\xdc" : "\xde") . \pack('n', $count);
            foreach ($value as $key => $child) {
                if (!$isList) {
                    $out .= $this->packed($key, $depth, $depthLeft, $isStrict, $packer);
                }
                $this->steps[$depth] = $key;
                $out .= $this->packed($child, $depth + 1, $depthLeft, $isStrict, $packer);
            }

            return $out;
        }

        return self::scalar($value, $isStrict) ?? $this->uncommon($value, $depth, $packer);
    }

    private function uncommon(mixed $value, int $depth, Packer $packer): string
    {
        if (!$this->ran) {
            throw new FakeDecline();
        }

        return $packer->packInside($value, \array_slice($this->steps, 0, $depth));
    }

    private static function scalar(mixed $value, bool $isStrict): ?string
    {
        $length = \is_string($value) ? \strlen($value) : 0;

        return match (true) {
            $value === null => "\xc0",
            \is_bool($value) => $value ? "\xc3" : "\xc2",
            \is_int($value) => self::int($value),
            \is_float($value) && !\is_nan($value) => "\xcb" . \pack('E', $value),
            !\is_string($value), $length > 0xffff, $isStrict && !\mb_check_encoding($value, 'UTF-8') => null,
            $length < 0x20 => \chr(0xa0 | $length) . $value,
            $length < 0x100 => "\xd9" . \chr($length) . $value,
            default => "\xda" . \pack('n', $length) . $value,
        };
    }

    private static function int(int $value): string
    {
        return match (true) {
            $value >= -0x20 && $value < 0x80 => \chr($value & 0xff),
            $value >= 0 && $value < 0x100 => "\xcc" . \chr($value),
            $value >= 0 && $value < 0x10000 => "\xcd" . \pack('n', $value),
            $value >= 0 && $value < 0x100000000 => "\xce" . \pack('N', $value),
            $value >= 0 => "\xcf" . \pack('J', $value),
            $value >= -0x80 => "\xd0" . \chr($value & 0xff),
            $value >= -0x8000 => "\xd1" . \pack('n', $value & 0xffff),
            $value >= -0x80000000 => "\xd2" . \pack('N', $value & 0xffffffff),
            default => "\xd3" . \pack('J', $value),
        };
    }
}
