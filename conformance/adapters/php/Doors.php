<?php

declare(strict_types=1);

namespace Polypack\Conformance;

use Polypack\BufferUnpacker;
use Polypack\Canonical;
use Polypack\Extension\Tarantool\Tarantool;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Options\BigInts;
use Polypack\Options\Mode;
use Polypack\Pecl\PeclReader;
use Polypack\Records\Dictionary;
use Polypack\Records\SharedRecords;
use Polypack\StreamUnpacker;
use Polypack\UnpackOptions;

/**
 * The ways into the library whose cost is measured: each reader, with each option that chooses other code.
 */
final class Doors
{
    /** Bytes of a chunk: many chunks for each message, and several values in a chunk. */
    private const CHUNK = 4000;

    /** What PHP gives a request unless told otherwise: strict mode must refuse or read 1 MB of anything within it. */
    private const MEMORY = 128 << 20;

    /** The names that units of shared records have (lib/cost-units.mjs). */
    private const SHAPES = [['999'], ['abc'], ['999', '2499'], ['abc', 'abcd']];

    /** @var array<string, array{records?: string, memory?: int, decode: \Closure(string): mixed}> by name */
    private readonly array $doors;

    private static ?self $all = null;

    public static function all(): self
    {
        return self::$all ??= new self();
    }

    private function __construct()
    {
        $doors = [];
        foreach (['' => Mode::Default, ' strict' => Mode::Strict, ' lossless' => Mode::Lossless] as $suffix => $mode) {
            $plain = UnpackOptions::of(mode: $mode);
            $records = UnpackOptions::of(mode: $mode, records: true);
            $shared = UnpackOptions::of(mode: $mode, records: new SharedRecords(new Dictionary(self::SHAPES)));
            $doors["unpack{$suffix}"] = ['decode' => self::unpacking($plain)];
            $doors["unpack maxValues{$suffix}"] = ['decode' => self::unpacking($plain, new Limits(maxValues: 1_000_000_000))];
            $doors["unpack records{$suffix}"] = ['records' => 'inline', 'decode' => self::unpacking($records)];
            $doors["unpack shared{$suffix}"] = ['records' => 'shared', 'decode' => self::unpacking($shared)];
            $doors["StreamUnpacker{$suffix}"] = ['decode' => self::streaming($plain)];
            $doors["StreamUnpacker records{$suffix}"] = ['records' => 'inline', 'decode' => self::streaming($records)];
            $doors["get{$suffix}"] = ['decode' => self::getting($plain)];
            $doors["get records{$suffix}"] = ['records' => 'inline', 'decode' => self::getting($records)];
            $doors["extensions{$suffix}"] = ['decode' => self::extended($plain)];
            $doors["tryUnpack{$suffix}"] = ['decode' => self::appending($plain)];
        }
        $doors['unpack strict']['memory'] = $doors['unpack records strict']['memory'] = self::MEMORY;
        $doors['unpack gmp'] = ['decode' => self::unpacking(UnpackOptions::of(bigInts: BigInts::Gmp))];
        $doors['unpack floats'] = ['decode' => self::unpacking(UnpackOptions::of(bigInts: BigInts::Float))];
        foreach (['' => false, ' records' => true] as $suffix => $records) {
            $canonical = new Canonical($records);
            $reads = $records ? ['records' => 'inline'] : [];
            $doors["canonicalize{$suffix}"] = $reads + ['decode' => $canonical->canonicalize(...)];
            $doors["departure{$suffix}"] = $reads + ['decode' => $canonical->departure(...)];
        }
        $doors['PeclReader'] = ['decode' => (new PeclReader())->read(...)];
        $this->doors = $doors;
    }

    /**
     * @return list<array{name: string, records?: string, memory?: int}> as the answer to `doors`
     */
    public function list(): array
    {
        $list = [];
        foreach ($this->doors as $name => $door) {
            unset($door['decode']);
            $list[] = ['name' => $name] + $door;
        }

        return $list;
    }

    /**
     * @return \Closure(string): mixed
     */
    public function open(string $name): \Closure
    {
        return $this->doors[$name]['decode'] ?? throw new Unsupported("door {$name}");
    }

    /**
     * @return \Closure(string): mixed
     */
    public static function unpacking(UnpackOptions $options, ?Limits $limits = null): \Closure
    {
        return static fn(string $bytes): mixed => MessagePack::unpack($bytes, $options, $limits);
    }

    /**
     * @return \Closure(string): mixed
     */
    private static function streaming(UnpackOptions $options): \Closure
    {
        return static function (string $bytes) use ($options): array {
            $unpacker = new StreamUnpacker($options);

            return \iterator_to_array($unpacker->decode(\str_split($bytes, self::CHUNK)), false);
        };
    }

    /**
     * Reads the last element; of a map, an entry that is not there, so that all of it is read.
     *
     * @return \Closure(string): mixed
     */
    private static function getting(UnpackOptions $options): \Closure
    {
        return static function (string $bytes) use ($options): mixed {
            $path = '/…';
            if ($bytes[0] === "\xdd") {
                $count = \unpack('N', $bytes, 1);
                \assert($count !== false && \is_int($count[1]));
                $path = '/' . ($count[1] - 1);
            }

            return MessagePack::get($bytes, $path, $options);
        };
    }

    /**
     * @return \Closure(string): mixed
     */
    private static function extended(UnpackOptions $options): \Closure
    {
        return static function (string $bytes) use ($options): mixed {
            return (new BufferUnpacker($bytes, $options, Tarantool::extensions()))->unpack();
        };
    }

    /**
     * @return \Closure(string): mixed
     */
    private static function appending(UnpackOptions $options): \Closure
    {
        return static function (string $bytes) use ($options): array {
            $unpacker = new BufferUnpacker('', $options);
            $messages = [];
            foreach (\str_split($bytes, self::CHUNK) as $chunk) {
                $messages[] = $unpacker->append($chunk)->tryUnpack();
            }

            return $messages;
        };
    }
}
