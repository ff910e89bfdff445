<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Chunks;
use Polypack\Lab\Payload\Scenario;

/** A stream as lines of JSON, by json_encode() and json_decode(): a floor. */
#[About(
    name: 'NDJSON (PHP)',
    format: 'ndjson',
    scenarios: Scenario::STREAMS,
    kind: About::FLOOR,
    note: 'a line of JSON for each message; objects are mapped by code written by hand',
)]
final class JsonLines implements Contestant
{
    public function __construct(private readonly Scenario $scenario, string $cache) {}

    public function serialize(array $values): string
    {
        $bytes = '';
        foreach ($this->scenario->toPlain($values) as $message) {
            $bytes .= \json_encode($message, Scenario::JSON) . "\n";
        }

        return $bytes;
    }

    public function deserialize(string $bytes): array
    {
        $messages = [];
        $rest = '';
        foreach (Chunks::of($bytes, $this->scenario) as $chunk) {
            $rest .= $chunk;
            if (!\str_contains($chunk, "\n")) {
                continue;
            }
            $lines = \explode("\n", $rest);
            $rest = \array_pop($lines);
            foreach ($lines as $line) {
                $messages[] = \json_decode($line, true, 512, \JSON_THROW_ON_ERROR);
            }
        }

        return $this->scenario->fromPlain($messages);
    }
}
