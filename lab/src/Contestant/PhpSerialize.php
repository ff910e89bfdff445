<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Scenario;
use Polypack\Lab\Payload\Values;

/** PHP's own serialize(), a floor: what a mapper has to beat, with class names in its bytes. */
#[About(
    name: 'serialize()',
    format: 'php',
    scenarios: [...Scenario::ALL, ...Scenario::SHAPES, ...Scenario::SHAPES_OF_OBJECTS, ...Values::NAMES],
    kind: About::FLOOR,
    note: 'class names stand in the bytes; never for bytes of strangers',
)]
final class PhpSerialize implements OfValues
{
    public function __construct(Scenario $scenario, string $cache) {}

    public function serialize(array $values): string
    {
        return \serialize($values);
    }

    public function deserialize(string $bytes): array
    {
        return \unserialize($bytes);
    }

    public function serializeValue(mixed $value): string
    {
        return \serialize($value);
    }

    public function deserializeValue(string $bytes): mixed
    {
        return \unserialize($bytes);
    }
}
