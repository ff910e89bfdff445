<?php

declare(strict_types=1);

namespace Polypack\Lab\Command;

use Symfony\Component\Console\Attribute\AsCommand;

#[AsCommand('serialize', 'Run the serialization benchmark')]
final class SerializeCommand extends VendorBenchmark
{
    protected function operation(): string
    {
        return 'serialize';
    }
}
