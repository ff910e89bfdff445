<?php

declare(strict_types=1);

namespace Polypack\Tests\Decoder;

use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\MessagePack;
use Polypack\UnpackOptions;

/**
 * Keys that are containers. CollisionsTest has what comparing them costs.
 */
final class IdentitiesTest extends TestCase
{
    /** @var positive-int */
    private const LONG = 200_000;

    public function testAnUnpackerKeepsNothingOfLongNamesInKeys(): void
    {
        foreach ([UnpackOptions::LOSSLESS, UnpackOptions::LOSSLESS | UnpackOptions::RECORDS_INLINE] as $options) {
            $unpacker = new BufferUnpacker('', $options);
            $decode = static function (int $i) use ($unpacker): void {
                $key = MessagePack::pack([\str_repeat(\chr(65 + $i), self::LONG) => 1]);
                $unpacker->reset("\x82{$key}\x01\x02\x03")->unpack();
                $unpacker->reset("\x01")->unpack();
            };
            $decode(0);
            $before = \memory_get_usage();
            for ($i = 1; $i <= 10; ++$i) {
                $decode($i);
            }

            self::assertLessThan(self::LONG, \memory_get_usage() - $before);
        }
    }
}
