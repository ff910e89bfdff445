<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests\Contestants;

use Polypack\Lab\Contestant\About;
use Polypack\Lab\Contestant\Contestant;
use Polypack\Lab\Payload\Scenario;

/** Takes all the memory that there is. */
#[About(name: 'Eats', format: 'php', scenarios: ['person'])]
final class Eats implements Contestant
{
    public function __construct(private readonly Scenario $scenario, string $cache) {}

    public function serialize(array $values): string
    {
        $eaten = [];
        while (true) {
            $eaten[] = \str_repeat("x", 1 << 20);
        }

        return \serialize($values);
    }

    public function deserialize(string $bytes): array
    {
        return \unserialize($bytes);
    }
}
