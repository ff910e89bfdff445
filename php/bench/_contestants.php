<?php

declare(strict_types=1);

namespace Polypack\Bench;

use Polypack\BufferUnpacker;
use Polypack\MessagePack;
use Polypack\Packer;

/**
 * One library: two functions that encode and decode a number of times and return the last result. The loops are inside, so
 * that the cost of calling a closure is in no number.
 */
final class Contestant
{
    /**
     * @param \Closure(mixed, int): string $encode takes the value and how often
     * @param \Closure(string, int): mixed $decode takes the bytes and how often
     */
    public function __construct(
        public readonly string $name,
        public readonly \Closure $encode,
        public readonly \Closure $decode,
    ) {}

    /**
     * With one packer and one unpacker kept for all calls, as the README advises for many values.
     */
    public static function kept(): self
    {
        $packer = new Packer();
        $unpacker = new BufferUnpacker();

        return new self(
            'polypack',
            static function (mixed $value, int $calls) use ($packer): string {
                $packed = '';
                for ($i = 0; $i < $calls; ++$i) {
                    $packed = $packer->pack($value);
                }

                return $packed;
            },
            static function (string $packed, int $calls) use ($unpacker): mixed {
                $value = null;
                for ($i = 0; $i < $calls; ++$i) {
                    $unpacker->reset($packed);
                    $value = $unpacker->unpack();
                }

                return $value;
            },
        );
    }

    /**
     * With the static functions, which build what they need on each call.
     */
    public static function static(): self
    {
        return new self(
            'polypack',
            static function (mixed $value, int $calls): string {
                $packed = '';
                for ($i = 0; $i < $calls; ++$i) {
                    $packed = MessagePack::pack($value);
                }

                return $packed;
            },
            static function (string $packed, int $calls): mixed {
                $value = null;
                for ($i = 0; $i < $calls; ++$i) {
                    $value = MessagePack::unpack($packed);
                }

                return $value;
            },
        );
    }

    /**
     * @return list<self>
     */
    public static function peers(): array
    {
        $peers = [self::json(), self::serialize()];
        if (\extension_loaded('msgpack')) {
            $peers[] = self::pecl();
        }

        return $peers;
    }

    private static function json(): self
    {
        return new self(
            'json',
            static function (mixed $value, int $calls): string {
                $json = '';
                for ($i = 0; $i < $calls; ++$i) {
                    // Without the first flag 1.0 comes back as 1; the others are the fastest way for text.
                    $json = \json_encode($value, \JSON_PRESERVE_ZERO_FRACTION | \JSON_UNESCAPED_UNICODE | \JSON_UNESCAPED_SLASHES);
                }

                return (string) $json;
            },
            static function (string $json, int $calls): mixed {
                $value = null;
                for ($i = 0; $i < $calls; ++$i) {
                    $value = \json_decode($json, true);
                }

                return $value;
            },
        );
    }

    private static function serialize(): self
    {
        return new self(
            'serialize',
            static function (mixed $value, int $calls): string {
                $bytes = '';
                for ($i = 0; $i < $calls; ++$i) {
                    $bytes = \serialize($value);
                }

                return $bytes;
            },
            static function (string $bytes, int $calls): mixed {
                $value = null;
                for ($i = 0; $i < $calls; ++$i) {
                    $value = \unserialize($bytes);
                }

                return $value;
            },
        );
    }

    private static function pecl(): self
    {
        return new self(
            'PECL msgpack',
            static function (mixed $value, int $calls): string {
                $packed = '';
                for ($i = 0; $i < $calls; ++$i) {
                    $packed = \msgpack_pack($value);
                }

                return $packed;
            },
            static function (string $packed, int $calls): mixed {
                $value = null;
                for ($i = 0; $i < $calls; ++$i) {
                    $value = \msgpack_unpack($packed);
                }

                return $value;
            },
        );
    }
}
