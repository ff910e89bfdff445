<?php

declare(strict_types=1);

namespace Polypack\Extension\Tarantool;

use Polypack\BufferUnpacker;
use Polypack\Extension;
use Polypack\Packer;

/**
 * Packs and unpacks UUIDs of Tarantool, extension type 2. The data is the 16 bytes in network order.
 *
 * Packs Uuid, and the UUIDs of ramsey/uuid and symfony/uid.
 *
 * @api
 */
final class UuidExtension implements Extension
{
    private const TYPE = 2;

    /**
     * @param (\Closure(string): object)|null $make makes the unpacked value from the UUID as text, for example
     *                                              Uuid::fromString(...) of Ramsey or Symfony; null makes a Uuid
     */
    public function __construct(private readonly ?\Closure $make = null) {}

    public function getType(): int
    {
        return self::TYPE;
    }

    public function pack(Packer $packer, mixed $value): ?string
    {
        if ($value instanceof Uuid) {
            return $packer->packExt(self::TYPE, $value->bytes);
        }
        if ($value instanceof \Ramsey\Uuid\UuidInterface) {
            return $packer->packExt(self::TYPE, $value->getBytes());
        }

        return $value instanceof \Symfony\Component\Uid\Uuid ? $packer->packExt(self::TYPE, $value->toBinary()) : null;
    }

    public function unpackExt(BufferUnpacker $unpacker, int $extLength): object
    {
        $uuid = Uuid::fromBytes($unpacker->read($extLength));

        return $this->make === null ? $uuid : ($this->make)((string) $uuid);
    }
}
