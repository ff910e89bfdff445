<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\Exception\InsufficientDataException;
use Polypack\Exception\Path;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Format;

/**
 * Notes the faults of the decoder. Most methods note one fault and return the Unwind to throw. failure() makes the
 * exception later, when the trail that leads to the fault is complete.
 *
 * @internal
 */
trait Faults
{
    /**
     * Makes the exception for the fault that was noted, and moves the read position back to the start of the message.
     */
    private function failure(): UnpackingFailedException
    {
        \assert($this->fault !== null);
        $failure = ($this->fault)($this->faultOffset, Path::of($this->trail, $this->ground, $this->faultDepth));
        $this->fault = null;
        $this->pathEnd = \PHP_INT_MAX;
        $this->offset = $this->start;

        return $failure;
    }

    /**
     * @param \Closure(int, string): UnpackingFailedException $error makes the exception from the offset in the input
     *                                                               and the path
     */
    private function fault(int $head, int $depth, \Closure $error): Unwind
    {
        $this->faultOffset = $this->base() + $head;
        $this->faultDepth = \min($depth, $this->pathEnd);
        $this->fault = $error;

        return Unwind::instance();
    }

    private function noValue(int $offset, int $depth): Unwind
    {
        return $this->fault($offset, $depth, InsufficientDataException::value(...));
    }

    private function noHead(int $head, int $depth): Unwind
    {
        $format = $this->formatAt($head);

        return $this->fault($head, $depth, static fn(int $at, string $path): UnpackingFailedException
            => InsufficientDataException::head($format, $at, $path));
    }

    private function noBody(int $length, int $head, int $offset, int $depth): Unwind
    {
        $format = $this->formatAt($head);
        $remaining = \strlen($this->buffer) - $offset;

        return $this->fault($head, $depth, static fn(int $at, string $path): UnpackingFailedException
            => InsufficientDataException::body($format, $length, $remaining, $at, $path));
    }

    private function noChildren(int $promised, int $head, int $offset, int $depth): Unwind
    {
        $format = $this->formatAt($head);
        $remaining = \strlen($this->buffer) - $offset;

        return $this->fault($head, $depth, static fn(int $at, string $path): UnpackingFailedException
            => InsufficientDataException::children($format, $promised, $remaining, $at, $path));
    }

    /**
     * Notes the fault of a container that must not be opened. Of the reasons that apply, it notes the first: depth,
     * then too few bytes for the children, then maxValues (spec/07-errors.md).
     */
    private function refused(int $children, int $owed, int $head, int $offset, int $depth): Unwind
    {
        if ($depth >= $this->maxDepth) {
            return $this->tooDeep($head, $depth);
        }

        return $children + $owed > \strlen($this->buffer) - $offset
            ? $this->noChildren($children + $owed, $head, $offset, $depth)
            : $this->tooMany($head, $depth);
    }

    /**
     * Notes the fault of a fixstr whose body is either too short or not UTF-8.
     */
    private function badStr(string $str, int $length, int $head, int $depth): Unwind
    {
        return \strlen($str) < $length
            ? $this->noBody($length, $head, $head + 1, $depth)
            : $this->invalidUtf8($head, $depth);
    }

    private function reserved(int $head, int $depth): Unwind
    {
        $start = $depth === 0 ? \substr($this->buffer, $head, 2) : '';

        return $this->fault($head, $depth, static fn(int $at, string $path): UnpackingFailedException => UnpackingFailedException::reservedByte($at, $path, $start));
    }

    private function bigIntRefused(string $digits, int $head, int $depth): Unwind
    {
        return $this->fault($head, $depth, static fn(int $at, string $path): UnpackingFailedException
            => UnpackingFailedException::bigInt($digits, $at, $path));
    }

    private function invalidUtf8(int $head, int $depth): Unwind
    {
        return $this->fault($head, $depth, UnpackingFailedException::invalidUtf8(...));
    }

    private function invalidTimestamp(string $why, int $head, int $depth): Unwind
    {
        return $this->fault($head, $depth, static fn(int $at, string $path): UnpackingFailedException
            => UnpackingFailedException::invalidTimestamp($why, $at, $path));
    }

    private function invalidKey(string $kind, int $head, int $depth): Unwind
    {
        return $this->fault($head, $depth, static fn(int $at, string $path): UnpackingFailedException
            => UnpackingFailedException::invalidKey($kind, $at, $path));
    }

    private function duplicateKey(int $head, int $depth): Unwind
    {
        return $this->fault($head, $depth, UnpackingFailedException::duplicateKey(...));
    }

    private function tooDeep(int $head, int $depth): Unwind
    {
        $maxDepth = $this->maxDepth;

        return $this->fault($head, $depth, static fn(int $at, string $path): UnpackingFailedException
            => UnpackingFailedException::depth($maxDepth, $at, $path));
    }

    private function tooMany(int $head, int $depth): Unwind
    {
        $maxValues = $this->maxValues ?? \PHP_INT_MAX;

        return $this->fault($head, $depth, static fn(int $at, string $path): UnpackingFailedException
            => UnpackingFailedException::values($maxValues, $at, $path));
    }

    private function tooHeavy(int $head, int $depth): Unwind
    {
        $maxMemory = $this->maxMemory;

        return $this->fault($head, $depth, static fn(int $at, string $path): UnpackingFailedException
            => UnpackingFailedException::memory($maxMemory, $at, $path));
    }

    private function tooCostly(int $head, int $depth): Unwind
    {
        $maxCollisions = $this->maxCollisions;

        return $this->fault($head, $depth, static fn(int $at, string $path): UnpackingFailedException
            => UnpackingFailedException::collisions($maxCollisions, $at, $path));
    }

    private function formatAt(int $head): string
    {
        return Format::name(\ord($this->buffer[$head]));
    }
}
