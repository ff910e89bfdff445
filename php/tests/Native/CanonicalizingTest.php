<?php

declare(strict_types=1);

namespace Polypack\Tests\Native;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\DataProviderExternal;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\Bench\Payloads;
use Polypack\Canonical;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Native\Engine;
use Polypack\PackOptions;
use Polypack\Tests\Support\BothEngines;
use Polypack\Tests\Support\Counted;
use Polypack\Tests\Support\RandomBytes;
use Polypack\Tests\Support\RandomValues;
use Polypack\Tests\Support\Vectors;
use Polypack\Type\Entries;

/**
 * The extension makes the same canonical bytes as the PHP code, and leaves every fault to it. Run by `make test-ext`.
 */
#[RequiresPhpExtension('polypack')]
final class CanonicalizingTest extends TestCase
{
    use BothEngines;

    #[DataProviderExternal(ExtensionTest::class, 'vectors')]
    public function testVectors(string $file): void
    {
        foreach (Vectors::cases($file) as $name => $case) {
            foreach ($case->has('bytes') ? [$case->bytes()] : ($case->has('canonical') ? [$case->bytes('canonical'), ...$case->also()] : []) as $bytes) {
                $this->same($bytes, $case->limits(), $name);
            }
        }
    }

    #[DataProviderExternal(ExtensionTest::class, 'seeds')]
    public function testRandomBytes(int $seed): void
    {
        $random = new RandomBytes($seed);
        for ($i = 0; $i < 600; ++$i) {
            $limits = new Limits(
                $random->int(0, 3) > 0 ? 512 : $random->int(0, 4),
                $random->int(0, 3) > 0 ? null : $random->int(1, 12),
                maxBytes: $random->int(0, 3) > 0 ? 1 << 26 : $random->int(1, 20),
                maxMemory: $random->int(0, 3) > 0 ? null : $random->int(1, 3_000),
            );
            $this->same($random->next(), $limits, "seed {$seed}, number {$i}");
        }
    }

    #[DataProviderExternal(ExtensionTest::class, 'seeds')]
    public function testRandomValues(int $seed): void
    {
        $random = new RandomValues($seed);
        for ($i = 0; $i < 300; ++$i) {
            $value = $random->next();
            $limits = new Limits($random->int(0, 3) > 0 ? 512 : $random->int(0, 4));
            foreach ([false, true] as $folds) {
                $this->compare(static function () use ($value, $limits, $folds): array {
                    $object = new Counted(static fn(): string => "\x92\x01\xcb\x40\x00\x00\x00\x00\x00\x00\x00");

                    return [...self::outcome(static fn(): string => (new Canonical(limits: $limits, integralFloatsAsInts: $folds))->pack([$object, $value])), $object->calls];
                }, "seed {$seed}, number {$i}");
            }
        }
    }

    /**
     * Maps of many keys, of which some begin alike or are equal, in orders that are hard to sort.
     */
    #[DataProvider('counts')]
    public function testOrders(int $count): void
    {
        $random = new RandomBytes($count);
        $numbers = \range(1, $count);
        $keys = [
            'ascending' => $numbers,
            'descending' => \array_reverse($numbers),
            'texts that begin alike' => \array_map(static fn(int $number): string => \str_repeat('k', $number % 40) . $number, $numbers),
            'random' => \array_map(static fn(): int => $random->int(\PHP_INT_MIN, \PHP_INT_MAX), $numbers),
            'lists' => \array_map(static fn(int $number): array => [$number % 7, 'k', -$number], $numbers),
            'two equal ones' => [...\array_reverse($numbers), 1 + \intdiv($count, 2)],
        ];
        foreach ($keys as $name => $each) {
            $bytes = "\xdf" . \pack('N', \count($each));
            foreach ($each as $i => $key) {
                $bytes .= MessagePack::pack($key) . MessagePack::pack(\str_repeat('v', $i % 9));
            }
            $this->same($bytes, new Limits(), "{$count} keys, {$name}");
        }
    }

    /**
     * @return iterable<array{int}>
     */
    public static function counts(): iterable
    {
        foreach ([1, 2, 7, 8, 9, 16, 17, 100, 1000] as $count) {
            yield [$count];
        }
    }

    /**
     * What is valid is done by the extension.
     */
    public function testWhatItHandsBack(): void
    {
        require_once __DIR__ . '/../../bench/_payloads.php';
        Engine::$isActive = true;
        $inputs = [];
        foreach (Vectors::files() as $name => [$folder, $file]) {
            foreach (\in_array($folder, ['valid', 'records', 'defaults', 'canonical', 'encode'], true) ? Vectors::cases($file) : [] as $label => $case) {
                foreach ($case->has('bytes') ? [$case->bytes()] : ($case->has('canonical') ? [$case->bytes('canonical'), ...$case->also()] : []) as $bytes) {
                    $inputs["{$label} of {$name}"] = [$bytes, $case->isInline(), $case->limits(), $case->shared()];
                }
            }
        }
        foreach (Payloads::all() as $name => $payload) {
            $inputs[$name] = [MessagePack::pack($payload), false, null, null];
            $inputs["{$name} with records"] = [MessagePack::pack($payload, PackOptions::RECORDS_INLINE), true, null, null];
        }
        $valid = 0;
        foreach ($inputs as $name => [$bytes, $inline, $limits, $shared]) {
            $canonical = new Canonical($inline, $limits, $shared);
            $declined = \polypack_stats()['canonicalizeDeclined'];
            try {
                $canonical->canonicalize($bytes);
            } catch (UnpackingFailedException) {
                continue;
            }
            self::assertSame($declined, \polypack_stats()['canonicalizeDeclined'], $name);
            ++$valid;
        }
        self::assertGreaterThan(500, $valid);
    }

    /**
     * However a message nests, sorting copies each byte once per level; and no C stack overflows.
     */
    public function testDeepMaps(): void
    {
        $this->same(\str_repeat("\x82\xa1b\x01\xa1a", 511) . "\x80", new Limits(), 'values');
        $this->same(\str_repeat("\x82\xa1b\x01", 511) . "\x80" . \str_repeat("\x02", 511), new Limits(), 'keys');
        $this->same(\str_repeat("\x91", 9_999) . "\x80", new Limits(10_000), 'deeper than the C stack allows');
    }

    public function testCodeOfTheUserRunsOnce(): void
    {
        Engine::$isActive = true;
        $object = new Counted(static fn(): string => "\x01");
        self::assertSame('duplicate_key', self::outcome(static fn(): string => (new Canonical(integralFloatsAsInts: true))->pack([$object, new Entries([[1, 1], [1.0, 1]])]))[1]);
        self::assertSame(1, $object->calls);
    }

    private function same(string $bytes, Limits $limits, string $label): void
    {
        foreach ([false, true] as $records) {
            foreach ([false, true] as $folds) {
                $this->compare(static fn(): array => self::outcome(
                    static fn(): string => (new Canonical($records, $limits, integralFloatsAsInts: $folds))->canonicalize($bytes),
                ), $label . ': ' . \bin2hex(\substr($bytes, 0, 400)));
            }
        }
    }

    /**
     * @param \Closure(): list<mixed> $call
     */
    private function compare(\Closure $call, string $label): void
    {
        [$withPhp, $natively] = self::withBothEngines($call);
        self::assertSame($withPhp, $natively, $label);
    }

    /**
     * @param \Closure(): string $call
     *
     * @return list<mixed>
     */
    private static function outcome(\Closure $call): array
    {
        try {
            return ['', \bin2hex($call())];
        } catch (PackingFailedException | UnpackingFailedException $error) {
            return [$error::class, $error->errorCode->value, $error->offset, $error->path, $error->getMessage()];
        }
    }
}
