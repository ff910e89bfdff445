<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests\Contestants;

use Polypack\Lab\Contestant\About;
use Polypack\Lab\Contestant\Contestant;
use Polypack\Lab\Payload\Scenario;

/** Never comes back. */
#[About(name: 'Hangs', format: 'php', scenarios: ['person'])]
final class Hangs implements Contestant
{
    public function __construct(private readonly Scenario $scenario, string $cache) {}

    public function serialize(array $values): string
    {
        while (true) {
            \usleep(1000);
        }

        return \serialize($values);
    }

    public function deserialize(string $bytes): array
    {
        return \unserialize($bytes);
    }
}
