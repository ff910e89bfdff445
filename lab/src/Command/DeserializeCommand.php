<?php

declare(strict_types=1);

namespace Polypack\Lab\Command;

use Symfony\Component\Console\Attribute\AsCommand;

#[AsCommand('deserialize', 'Run the deserialization benchmark')]
final class DeserializeCommand extends VendorBenchmark
{
    protected function operation(): string
    {
        return 'deserialize';
    }
}
