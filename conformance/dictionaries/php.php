<?php

declare(strict_types=1);

namespace Polypack\Conformance\Dictionaries;

use Polypack\BufferUnpacker;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Records\SharedRecords;
use Polypack\Stores\FileStore;
use Polypack\Stores\RedisStore;
use Polypack\UnpackOptions;
use Predis\Client;

// Packs and unpacks with the dictionary of a store, for tests/dictionaries.test.mjs: PHP. js.mjs has the protocol.

require_once __DIR__ . '/../../php/vendor/autoload.php';

/** @var array{string, string, string, string} $arguments */
$arguments = $_SERVER['argv'];
[, $kind, $place, $header] = $arguments;

$store = $kind === 'file'
    ? new FileStore($place, lockTimeout: 120_000)
    : new RedisStore(new Client(['scheme' => 'unix', 'path' => $place]), 'dictionary');
$shared = new SharedRecords($store, maxShapes: 1000, fingerprint: $header === 'header');
$packer = new Packer(PackOptions::of(records: $shared));
$unpacker = new BufferUnpacker('', UnpackOptions::of(records: $shared));

function bytes(mixed $hex): string
{
    \assert(\is_string($hex));

    return (string) \hex2bin($hex);
}

while (($line = \fgets(\STDIN)) !== false) {
    $request = \json_decode($line, true, 512, \JSON_THROW_ON_ERROR);
    \assert(\is_array($request));
    try {
        $answer = match ($request['op']) {
            'pack' => ['bytes' => \bin2hex($packer->pack($request['value']))],
            'unpack' => ['value' => $unpacker->reset(bytes($request['bytes']))->unpack()],
            default => ['shapes' => $shared->dictionary()->shapes()],
        };
        if ($shared->failure() !== null) {
            throw $shared->failure();
        }
    } catch (UnpackingFailedException $error) {
        $answer = ['error' => ['code' => $error->errorCode->value, 'offset' => $error->offset, 'path' => $error->path]];
    }
    echo \json_encode($answer, \JSON_THROW_ON_ERROR), "\n";
}
