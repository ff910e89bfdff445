<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests\Contestants;

use Polypack\Lab\Contestant\About;
use Polypack\Lab\Contestant\Contestant;
use Polypack\Lab\Payload\Scenario;

/** Is right but for the last element of a list, which stays an array, as in the published table of the seed. */
#[About(name: 'Liar', format: 'php', scenarios: ['person'])]
final class Liar implements Contestant
{
    public function __construct(private readonly Scenario $scenario, string $cache) {}

    public function serialize(array $values): string
    {

        return \serialize($values);
    }

    public function deserialize(string $bytes): array
    {
        $people = \unserialize($bytes);
        $people[] = \array_pop($people)->toPlain();

        return $people;
    }
}
