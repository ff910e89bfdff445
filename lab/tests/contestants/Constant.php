<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests\Contestants;

use Polypack\Lab\Contestant\About;
use Polypack\Lab\Contestant\OfValues;
use Polypack\Lab\Payload\Scenario;

/** Says that every value is nil, and does nothing for it. */
#[About(name: 'Constant', format: 'msgpack', scenarios: ['value-nil', 'value-true'])]
final class Constant implements OfValues
{
    public function __construct(Scenario $scenario, string $cache) {}

    public function serialize(array $values): string
    {
        return "\xc0";
    }

    public function deserialize(string $bytes): array
    {
        return [];
    }

    public function serializeValue(mixed $value): string
    {
        return "\xc0";
    }

    public function deserializeValue(string $bytes): mixed
    {
        return null;
    }
}
