<?php

declare(strict_types=1);

namespace Polypack\Native;

use Polypack\Limits;
use Polypack\Records\SharedRecords;
use Polypack\UnpackOptions;

/**
 * Lets the engine bring messages into canonical form (docs/decisions/0020-native-seam.md). The engine declines faulty
 * and uncommon messages.
 *
 * @internal
 */
final class Canonicalizing
{
    /** The two bytes before the fingerprint of a dictionary (spec/05-records.md#header). */
    private const HEADER = "\xc1\x50";

    private readonly int $options;
    private readonly int $maxMemory;
    private readonly ?SharedRecords $shared;

    private function __construct(
        bool|SharedRecords $records,
        private readonly Limits $limits,
        private readonly bool $foldsFloats,
    ) {
        $this->options = UnpackOptions::LOSSLESS | ($records === true ? UnpackOptions::RECORDS_INLINE : 0);
        $this->shared = $records instanceof SharedRecords ? $records : null;
        $this->maxMemory = $limits->maxMemory ?? \PHP_INT_MAX;
    }

    /**
     * @param bool $foldsFloats whether floats with an integral value become ints
     *
     * @return ?self null if no engine is active
     */
    public static function with(bool|SharedRecords $records, Limits $limits, bool $foldsFloats): ?self
    {
        return Engine::$isActive ?? Engine::isActive() ? new self($records, $limits, $foldsFloats) : null;
    }

    /**
     * Returns the canonical form of the one value in these bytes, or null when the engine declines.
     */
    public function of(string $packed): ?string
    {
        $dictionary = $this->shared?->known();
        if (
            $this->shared?->fingerprint === true && \str_starts_with($packed, self::HEADER)
            && $dictionary?->hasFingerprint(\substr($packed, 2, 8)) === true
        ) {
            $packed = \substr($packed, 10);
        }

        return \polypack_canonicalize(
            $packed,
            $this->options,
            $this->limits->maxDepth,
            $this->limits->maxValues,
            $this->limits->maxBytes,
            $this->maxMemory,
            $this->foldsFloats,
            $dictionary?->pack(),
        );
    }
}
