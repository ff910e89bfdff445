<?php

declare(strict_types=1);

namespace Acme;

use Polypack\BufferUnpacker;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\Raw;
use Polypack\StreamUnpacker;
use Polypack\Type\Bin;
use Polypack\Type\Entries;
use Polypack\Type\Ext;
use Polypack\UnpackOptions;

// A program of a user who knows what his messages hold and has PHPStan check it at level max. TypesTest.php runs that.

/**
 * @return array{int, string, array<mixed>}
 */
function row(string $packed): array
{
    $unpacker = new BufferUnpacker($packed);
    $count = $unpacker->unpackArrayHeader() - 3;
    $id = $unpacker->unpackInt();
    $hash = \bin2hex($unpacker->unpackBin());
    $fields = $unpacker->unpackMap();
    while ($count-- > 0) {
        $unpacker->skipValue();
    }

    return [$id + 1, $unpacker->unpackStr() . $hash, $fields];
}

function price(BufferUnpacker $unpacker): float
{
    return $unpacker->unpackFloat() * ($unpacker->unpackBool() ? 1.2 : 1) + ($unpacker->unpackMap()['tax'] === 1 ? 1 : 0);
}

/**
 * What the options make of it can be told apart, too.
 */
function lossless(string $packed): string
{
    $unpacker = new BufferUnpacker($packed, UnpackOptions::LOSSLESS);
    $bin = $unpacker->unpackBin();
    $map = $unpacker->unpackMap();
    $ext = $unpacker->unpackExt();

    return ($bin instanceof Bin ? $bin->data : '') . ($map instanceof Entries ? \count($map) : '') . ($ext instanceof Ext ? $ext->data : '');
}

function messages(): int
{
    $sum = 0;
    foreach ((new StreamUnpacker())->decode(["\x01"]) as $message) {
        $sum += \is_int($message) ? $message : 0;
    }
    foreach ((new BufferUnpacker("\x01"))->tryUnpack() as $message) {
        $sum += \is_int($message) ? $message : 0;
    }
    $name = MessagePack::get("\x81\xa1a\x01", '/a', default: '');
    $raw = (new BufferUnpacker("\x81\xa1a\x01"))->getRaw('/a') ?? new Raw("\xc0");

    return $sum + (\is_string($name) ? \strlen($name) : 0) + \strlen((new Packer())->pack($raw));
}
