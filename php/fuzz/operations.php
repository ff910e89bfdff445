<?php

declare(strict_types=1);

namespace Polypack\Fuzz;

use Polypack\BufferUnpacker;
use Polypack\Canonical;
use Polypack\Exception\PolypackException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Native\Engine;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Snapshot\Serializer;
use Polypack\StreamUnpacker;
use Polypack\Tests\Support\Counted;
use Polypack\Tests\Support\CountedExtension;
use Polypack\Tests\Support\RandomBytes;
use Polypack\Tests\Support\RandomValues;
use Polypack\Tests\Support\Snapshot\RandomGraphs;
use Polypack\UnpackOptions;

// Runs mixed operations, valid and faulty, in rounds that are all the same, and fails if a round leaves memory behind:
// by PHP's own count, which is exact, or in the process. For the PHP extension (make fuzz PART=ext), whose memory
// nobody else frees; it works with each engine.
//
// usage: php fuzz/operations.php [--operations NUMBER] [--seed NUMBER] [--time SECONDS]
//
// With --time it takes further seeds until the time is over.

require __DIR__ . '/../vendor/autoload.php';
require __DIR__ . '/_run.php';

final class Operations
{
    private const PACK_OPTIONS = [
        0, PackOptions::STRICT, PackOptions::LOSSLESS, PackOptions::RECORDS_INLINE, PackOptions::RECORDS_INLINE | PackOptions::STRICT,
        PackOptions::FORCE_BIN, PackOptions::FORCE_MAP, PackOptions::FORCE_FLOAT32,
    ];
    private const UNPACK_OPTIONS = [
        0, UnpackOptions::STRICT, UnpackOptions::LOSSLESS, UnpackOptions::RECORDS_INLINE, UnpackOptions::RECORDS_INLINE | UnpackOptions::STRICT,
        UnpackOptions::RECORDS_INLINE | UnpackOptions::LOSSLESS, UnpackOptions::BIGINT_AS_FLOAT, UnpackOptions::BIGINT_THROW,
    ];

    private readonly RandomBytes $bytes;
    private readonly RandomValues $values;
    private readonly RandomGraphs $graphs;
    private readonly bool $hasFunctions;

    public function __construct(int $seed)
    {
        $this->bytes = new RandomBytes($seed);
        $this->values = new RandomValues($seed);
        $this->graphs = new RandomGraphs($seed, false);
        $this->hasFunctions = \extension_loaded('polypack');
    }

    /** How many operations succeeded. */
    public int $done = 0;

    public function one(): void
    {
        try {
            match ($this->values->int(0, 11)) {
                0, 1 => $this->packAndUnpack(),
                2 => $this->unpack([]),
                3 => $this->unpack([new CountedExtension(static fn(BufferUnpacker $inside): mixed => $inside->unpack())]),
                4 => $this->unpack([new CountedExtension(static fn(): never => throw new \RuntimeException('no'))]),
                5 => $this->packWith(static fn(Packer $packer): string => $packer->pack([1, 'a' => [2]])),
                6 => $this->packWith(static fn(): never => throw new \RuntimeException('no')),
                7 => $this->stream(),
                8, 9 => $this->snapshot(),
                10 => $this->canonicalize(),
                default => $this->callFunctions(),
            };
            ++$this->done;
        } catch (PolypackException) {
            // what is faulty must leave no memory either
        }
    }

    private function packAndUnpack(): void
    {
        $at = $this->values->int(0, 4);
        $packed = MessagePack::pack([$this->values->next(), $this->values->next()], self::PACK_OPTIONS[$at]);
        MessagePack::unpack($packed, self::UNPACK_OPTIONS[$at]);
    }

    /**
     * @param list<CountedExtension> $extensions
     */
    private function unpack(array $extensions): void
    {
        $limits = new Limits($this->values->int(0, 3) > 0 ? 512 : $this->values->int(0, 4), $this->values->int(0, 3) > 0 ? null : $this->values->int(1, 12));
        $unpacker = new BufferUnpacker($this->bytes->next() . "\x91\xd4\x05\x01", self::UNPACK_OPTIONS[$this->values->int(0, 7)], $extensions, $limits);
        while ($unpacker->getRemainingCount() > 0) {
            $unpacker->unpack();
        }
    }

    /**
     * @param \Closure(Packer): string $pack
     */
    private function packWith(\Closure $pack): void
    {
        (new Packer(self::PACK_OPTIONS[$this->values->int(0, 7)]))->pack(['k' => $this->values->next(), 'o' => [new Counted($pack)], 'v' => $this->values->next()]);
    }

    private function stream(): void
    {
        foreach ((new StreamUnpacker())->decode($this->bytes->chunks($this->bytes->next())) as $value) {
            MessagePack::pack($value);
        }
    }

    private function snapshot(): void
    {
        $graph = $this->graphs->next();
        $bytes = Serializer::serialize($graph, $this->values->int(0, 3) > 0 ? [] : ['max_elements' => 50, 'floats' => 'decimal']);
        Serializer::unserialize($bytes);
        Serializer::unserialize($this->graphs->changed($bytes), ['max_elements' => 5000]);
    }

    private function canonicalize(): void
    {
        $canonical = new Canonical($this->values->int(0, 1) === 1);
        $canonical->departure($canonical->pack($this->values->next()));
        $canonical->canonicalize($this->bytes->next());
    }

    private function callFunctions(): void
    {
        if ($this->hasFunctions) {
            $packed = \polypack_pack([$this->values->next()], self::PACK_OPTIONS[$this->values->int(0, 7)]);
            \polypack_unpack($packed, self::UNPACK_OPTIONS[$this->values->int(0, 7)]);
        }
    }
}

/**
 * Kilobytes that the process has in memory, 0 where that can't be read.
 */
function resident(): int
{
    return \preg_match('/^VmRSS:\s+(\d+)/m', (string) @\file_get_contents('/proc/self/status'), $found) === 1 ? (int) $found[1] : 0;
}

const ROUNDS = 10;
$run = new Run(
    'php fuzz/operations.php [--operations NUMBER] [--seed NUMBER] [--time SECONDS]',
    ['operations' => ['20000', '/^[1-9]\d{3,}$/D'], 'time' => ['0', '/^\d+$/D']],
);
Run::raiseWarnings();
Engine::isActive(); // fails without the engine that POLYPACK_ENGINE names
$seed = $run->seed;
do {
    $memory = $resident = [];
    for ($round = 0; $round < ROUNDS; ++$round) {
        $operations = new Operations($seed);
        $count = \intdiv((int) $run->options['operations'], ROUNDS);
        for ($i = 0; $i < $count; ++$i) {
            $operations->one();
        }
        if (8 * $operations->done < $count) {
            throw new \LogicException("only {$operations->done} of {$count} operations succeed");
        }
        unset($operations);
        \gc_collect_cycles();
        $memory[] = \memory_get_usage();
        $resident[] = resident();
    }
    // The first rounds fill caches, which are bounded.
    $grown = $memory[ROUNDS - 1] - $memory[2];
    $swollen = $resident[ROUNDS - 1] - $resident[2];
    if ($grown > 2_000 || $swollen > 4_000) {
        echo "seed {$seed}: {$grown} bytes of PHP's memory and {$swollen} KB of the process stay after ", \implode(', ', $memory), "\n";
        exit(1);
    }
    echo "seed {$seed}: ", ROUNDS, " rounds, {$grown} bytes more\n";
    ++$seed;
} while ($run->goesOn());
