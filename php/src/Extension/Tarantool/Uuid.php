<?php

declare(strict_types=1);

namespace Polypack\Extension\Tarantool;

use Polypack\Exception\PackingFailedException;

/**
 * A UUID of any version: 16 bytes in network order.
 *
 * @api
 */
final class Uuid implements \Stringable
{
    private function __construct(public readonly string $bytes) {}

    /**
     * @param string $bytes 16 bytes
     *
     * @throws PackingFailedException `out_of_range` for any other length
     */
    public static function fromBytes(string $bytes): self
    {
        if (\strlen($bytes) !== 16) {
            throw PackingFailedException::outOfRange('the length of a UUID', \strlen($bytes), '16 bytes', '');
        }

        return new self($bytes);
    }

    /**
     * @param string $uuid in the form of RFC 9562, such as "ae28d4f6-076c-49dd-8227-7f9fae9592d0", in either case
     *
     * @throws PackingFailedException `out_of_range` for any other form
     */
    public static function fromString(string $uuid): self
    {
        $isUuid = \preg_match('/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iD', $uuid) === 1;
        if (!$isUuid) {
            throw PackingFailedException::outOfRange('the UUID', $uuid, '32 hex digits in five groups', '');
        }

        return new self((string) \hex2bin(\str_replace('-', '', $uuid)));
    }

    public function __toString(): string
    {
        return (string) \preg_replace('/^(.{8})(.{4})(.{4})(.{4})/', '$1-$2-$3-$4-', \bin2hex($this->bytes));
    }
}
