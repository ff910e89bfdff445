<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests\Contestants;

use Polypack\Lab\Contestant\About;
use Polypack\Lab\Contestant\Contestant;
use Polypack\Lab\Payload\Scenario;

/** Prints on the way, even what looks like an answer. */
#[About(name: 'Prints', format: 'php', scenarios: ['person'])]
final class Prints implements Contestant
{
    public function __construct(private readonly Scenario $scenario, string $cache) {}

    public function serialize(array $values): string
    {
        echo "{\"fault\":null}\n";

        return \serialize($values);
    }

    public function deserialize(string $bytes): array
    {
        return \unserialize($bytes);
    }
}
