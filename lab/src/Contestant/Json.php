<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Scenario;

/** PHP's own json_encode() and json_decode(), a floor; objects are mapped by hand. */
#[About(
    name: 'json_encode()',
    format: 'json',
    scenarios: ['person', 'order', 'rows', 'countries'],
    kind: About::FLOOR,
    note: 'objects are mapped by code written by hand',
)]
final class Json implements Contestant
{
    private const FLAGS = \JSON_THROW_ON_ERROR;

    public function __construct(private readonly Scenario $scenario, string $cache) {}

    public function serialize(array $values): string
    {
        return \json_encode($this->scenario->toPlain($values), self::FLAGS);
    }

    public function deserialize(string $bytes): array
    {
        return $this->scenario->fromPlain(\json_decode($bytes, true, 512, self::FLAGS));
    }
}
