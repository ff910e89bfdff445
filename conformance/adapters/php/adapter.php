<?php

declare(strict_types=1);

namespace Polypack\Conformance;

use Polypack\Canonical;
use Polypack\Engine;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\SnapshotFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Options\Mode;
use Polypack\PackOptions;
use Polypack\Records\Dictionary;
use Polypack\Records\SharedRecords;
use Polypack\Snapshot\KeyRing;
use Polypack\StreamUnpacker;
use Polypack\Tests\Support\WarmMemory;
use Polypack\UnpackOptions;

// Answers the judge for PHP (conformance/README.md): one JSON object per line, in order, until the input ends.

require_once __DIR__ . '/../../../php/vendor/autoload.php';
require_once __DIR__ . '/TaggedValue.php';
require_once __DIR__ . '/DescribedValue.php';
require_once __DIR__ . '/Doors.php';
require_once __DIR__ . '/Measurement.php';

\ini_set('memory_limit', Measurement::MEMORY_LIMIT);
if (!\filter_var(\ini_get('opcache.enable_cli'), \FILTER_VALIDATE_BOOL)) {
    WarmMemory::keep(); // not where costs are measured, which is always with opcache
}

const VERSION = '0.1.0';
const OPS = ['hello', 'decode', 'encode', 'transcode', 'canonical', 'isCanonical', 'stream', 'unserialize', 'unserializeSigned', 'reserialize', 'measure', 'doors'];
const MODES = ['default' => Mode::Default, 'strict' => Mode::Strict, 'lossless' => Mode::Lossless];

/** A request that this adapter cannot serve. */
final class Unsupported extends \RuntimeException {}

/** The fields of one request, checked as they are read. */
final class Request
{
    public readonly bool|SharedRecords $records;
    public readonly Limits $limits;

    public function __construct(private readonly \stdClass $fields)
    {
        $records = isset($fields->records) ? $this->text('records') : 'off';
        $this->records = match ($records) {
            'off' => false,
            'inline' => true,
            'shared' => $this->shared(),
            default => throw new Unsupported("records {$records}"),
        };
        if (isset($fields->clone)) {
            throw new Unsupported('clone');
        }

        $limits = $fields->limits ?? new \stdClass();
        \assert($limits instanceof \stdClass);
        $default = new Limits();
        $this->limits = new Limits(
            self::limit($limits, 'maxDepth') ?? $default->maxDepth,
            self::limit($limits, 'maxValues'),
            self::limit($limits, 'maxBytes') ?? $default->maxBytes,
        );
    }

    public function text(string $field): string
    {
        $text = $this->fields->{$field} ?? '';
        \assert(\is_string($text));

        return $text;
    }

    public function bytes(): string
    {
        return (string) \hex2bin($this->text('bytes'));
    }

    /**
     * @return list<string>
     */
    public function chunks(): array
    {
        $chunks = $this->fields->chunks ?? [];
        \assert(\is_array($chunks));
        $bytes = [];
        foreach ($chunks as $chunk) {
            \assert(\is_string($chunk));
            $bytes[] = (string) \hex2bin($chunk);
        }

        return $bytes;
    }

    public function number(string $field): ?int
    {
        $number = $this->fields->{$field} ?? null;
        \assert($number === null || (\is_int($number) && $number >= 0));

        return $number;
    }

    public function value(): mixed
    {
        \assert(isset($this->fields->value));

        return TaggedValue::read($this->fields->value);
    }

    public function unpackOptions(): UnpackOptions
    {
        return UnpackOptions::of(mode: $this->mode(), records: $this->records);
    }

    public function packOptions(): PackOptions
    {
        return PackOptions::of(mode: $this->mode(), records: $this->records);
    }

    public function canonical(): Canonical
    {
        $shared = $this->records instanceof SharedRecords ? $this->records : null;

        return new Canonical($this->records === true, $this->limits, $shared, isset($this->fields->integralFloatsAsInts));
    }

    /**
     * @return array<string, mixed> as the functions of snapshots have them
     */
    public function snapshotOptions(): array
    {
        $options = $this->fields->options ?? new \stdClass();
        \assert($options instanceof \stdClass);

        return (array) $options; // @phpstan-ignore return.type (the names of a JSON object)
    }

    /**
     * @return array<array-key, string>
     */
    public function keys(): array
    {
        $keys = $this->fields->keys ?? new \stdClass();
        \assert($keys instanceof \stdClass);

        return \array_map(static fn(mixed $key): string => (string) \hex2bin(\is_string($key) ? $key : ''), (array) $keys);
    }

    private function mode(): Mode
    {
        $mode = isset($this->fields->mode) ? $this->text('mode') : 'default';

        return MODES[$mode] ?? throw new Unsupported("mode {$mode}");
    }

    /**
     * A dictionary that doesn't grow.
     */
    private function shared(): SharedRecords
    {
        $shapes = $this->fields->dictionary ?? null;
        \assert(\is_array($shapes));

        // @phpstan-ignore argument.type (the dictionary checks each shape)
        return new SharedRecords(new Dictionary($shapes), fingerprint: ($this->fields->header ?? false) === true);
    }

    private static function limit(\stdClass $limits, string $name): ?int
    {
        $limit = $limits->{$name} ?? null;
        \assert($limit === null || \is_int($limit));

        return $limit;
    }
}

/**
 * @return array<string, mixed> the answer without its id
 */
function answer(\stdClass $fields): array
{
    try {
        $request = new Request($fields);
        $op = $request->text('op');

        return match ($op) {
            'hello' => ['name' => Engine::active()['engine'] === 'ext' ? 'php-ext' : 'php', 'version' => VERSION, 'ops' => OPS, 'modes' => \array_keys(MODES)],
            'decode' => ['value' => TaggedValue::write(decode($request))],
            'encode' => ['bytes' => \bin2hex(MessagePack::pack($request->value(), $request->packOptions(), $request->limits))],
            'transcode' => ['bytes' => \bin2hex(MessagePack::pack(decode($request), $request->packOptions(), $request->limits))],
            'canonical' => ['bytes' => \bin2hex($request->canonical()->canonicalize($request->bytes()))],
            'isCanonical' => ['departure' => $request->canonical()->departure($request->bytes())],
            'stream' => stream($request),
            'unserialize' => ['value' => DescribedValue::of(unserialized($request))],
            'unserializeSigned' => ['value' => DescribedValue::of(unserializedSigned($request))],
            'reserialize' => ['bytes' => \bin2hex(\polypack_serialize(unserialized($request), $request->snapshotOptions()))],
            'measure' => measure($request),
            'doors' => ['doors' => Doors::all()->list()],
            default => throw new Unsupported("op {$op}"),
        };
    } catch (PackingFailedException|SnapshotFailedException|UnpackingFailedException $error) {
        return ['error' => fault($error)];
    } catch (Unsupported $reason) {
        return ['unsupported' => $reason->getMessage()];
    }
}

function decode(Request $request): mixed
{
    return MessagePack::unpack($request->bytes(), $request->unpackOptions(), $request->limits);
}

/**
 * @return array<string, mixed>
 */
function stream(Request $request): array
{
    $unpacker = new StreamUnpacker($request->unpackOptions(), [], $request->limits);
    $values = [];
    $error = null;
    try {
        foreach ($unpacker->decode($request->chunks()) as $value) {
            $values[] = TaggedValue::write($value);
        }
    } catch (UnpackingFailedException $fault) {
        $error = fault($fault);
    }

    return ['values' => $values, 'error' => $error];
}

/**
 * Reads a snapshot as data.
 */
function unserialized(Request $request): mixed
{
    $options = \array_intersect_key($request->snapshotOptions(), ['version' => 1, 'max_depth' => 1, 'max_elements' => 1]);

    return \polypack_unserialize($request->bytes(), $options + ['allowed_classes' => false]);
}

function unserializedSigned(Request $request): mixed
{
    $keys = $request->keys();
    $options = ['purpose' => $request->text('purpose'), 'frame' => $request->text('frame'), 'allowed_classes' => false];

    return \polypack_unserialize_signed($request->bytes(), $keys[''] ?? new KeyRing($keys), $options);
}

/**
 * @return array<string, mixed>
 */
function measure(Request $request): array
{
    $decode = $request->text('door') === ''
        ? Doors::unpacking($request->unpackOptions(), $request->limits)
        : Doors::all()->open($request->text('door'));

    $cost = Measurement::of($decode, $request->bytes(), $request->number('rounds') ?? 1, $request->number('memory'));

    return ['error' => $cost['error'] === null ? null : fault($cost['error'])] + $cost;
}

/**
 * @return array{code: string, offset: ?int, path: string}
 */
function fault(PackingFailedException|SnapshotFailedException|UnpackingFailedException $error): array
{
    return ['code' => $error->errorCode->value, 'offset' => $error->offset, 'path' => $error->path];
}

/**
 * Returns the next line of the input, or null at its end. fgets() may return a part of a line, or false before the end:
 * PHP repeats an interrupted read once only.
 */
function nextLine(): ?string
{
    $line = '';
    while (!\str_ends_with($line, "\n")) {
        $part = \fgets(\STDIN);
        if ($part !== false) {
            $line .= $part;
        } elseif (\feof(\STDIN)) {
            return $line === '' ? null : $line;
        } else {
            [$read, $write, $except] = [[\STDIN], null, null];
            @\stream_select($read, $write, $except, null); // fails when it is interrupted, too
        }
    }

    return $line;
}

// PHP ends with status 0 and without a word when it can't write.
\register_shutdown_function(static function (): void {
    if (\connection_aborted() !== 0) {
        \fwrite(\STDERR, 'an answer cannot be written');
    }
});
$lines = '';
while (($line = nextLine()) !== null) {
    // Depth: a value takes two levels of JSON, a map three.
    $fields = \json_decode($line, false, 100_000, \JSON_THROW_ON_ERROR);
    \assert($fields instanceof \stdClass);
    $answer = ['id' => $fields->id ?? null] + answer($fields);
    $lines .= \json_encode($answer, \JSON_THROW_ON_ERROR | \JSON_UNESCAPED_UNICODE | \JSON_UNESCAPED_SLASHES, 100_000) . "\n";
    // Answers to what has arrived together are written together.
    if (\strlen($lines) < 65_536 && \stream_get_meta_data(\STDIN)['unread_bytes'] > 0) {
        continue;
    }
    echo $lines;
    $lines = '';
}
echo $lines;
$failure = \error_get_last()['message'] ?? '';
if (\str_starts_with($failure, 'fgets()')) {
    \fwrite(\STDERR, "the next request cannot be read: {$failure}");
    exit(1);
}
