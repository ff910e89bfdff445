<?php

declare(strict_types=1);

namespace Polypack\Bench;

// Measures first use: one request loads a library and packs or unpacks its first messages. tools/bench-first-php.mjs
// asks for it, from a server with opcache and from the command line without it.
//
// usage: php bench/first.php write CONTESTANT SOURCE FOLDER       writes FOLDER/WORKLOAD.php
//        php bench/first.php OPERATION CONTESTANT SOURCE FILE     OPERATION is pack, unpack or request (both)
//        php -S ADDRESS bench/first.php               the same as /?operation=…&contestant=…&source=…&file=…
//
// It prints {load, wall, cpu, verified}: milliseconds of loading the autoloader, and from there to the end of message
// number 1, 20 and 100. Classes load when they are used first, as part of the first message.

/** How many messages, one after the other. */
const COUNTS = [1, 20, 100];

/**
 * @param array<string, string> $namespaces by contestant
 *
 * @return array{\Closure(mixed): string, \Closure(string): mixed}
 */
function contestant(string $name, string $source, array $namespaces = ['polypack' => 'Polypack\\', 'rybakit' => 'MessagePack\\']): array
{
    if ($name === 'pecl') {
        return [\msgpack_pack(...), \msgpack_unpack(...)];
    }
    if ($name === 'json') {
        return [
            static fn(mixed $value): string => (string) \json_encode($value, \JSON_PRESERVE_ZERO_FRACTION),
            static fn(string $json): mixed => \json_decode($json, true),
        ];
    }
    require __DIR__ . '/../vendor/composer/ClassLoader.php';
    $loader = new \Composer\Autoload\ClassLoader();
    $loader->addPsr4($namespaces[$name], $source);
    $loader->register();
    $class = $namespaces[$name] . 'MessagePack';

    // Not $class::pack(...), which would load the class here.
    /** @var class-string<\Polypack\MessagePack> $class or the like */
    return [static fn(mixed $value): string => $class::pack($value), static fn(string $bytes): mixed => $class::unpack($bytes)];
}

/**
 * @return array<string, list<mixed>> messages by workload
 */
function workloads(): array
{
    require __DIR__ . '/_payloads.php';
    require __DIR__ . '/_documents.php';
    $workloads = ['event' => [Payloads::all()['event']]];
    foreach (Documents::names() as $name) {
        if (\str_starts_with($name, 'small-')) {
            $workloads[$name] = [Documents::named($name)];
        } elseif ($name === 'real-countries') {
            $workloads[$name] = \array_slice(\array_values(Documents::named($name)), 0, 100);
        }
    }

    return $workloads;
}

/**
 * Writes each workload as PHP, which opcache keeps, so that values take no time.
 */
function write(string $name, string $source, string $folder): void
{
    [$pack, $unpack] = contestant($name, $source);
    foreach (workloads() as $workload => $values) {
        $messages = \array_map($pack, $values);
        if (\array_map($unpack, $messages) !== $values) {
            throw new \LogicException("{$name} changes {$workload}");
        }
        \file_put_contents("{$folder}/{$workload}.php", '<?php return ' . \var_export([$values, $messages], true) . ';');
    }
}

/**
 * @return array{float, float} milliseconds of the clock, and of the processor
 */
function now(): array
{
    /** @var array<string, int> $usage */
    $usage = \getrusage();

    return [\hrtime(true) / 1e6, ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) * 1e3
        + ($usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']) / 1e3];
}

/**
 * @return array{load: array<string, float>, wall: array<int, float>, cpu: array<int, float>, verified: bool}
 */
function measure(string $operation, string $name, string $source, string $file): array
{
    /** @var array{non-empty-list<mixed>, non-empty-list<string>} $workload */
    $workload = require $file;
    [$values, $messages] = $workload;
    $given = $operation === 'unpack' ? $messages : $values;
    $results = \array_fill(0, \count($given), null);
    $wall = $cpu = [];
    $place = $count = 0;
    $started = now();
    [$pack, $unpack] = contestant($name, $source);
    /** @var \Closure(mixed): mixed $call */
    $call = match ($operation) {
        'pack' => $pack,
        'unpack' => $unpack,
        default => static fn(mixed $value): mixed => $unpack($pack($value)),
    };
    $loaded = now();
    foreach (COUNTS as $next) {
        for (; $count < $next; ++$count) {
            $results[$place] = $call($given[$place]);
            $place = $place + 1 === \count($given) ? 0 : $place + 1;
        }
        $time = now();
        $wall[$next] = $time[0] - $loaded[0];
        $cpu[$next] = $time[1] - $loaded[1];
    }

    return [
        'load' => ['wall' => $loaded[0] - $started[0], 'cpu' => $loaded[1] - $started[1]],
        'wall' => $wall,
        'cpu' => $cpu,
        'verified' => $results === ($operation === 'pack' ? $messages : $values),
    ];
}

[$operation, $name, $source, $place] = \PHP_SAPI === 'cli'
    ? \array_slice($argv, 1) + ['', '', '', '']
    : \array_map(static fn(string $key): string => \is_string($_GET[$key] ?? null) ? $_GET[$key] : '', ['operation', 'contestant', 'source', 'file']);
if ($operation === 'write') {
    write($name, $source, $place);
} else {
    echo \json_encode(measure($operation, $name, $source, $place), \JSON_THROW_ON_ERROR);
}
