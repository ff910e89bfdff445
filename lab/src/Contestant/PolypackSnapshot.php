<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Bench;
use Polypack\Lab\Payload\Order;
use Polypack\Lab\Payload\Person;
use Polypack\Lab\Payload\Scenario;
use Polypack\Snapshot\Serializer;

/** Our snapshots in pure PHP: objects as they are, in a format that only PHP reads, with a list of classes. */
#[About(
    name: 'Polypack snapshot',
    format: 'polypack snapshot',
    scenarios: [...Scenario::ALL, ...Scenario::SHAPES, ...Scenario::SHAPES_OF_OBJECTS],
    vendor: 'polypack',
    note: 'pure PHP; takes objects as they are; class names stand in the bytes, and a list says which may be made',
)]
final class PolypackSnapshot implements Contestant
{
    public const OPTIONS = ['allowed_classes' => [
        Person::class, Order\Order::class, Order\Customer::class, Order\Address::class, Order\Line::class,
        Order\Status::class, \DateTimeImmutable::class, Bench\Dto::class, Bench\Owner::class, Bench\Entry::class,
    ]];

    public function __construct(Scenario $scenario, string $cache) {}

    public function serialize(array $values): string
    {
        return Serializer::serialize($values);
    }

    public function deserialize(string $bytes): array
    {
        return Serializer::unserialize($bytes, self::OPTIONS);
    }
}
