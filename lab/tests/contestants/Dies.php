<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests\Contestants;

use Polypack\Lab\Contestant\About;
use Polypack\Lab\Contestant\Contestant;
use Polypack\Lab\Payload\Scenario;

/** Ends the process in the middle of the measurement. */
#[About(name: 'Dies', format: 'php', scenarios: ['person'])]
final class Dies implements Contestant
{
    private int $calls = 0;

    public function __construct(private readonly Scenario $scenario, string $cache) {}

    public function serialize(array $values): string
    {
        if (++$this->calls > 3) {
            \fwrite(\STDERR, "segfault of a kind\n");
            exit(7);
        }

        return \serialize($values);
    }

    public function deserialize(string $bytes): array
    {
        return \unserialize($bytes);
    }
}
