<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\BufferUnpacker;
use Polypack\Lab\Payload\Scenario;
use Polypack\Lab\Payload\Values;
use Polypack\Packer;
use Polypack\PackOptions;

/** Ours in C: the extension polypack behind the same classes; objects are mapped by hand. */
#[About(
    name: 'Polypack (C)',
    format: 'msgpack',
    scenarios: [...Scenario::ALL, ...Values::NAMES],
    kind: About::TUNED,
    vendor: 'polypack',
    extension: 'polypack',
    note: 'in C; objects are mapped by code written by hand',
)]
final class PolypackExtension implements OfValues
{
    private readonly Packer $packer;

    private readonly BufferUnpacker $unpacker;

    private readonly bool $isMapped;

    public function __construct(private readonly Scenario $scenario, string $cache)
    {
        $this->isMapped = $scenario->class() !== null;
        \putenv('POLYPACK_ENGINE=ext');
        $this->packer = new Packer($scenario->isBin() ? PackOptions::FORCE_BIN : null);
        $this->unpacker = new BufferUnpacker();
    }

    public function serialize(array $values): string
    {
        return $this->packer->pack($this->isMapped ? $this->scenario->toPlain($values) : $values);
    }

    public function deserialize(string $bytes): array
    {
        $plain = $this->unpacker->reset($bytes)->unpack();

        return $this->isMapped ? $this->scenario->fromPlain($plain) : $plain;
    }

    public function serializeValue(mixed $value): string
    {
        return $this->packer->pack($value);
    }

    public function deserializeValue(string $bytes): mixed
    {
        return $this->unpacker->reset($bytes)->unpack();
    }
}
