<?php

declare(strict_types=1);

namespace Polypack\Native;

use Polypack\Limits;
use Polypack\UnpackOptions;

/**
 * Hands messages over to the engine that are to become canonical (docs/decisions/0020-native-seam.md). It declines what
 * is faulty, and what is uncommon.
 *
 * @internal
 */
final class Canonicalizing
{
    private readonly int $options;
    private readonly int $maxMemory;

    private function __construct(
        bool $recordsInline,
        private readonly Limits $limits,
        private readonly bool $foldsFloats,
    ) {
        $this->options = UnpackOptions::LOSSLESS | ($recordsInline ? UnpackOptions::RECORDS_INLINE : 0);
        $this->maxMemory = $limits->maxMemory ?? \PHP_INT_MAX;
    }

    /**
     * @param bool $foldsFloats whether floats that are ints become ints
     *
     * @return ?self null where there is no engine
     */
    public static function with(bool $recordsInline, Limits $limits, bool $foldsFloats): ?self
    {
        return Engine::$isActive ?? Engine::isActive() ? new self($recordsInline, $limits, $foldsFloats) : null;
    }

    /**
     * Returns the canonical form of the one value in these bytes, or null when the engine declines.
     */
    public function of(string $packed): ?string
    {
        return \polypack_canonicalize(
            $packed,
            $this->options,
            $this->limits->maxDepth,
            $this->limits->maxValues,
            $this->limits->maxBytes,
            $this->maxMemory,
            $this->foldsFloats,
        );
    }
}
