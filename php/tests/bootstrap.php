<?php

declare(strict_types=1);

use Polypack\Native\Engine;
use Polypack\Tests\Support\FakeEngine;
use Polypack\Tests\Support\WarmMemory;

// Chooses the engine for the whole suite: POLYPACK_ENGINE is php (the default here), ext, which fails at once without
// the extension, or fake, the stand-in of the tests.

require __DIR__ . '/../vendor/autoload.php';
require_once __DIR__ . '/../src/Snapshot/functions.php'; // an autoloader that was made before them lacks them

WarmMemory::keep();
$engine = (string) getenv('POLYPACK_ENGINE');
if ($engine === '' || $engine === 'fake') {
    putenv('POLYPACK_ENGINE=php'); // for the processes that tests start, too
}
if ($engine === 'fake') {
    FakeEngine::start();
} else {
    Engine::isActive();
}
