<?php

declare(strict_types=1);

// Two ways to say what objects are packed as: in the class, or outside of it for classes of others.

use Polypack\CanBePacked;
use Polypack\CanPack;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\TypeTransformer\TraversableTransformer;

require_once __DIR__ . '/../vendor/autoload.php';

final class Money implements CanBePacked
{
    public function __construct(private readonly int $cents, private readonly string $currency) {}

    public function pack(Packer $packer): string
    {
        return $packer->packArray([$this->cents, $this->currency]);
    }
}

final class SplFileTransformer implements CanPack
{
    public function pack(Packer $packer, mixed $value): ?string
    {
        return $value instanceof SplFileInfo ? $packer->packStr($value->getFilename()) : null;
    }
}

function countdown(): Generator
{
    yield 3;
    yield 2;
    yield 1;
}

$packer = new Packer(transformers: [new SplFileTransformer(), TraversableTransformer::toArray()]);
$packed = $packer->pack([
    'price' => new Money(1999, 'EUR'),
    'file' => new SplFileInfo('/var/log/app.log'),
    'steps' => countdown(),
]);

echo json_encode(MessagePack::unpack($packed)), "\n";

/* OUTPUT
{"price":[1999,"EUR"],"file":"app.log","steps":[3,2,1]}
*/
