<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Scenario;
use Polypack\MessagePack;

/** Ours in pure PHP by the static functions, which set up what they need on each call: for small messages. */
#[About(
    name: 'Polypack, static',
    format: 'msgpack',
    scenarios: ['event', ...Scenario::SMALL],
    state: 'made per call',
    kind: About::TUNED,
    vendor: 'polypack',
    note: 'pure PHP; MessagePack::pack() and MessagePack::unpack()',
)]
final class PolypackStatic implements Contestant
{
    public function __construct(Scenario $scenario, string $cache)
    {
        \putenv('POLYPACK_ENGINE=php');
    }

    public function serialize(array $values): string
    {
        return MessagePack::pack($values);
    }

    public function deserialize(string $bytes): array
    {
        return MessagePack::unpack($bytes);
    }
}
