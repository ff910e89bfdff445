<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Native\Engine;

/**
 * For tests that compare the extension with the PHP code. The choice of the engine is as before after each test.
 */
trait BothEngines
{
    private ?bool $before;

    protected function setUp(): void
    {
        $this->before = Engine::$isActive;
    }

    protected function tearDown(): void
    {
        Engine::$isActive = $this->before;
    }

    /**
     * @param \Closure(): list<mixed> $call
     *
     * @return array{list<mixed>, list<mixed>} what it gives with the PHP code, and with the extension
     */
    private static function withBothEngines(\Closure $call): array
    {
        Engine::$isActive = false;
        $withPhp = $call();
        Engine::$isActive = true;

        return [$withPhp, $call()];
    }

    /**
     * @param \Closure(): mixed $call
     *
     * @return list<mixed>
     */
    private static function outcome(\Closure $call): array
    {
        try {
            $value = $call();

            return [\is_string($value) ? \bin2hex($value) : Outcome::value($value)];
        } catch (PackingFailedException | UnpackingFailedException $error) {
            return [$error::class, Outcome::error($error), $error->getMessage(), $error->getPrevious()?->getMessage()];
        }
    }
}
