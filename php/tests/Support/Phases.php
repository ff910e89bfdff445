<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\Bench\Payloads;
use Polypack\BufferUnpacker;
use Polypack\Exception\InsufficientDataException;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\UnpackOptions;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

require_once __DIR__ . '/../../bench/_payloads.php';

/**
 * Packs and unpacks many different payloads in phases, and looks at every single result.
 *
 * A tracing JIT compiles what a loop has just been doing and then guesses that it goes on like that. Where it compiles
 * wrongly, the result is wrong only after certain phases, so their order and length are random; a seed repeats
 * them. What is right was computed by the slow references, which nothing else in the process has to share with the
 * codec.
 */
final class Phases
{
    /** Calls in a phase: below, around and well above what makes a loop or function hot. */
    private const CALLS = [1, 5, 40, 70, 140, 300];

    /** A phase ends here at the latest, so that big payloads take no more than their share. */
    private const MAX_PHASE_NS = 40_000_000;

    private readonly Randomizer $random;
    private readonly RandomValues $values;
    private readonly RandomBytes $bytes;
    /** @var list<array{string, \Closure(): ?string}> name, and a call that returns what is wrong */
    private array $jobs = [];
    /** @var list<string> the phases so far */
    private array $done = [];

    public function __construct(public readonly int $seed)
    {
        $this->random = new Randomizer(new Xoshiro256StarStar($seed));
        $this->values = new RandomValues($seed);
        $this->bytes = new RandomBytes($seed);
        foreach (self::payloads() as $name => $value) {
            foreach (['default' => 0, 'strict' => PackOptions::STRICT, 'lossless' => PackOptions::LOSSLESS] as $mode => $options) {
                if ($mode === 'default' || $name !== 'blobs100x1k') { // strict modes refuse what is not UTF-8
                    $this->addJobs("{$name}, {$mode}", $mode, $options, $value);
                }
            }
            $records = new Packer(PackOptions::RECORDS_INLINE);
            $packed = (new ReferencePacker(PackOptions::RECORDS_INLINE, 512))->pack($value);
            $this->jobs[] = ["pack {$name} as records", static fn(): ?string => $records->pack($value) === $packed ? null : "pack {$name} as records gave other bytes"];
            $right = (new ReferenceDecoder('default', true))->decode($packed);
            $reader = new BufferUnpacker('', UnpackOptions::RECORDS_INLINE);
            $this->jobs[] = ["unpack {$name} from records", static function () use ($reader, $packed, $right, $name): ?string {
                $reader->reset($packed);

                return Payloads::same($reader->unpack(), $right) ? null : "unpack {$name} from records gave another value";
            }];
        }
        $this->addScalars();
        $this->addObjects();
        $differential = new PackingDifferential();
        $combinations = PackingDifferential::options();
        $this->jobs[] = ['random values', fn(): ?string => $differential->compare($this->values->next(), $combinations[$this->random->getInt(0, \count($combinations) - 1)])];
        $this->jobs[] = ['random bytes', fn(): ?string => Differential::compare($this->bytes->next(), $this->bytes)[0] ?? null];
    }

    /**
     * Runs so many phases and returns what was wrong, with the phases that led there, null for nothing.
     */
    public function run(int $phases): ?string
    {
        for ($phase = 0; $phase < $phases; ++$phase) {
            [$name, $call] = $this->jobs[$this->random->getInt(0, \count($this->jobs) - 1)];
            $calls = self::CALLS[$this->random->getInt(0, \count(self::CALLS) - 1)];
            $end = \hrtime(true) + self::MAX_PHASE_NS;
            $done = 0;
            do {
                try {
                    $wrong = $call();
                } catch (\Throwable $error) {
                    $wrong = "{$name} raised {$error}";
                }
                ++$done;
            } while ($wrong === null && $done < $calls && \hrtime(true) < $end);
            $this->done[] = "{$done} × {$name}";
            if ($wrong !== null) {
                return "seed {$this->seed}: {$wrong}, after " . \implode('; ', $this->done);
            }
        }

        return null;
    }

    /**
     * The bench's payloads, cut so that looking at the results costs about as much as the work.
     *
     * @return array<string, mixed>
     */
    private static function payloads(): array
    {
        $payloads = [];
        foreach (Payloads::all() as $name => $value) {
            \assert(\is_array($value));
            $payloads[$name] = match ($name) {
                'api1000' => \array_slice($value, 0, 40),
                'texts300', 'blobs100x1k', 'matrix100x100f' => \array_slice($value, 0, 20),
                default => \array_slice($value, 0, 600, true),
            };
        }
        $payloads['config'] = \array_slice($payloads['config'], 1, null, true);
        $payloads['uint 16'] = \array_map(static fn(int $i): int => $i % 97 === 96 ? $i : 0x100 + $i * 0x61 % 0xff00, \range(1, 600));

        return $payloads;
    }

    /**
     * Adds packing, unpacking, unpacking in chunks and unpacking without the end.
     */
    private function addJobs(string $name, string $mode, int $options, mixed $value): void
    {
        $packed = (new ReferencePacker($options, 512))->pack($value);
        $packer = new Packer($options);
        $this->jobs[] = ["pack {$name}", static fn(): ?string => $packer->pack($value) === $packed ? null : "pack {$name} gave other bytes"];

        $right = (new ReferenceDecoder($mode))->decode($packed);
        $unpacker = new BufferUnpacker('', match ($mode) {
            'strict' => UnpackOptions::STRICT,
            'lossless' => UnpackOptions::LOSSLESS,
            default => null,
        });
        $this->jobs[] = ["unpack {$name}", static function () use ($unpacker, $packed, $right, $name): ?string {
            $unpacker->reset($packed);

            return Payloads::same($unpacker->unpack(), $right) ? null : "unpack {$name} gave another value";
        }];
        $this->jobs[] = ["unpack {$name} in chunks", function () use ($unpacker, $packed, $right, $name): ?string {
            $unpacker->reset('');
            $messages = [];
            foreach (\str_split($packed, \max(1, $this->random->getInt(1, \strlen($packed)))) as $chunk) {
                $unpacker->append($chunk);
                \array_push($messages, ...$unpacker->tryUnpack());
            }

            return Payloads::same($messages, [$right]) ? null : "unpack {$name} in chunks gave other messages";
        }];
        $this->jobs[] = ["unpack {$name} without its end", function () use ($unpacker, $packed, $name): ?string {
            $unpacker->reset(\substr($packed, 0, $this->random->getInt(0, \strlen($packed) - 1)));
            try {
                $unpacker->unpack();
            } catch (InsufficientDataException) {
                return null;
            }

            return "unpack {$name} without its end gave a value";
        }];
    }

    /**
     * Adds packing of objects, which come back into the packer: alone, many, by a transformer, and such that fail
     * inside.
     */
    private function addObjects(): void
    {
        $rows = self::payloads()['api1000'];
        \assert(\is_array($rows));
        $rows = \array_slice($rows, 0, 12);
        $reference = new ReferencePacker(0, 512);
        $packer = new Packer(null, [new BoxExtension()]);
        foreach (['objects' => new Packer(), 'objects beside a transformer' => $packer] as $name => $one) {
            $values = [
                'in a list' => [\array_map(static fn(mixed $row): Wrapped => new Wrapped($row), $rows), $rows],
                'in a map' => [['a' => new Wrapped(7), 'b' => [new Wrapped(new Wrapped('x'))]], ['a' => 7, 'b' => ['x']]],
                'alone' => [new Wrapped($rows[0]), $rows[0]],
            ];
            foreach ($values as $where => [$value, $same]) {
                $packed = $reference->pack($same);
                $this->jobs[] = ["{$name} {$where}", static fn(): ?string => $one->pack($value) === $packed ? null : "{$name} {$where} gave other bytes"];
            }
            $fault = [1, new Wrapped(['in' => new Wrapped(\STDIN)])];
            $this->jobs[] = ["{$name} that fail", static function () use ($one, $fault, $name): ?string {
                $outcome = Outcome::of(static fn(): string => $one->pack($fault));

                return $outcome === 'unsupported_value at  (/1/in)' ? null : "{$name} that fail: {$outcome}";
            }];
        }
        $boxes = [1, new Box(7), ['b' => new Box('x')]];
        $this->jobs[] = ['boxes', static fn(): ?string => $packer->pack($boxes) === "\x93\x01\xd4\x07\x07\x81\xa1b\xd5\x07\xa1x" ? null : 'boxes gave other bytes'];
    }

    /**
     * Adds packing and unpacking of values one by one, at the top.
     */
    private function addScalars(): void
    {
        $packer = new Packer();
        $unpacker = new BufferUnpacker();
        $lists = self::payloads();
        $lists['scalars'] = [null, true, false, 1.5, '', 'a', -1, 0, 1 << 40, [], ['a' => 1], \str_repeat('x', 300)];
        foreach (['ints10k', 'floats10k', 'strs5k', 'scalars'] as $name) {
            $values = $lists[$name];
            \assert(\is_array($values));
            $all = [];
            foreach ($values as $value) {
                $all[] = [$value, (new ReferencePacker(0, 512))->pack($value)];
            }
            $this->jobs[] = ["pack each of {$name}", static function () use ($packer, $all, $name): ?string {
                foreach ($all as [$value, $packed]) {
                    if ($packer->pack($value) !== $packed) {
                        return "pack each of {$name} gave other bytes than " . \bin2hex($packed);
                    }
                }

                return null;
            }];
            $this->jobs[] = ["unpack each of {$name}", static function () use ($unpacker, $all, $name): ?string {
                foreach ($all as [$value, $packed]) {
                    $unpacker->reset($packed);
                    if ($unpacker->unpack() !== $value) {
                        return "unpack each of {$name} gave another value for " . \bin2hex($packed);
                    }
                }

                return null;
            }];
        }
    }
}
