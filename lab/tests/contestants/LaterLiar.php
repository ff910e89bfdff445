<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests\Contestants;

use Polypack\Lab\Contestant\About;
use Polypack\Lab\Contestant\Contestant;
use Polypack\Lab\Payload\Scenario;

/** Is right as long as only a few calls look. */
#[About(name: 'LaterLiar', format: 'php', scenarios: ['person'])]
final class LaterLiar implements Contestant
{
    private int $calls = 0;

    public function __construct(private readonly Scenario $scenario, string $cache) {}

    public function serialize(array $values): string
    {
        if (++$this->calls > 3) {
            \array_pop($values);
        }

        return \serialize($values);
    }

    public function deserialize(string $bytes): array
    {
        return \unserialize($bytes);
    }
}
