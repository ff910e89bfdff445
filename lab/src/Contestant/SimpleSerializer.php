<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Opensoft\SimpleSerializer\Adapter\ArrayAdapter;
use Opensoft\SimpleSerializer\Adapter\JsonAdapter;
use Opensoft\SimpleSerializer\Metadata\Cache\FileCache;
use Opensoft\SimpleSerializer\Metadata\Driver\FileLocator;
use Opensoft\SimpleSerializer\Metadata\Driver\YamlDriver;
use Opensoft\SimpleSerializer\Metadata\MetadataFactory;
use Opensoft\SimpleSerializer\Serializer;
use Polypack\Lab\Payload\Scenario;

/**
 * SimpleSerializer with its metadata in a cache of files. Its unserialize($json, [new Person()]) maps the first element
 * only and leaves the others arrays, so a list is mapped row by row; docs/internals/lab-methodology.md has the story.
 */
#[About(
    name: 'SimpleSerializer',
    format: 'json',
    scenarios: ['person'],
    state: 'prepared',
    vendor: 'simple-serializer',
    package: 'opensoft/simple-serializer',
)]
final class SimpleSerializer implements Contestant
{
    private readonly Serializer $serializer;
    private readonly ArrayAdapter $mapper;
    private readonly JsonAdapter $json;

    public function __construct(private readonly Scenario $scenario, string $cache)
    {
        $files = new FileLocator(['Polypack\Lab\Payload' => __DIR__ . '/../../vendors/simple-serializer/mapping']);
        $this->mapper = new ArrayAdapter(new MetadataFactory(new YamlDriver($files), new FileCache($cache)));
        $this->json = new JsonAdapter();
        $this->serializer = new Serializer($this->mapper, $this->json);
    }

    public function serialize(array $values): string
    {
        return $this->serializer->serialize($values);
    }

    public function deserialize(string $bytes): array
    {
        $class = $this->scenario->class();
        $objects = [];
        foreach ($this->json->unserialize($bytes) as $row) {
            $objects[] = $this->mapper->toObject($row, new $class());
        }

        return $objects;
    }
}
