<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use MessagePack\BufferUnpacker;
use MessagePack\CanPack;
use MessagePack\Packer;
use MessagePack\PackOptions;
use Polypack\Lab\Payload\Person;
use Polypack\Lab\Payload\Scenario;

/** rybakit/msgpack: a transformer packs each object; objects are made by hand. */
#[About(
    name: 'rybakit/msgpack, transformer',
    format: 'msgpack',
    scenarios: Scenario::OF_OBJECTS,
    kind: About::TUNED,
    vendor: 'rybakit',
    package: 'rybakit/msgpack',
)]
final class RybakitTransformer implements Contestant
{
    private readonly Packer $packer;

    private readonly BufferUnpacker $unpacker;

    public function __construct(private readonly Scenario $scenario, string $cache)
    {
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
        $this->packer = new Packer(PackOptions::FORCE_STR, [$transformer]);
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
