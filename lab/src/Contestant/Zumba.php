<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Order;
use Polypack\Lab\Payload\Person;
use Polypack\Lab\Payload\Scenario;
use Zumba\JsonSerializer\JsonSerializer;

/** Zumba's JSON with class names in it, which may only name the classes of the scenario. */
#[About(
    name: 'Zumba',
    format: 'json with @type',
    scenarios: ['person', 'order'],
    vendor: 'zumba',
    package: 'zumba/json-serializer',
    note: 'class names stand in the bytes',
)]
final class Zumba implements Contestant
{
    private readonly JsonSerializer $serializer;

    public function __construct(Scenario $scenario, string $cache)
    {
        $this->serializer = new JsonSerializer();
        $this->serializer->setAllowedClasses([
            Person::class, Order\Order::class, Order\Customer::class, Order\Address::class, Order\Line::class,
            Order\Status::class, \DateTimeImmutable::class,
        ]);
    }

    public function serialize(array $values): string
    {
        return $this->serializer->serialize($values);
    }

    public function deserialize(string $bytes): array
    {
        return $this->serializer->unserialize($bytes);
    }
}
