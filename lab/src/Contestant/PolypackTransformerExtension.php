<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\BufferUnpacker;
use Polypack\CanPack;
use Polypack\Lab\Payload\Person;
use Polypack\Lab\Payload\Scenario;
use Polypack\Packer;

/** Ours in C: a transformer packs each object; objects are made by hand. */
#[About(
    name: 'Polypack (C), transformer',
    format: 'msgpack',
    scenarios: Scenario::OF_OBJECTS,
    kind: About::TUNED,
    vendor: 'polypack',
    extension: 'polypack',
)]
final class PolypackTransformerExtension implements Contestant
{
    private readonly Packer $packer;

    private readonly BufferUnpacker $unpacker;

    public function __construct(private readonly Scenario $scenario, string $cache)
    {
        \putenv('POLYPACK_ENGINE=ext');
        $transformer = new class implements CanPack {
            public function pack(Packer $packer, mixed $value): ?string
            {
                return match (true) {
                    $value instanceof Person => $packer->packMapHeader(5)
                        . $packer->packStr('id') . $packer->packInt($value->getId())
                        . $packer->packStr('name') . $packer->packStr($value->getName())
                        . $packer->packStr('married') . $packer->packBool($value->isMarried())
                        . $packer->packStr('favoriteColors') . $packer->pack($value->getFavoriteColors())
                        . $packer->packStr('mother') . $packer->pack($value->getMother()),
                    $value instanceof \BackedEnum => $packer->pack($value->value),
                    $value instanceof \DateTimeInterface => $packer->packStr($value->format(\DATE_ATOM)),
                    default => \is_object($value) ? $packer->pack(\get_object_vars($value)) : null,
                };
            }
        };
        $this->packer = new Packer(null, [$transformer]);
        $this->unpacker = new BufferUnpacker();
    }

    public function serialize(array $values): string
    {
        return $this->packer->pack($values);
    }

    public function deserialize(string $bytes): array
    {
        return $this->scenario->fromPlain($this->unpacker->reset($bytes)->unpack());
    }
}
