<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\Exception\ErrorCode;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;

/**
 * For tests that expect the code of an error.
 */
trait Codes
{
    /**
     * @param \Closure(): mixed $call
     */
    private static function assertCode(ErrorCode $code, \Closure $call): void
    {
        try {
            $call();
        } catch (PackingFailedException | UnpackingFailedException $error) {
            self::assertSame($code, $error->errorCode);

            return;
        }
        self::fail("{$code->value} is expected");
    }
}
