<?php

declare(strict_types=1);

// Preloaded by FpmTest: preloads the library, and uses it before the first request.

use Polypack\MessagePack;
use Polypack\Tests\Support\Box;

require dirname(__DIR__, 2) . '/vendor/autoload.php';

require dirname(__DIR__, 2) . '/preload.php';

$names = array_map(static fn(int $i): string => "preloaded {$i}", range(1, 700));
if (MessagePack::unpack(MessagePack::pack(array_flip($names))) !== array_flip($names)) {
    throw new LogicException('a map comes back as another');
}
polypack_unserialize(polypack_serialize(new Box(1)), ['allowed_classes' => [Box::class]]);
