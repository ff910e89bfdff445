<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Scenario;
use Polypack\Lab\Payload\Values;

/** The extension msgpack; objects are mapped by hand, since its own way can't bring back an enum. */
#[About(
    name: 'msgpack (PECL)',
    format: 'msgpack',
    scenarios: [...Scenario::ALL, ...Scenario::SHAPES, ...Values::TEXT],
    kind: About::TUNED,
    extension: 'msgpack',
    note: 'in C; writes no bin; objects are mapped by code written by hand',
)]
final class Msgpack implements OfValues
{
    private readonly bool $isMapped;

    public function __construct(private readonly Scenario $scenario, string $cache)
    {
        $this->isMapped = $scenario->class() !== null;
    }

    public function serialize(array $values): string
    {
        return \msgpack_pack($this->isMapped ? $this->scenario->toPlain($values) : $values);
    }

    public function deserialize(string $bytes): array
    {
        $plain = \msgpack_unpack($bytes);

        return $this->isMapped ? $this->scenario->fromPlain($plain) : $plain;
    }

    public function serializeValue(mixed $value): string
    {
        return \msgpack_pack($value);
    }

    public function deserializeValue(string $bytes): mixed
    {
        return \msgpack_unpack($bytes);
    }
}
