<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Scenario;
use TSantos\Serializer\HydratorLoader;
use TSantos\Serializer\SerializerBuilder;
use TSantos\Serializer\SerializerInterface;

/** TSantos with its generated classes and metadata in a cache of files; it deserializes since its version 4. */
#[About(
    name: 'TSantos',
    format: 'json',
    scenarios: ['person'],
    state: 'prepared',
    vendor: 'tsantos',
    package: 'tsantos/serializer',
)]
final class TSantos implements Contestant
{
    private readonly SerializerInterface $serializer;

    public function __construct(private readonly Scenario $scenario, string $cache)
    {
        $this->serializer = (new SerializerBuilder())
            ->setMetadataDirs(['Polypack\Lab\Payload' => __DIR__ . '/../../vendors/tsantos/mapping'])
            ->setMetadataCacheDir("{$cache}/metadata")
            ->setHydratorDir("{$cache}/hydrators")
            ->setHydratorGenerationStrategy(HydratorLoader::COMPILE_IF_NOT_EXISTS)
            ->setDebug(false)
            ->enableBuiltInNormalizers()
            ->build();
    }

    public function serialize(array $values): string
    {
        return $this->serializer->serialize($values);
    }

    public function deserialize(string $bytes): array
    {
        return $this->serializer->deserialize($bytes, "{$this->scenario->class()}[]");
    }
}
