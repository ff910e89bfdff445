<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\BufferUnpacker;
use Polypack\Extension;
use Polypack\Lab\Payload\Scenario;
use Polypack\Packer;

/** Ours in pure PHP: an extension type that packs each object and makes it again. */
#[About(
    name: 'Polypack, extension type',
    format: 'extension type',
    scenarios: Scenario::OF_OBJECTS,
    vendor: 'polypack',
)]
final class PolypackObjects implements Contestant
{
    private readonly Packer $packer;

    private readonly BufferUnpacker $unpacker;

    public function __construct(Scenario $scenario, string $cache)
    {
        \putenv('POLYPACK_ENGINE=php');
        $extension = new class ($scenario) implements Extension {
            public function __construct(private readonly Scenario $scenario) {}

            public function getType(): int
            {
                return 1;
            }

            public function pack(Packer $packer, mixed $value): ?string
            {
                return \is_object($value) ? $packer->packExt(1, $packer->pack($this->scenario->toPlain([$value])[0])) : null;
            }

            public function unpackExt(BufferUnpacker $unpacker, int $extLength): object
            {
                return $this->scenario->fromPlain([$unpacker->unpack()])[0];
            }
        };
        $this->packer = new Packer(null, [$extension]);
        $this->unpacker = new BufferUnpacker('', null, [$extension]);
    }

    public function serialize(array $values): string
    {
        return $this->packer->pack($values);
    }

    public function deserialize(string $bytes): array
    {
        return $this->unpacker->reset($bytes)->unpack();
    }
}
