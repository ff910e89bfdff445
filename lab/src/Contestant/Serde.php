<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Crell\Serde\SerdeCommon;
use Polypack\Lab\Payload\Scenario;

/** Serde through arrays, since it has no lists at the root: one object after the other, then PHP's own JSON. */
#[About(
    name: 'Serde',
    format: 'json',
    scenarios: ['person'],
    vendor: 'serde',
    package: 'crell/serde',
    note: 'lists at the root are mapped one by one',
)]
final class Serde implements Contestant
{
    private readonly SerdeCommon $serde;

    public function __construct(private readonly Scenario $scenario, string $cache)
    {
        $this->serde = new SerdeCommon();
    }

    public function serialize(array $values): string
    {
        $rows = [];
        foreach ($values as $value) {
            $rows[] = $this->serde->serialize($value, 'array');
        }

        return \json_encode($rows, \JSON_THROW_ON_ERROR);
    }

    public function deserialize(string $bytes): array
    {
        $objects = [];
        foreach (\json_decode($bytes, true, 512, \JSON_THROW_ON_ERROR) as $row) {
            $objects[] = $this->serde->deserialize($row, 'array', $this->scenario->class());
        }

        return $objects;
    }
}
