<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use AutoMapper\AutoMapper as Mapper;
use Polypack\Lab\Payload\Scenario;

/** AutoMapper with the code that it generates; JSON is PHP's own. */
#[About(
    name: 'AutoMapper',
    format: 'json',
    scenarios: ['person', 'order'],
    state: 'prepared',
    vendor: 'automapper',
    package: 'jolicode/automapper',
)]
final class AutoMapper implements Contestant
{
    private readonly Mapper $mapper;

    /** @var class-string */
    private readonly string $class;

    public function __construct(Scenario $scenario, string $cache)
    {
        $this->mapper = Mapper::create(cacheDirectory: $cache);
        $this->class = $scenario->class();
    }

    public function serialize(array $values): string
    {
        return \json_encode($this->mapper->mapCollection($values, 'array'), \JSON_THROW_ON_ERROR);
    }

    public function deserialize(string $bytes): array
    {
        return $this->mapper->mapCollection(\json_decode($bytes, true, 512, \JSON_THROW_ON_ERROR), $this->class);
    }
}
