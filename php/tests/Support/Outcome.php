<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;

/**
 * What a call gives, as text: equal outcomes are equal texts.
 */
final class Outcome
{
    /**
     * @param \Closure(): mixed $call
     */
    public static function of(\Closure $call): string
    {
        try {
            return self::value($call());
        } catch (PackingFailedException | UnpackingFailedException $error) {
            return self::error($error);
        } catch (ReferenceFault $fault) {
            return $fault->getMessage();
        }
    }

    /**
     * Tells -0.0 from 0.0, 1 from 1.0, lists from maps; all NaN are one; the order of entries counts.
     */
    public static function value(mixed $value): string
    {
        return \serialize($value);
    }

    public static function error(PackingFailedException|UnpackingFailedException $error): string
    {
        return "{$error->errorCode->value} at {$error->offset} ({$error->path})";
    }
}
