<?php

declare(strict_types=1);

namespace Polypack\Decoder;

/**
 * Unwinds the recursion of the decoder once a fault is noted.
 *
 * PHP copies the whole call stack with its arguments into each new exception. At depth 512 the copy would take
 * megabytes, and a few hundred hostile bytes could cause it (spec/06-limits.md#cost-of-bad-input). So there is only one
 * instance of this exception, without a trace. The public method that was called throws the exception for the user; see
 * Faults::failure().
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
