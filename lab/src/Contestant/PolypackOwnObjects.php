<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\CanPack;
use Polypack\Lab\Payload\Bench;
use Polypack\Lab\Payload\Scenario;
use Polypack\Packer;

/** Ours in pure PHP: objects that pack themselves, and objects that only a transformer knows. */
#[About(
    name: 'Polypack, own objects',
    format: 'msgpack',
    scenarios: Scenario::OWN_OBJECTS,
    vendor: 'polypack',
    cannot: 'nothing makes such objects again',
)]
final class PolypackOwnObjects implements OfOwnObjects
{
    private readonly Packer $packer;

    public function __construct(Scenario $scenario, string $cache)
    {
        \putenv('POLYPACK_ENGINE=php');
        /** @var list<CanPack> $transformers */
        [$transformers] = Bench::ownObjects($scenario->value, 'polypack', 'Polypack');
        $this->packer = new Packer(null, $transformers);
    }

    public static function objects(Scenario $scenario, array $plain): array
    {
        [, $make] = Bench::ownObjects($scenario->value, 'polypack', 'Polypack');

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
