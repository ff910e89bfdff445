<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Scenario;
use Symfony\Component\Serializer\Encoder\JsonEncoder;
use Symfony\Component\Serializer\Normalizer\{ArrayDenormalizer, DenormalizerInterface, NormalizerInterface};
use Symfony\Component\Serializer\Serializer;

/** Symfony Serializer with a normalizer written for the class, as the seed has: the row "Symfony*" of its tables. */
#[About(
    name: 'Symfony*',
    format: 'json',
    scenarios: ['person', 'order'],
    kind: About::TUNED,
    vendor: 'symfony',
    package: 'symfony/serializer',
)]
final class SymfonyTailored implements Contestant
{
    private readonly Serializer $serializer;
    public function __construct(private readonly Scenario $scenario, string $cache)
    {
        $tailored = new class implements NormalizerInterface, DenormalizerInterface {
            public function normalize(mixed $data, ?string $format = null, array $context = []): array
            {
                return $data->toPlain();
            }
            public function supportsNormalization(mixed $data, ?string $format = null, array $context = []): bool
            {
                return \is_object($data);
            }
            public function denormalize(mixed $data, string $type, ?string $format = null, array $context = []): object
            {
                return $type::fromPlain($data);
            }
            public function supportsDenormalization(mixed $data, string $type, ?string $format = null, array $context = []): bool
            {
                return !\str_ends_with($type, '[]');
            }
            public function getSupportedTypes(?string $format): array
            {
                return ['object' => true];
            }
        };
        $this->serializer = new Serializer([$tailored, new ArrayDenormalizer()], [new JsonEncoder()]);
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
