<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Scenario;

/** The extension msgpack; objects are mapped by hand, since its own way can't bring back an enum. */
#[About(
    name: 'msgpack (PECL)',
    format: 'msgpack',
    scenarios: ['person', 'order', 'rows', 'countries'],
    kind: About::TUNED,
    extension: 'msgpack',
    note: 'in C; objects are mapped by code written by hand',
)]
final class Msgpack implements Contestant
{
    public function __construct(private readonly Scenario $scenario, string $cache) {}

    public function serialize(array $values): string
    {
        return \msgpack_pack($this->scenario->toPlain($values));
    }

    public function deserialize(string $bytes): array
    {
        return $this->scenario->fromPlain(\msgpack_unpack($bytes));
    }
}
