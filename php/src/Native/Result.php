<?php

declare(strict_types=1);

namespace Polypack\Native;

/**
 * The value of a message that the engine has decoded. null instead of a Result means that the engine declined.
 *
 * @internal
 */
final class Result
{
    public function __construct(public readonly mixed $value) {}
}
