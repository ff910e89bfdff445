<?php

declare(strict_types=1);

// A program that knows only rybakit/msgpack, for CompatTest.
//
// usage: php rybakit-consumer.php ours|FOLDER write|read    FOLDER is a checkout of rybakit/msgpack
//
// `write` prints what the program stores, and `read` takes that from standard input and prints what it gets.

namespace Shop;

use MessagePack\BufferUnpacker;
use MessagePack\CanBePacked;
use MessagePack\CanPack;
use MessagePack\Exception\InsufficientDataException;
use MessagePack\Exception\UnpackingFailedException;
use MessagePack\Extension;
use MessagePack\Extension\TimestampExtension;
use MessagePack\MessagePack;
use MessagePack\Packer;
use MessagePack\PackOptions;
use MessagePack\Type\Bin;
use MessagePack\Type\Ext;
use MessagePack\Type\Map;
use MessagePack\Type\Timestamp;

require __DIR__ . '/rybakit-library.php';

// Nothing has named the class of the exception yet: `catch` doesn't load it.
try {
    MessagePack::unpack("\xc1");
} catch (UnpackingFailedException $error) {
    \fwrite(\STDERR, 'caught ');
}

final class Price implements CanBePacked
{
    public function __construct(public int $cents) {}

    public function pack(Packer $packer): string
    {
        return $packer->packMapHeader(1) . $packer->packStr('cents') . $packer->packInt($this->cents);
    }
}

final class PriceTransformer implements CanPack
{
    public function pack(Packer $packer, $value): ?string
    {
        return $value instanceof \DateInterval ? $packer->packStr($value->format('%d days')) : null;
    }
}

final class PointExtension implements Extension
{
    public function getType(): int
    {
        return 7;
    }

    public function pack(Packer $packer, $value): ?string
    {
        return $value instanceof \SplFixedArray ? $packer->packExt(7, $packer->packArray($value->toArray())) : null;
    }

    public function unpackExt(BufferUnpacker $unpacker, int $extLength)
    {
        return \SplFixedArray::fromArray($unpacker->unpackArray());
    }
}

function packer(): Packer
{
    return (new Packer(PackOptions::FORCE_STR, [new TimestampExtension(), new PointExtension()]))->extendWith(new PriceTransformer());
}

function unpacker(): BufferUnpacker
{
    return (new BufferUnpacker())->extendWith(new TimestampExtension(), new PointExtension());
}

if (($argv[2] ?? '') === 'write') {
    echo packer()->pack([
        'price' => new Price(995), 'at' => new Timestamp(1_772_362_800, 5), 'point' => \SplFixedArray::fromArray([3, -4]),
        'bytes' => new Bin("\xff\x00"), 'map' => new Map([1, 2]), 'ext' => new Ext(9, 'data'), 'stay' => new \DateInterval('P3D'),
        'numbers' => [0, -1, 127, 128, -129, 65536, \PHP_INT_MAX, \PHP_INT_MIN, 1.5, null, true], 'text' => 'Ångström',
    ]);
    exit;
}

$unpacker = unpacker();
$packed = (string) \stream_get_contents(\STDIN);
$unpacker->reset(\substr($packed, 0, -1));
try {
    $unpacker->unpack();
} catch (InsufficientDataException) {
    \fwrite(\STDERR, 'short');
}
$value = (array) $unpacker->reset($packed)->unpack();
$value['at'] = $value['at'] instanceof Timestamp ? [$value['at']->getSeconds(), $value['at']->getNanoseconds()] : null;
$value['point'] = $value['point'] instanceof \SplFixedArray ? $value['point']->toArray() : null;
$value['ext'] = $value['ext'] instanceof Ext ? [$value['ext']->type, $value['ext']->data] : null;
echo \serialize($value);
