<?php

declare(strict_types=1);

namespace Polypack\Decoder;

/**
 * Leaves the recursion of the decoder when the fault is noted.
 *
 * PHP copies the whole call stack with its arguments into each new exception. At depth 512 that would be megabytes,
 * and a few hundred hostile bytes would be enough to ask for them (spec/06-limits.md#cost-of-bad-input). So this
 * exception is made once, without a trace. The one for the user is made where the public method was called.
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
        // A trace would keep the arguments of the first caller alive for the whole process.
        (new \ReflectionProperty(\Exception::class, 'trace'))->setValue($this, []);
    }
}
