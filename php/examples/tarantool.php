<?php

declare(strict_types=1);

// The extension types of Tarantool. Types of libraries go in as they are; what comes out is what the closures make.

use Polypack\BufferUnpacker;
use Polypack\Extension\Tarantool\DateTime;
use Polypack\Extension\Tarantool\Decimal;
use Polypack\Extension\Tarantool\Tarantool;
use Polypack\Extension\Tarantool\Uuid;
use Polypack\Packer;

require_once __DIR__ . '/../vendor/autoload.php';

$packer = new Packer(transformers: Tarantool::extensions());
$packed = $packer->pack([
    Uuid::fromString('ae28d4f6-076c-49dd-8227-7f9fae9592d0'),
    new Decimal('19.90'),
    new DateTimeImmutable('2026-03-01 12:00', new DateTimeZone('+01:00')),
]);

// With brick/math and symfony/uid: Tarantool::extensions(BigDecimal::of(...), Uuid::fromString(...))
/** @var array{Uuid, Decimal, DateTime} $values */
$values = (new BufferUnpacker($packed, extensions: Tarantool::extensions()))->unpackArray();
[$id, $price, $at] = $values;

echo $id, "\n", $price, "\n", $at->toDateTime()->format('c'), "\n";

/* OUTPUT
ae28d4f6-076c-49dd-8227-7f9fae9592d0
19.90
2026-03-01T12:00:00+01:00
*/
