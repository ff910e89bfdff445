<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use MessagePack\BufferUnpacker;
use MessagePack\Packer;
use MessagePack\PackOptions;
use MessagePack\UnpackOptions;
use Polypack\Lab\Payload\Scenario;
use Polypack\Lab\Payload\Values;

/** rybakit/msgpack, pure PHP, with strings as str without looking at them; objects are mapped by hand. */
#[About(
    name: 'rybakit/msgpack',
    format: 'msgpack',
    scenarios: [...Scenario::ALL, ...Values::NAMES],
    kind: About::TUNED,
    vendor: 'rybakit',
    package: 'rybakit/msgpack',
    note: 'pure PHP; objects are mapped by code written by hand',
)]
final class Rybakit implements OfValues
{
    private readonly Packer $packer;

    private readonly BufferUnpacker $unpacker;

    private readonly bool $isMapped;

    public function __construct(private readonly Scenario $scenario, string $cache)
    {
        $this->isMapped = $scenario->class() !== null;
        $this->packer = new Packer($scenario->isBin() ? PackOptions::FORCE_BIN : PackOptions::FORCE_STR);
        $this->unpacker = new BufferUnpacker('', UnpackOptions::BIGINT_AS_STR);
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
