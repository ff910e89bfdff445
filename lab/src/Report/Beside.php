<?php

declare(strict_types=1);

namespace Polypack\Lab\Report;

use Polypack\Lab\Payload\Bench;
use Polypack\Lab\Payload\Borrowed;
use Polypack\Lab\Payload\Values;
use Polypack\Lab\Refusal;

/**
 * The ratios of a bench (php/bench/compare.php, snapshot.php, make bench-js, bench-go) beside those of the lab: how
 * many times as long a peer takes as ours, for the same payload.
 *
 * They agree if their intervals, widened by a tolerance, have a number in common. The bench's is from the lowest to the
 * highest process, the lab's holds 95 % of the bootstrap.
 *
 * @phpstan-import-type Ratio from Ratios
 * @phpstan-import-type Row from Result
 */
final class Beside
{
    /** What the benches call differently: their peers, and a workload that is the event by static functions. */
    private const PEERS = [
        'php' => ['json' => 'json-encode', 'pecl' => 'msgpack-pecl', 'msgpack' => 'msgpack-pecl', 'rybakit' => 'rybakit-msgpack'],
        'go' => ['json' => 'encoding-json', 'gob' => 'encoding-gob', 'vmihailenco' => 'vmihailenco-msgpack', 'msgp' => '–'],
        // The bench of Go compares msgp, and nobody else that the lab has, with a Codec made beforehand.
        'go-codec' => ['json' => '–', 'gob' => '–', 'vmihailenco' => '–'],
        'go-generated' => ['json' => 'encoding-json', 'gob' => 'encoding-gob', 'vmihailenco' => 'vmihailenco-msgpack'],
        'js' => [
            'JSON' => 'json-js', '@msgpack/msgpack' => 'msgpack-msgpack', 'polypack' => 'polypack-js',
            'msgpackr-noaddon' => 'msgpackr-no-addon', 'msgpackr-noeval' => 'msgpackr-no-eval',
        ],
        // @msgpack/msgpack looks for no Buffer anywhere.
        'js-browser' => ['JSON' => 'json-js-browser', '@msgpack/msgpack' => 'msgpack-msgpack', 'msgpackr' => 'msgpackr-browser'],
        'js-chromium' => [
            'JSON' => 'json-js-chromium', '@msgpack/msgpack' => 'msgpack-msgpack-chromium',
            'msgpackr' => 'msgpackr-chromium', 'msgpackr-bundled' => 'msgpackr-bundled-chromium', 'msgpackr-noeval' => 'msgpackr-chromium-no-eval',
        ],
    ];

    private const OPERATIONS = ['encode' => 'serialize', 'decode' => 'deserialize'];

    /** What js/bench calls memory, and puts after the names of payloads there. */
    private const MEMORY = 'memory', KEPT = ': result kept';

    private const OPERATIONS_OF_JAVASCRIPT = [
        'pack' => 'serialize', 'unpack' => 'deserialize',
        'pack-unfriendly' => 'serialize', 'unpack-unfriendly' => 'deserialize', self::MEMORY => 'deserialize',
    ];

    /** What stands in front of the names of payloads that only these operations of a bench have. */
    private const PREFIXES = ['pack-unfriendly' => Borrowed::UNFRIENDLY, 'unpack-unfriendly' => Borrowed::UNFRIENDLY];

    /**
     * By the contestant that is ours: the language of the bench, what the lab puts in front of the names of its
     * payloads, what the bench calls the operations, and what the lab puts after the names of the peers.
     */
    private const OURS = [
        'polypack-snapshot' => ['php', Bench::SHAPE, self::OPERATIONS, ''],
        'polypack-snapshot-c' => ['php', Bench::SHAPE, self::OPERATIONS, ''],
        'polypack-static' => ['php', '', self::OPERATIONS, '-static'],
        'polypack-stream' => ['php', '', self::OPERATIONS, '-stream'],
        'polypack-own-objects' => ['php', '', self::OPERATIONS, '-own-objects'],
        'polypack-js' => ['js', Borrowed::JAVASCRIPT, self::OPERATIONS_OF_JAVASCRIPT, ''],
        'polypack-js-compact' => ['js', Borrowed::JAVASCRIPT, ['pack-compact' => 'serialize', 'unpack-compact' => 'deserialize'], ''],
        'polypack-js-no-eval' => ['js', Borrowed::JAVASCRIPT, ['pack-noeval' => 'serialize', 'unpack-noeval' => 'deserialize'], ''],
        'polypack-js-browser' => ['js-browser', Borrowed::JAVASCRIPT, ['pack-browser' => 'serialize', 'unpack-browser' => 'deserialize'], ''],
        'polypack-js-chromium' => ['js-chromium', Borrowed::JAVASCRIPT, ['pack-chromium' => 'serialize', 'unpack-chromium' => 'deserialize'], ''],
        'polypack-js-chromium-no-eval' => ['js-chromium', Borrowed::JAVASCRIPT, ['pack-chromium-noeval' => 'serialize', 'unpack-chromium-noeval' => 'deserialize'], ''],
        'polypack-js-records' => ['js', Borrowed::JAVASCRIPT, ['pack-records' => 'serialize', 'unpack-records' => 'deserialize'], '-records'],
        'polypack-js-shared-records' => ['js', Borrowed::JAVASCRIPT, ['pack-shared' => 'serialize', 'unpack-shared' => 'deserialize'], '-shared-records'],
        'polypack-js-node-stream' => ['js', Borrowed::STREAM, ['stream-write' => 'serialize', 'stream' => 'deserialize'], '-node-stream'],
        'polypack-js-sequential-node-stream' => ['js', Borrowed::STREAM, ['stream-write-sequential' => 'serialize', 'stream-sequential' => 'deserialize'], '-node-stream'],
        'polypack-go' => ['go', Borrowed::GO, self::OPERATIONS, ''],
        'polypack-go-codec' => ['go-codec', Borrowed::GO, self::OPERATIONS, ''],
        'polypack-go-append' => ['go', Borrowed::GO, ['encode-append' => 'serialize'], '-append'],
        'polypack-go-codec-append' => ['go-codec', Borrowed::GO, ['encode-append' => 'serialize'], '-append'],
        'polypack-go-generated' => ['go-generated', Borrowed::GO, ['encode-gen' => 'serialize', 'decode-gen' => 'deserialize'], ''],
        'polypack-go-generated-append' => ['go-generated', Borrowed::GO, ['encode-append-gen' => 'serialize'], '-append'],
    ];

    private const STATIC = 'event-static';

    /**
     * @param list<Ratio> $ratios
     * @param string|null $mode   that of the run if null
     *
     * @return non-empty-list<array{string, string, string, Ratio, array{median: float, low: float, high: float}, bool}>
     *   payload, operation, peer, the bench's, the lab's, and whether they agree
     */
    public static function pairs(array $ratios, ?string $mode, Result $result, float $tolerance): array
    {
        $ours = \is_string($result->document['baseline']) ? $result->document['baseline'] : '';
        if (!\str_starts_with($ours, 'polypack')) {
            throw new Refusal('the bench compares with ours, so the lab has to, too: lab run --baseline polypack');
        }
        $rows = [];
        foreach ($result->rows() as $row) {
            $rows["{$row['scenario']}/{$row['operation']}/{$row['contestant']}"] = $row;
        }
        [$language, $prefix, $operations, $suffix] = self::OURS[$ours] ?? ['php', '', self::OPERATIONS, ''];
        $php = $result->php();
        // A row of the bench of snapshots has the provenance of strings as its mode.
        $mode ??= $prefix === Bench::SHAPE ? $php->provenance : $php->mode;
        $pairs = [];
        foreach ($ratios as $ratio) {
            $isStatic = $ratio['workload'] === self::STATIC || \str_starts_with($ratio['workload'], 'small-');
            $isOther = ($ratio['mode'] ?? $mode) !== $mode || ($ratio['provenance'] ?? $php->provenance) !== $php->provenance;
            if ($isOther || $isStatic !== ($ours === 'polypack-static')) {
                continue;
            }
            $isKept = $ratio['operation'] === self::MEMORY;
            $scenario = match (true) {
                $isKept => $prefix . \str_replace(self::KEPT, '', $ratio['workload']),
                $ratio['workload'] === self::STATIC => 'event',
                \str_starts_with($ratio['workload'], Values::PREFIX_OF_BENCH) => Values::named(\substr($ratio['workload'], \strlen(Values::PREFIX_OF_BENCH))),
                default => (self::PREFIXES[$ratio['operation']] ?? $prefix) . $ratio['workload'],
            };
            $peer = self::PEERS[$language][$ratio['against']] ?? $ratio['against'];
            if (!$isStatic || $ratio['against'] === 'rybakit') { // the others have no contestant of their own
                $peer .= $suffix;
            }
            $column = "{$scenario}/" . ($operations[$ratio['operation']] ?? '');
            $row = $rows["{$column}/{$peer}"] ?? null;
            $found = $isKept ? self::ratioOfKept($row, $rows["{$column}/{$ours}"] ?? null) : $row['ratio'] ?? null;
            // The bench packs these as str, and decodes bin.
            $isUnlike = \in_array($scenario, Values::BIN, true) && $ratio['operation'] === 'encode';
            if ($found !== null && $ratio['verified'] && !$isUnlike) {
                $agrees = $found['low'] <= $ratio['high'] * $tolerance && $ratio['low'] <= $found['high'] * $tolerance;
                $pairs[] = [$ratio['workload'], $ratio['operation'], $peer, $ratio, $found, $agrees];
            }
        }

        return $pairs === [] ? throw new Refusal("the bench, in mode {$mode}, and the run, with provenance {$php->provenance}, have no payload and peer in common") : $pairs;
    }

    /**
     * Memory doesn't vary as time does, so its ratio is its own interval.
     *
     * @param Row|null $of
     * @param Row|null $to
     *
     * @return array{median: float, low: float, high: float}|null
     */
    private static function ratioOfKept(?array $of, ?array $to): ?array
    {
        if (!isset($of['kept'], $to['kept']) || $to['kept'] <= 0) {
            return null;
        }
        $ratio = $of['kept'] / $to['kept'];

        return ['median' => $ratio, 'low' => $ratio, 'high' => $ratio];
    }
}
