<?php

declare(strict_types=1);

// An application's own extension type: PHP's moments with their time zone, which the timestamp type does not keep.

use Polypack\BufferUnpacker;
use Polypack\Extension;
use Polypack\Packer;

require_once __DIR__ . '/../vendor/autoload.php';

final class DateTimeExtension implements Extension
{
    public function __construct(private readonly int $type) {}

    public function getType(): int
    {
        return $this->type;
    }

    public function pack(Packer $packer, mixed $value): ?string
    {
        if (!$value instanceof DateTimeImmutable) {
            return null;
        }

        return $packer->packExt($this->type, $packer->packStr($value->format('Y-m-d\TH:i:s.u'))
            . $packer->packStr($value->getTimezone()->getName()));
    }

    public function unpackExt(BufferUnpacker $unpacker, int $extLength): DateTimeImmutable
    {
        return new DateTimeImmutable($unpacker->unpackStr(), new DateTimeZone($unpacker->unpackStr()));
    }
}

$extension = new DateTimeExtension(1); // 0 to 127, the same for writers and readers
$packer = new Packer(transformers: [$extension]);
$unpacker = new BufferUnpacker(extensions: [$extension]);

$packed = $packer->pack(['at' => new DateTimeImmutable('2026-03-01 12:00:00.25', new DateTimeZone('Europe/Vienna'))]);
/** @var array{at: DateTimeImmutable} $value */
$value = $unpacker->reset($packed)->unpack();

echo strlen($packed), " bytes\n";
echo $value['at']->format('c e'), "\n";

/* OUTPUT
48 bytes
2026-03-01T12:00:00+01:00 Europe/Vienna
*/
