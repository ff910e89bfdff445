<?php

declare(strict_types=1);

namespace Polypack\Decoder;

/**
 * Unwinds the recursion of the decoder once a fault is noted.
 *
 * PHP copies the whole call stack, usually with its arguments, into each new exception. At depth 512 the copy can take
 * more than 1 MB, and 512 hostile bytes could cause it (spec/06-limits.md#cost-of-bad-input). So there is only one
 * instance of this exception, without a trace. Public methods catch it and throw the exception that failure() makes for
 * the user.
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
