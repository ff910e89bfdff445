<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use CuyZ\Valinor\Cache\FileSystemCache;
use CuyZ\Valinor\Mapper\Source\Source;
use CuyZ\Valinor\Mapper\TreeMapper;
use CuyZ\Valinor\MapperBuilder;
use CuyZ\Valinor\Normalizer\Format;
use CuyZ\Valinor\Normalizer\JsonNormalizer;
use CuyZ\Valinor\NormalizerBuilder;
use Polypack\Lab\Payload\Scenario;

/** Valinor with its definitions in a cache of files; dates are written as the others write them. */
#[About(
    name: 'Valinor',
    format: 'json',
    scenarios: ['person', 'order'],
    state: 'prepared',
    vendor: 'valinor',
    package: 'cuyz/valinor',
)]
final class Valinor implements Contestant
{
    private readonly TreeMapper $mapper;

    private readonly JsonNormalizer $normalizer;

    private readonly string $type;

    public function __construct(Scenario $scenario, string $cache)
    {
        $this->type = "list<{$scenario->class()}>";
        $files = new FileSystemCache($cache);
        $this->mapper = (new MapperBuilder())->withCache($files)->supportDateFormats(\DATE_ATOM)->mapper();
        $this->normalizer = (new NormalizerBuilder())
            ->withCache($files)
            ->registerTransformer(static fn(\DateTimeInterface $date): string => $date->format(\DATE_ATOM))
            ->normalizer(Format::json());
    }

    public function serialize(array $values): string
    {
        return $this->normalizer->normalize($values);
    }

    public function deserialize(string $bytes): array
    {
        return $this->mapper->map($this->type, Source::json($bytes));
    }
}
