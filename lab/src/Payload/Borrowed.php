<?php

declare(strict_types=1);

namespace Polypack\Lab\Payload;

use Polypack\Lab\Paths;
use Symfony\Component\Process\Process;

/**
 * The payloads of the benches in other languages, which make them and say them as JSON: "js-ex1" is ex1 of js/bench,
 * "go-12Rows1000" is 12Rows1000 of go/bench.
 * Workers get just that text, since PHP knows no difference between an empty list and an empty map. Dates and bytes of
 * JavaScript have tags in it (workers/node-values.mjs).
 */
final class Borrowed
{
    public const JAVASCRIPT = 'js-', GO = 'go-';

    /** The streams of js/bench, and the shapes that it calls unfriendly. */
    public const STREAM = self::JAVASCRIPT . 'stream-', UNFRIENDLY = self::JAVASCRIPT . 'unfriendly-';

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
        'js-logs' => 'five hundred events with Dates, 128 KB',
        'js-blobs' => 'eight Uint8Arrays of 1 to 256 KiB with their names, 667 KB',
        'js-stream-large' => 'a stream of one value of 5 MB, a list of 73,000 rows, in chunks of 16 KiB',
        'js-stream-small' => 'a stream of two thousand rows of 70 bytes, in chunks of 16 KiB',
        'js-unfriendly-uniqueKeys' => 'two hundred objects whose names occur once',
        'js-unfriendly-bigDictionary' => 'one object of five thousand names',
        'js-unfriendly-intKeys' => 'a hundred objects whose names are numbers',
        'js-unfriendly-optionalFields' => 'three hundred objects, each with some of ten names',
        'js-unfriendly-unionTypes' => 'three hundred objects of eight kinds',
        'js-unfriendly-mixedArray' => 'two thousand numbers, texts, booleans and nulls, mixed',
        'js-unfriendly-longKeys' => 'a hundred objects whose names are long',
        'js-unfriendly-wideKeys' => 'a hundred objects with Japanese names',
        'js-unfriendly-smallInts' => 'twenty thousand ints from 0 to 127',
        'js-unfriendly-shortStrings' => 'two thousand words',
        'js-unfriendly-uuids' => 'five hundred UUIDs as text',
        'js-unfriendly-longAscii' => 'twenty texts of four hundred words',
        'js-unfriendly-deep' => 'twenty values of ninety containers in one another',
        'js-unfriendly-wide64' => 'fifty objects of 64 fields',
        'go-01Small' => 'a struct of two fields',
        'go-02Medium' => 'a struct of eight fields',
        'go-03Large' => 'a struct of 23 fields',
        'go-04SmallMap' => 'a map of two entries',
        'go-05MediumMap' => 'a map of eight entries',
        'go-06StringMap' => 'a map of four strings',
        'go-07Int64x1M' => 'a column of a million int64, the multiples of seven, 5 MB',
        'go-08Mixed64x1M' => 'a column of a million int64 of random width and sign, 5 MB',
        'go-09Uint16x1M' => 'a column of a million uint16, 3 MB',
        'go-10Float64x1M' => 'a column of a million float64, 9 MB',
        'go-11Stringx1M' => 'a column of a million texts of 4 to 22 bytes, 13 MB',
        'go-12Rows1000' => 'a thousand structs of ten fields, 169 KB',
        'go-13Config' => 'structs with pointers, maps, optional and embedded fields, a tree; 4 KB',
        'go-14Series' => 'a thousand timestamps with a number, 28 KB',
        'go-15Doc' => 'a document of maps, 5 KB',
        'go-16Maps500' => 'five hundred maps, 75 KB',
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
    public static function missing(string $name): ?string
    {
        if (\str_starts_with($name, self::GO)) {
            return \is_file(Paths::build('worker-go')) ? null : 'the worker of Go, which has the payloads of go/bench, is not built (make setup)';
        }

        return \is_dir(Paths::root('node_modules/esbuild')) ? null : 'npm has not installed esbuild, which the payloads of js/bench need (make setup)';
    }

    /** Returns a payload as JSON. */
    public static function json(string $name): string
    {
        /** @var array<string, string> $said */
        static $said = [];
        if (!isset($said[$name])) {
            $said += \str_starts_with($name, self::GO) ? [$name => self::printed(Paths::build('worker-go'), '--payload', \substr($name, 3))] : self::setOf($name);
        }

        return $said[$name];
    }

    /**
     * Makes a payload of js/bench with all others of its file, since compiling that takes longer than making them.
     *
     * @return array<string, string> by name
     */
    private static function setOf(string $name): array
    {
        [$prefix, $set] = match (true) {
            \str_starts_with($name, self::UNFRIENDLY) => [self::UNFRIENDLY, 'unfriendly'],
            \str_starts_with($name, self::STREAM) => [self::STREAM, 'streams'],
            default => [self::JAVASCRIPT, 'payloads'],
        };
        $payloads = [];
        foreach (\explode("\n", \rtrim(self::printed('node', Paths::lab('workers/node-payload.mjs'), $set))) as $line) {
            [$short, $json] = \explode(' ', $line, 2);
            $payloads[$prefix . $short] = $json;
        }

        return $payloads;
    }

    private static function printed(string ...$command): string
    {
        return (new Process(\array_values($command)))->setTimeout(60)->mustRun()->getOutput();
    }
}
