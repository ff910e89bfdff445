<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Scenario;
use Symfony\Component\Cache\Adapter\PhpFilesAdapter;
use Symfony\Component\PropertyAccess\PropertyAccess;
use Symfony\Component\PropertyInfo\Extractor\PhpStanExtractor;
use Symfony\Component\PropertyInfo\Extractor\ReflectionExtractor;
use Symfony\Component\PropertyInfo\PropertyInfoCacheExtractor;
use Symfony\Component\PropertyInfo\PropertyInfoExtractor;
use Symfony\Component\Serializer\Encoder\JsonEncoder;
use Symfony\Component\Serializer\Mapping\Factory\CacheClassMetadataFactory;
use Symfony\Component\Serializer\Mapping\Factory\ClassMetadataFactory;
use Symfony\Component\Serializer\Mapping\Loader\AttributeLoader;
use Symfony\Component\Serializer\Normalizer\ArrayDenormalizer;
use Symfony\Component\Serializer\Normalizer\BackedEnumNormalizer;
use Symfony\Component\Serializer\Normalizer\DateTimeNormalizer;
use Symfony\Component\Serializer\Normalizer\ObjectNormalizer;
use Symfony\Component\Serializer\Serializer;

/** Symfony Serializer with its own normalizers; metadata, types and property access are cached in PHP files. */
#[About(
    name: 'Symfony',
    format: 'json',
    scenarios: ['person', 'order'],
    state: 'prepared',
    vendor: 'symfony',
    package: 'symfony/serializer',
)]
final class Symfony implements Contestant
{
    private readonly Serializer $serializer;

    public function __construct(private readonly Scenario $scenario, string $cache)
    {
        $pool = new PhpFilesAdapter('lab', 0, $cache);
        $types = [new PhpStanExtractor(), new ReflectionExtractor()];
        $info = new PropertyInfoCacheExtractor(new PropertyInfoExtractor([$types[1]], $types, [], $types, [$types[1]]), $pool);
        $metadata = new CacheClassMetadataFactory(new ClassMetadataFactory(new AttributeLoader()), $pool);
        $access = PropertyAccess::createPropertyAccessorBuilder()->setCacheItemPool($pool)->getPropertyAccessor();
        $objects = new ObjectNormalizer($metadata, null, $access, $info);
        $normalizers = [new BackedEnumNormalizer(), new DateTimeNormalizer(), new ArrayDenormalizer(), $objects];
        $this->serializer = new Serializer($normalizers, [new JsonEncoder()]);
    }

    public function serialize(array $values): string
    {
        return $this->serializer->serialize($values, 'json');
    }

    public function deserialize(string $bytes): array
    {
        return $this->serializer->deserialize($bytes, "{$this->scenario->class()}[]", 'json');
    }
}
