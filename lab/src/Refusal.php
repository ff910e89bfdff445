<?php

declare(strict_types=1);

namespace Polypack\Lab;

/** Something that the lab can't do as it was asked. The message is one line and says how to mend it. */
final class Refusal extends \RuntimeException
{
    public const EXIT_CODE = 2;

    public function __construct(string $message)
    {
        parent::__construct($message, self::EXIT_CODE);
    }
}
