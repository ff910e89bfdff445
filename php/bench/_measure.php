<?php

declare(strict_types=1);

namespace Polypack\Bench;

use Polypack\Tests\Support\Modes;

// One process of the bench: measures the chosen workloads in alternating rounds and prints the ratios as
// JSON. compare.php starts it several times, because what a JIT compiles, and where memory lies, is
// decided once for each process.
//
// usage: php bench/_measure.php CHOICE-AS-JSON

require __DIR__ . '/../vendor/autoload.php';
require __DIR__ . '/_rounds.php';
require __DIR__ . '/_contestants.php';
require __DIR__ . '/_payloads.php';
require __DIR__ . '/_cases.php';
require __DIR__ . '/_documents.php';
require __DIR__ . '/_objects.php';
require __DIR__ . '/_streams.php';
require __DIR__ . '/_memory.php';

/**
 * What one process is to do; the words of the command line of compare.php.
 */
final class Choice
{
    /**
     * @param list<string>          $workloads empty: all
     * @param list<string>          $peers     empty: all
     * @param list<string>          $operations
     * @param array<string, string> $folders   of checkouts, by peer
     */
    public function __construct(
        public readonly int $process,
        public readonly array $workloads,
        public readonly array $peers,
        public readonly array $operations,
        public readonly string $provenance,
        public readonly int $rounds,
        public readonly int $roundNs,
        public readonly array $folders,
    ) {}

    public static function fromJson(string $json): self
    {
        /**
         * @var array{
         *     process: int, workloads: list<string>, peers: list<string>, operations: list<string>, provenance: string,
         *     rounds: int, roundNs: int, folders: array<string, string>
         * } $words
         */
        $words = \json_decode($json, true, 8, \JSON_THROW_ON_ERROR);

        return new self(...$words);
    }

    /** A workload is chosen by its name or by a pattern with *; single values and documents only so. */
    public function has(string $workload): bool
    {
        $chosen = \array_filter($this->workloads, static fn(string $one): bool => \fnmatch($one, $workload));

        return $chosen !== [] || ($this->workloads === [] && \preg_match('/^(seed|real|small)-/', $workload) !== 1);
    }

    public function hasPeer(string $name): bool
    {
        return $this->peers === [] || \in_array($name, $this->peers, true);
    }
}

/**
 * @phpstan-type Row array{workload: string, operation: string, against: string, ratios: list<float>, verified: bool}
 */
final class Bench
{
    /** @var non-empty-list<Library> ours first; packer and unpacker are kept */
    private readonly array $libraries;
    /** @var non-empty-list<Contestant> the same by their static functions */
    private readonly array $static;
    /** @var non-empty-array<string, array<string, \Closure(int): string>> by library and workload */
    private readonly array $objects;
    /** @var list<Row> */
    public array $rows = [];

    public function __construct(private readonly Choice $choice)
    {
        $libraries = [Library::kept('polypack', 'Polypack')];
        $static = [Library::static('polypack', 'Polypack')];
        $objects = ['polypack' => Library::objects('polypack', 'Polypack')];
        $others = Library::load($choice->folders) + (\in_array(Library::STRICT, $choice->peers, true) ? [Library::STRICT => 'Polypack'] : []);
        foreach ($others as $name => $namespace) {
            if ($choice->hasPeer($name)) {
                $libraries[] = Library::kept($name, $namespace);
                $static[] = Library::static($name, $namespace);
                $objects[$name] = Library::objects($name, $namespace);
            }
        }
        $this->libraries = $libraries;
        $this->static = $static;
        $this->objects = $objects;
    }

    /**
     * The twelve payloads, starting at another one in each process: what a JIT makes of a loop
     * depends on what ran before.
     */
    public function payloads(): void
    {
        $payloads = Payloads::all();
        $order = \array_keys($payloads);
        $start = 5 * $this->choice->process % \count($order);
        $builtIn = $this->builtIn();
        $forBlobs = \array_map(static fn(Contestant $one): Contestant => $one->name === 'json' ? BuiltIn::jsonOfBlobs() : $one, $builtIn);
        foreach ([...\array_slice($order, $start), ...\array_slice($order, 0, $start)] as $name) {
            $value = Payloads::from($this->choice->provenance, $payloads[$name]);
            if ($this->choice->has($name)) {
                $this->compare($name, $value, [...$this->libraries, ...($name === 'blobs100x1k' ? $forBlobs : $builtIn)]);
            }
            if ($name === 'event' && $this->choice->has('event-static')) {
                $this->compare('event-static', $value, [...$this->static, ...$builtIn]);
            }
        }
    }

    /** Real documents, and small messages, which are packed and unpacked by static functions. */
    public function documents(): void
    {
        foreach (Documents::names() as $name) {
            if ($this->choice->has($name)) {
                $libraries = \str_starts_with($name, 'small-') ? $this->static : $this->libraries;
                $value = Payloads::from($this->choice->provenance, Documents::named($name));
                $this->compare($name, $value, [...$libraries, ...$this->builtIn()]);
            }
        }
    }

    /** Single values, each by itself. */
    public function cases(): void
    {
        if (\count($this->libraries) === 1) {
            return;
        }
        $cases = \array_map(Cases::all(...), $this->libraries);
        $plain = Cases::all(null);
        foreach (\array_keys($cases[0]) as $name) {
            if (!$this->choice->has("seed-{$name}")) {
                continue;
            }
            $isObject = !\array_key_exists($name, $plain); // ext values and timestamps, which JSON would change
            $provenance = $isObject && $this->choice->provenance === 'json' ? 'unserialize' : $this->choice->provenance;
            $runs = [];
            foreach ($this->libraries as $number => $library) {
                $value = Payloads::from($provenance, $cases[$number][$name]);
                $runs[] = $this->runs($library, $value, Cases::bytes($name, $value, $library));
            }
            $this->add("seed-{$name}", $runs);
        }
    }

    /** Lists of objects of users. */
    public function objects(): void
    {
        foreach ($this->objects['polypack'] as $workload => $pack) {
            if ($this->choice->has($workload)) {
                $packed = $pack(1);
                $runs = \array_map(static fn(array $kinds): Run => new Run($kinds[$workload], $packed), $this->objects);
                $this->add($workload, [['encode' => $runs]]);
            }
        }
    }

    /** Input in chunks. */
    public function streams(): void
    {
        foreach (Streams::runs($this->libraries) as $workload => $runs) {
            if ($this->choice->has($workload)) {
                $this->add($workload, [['decode' => $runs]]);
            }
        }
    }

    /** The peak of decoding; a ratio says how many times more the peer takes. */
    public function memory(): void
    {
        if (!\in_array('decode', $this->choice->operations, true)) {
            return;
        }
        foreach (Payloads::all() as $name => $value) {
            if (!$this->choice->has("memory-{$name}")) {
                continue;
            }
            $peaks = [];
            foreach ([...$this->libraries, ...$this->builtIn()] as $one) {
                if ($one->name !== 'json' || $name !== 'blobs100x1k') {
                    $bytes = ($one->encode)($value, 1);
                    $peaks[$one->name] = Memory::ofDecoding($one, $bytes)[0];
                }
            }
            $ours = \max(1, \array_shift($peaks));
            foreach ($peaks as $against => $peak) {
                $this->rows[] = ['workload' => "memory-{$name}", 'operation' => 'decode', 'against' => $against, 'ratios' => [$peak / $ours], 'verified' => true];
            }
        }
    }

    /**
     * @return list<Contestant>
     */
    private function builtIn(): array
    {
        return \array_values(\array_filter(BuiltIn::all(), fn(Contestant $one): bool => $this->choice->hasPeer($one->name)));
    }

    /**
     * @param non-empty-list<Contestant> $contestants
     */
    private function compare(string $workload, mixed $value, array $contestants): void
    {
        $runs = [];
        foreach ($contestants as $one) {
            $runs[] = $this->runs($one, $value);
        }
        $this->add($workload, $runs);
    }

    /**
     * @return array{encode: array<string, Run>, decode: array<string, Run>} by name
     */
    private function runs(Contestant $one, mixed $value, ?string $bytes = null): array
    {
        // Equal bytes are the right result of encoding because decoding them gives the value, which
        // is the other operation.
        $encoded = ($one->encode)($value, 1);
        $bytes ??= $encoded;

        return [
            'encode' => [$one->name => new Run(static fn(int $calls): string => ($one->encode)($value, $calls), $encoded)],
            'decode' => [$one->name => new Run(static fn(int $calls): mixed => ($one->decode)($bytes, $calls), $value)],
        ];
    }

    /**
     * @param non-empty-list<array<string, array<string, Run>>> $list of each contestant by
     *   operation and name, ours first
     */
    private function add(string $workload, array $list): void
    {
        foreach ($this->choice->operations as $operation) {
            $runs = \array_merge(...\array_column($list, $operation));
            if ($operation === 'encode') {
                unset($runs['floor']);
            }
            if (\count($runs) > 1) {
                foreach (Rounds::measure($runs, $this->choice->rounds, $this->choice->roundNs) as $against => $measured) {
                    $this->rows[] = ['workload' => $workload, 'operation' => $operation, 'against' => $against, ...$measured];
                }
            }
        }
    }
}

/** @var list<string> $words */
$words = $_SERVER['argv'];
$bench = new Bench(Choice::fromJson($words[1] ?? '{}'));
$bench->payloads();
$bench->documents();
$bench->cases();
$bench->objects();
$bench->streams();
$bench->memory();

echo \json_encode([
    'php' => \PHP_VERSION,
    'mode' => Modes::current(),
    'rows' => $bench->rows,
], \JSON_THROW_ON_ERROR);
