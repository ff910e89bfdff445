<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Scenario;

/** The extension igbinary, of which each repeated text costs a number. */
#[About(
    name: 'igbinary',
    format: 'igbinary',
    scenarios: [...Scenario::ALL, ...Scenario::SHAPES, ...Scenario::SHAPES_OF_OBJECTS],
    kind: About::FLOOR,
    extension: 'igbinary',
    note: 'in C; class names stand in the bytes; never for bytes of strangers',
)]
final class Igbinary implements Contestant
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
}
