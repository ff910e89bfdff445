<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use MessagePack\Packer;
use Polypack\Lab\Payload\Bench;
use Polypack\Lab\Payload\Scenario;

/** rybakit/msgpack: objects that pack themselves, and objects that only a transformer knows. */
#[About(
    name: 'rybakit/msgpack, own objects',
    format: 'msgpack',
    scenarios: Scenario::OWN_OBJECTS,
    vendor: 'rybakit',
    package: 'rybakit/msgpack',
    cannot: 'nothing makes such objects again',
)]
final class RybakitOwnObjects implements OfOwnObjects
{
    private readonly Packer $packer;

    public function __construct(Scenario $scenario, string $cache)
    {
        [$transformers] = Bench::ownObjects($scenario->value, 'rybakit', 'MessagePack');
        $this->packer = new Packer(null, $transformers);
    }

    public static function objects(Scenario $scenario, array $plain): array
    {
        [, $make] = Bench::ownObjects($scenario->value, 'rybakit', 'MessagePack');

        return \array_map($make, $plain);
    }

    public function serialize(array $values): string
    {
        return $this->packer->pack($values);
    }

    public function deserialize(string $bytes): array
    {
        throw new \LogicException('nothing makes such objects again');
    }
}
