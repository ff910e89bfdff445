<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Scenario;
use Polypack\Lab\Payload\Values;

/** PHP's own json_encode() and json_decode(), a floor; objects are mapped by hand. */
#[About(
    name: 'json_encode()',
    format: 'json',
    scenarios: [...Scenario::TEXT, ...Values::TEXT],
    kind: About::FLOOR,
    note: 'objects are mapped by code written by hand',
)]
final class Json implements OfValues
{
    private readonly bool $isMapped;

    private readonly int $flags;

    public function __construct(private readonly Scenario $scenario, string $cache)
    {
        $this->isMapped = $scenario->class() !== null;
        $this->flags = $scenario->isList() ? \JSON_THROW_ON_ERROR : Scenario::JSON; // some payloads have whole floats
    }

    public function serialize(array $values): string
    {
        return \json_encode($this->isMapped ? $this->scenario->toPlain($values) : $values, $this->flags);
    }

    public function deserialize(string $bytes): array
    {
        $plain = \json_decode($bytes, true, 512, $this->flags);

        return $this->isMapped ? $this->scenario->fromPlain($plain) : $plain;
    }

    public function serializeValue(mixed $value): string
    {
        return \json_encode($value, $this->flags);
    }

    public function deserializeValue(string $bytes): mixed
    {
        return \json_decode($bytes, true, 512, $this->flags);
    }
}
