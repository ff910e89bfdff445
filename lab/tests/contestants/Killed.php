<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests\Contestants;

use Polypack\Lab\Contestant\About;
use Polypack\Lab\Contestant\Contestant;
use Polypack\Lab\Payload\Scenario;

/** Is killed in the middle of the measurement, as by a fault of an extension. */
#[About(name: 'Killed', format: 'php', scenarios: ['person'])]
final class Killed implements Contestant
{
    private int $calls = 0;

    public function __construct(private readonly Scenario $scenario, string $cache) {}

    public function serialize(array $values): string
    {
        if (++$this->calls > 3) {
            \proc_open("kill -9 " . \getmypid(), [], $pipes);
            \sleep(60);
        }

        return \serialize($values);
    }

    public function deserialize(string $bytes): array
    {
        return \unserialize($bytes);
    }
}
