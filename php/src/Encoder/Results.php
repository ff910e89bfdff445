<?php

declare(strict_types=1);

namespace Polypack\Encoder;

use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Raw;

/**
 * Checks that the pack() methods of objects and transformers return exactly one value. Anything else would make the
 * message unreadable, or change its meaning.
 *
 * A result is called foreign if it isn't the string $own, which this packer has made itself. If no result is foreign,
 * nothing is scanned. If pack() methods call each other, only the outermost result is scanned, because it may contain
 * the inner results.
 *
 * @internal
 */
trait Results
{
    /**
     * @var ?string the bytes that this packer made last while a pack() method was running, which that method may
     * return. Comparing them with a result is cheap if both are the same string, because PHP compares addresses first
     */
    private $own;
    /** @var bool whether an inner result was foreign, so that the outermost result must be scanned */
    private $hasForeign = false;

    /**
     * Checks a result that is foreign or contains a foreign result. An inner result is checked later, as a part of the
     * outermost one. The callers first look whether the result is simple, because most results are. Returns the result,
     * in messages with records with wider integers (spec/05-records.md#instance).
     *
     * @param object $asked       the object that the error names, usually the one that returned the result
     * @param bool   $isOutermost whether no other pack() method is running around it
     *
     * @throws PackingFailedException with the code of the fault, such as `unexpected_end` or `trailing_data`
     */
    private function checkResult(string $packed, object $asked, int $depth, bool $isOutermost): string
    {
        if (!$isOutermost) {
            $this->hasForeign = true;

            return $packed;
        }
        $this->hasForeign = false;
        $this->own = null;
        if (OneValue::is($packed, $this->maxDepth - $depth, $this->fixintEnd)) {
            return $packed;
        }
        $raw = new Raw($packed);
        if ($this->shapes !== null && OneValue::is($packed, $this->maxDepth - $depth, 0x80)) {
            return $raw->widened();
        }
        try {
            $nesting = $raw->nesting($this->ownsRecordType && $this->shapes === null);
        } catch (UnpackingFailedException $cause) {
            throw PackingFailedException::badResult($asked, $cause, $this->path($depth));
        }
        if ($depth + $nesting > $this->maxDepth) {
            throw $this->tooDeep($depth);
        }

        return $this->shapes === null ? $packed : $raw->widened();
    }
}
