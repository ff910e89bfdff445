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
        'js' => ['JSON' => 'json-js', '@msgpack/msgpack' => 'msgpack-msgpack'],
    ];

    private const OPERATIONS = ['encode' => 'serialize', 'decode' => 'deserialize'];

    private const OPERATIONS_OF_JAVASCRIPT = ['pack' => 'serialize', 'unpack' => 'deserialize'];

    /**
     * By the contestant that is ours: the language of the bench, what the lab puts in front of the names of its
     * payloads, what the bench calls the operations, and what the lab puts after the names of the peers.
     */
    private const OURS = [
        'polypack-snapshot' => ['php', Bench::SHAPE, self::OPERATIONS, ''],
        'polypack-snapshot-c' => ['php', Bench::SHAPE, self::OPERATIONS, ''],
        'polypack-static' => ['php', '', self::OPERATIONS, '-static'],
        'polypack-stream' => ['php', '', self::OPERATIONS, '-stream'],
        'polypack-js' => ['js', Borrowed::JAVASCRIPT, self::OPERATIONS_OF_JAVASCRIPT, ''],
        'polypack-js-records' => ['js', Borrowed::JAVASCRIPT, ['pack-records' => 'serialize', 'unpack-records' => 'deserialize'], '-records'],
        'polypack-js-shared-records' => ['js', Borrowed::JAVASCRIPT, ['pack-shared' => 'serialize', 'unpack-shared' => 'deserialize'], '-shared-records'],
        'polypack-js-node-stream' => ['js', Borrowed::JAVASCRIPT . 'stream-', ['stream-write' => 'serialize', 'stream' => 'deserialize'], '-node-stream'],
        'polypack-js-sequential-node-stream' => ['js', Borrowed::JAVASCRIPT . 'stream-', ['stream-write-sequential' => 'serialize', 'stream-sequential' => 'deserialize'], '-node-stream'],
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
     *
     * @return non-empty-list<array{string, string, string, Ratio, array{median: float, low: float, high: float}, bool}>
     *   payload, operation, peer, the bench's, the lab's, and whether they agree
     */
    public static function pairs(array $ratios, string $mode, Result $result, float $tolerance): array
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
        $pairs = [];
        foreach ($ratios as $ratio) {
            $isStatic = $ratio['workload'] === self::STATIC || \str_starts_with($ratio['workload'], 'small-');
            if (($ratio['mode'] ?? $mode) !== $mode || $isStatic !== ($ours === 'polypack-static')) {
                continue;
            }
            $scenario = match (true) {
                $ratio['workload'] === self::STATIC => 'event',
                \str_starts_with($ratio['workload'], Values::PREFIX_OF_BENCH) => Values::named(\substr($ratio['workload'], \strlen(Values::PREFIX_OF_BENCH))),
                default => $prefix . $ratio['workload'],
            };
            $peer = self::PEERS[$language][$ratio['against']] ?? $ratio['against'];
            if (!$isStatic || $ratio['against'] === 'rybakit') { // the others have no contestant of their own
                $peer .= $suffix;
            }
            $row = $rows["{$scenario}/" . ($operations[$ratio['operation']] ?? '') . "/{$peer}"] ?? null;
            if (isset($row['ratio']) && $ratio['verified']) {
                $agrees = $row['ratio']['low'] <= $ratio['high'] * $tolerance && $ratio['low'] <= $row['ratio']['high'] * $tolerance;
                $pairs[] = [$ratio['workload'], $ratio['operation'], $peer, $ratio, $row['ratio'], $agrees];
            }
        }

        return $pairs === [] ? throw new Refusal("the bench, in mode {$mode}, and the run have no payload and peer in common") : $pairs;
    }
}
