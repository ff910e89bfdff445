<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use JMS\Serializer\Naming\IdenticalPropertyNamingStrategy;
use JMS\Serializer\SerializationContext;
use JMS\Serializer\Serializer;
use JMS\Serializer\SerializerBuilder;
use Polypack\Lab\Payload\Scenario;

/** JMS with its metadata in a cache of files, nulls written, types from the mapping below lab/vendors/jms. */
#[About(
    name: 'JMS',
    format: 'json',
    scenarios: ['person', 'order'],
    state: 'prepared',
    vendor: 'jms',
    package: 'jms/serializer',
)]
final class Jms implements Contestant
{
    private readonly Serializer $serializer;

    private readonly string $type;

    public function __construct(Scenario $scenario, string $cache)
    {
        $this->type = "array<{$scenario->class()}>";
        $this->serializer = SerializerBuilder::create()
            ->setPropertyNamingStrategy(new IdenticalPropertyNamingStrategy())
            ->addMetadataDir(__DIR__ . '/../../vendors/jms/mapping', 'Polypack\Lab\Payload')
            ->setCacheDir($cache)
            ->enableEnumSupport()
            ->build();
    }

    public function serialize(array $values): string
    {
        return $this->serializer->serialize($values, 'json', SerializationContext::create()->setSerializeNull(true), $this->type);
    }

    public function deserialize(string $bytes): array
    {
        return $this->serializer->deserialize($bytes, $this->type, 'json');
    }
}
