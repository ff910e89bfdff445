<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Scenario;
use Polypack\Lab\Payload\Values;

/** The extension igbinary, of which each repeated text costs a number. */
#[About(
    name: 'igbinary',
    format: 'igbinary',
    scenarios: [...Scenario::ALL, ...Scenario::SHAPES, ...Scenario::SHAPES_OF_OBJECTS, ...Values::NAMES],
    kind: About::FLOOR,
    extension: 'igbinary',
    note: 'in C; class names stand in the bytes; never for bytes of strangers',
)]
final class Igbinary implements OfValues
{
    public function __construct(Scenario $scenario, string $cache) {}

    public function serialize(array $values): string
    {
        return (string) \igbinary_serialize($values);
    }

    public function deserialize(string $bytes): array
    {
        return \igbinary_unserialize($bytes);
    }

    public function serializeValue(mixed $value): string
    {
        return (string) \igbinary_serialize($value);
    }

    public function deserializeValue(string $bytes): mixed
    {
        return \igbinary_unserialize($bytes);
    }
}
