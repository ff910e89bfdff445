<?php

declare(strict_types=1);

namespace Polypack\Lab\Payload;

use Polypack\Lab\Paths;
use Symfony\Component\Process\Process;

/**
 * The payloads of the benches in other languages, which make them and say them as JSON: "js-ex1" is ex1 of js/bench.
 * Workers get just that text, since PHP knows no difference between an empty list and an empty map.
 */
final class Borrowed
{
    public const JAVASCRIPT = 'js-';

    private const DESCRIPTIONS = [
        'js-ex1' => 'one value of every format, 0.9 KB',
        'js-ex2' => 'the answer of a service about one account, 0.3 KB',
        'js-ex3' => 'a row of a form, 0.3 KB',
        'js-ex4' => 'two dozen orders with their lines, 6 KB',
        'js-ex5' => 'one reading of an instrument, 0.1 KB',
        'js-sampleLarge' => 'seven people with much text, 7 KB',
        'js-apiList' => 'a thousand rows with nested objects, 307 KB',
        'js-config' => 'a tree of some 600 objects, hardly two with the same names, 50 KB',
        'js-geo' => 'polygons and a column of floats, 119 KB',
        'js-text' => 'two hundred posts in five languages, 101 KB',
    ];

    public static function has(string $name): bool
    {
        return isset(self::DESCRIPTIONS[$name]);
    }

    public static function describe(string $name): string
    {
        return self::DESCRIPTIONS[$name];
    }

    /** Tells why a payload can't be made here, or null. */
    public static function missing(): ?string
    {
        return \is_dir(Paths::root('node_modules/esbuild')) ? null : 'npm has not installed esbuild, which the payloads of js/bench need (make setup)';
    }

    /** Returns a payload as JSON. */
    public static function json(string $name): string
    {
        /** @var array<string, string> $said */
        static $said = [];
        $short = \substr($name, \strlen(self::JAVASCRIPT));

        return $said[$name] ??= (new Process(['node', Paths::lab('workers/node-payload.mjs'), $short]))->setTimeout(60)->mustRun()->getOutput();
    }
}
