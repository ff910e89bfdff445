<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\Native\Engine;
use Polypack\Snapshot\Format;
use Polypack\Snapshot\Serializer;
use Polypack\Tests\Support\Snapshot\Loose;
use Polypack\Tests\Support\Snapshot\Outcomes;
use Polypack\Tests\Support\Snapshot\Point;
use Polypack\Tests\Support\Snapshot\RandomGraphs;

/**
 * The extension and the PHP code give the same snapshots, values and errors. Run by `make test-ext`.
 */
#[RequiresPhpExtension('polypack')]
final class ExtensionTest extends TestCase
{
    private const VALUES = 400;
    private const MUTATIONS = 1500;

    /** Options of writing, and those of reading with the same limits. */
    private const OPTIONS = [[], ['floats' => 'raw'], ['floats' => 'decimal'], ['max_elements' => 60], ['max_elements' => 0], ['max_depth' => 3]];

    private ?bool $before;

    protected function setUp(): void
    {
        $this->before = Engine::$isActive;
    }

    protected function tearDown(): void
    {
        Engine::$isActive = $this->before;
    }

    public function testTheConstantsInCAreThoseOfTheFormat(): void
    {
        \preg_match_all('/^#define SNAPSHOT_(\w+) ((?:0x)?[0-9a-f]+)$/m', (string) \file_get_contents(__DIR__ . '/../../../ext/src/snapshot/format.h'), $found, \PREG_SET_ORDER);
        $constants = [];
        foreach ($found as [, $name, $number]) {
            $constants[$name] = \intval($number, 0);
        }
        $compared = 0;
        foreach ((new \ReflectionClass(Format::class))->getConstants() as $name => $number) {
            if (isset($constants[$name])) {
                self::assertSame($number, $constants[$name], $name);
                ++$compared;
            }
        }
        self::assertGreaterThan(55, $compared);
    }

    public function testVectors(): void
    {
        $random = new RandomGraphs(1);
        foreach (VectorsTest::cases() as $name => [$room, $case]) {
            if ($room !== 'v1' && $room !== 'signed') {
                $bytes = (string) \hex2bin($case['bytes']);
                self::read($bytes, [], $name);
                if ($room === 'values' || $room === 'accepted') {
                    self::read($random->changed($bytes), [], $name);
                    self::write(Serializer::unserialize($bytes), [], $name);
                }
            }
        }
        $this->addToAssertionCount(1); // the others are within outcomes
    }

    public function testRandomData(): void
    {
        $before = \polypack_stats();
        $random = new RandomGraphs(21, false);
        for ($i = 0; $i < self::VALUES; ++$i) {
            $value = $random->next();
            $options = self::OPTIONS[$i % \count(self::OPTIONS)];
            $bytes = self::write($value, $options, "value {$i}");
            if ($bytes !== null) {
                unset($options['floats']);
                self::read($bytes, $options, "value {$i}");
            }
        }
        $after = \polypack_stats();
        self::assertGreaterThan(self::VALUES * 3 / 4, $after['snapshotsWritten'] - $before['snapshotsWritten']);
        self::assertSame($after['snapshotsWritten'] - $before['snapshotsWritten'], $after['snapshotsRead'] - $before['snapshotsRead'], 'data are never declined');
    }

    public function testRandomGraphs(): void
    {
        $random = new RandomGraphs(22);
        for ($i = 0; $i < self::VALUES / 2; ++$i) {
            $bytes = self::write($random->next(), [], "value {$i}");
            self::assertNotNull($bytes);
            self::read($bytes, [], "value {$i}");
        }
    }

    public function testPlainObjectsAreWrittenInC(): void
    {
        $before = \polypack_stats();
        $point = new Point(1);
        $point->next = $point;
        $holes = (object) ['a' => 1, 'b' => 2, 'c' => 3];
        unset($holes->b);
        $rows = \array_map(static fn(int $i): object => (object) ['id' => 100 * $i, 'name' => "name {$i}", '5' => null], \range(1, 20));
        $referring = \array_map(static fn(int $i): object => (object) ['id' => 100 * $i, 'to' => $i], \range(1, 8));
        $referring[3]->to = &$referring[5]->to;
        $points = \array_map(static fn(int $i): Point => new Point($i), \range(1, 9));
        $cases = [
            'a cycle' => $point, 'none' => new \stdClass(), 'holes' => [$holes, (object) ['a' => 1, 'c' => 3], $holes], 'rows' => $rows,
            'a row before' => [$rows[7], $rows], 'rows twice' => [$rows, $rows], 'one row' => \array_fill(0, 6, $rows[0]),
            'references' => $referring, 'rows that cost nothing' => \array_map(static fn(): object => (object) ['a' => 1], \range(1, 9)),
            'a class' => $points, 'two classes' => [...$points, ...$rows], 'in a map' => ['x' => $points[0], 7 => $rows, 9 => $points],
        ];
        foreach ($cases as $name => $value) {
            $bytes = self::write($value, [], $name);
            self::assertNotNull($bytes);
            self::read($bytes, [], $name);
        }
        self::assertSame(\count($cases), \polypack_stats()['snapshotsWritten'] - $before['snapshotsWritten']);
    }

    public function testOtherObjectsAreLeftToThePhpCode(): void
    {
        $before = \polypack_stats();
        $loose = Loose::with('more', 1);
        $number = 1;
        $typed = new Point(2);
        unset($typed->next);
        foreach ([$loose, $typed, new \ArrayObject([1]), new class {}, static fn(): int => 1, [new Point(1), new \DateTimeImmutable('2024-01-01'), &$number]] as $i => $value) {
            self::write($value, [], "value {$i}");
        }
        self::assertSame($before['snapshotsWritten'], \polypack_stats()['snapshotsWritten']);
    }

    public function testChangedBytes(): void
    {
        $random = new RandomGraphs(23, false);
        $failures = 0;
        for ($i = 0; $i < self::MUTATIONS; ++$i) {
            $bytes = $random->changed(Serializer::serialize($random->next()));
            $failures += self::read($bytes, ['max_elements' => 5000, 'max_depth' => 20], \bin2hex($bytes)) === 'ok' ? 0 : 1;
        }
        self::assertGreaterThan(self::MUTATIONS / 3, $failures);
        self::assertLessThan(self::MUTATIONS, $failures);
    }

    public function testEachPrefixOfAValue(): void
    {
        $rows = \array_map(static fn(int $i): array => ['id' => $i, 'name' => "name {$i}", 'tags' => ['a', 'b'], 'more' => [$i => [1.5, null]]], \range(1, 20));
        $bytes = Serializer::serialize(['rows' => $rows, 'map' => [5 => &$rows, 7 => &$rows, 'x' => \range(1, 40)]]);
        for ($i = 0, $length = \strlen($bytes); $i < $length; ++$i) {
            self::assertStringStartsWith('unexpected_end@', self::read(\substr($bytes, 0, $i), [], "{$i} bytes"));
        }
    }

    public function testKeysThatCollideCountTheSame(): void
    {
        $keys = [];
        for ($i = 0; $i < 300; ++$i) {
            $keys[] = $i << 20; // all in one bucket
        }
        $bytes = Serializer::serialize(\array_fill_keys($keys, 'x'));
        $comparisons = 300 * 299 / 2;
        self::assertSame('ok', self::read($bytes, ['max_collisions' => $comparisons], 'enough'));
        self::assertSame('limit_exceeded@4', self::read($bytes, ['max_collisions' => $comparisons - 1], 'too few'));
        self::assertSame('ok', self::read(Serializer::serialize(\array_fill_keys(\range(1, 5001, 2), 'x')), ['max_collisions' => 0], 'none'));
    }

    public function testHashesOfKeysAreFoundByContentWhenTheyCollide(): void
    {
        $value = [];
        for ($i = 0; $i < 2 ** 10; ++$i) {
            $key = \strtr(\sprintf('%010b', $i), ['0' => 'Ez', '1' => 'FY']); // both have the same hash in PHP
            $value[] = [[$key => $key], [$key => $i]];
        }
        self::write($value, [], 'colliding keys');
        $this->addToAssertionCount(1);
    }

    public function testArraysWithHolesAndReferencesOfOne(): void
    {
        $list = \range(0, 20);
        unset($list[3]);
        $rows = \array_map(static fn(int $i): array => ['gone' => 1, 'a' => $i, 'b' => 'x'], \range(1, 9));
        foreach ($rows as &$row) {
            unset($row['gone']);
            foreach ($row as &$cell) {
            }
        }
        unset($row, $cell);
        $again = [$rows, $list, $rows];
        $end = &$again[1][20];
        self::write($again, [], 'holes');
        $same = [['t' => ['a', &$end]], ['t' => ['a', &$end]], ['t' => ['a', $end]], ['t' => ['a', $end]]];
        self::write($same, [], 'references where arrays are the same');
        $this->addToAssertionCount(1);
    }

    /**
     * @param array<string, mixed> $options
     */
    private static function write(mixed $value, array $options, string $message): ?string
    {
        $bytes = $outcomes = [];
        foreach ([false, true] as $isActive) {
            Engine::$isActive = $isActive;
            $outcomes[] = Outcomes::of(static function () use (&$bytes, $value, $options): void {
                $bytes[] = Serializer::serialize($value, $options);
            });
        }
        self::assertSame($outcomes[0], $outcomes[1], $message);
        self::assertSame(\bin2hex($bytes[0] ?? ''), \bin2hex($bytes[1] ?? ''), $message);

        return $bytes[0] ?? null;
    }

    /**
     * @param array<string, mixed> $options
     */
    private static function read(string $bytes, array $options, string $message): string
    {
        $values = $outcomes = [];
        \set_error_handler(static fn(): bool => true); // what hooks of PHP itself warn of
        foreach ([false, true] as $isActive) {
            Engine::$isActive = $isActive;
            try {
                $outcomes[] = Outcomes::of(static function () use (&$values, $bytes, $options): void {
                    $values[] = \serialize(Serializer::unserialize($bytes, $options));
                });
            } catch (\Throwable $error) { // of a hook
                $outcomes[] = $error::class . ': ' . $error->getMessage();
            }
        }
        \restore_error_handler();
        self::assertSame($outcomes[0], $outcomes[1], $message);
        self::assertSame($values[0] ?? null, $values[1] ?? null, $message);

        return $outcomes[0];
    }
}
