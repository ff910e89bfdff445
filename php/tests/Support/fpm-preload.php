<?php

declare(strict_types=1);

// Preloaded by FpmTest: compiles the library, and uses it before the first request.

use Polypack\MessagePack;
use Polypack\Tests\Support\Box;

require dirname(__DIR__, 2) . '/vendor/autoload.php';

foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator(dirname(__DIR__, 2) . '/src', FilesystemIterator::SKIP_DOTS)) as $file) {
    if ($file instanceof SplFileInfo && preg_match('~/[A-Z]\w+\.php$~', $file->getPathname()) === 1) {
        class_exists('Polypack' . strtr(substr($file->getPathname(), strlen(dirname(__DIR__, 2) . '/src'), -4), '/', '\\'));
    }
}
$names = array_map(static fn(int $i): string => "preloaded {$i}", range(1, 700));
if (MessagePack::unpack(MessagePack::pack(array_flip($names))) !== array_flip($names)) {
    throw new LogicException('a map comes back as another');
}
polypack_unserialize(polypack_serialize(new Box(1)), ['allowed_classes' => [Box::class]]);
