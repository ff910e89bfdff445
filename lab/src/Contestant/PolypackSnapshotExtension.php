<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Scenario;
use Polypack\Snapshot\Serializer;

/** Our snapshots in C: the extension polypack behind the same class. */
#[About(
    name: 'Polypack snapshot (C)',
    format: 'polypack snapshot',
    scenarios: [...Scenario::ALL, ...Scenario::SHAPES, ...Scenario::SHAPES_OF_OBJECTS],
    vendor: 'polypack',
    extension: 'polypack',
    note: 'in C; takes objects as they are; class names stand in the bytes, and a list says which may be made',
)]
final class PolypackSnapshotExtension implements Contestant
{
    public function __construct(Scenario $scenario, string $cache)
    {
        \putenv('POLYPACK_ENGINE=ext');
    }

    public function serialize(array $values): string
    {
        return Serializer::serialize($values);
    }

    public function deserialize(string $bytes): array
    {
        return Serializer::unserialize($bytes, PolypackSnapshot::OPTIONS);
    }
}
