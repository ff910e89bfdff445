<?php

declare(strict_types=1);

// What PHPStan should know of PHP-Fuzzer, which is no package of ours. Never loaded.

namespace PhpFuzzer;

final class Config
{
    /** @param \Closure(string): void $target */
    public function setTarget(\Closure $target): void {}

    public function setMaxLen(int $maxLen): void {}
}
