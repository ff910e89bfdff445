<?php

declare(strict_types=1);

/**
 * The relay's driver for PHP. The protocol is described in demo/lib/drivers.mjs: one JSON object per
 * line in each direction.
 *
 * Plan of the file: the loop · answers · trips.
 */

use Polypack\Canonical;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\MessagePack;
use Polypack\PackOptions;
use Polypack\UnpackOptions;

require __DIR__ . '/../../../php/vendor/autoload.php';

while (($line = fgets(STDIN)) !== false) {
    $request = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
    try {
        $answer = answer($request);
    } catch (Throwable $failure) {
        $answer = ['error' => describe($failure)];
    }
    fwrite(STDOUT, json_encode(['id' => $request['id']] + $answer, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
}

/**
 * @param array{op: string, in?: string, out?: string, repeat?: int, from?: string, through?: string} $request
 *
 * @return array<string, mixed>
 */
function answer(array $request): array
{
    switch ($request['op']) {
        case 'hello':
            return ['language' => 'PHP ' . PHP_VERSION];
        case 'relay':
            return relay(load($request['in']), $request['out'], $request['repeat']);
        case 'canonical':
            save($request['out'], (new Canonical())->canonicalize(load($request['in'])));

            return [];
        case 'trip':
            save($request['out'], trips(load($request['in']), $request['from'], $request['through']));

            return [];
        default:
            throw new DomainException("no such op: {$request['op']}");
    }
}

/**
 * @return array{code: ?string, path: ?string, message: string}
 */
function describe(Throwable $failure): array
{
    if ($failure instanceof UnpackingFailedException || $failure instanceof PackingFailedException) {
        return ['code' => $failure->errorCode->value, 'path' => $failure->path, 'message' => $failure->getMessage()];
    }

    return ['code' => null, 'path' => null, 'message' => get_class($failure) . ': ' . $failure->getMessage()];
}

/**
 * Decodes and encodes losslessly, several times; each step's time in milliseconds.
 *
 * @return array{decode: list<float>, encode: list<float>}
 */
function relay(string $bytes, string $out, int $repeat): array
{
    $times = ['decode' => [], 'encode' => []];
    $encoded = '';
    for ($i = 0; $i < $repeat; ++$i) {
        $start = hrtime(true);
        $value = MessagePack::unpack($bytes, UnpackOptions::LOSSLESS);
        $middle = hrtime(true);
        $encoded = MessagePack::pack($value, PackOptions::LOSSLESS);
        $end = hrtime(true);
        unset($value); // freed before the next repetition decodes, not while it does
        $times['decode'][] = ($middle - $start) / 1e6;
        $times['encode'][] = ($end - $middle) / 1e6;
    }
    save($out, $encoded);

    return $times;
}

/**
 * Takes every frame through the trip, and gives a result frame for each.
 */
function trips(string $frames, string $from, string $through): string
{
    $out = '';
    for ($offset = 0, $end = strlen($frames); $offset < $end; $offset += 4 + $length) {
        $length = unpack('N', $frames, $offset)[1];
        try {
            $result = trip(substr($frames, $offset + 4, $length), $from, $through);
            $out .= pack('CN', 0, strlen($result)) . $result;
        } catch (JsonException|UnpackingFailedException|PackingFailedException $refusal) {
            $words = $refusal->getMessage();
            $out .= pack('CN', 1, strlen($words)) . $words;
        }
    }

    return $out;
}

/**
 * What PHP programs do: JSON into arrays, MessagePack without options.
 */
function trip(string $bytes, string $from, string $through): string
{
    $value = $from === 'json' ? json_decode($bytes, true, flags: JSON_THROW_ON_ERROR) : MessagePack::unpack($bytes);

    return $through === 'json'
        ? json_encode(json_decode(json_encode($value, JSON_THROW_ON_ERROR), true, flags: JSON_THROW_ON_ERROR), JSON_THROW_ON_ERROR)
        : MessagePack::pack(MessagePack::unpack(MessagePack::pack($value)));
}

function load(string $file): string
{
    $bytes = file_get_contents($file);

    return $bytes === false ? throw new RuntimeException("cannot read {$file}") : $bytes;
}

function save(string $file, string $bytes): void
{
    if (file_put_contents($file, $bytes) !== strlen($bytes)) {
        throw new RuntimeException("cannot write {$file}");
    }
}
