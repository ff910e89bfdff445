<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\BufferUnpacker;
use Polypack\Lab\Payload\Scenario;
use Polypack\Packer;

/** Ours in C: the extension polypack behind the same classes; objects are mapped by hand. */
#[About(
    name: 'Polypack (C)',
    format: 'msgpack',
    scenarios: ['person', 'order', 'rows', 'countries'],
    kind: About::TUNED,
    vendor: 'polypack',
    extension: 'polypack',
    note: 'in C; objects are mapped by code written by hand',
)]
final class PolypackExtension implements Contestant
{
    private readonly Packer $packer;

    private readonly BufferUnpacker $unpacker;

    public function __construct(private readonly Scenario $scenario, string $cache)
    {
        \putenv('POLYPACK_ENGINE=ext');
        $this->packer = new Packer();
        $this->unpacker = new BufferUnpacker();
    }

    public function serialize(array $values): string
    {
        return $this->packer->pack($this->scenario->toPlain($values));
    }

    public function deserialize(string $bytes): array
    {
        return $this->scenario->fromPlain($this->unpacker->reset($bytes)->unpack());
    }
}
