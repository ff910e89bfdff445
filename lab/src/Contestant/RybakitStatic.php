<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use MessagePack\MessagePack;
use Polypack\Lab\Payload\Scenario;

/** rybakit/msgpack by its static functions, which set up what they need on each call: for small messages. */
#[About(
    name: 'rybakit/msgpack, static',
    format: 'msgpack',
    scenarios: ['event', ...Scenario::SMALL],
    state: 'made per call',
    kind: About::TUNED,
    vendor: 'rybakit',
    package: 'rybakit/msgpack',
    note: 'pure PHP; MessagePack::pack() and MessagePack::unpack()',
)]
final class RybakitStatic implements Contestant
{
    public function __construct(Scenario $scenario, string $cache) {}

    public function serialize(array $values): string
    {
        return MessagePack::pack($values);
    }

    public function deserialize(string $bytes): array
    {
        return MessagePack::unpack($bytes);
    }
}
