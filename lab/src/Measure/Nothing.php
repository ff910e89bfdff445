<?php

declare(strict_types=1);

namespace Polypack\Lab\Measure;

use Polypack\Lab\Contestant\OfValues;
use Polypack\Lab\Payload\Scenario;

/** Does nothing: what an empty call costs is taken off every time. */
final class Nothing implements OfValues
{
    public function __construct(Scenario $scenario, string $cache) {}

    public function serialize(array $values): string
    {
        return '';
    }

    public function deserialize(string $bytes): array
    {
        return [];
    }

    public function serializeValue(mixed $value): string
    {
        return '';
    }

    public function deserializeValue(string $bytes): mixed
    {
        return null;
    }
}
