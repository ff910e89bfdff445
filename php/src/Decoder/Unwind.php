<?php

declare(strict_types=1);

namespace Polypack\Decoder;

/**
 * Leaves the recursion of the decoder when the fault is noted.
 *
 * PHP copies the whole call stack with its arguments into an exception when it is made, which at depth 512 would be
 * megabytes that a few hundred hostile bytes may ask for (spec/06-limits.md#cost-of-bad-input). So this one is made once, without
 * a trace, and the exception for the user where the public method was called.
 *
 * @internal
 */
final class Unwind extends \Exception
{
    private static ?self $instance = null;

    public static function instance(): self
    {
        return self::$instance ??= new self();
    }

    private function __construct()
    {
        parent::__construct();
        // The trace would keep the arguments of whoever called first alive for ever.
        (new \ReflectionProperty(\Exception::class, 'trace'))->setValue($this, []);
    }
}
