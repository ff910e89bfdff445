<?php

declare(strict_types=1);

namespace Polypack\Tests\Native;

use PHPUnit\Framework\Attributes\DataProviderExternal;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Canonical;
use Polypack\Limits;
use Polypack\Native\Engine;
use Polypack\Options\Mode;
use Polypack\Options\Strings;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Records\Dictionary;
use Polypack\Records\SharedRecords;
use Polypack\Stores\MemoryStore;
use Polypack\StreamUnpacker;
use Polypack\Tests\Support\BothEngines;
use Polypack\Tests\Support\Counted;
use Polypack\Tests\Support\CountedExtension;
use Polypack\Tests\Support\CountingStore;
use Polypack\Tests\Support\RandomBytes;
use Polypack\Tests\Support\RandomValues;
use Polypack\Tests\Support\Vectors;
use Polypack\UnpackOptions;

/**
 * With a dictionary the extension and the PHP code give the same bytes, values, exceptions and content of the store.
 * Run by `make test-ext`.
 */
#[RequiresPhpExtension('polypack')]
final class DictionaryTest extends TestCase
{
    use BothEngines;

    #[DataProviderExternal(ExtensionTest::class, 'vectors')]
    public function testVectors(string $file): void
    {
        foreach (Vectors::cases($file) as $name => $case) {
            if ($case->shared() === null) {
                continue;
            }
            foreach ($case->has('bytes') ? [$case->bytes()] : [] as $bytes) {
                foreach (Vectors::MODES as $mode) {
                    self::same($name, static fn(): array => self::unpacked(
                        new BufferUnpacker($bytes, $case->unpackOptions($mode), [], $case->limits()),
                    ));
                }
            }
            if ($case->has('value')) {
                self::same($name, static fn(): array => self::outcome(
                    static fn(): string => (new Packer($case->packOptions(0), [], $case->limits()))->pack($case->value()),
                ));
            }
        }
        $this->addToAssertionCount(1); // same() counts nothing
    }

    #[DataProviderExternal(ExtensionTest::class, 'seeds')]
    public function testRandomBytes(int $seed): void
    {
        $random = new RandomBytes($seed);
        for ($i = 0; $i < 400; ++$i) {
            $bytes = $random->next();
            $limits = new Limits(
                $random->int(0, 3) > 0 ? 512 : $random->int(0, 4),
                $random->int(0, 3) > 0 ? null : $random->int(1, 12),
                maxMemory: $random->int(0, 3) > 0 ? null : $random->int(1, 3_000),
            );
            $dictionary = self::dictionary($random);
            $extends = $random->int(0, 1) === 1; // the store has a dictionary that wasn't loaded yet
            $mode = [Mode::Default, Mode::Strict, Mode::Lossless][$random->int(0, 2)];
            if ($random->int(0, 3) === 0) {
                $bytes = "\xc1\x50" . ($random->int(0, 3) > 0 ? $dictionary->fingerprint() : "\0\0\0\0\0\0\0\0") . $bytes;
            }
            $chunks = $random->chunks($bytes);
            self::same("seed {$seed}, number {$i}: " . \bin2hex($bytes), static function () use ($bytes, $chunks, $limits, $dictionary, $extends, $mode): array {
                $store = new CountingStore();
                $store->replace(null, $dictionary->pack());
                $outcomes = [];
                foreach ([true, false] as $fingerprint) {
                    $shared = new SharedRecords($extends ? $store : $dictionary, fingerprint: $fingerprint);
                    $options = UnpackOptions::of(mode: $mode, records: $shared);
                    $extension = new CountedExtension(static fn(BufferUnpacker $inside): mixed => $inside->unpack());
                    $outcomes[] = self::unpacked(new BufferUnpacker("\x01{$bytes}", $options, [], $limits));
                    $outcomes[] = self::unpacked(new BufferUnpacker($bytes, $options, [$extension], $limits));
                    $stream = new StreamUnpacker($options, [], $limits);
                    $outcomes[] = self::outcome(static fn(): array => \iterator_to_array($stream->decode($chunks), false));
                    $outcomes[] = self::outcome(static fn(): string => (new Canonical(limits: $limits, records: $shared))->canonicalize($bytes));
                    $outcomes[] = [$store->loads, $extension->calls];
                }

                return $outcomes;
            });
        }
        $this->addToAssertionCount(1);
    }

    #[DataProviderExternal(ExtensionTest::class, 'seeds')]
    public function testRandomValues(int $seed): void
    {
        $values = new RandomValues($seed);
        $random = new RandomBytes($seed);
        for ($i = 0; $i < 200; ++$i) {
            $each = [$values->next(), [['a' => 1, 'b' => 2], (object) ['a' => 1, 'b' => []], ['b' => 100, 'c' => 1]], ['v' => $values->next(), 'a' => 1]];
            $dictionary = self::dictionary($random);
            $frozen = $random->int(0, 2) === 0;
            $most = $random->int(0, 2) > 0 ? $random->int(0, 40) : $random->int(0, 200);
            $fingerprint = $random->int(0, 1) === 1;
            $options = PackOptions::of(
                [Strings::Str, Strings::Bin, Strings::Detect][$random->int(0, 5) % 3],
                mode: [Mode::Default, Mode::Strict, Mode::Lossless][$random->int(0, 2)],
            );
            self::same("seed {$seed}, number {$i}", static function () use ($each, $dictionary, $frozen, $most, $fingerprint, $options): array {
                $store = new CountingStore();
                $store->replace(null, $dictionary->pack());
                $shared = new SharedRecords($frozen ? $dictionary : $store, $most, $fingerprint, static fn(array $names): bool => \count($names) !== 1);
                $packer = new Packer($options->withRecords($shared), [], new Limits(20));
                $object = new Counted(static fn(Packer $inside): string => $inside->pack(['a' => [1], 'b' => 2]));
                $outcomes = [];
                foreach ([...$each, [$object, ['a' => 1, 'b' => $object]], ...$each] as $value) {
                    $outcomes[] = self::outcome(static fn(): string => $packer->pack($value));
                }

                return [...$outcomes, $object->calls, $store->loads, \bin2hex((string) $store->load())];
            });
        }
        $this->addToAssertionCount(1);
    }

    /**
     * More dictionaries than the extension keeps, in turn, while messages are read with others inside.
     */
    public function testManyDictionaries(): void
    {
        Engine::$isActive = true;
        $packers = $unpackers = [];
        for ($i = 0; $i < 20; ++$i) {
            $shared = new SharedRecords(new Dictionary([["name {$i}", 'b']]));
            $packers[] = new Packer(PackOptions::of(records: $shared));
            $unpackers[] = UnpackOptions::of(records: $shared);
        }
        $before = \polypack_stats();
        for ($round = 0; $round < 3; ++$round) {
            foreach ($packers as $i => $packer) {
                $row = ["name {$i}" => $round, 'b' => ["name {$i}" => [], 'b' => null]];
                $packed = $packer->pack($row);
                self::assertSame('40' . "0{$round}" . '4090c0', \bin2hex($packed));
                self::assertSame($row, (new BufferUnpacker($packed, $unpackers[$i]))->unpack());
            }
        }
        $after = \polypack_stats();
        self::assertSame([60, 60, 0, 0], [
            $after['encoded'] - $before['encoded'], $after['decoded'] - $before['decoded'],
            $after['encodeDeclined'] - $before['encodeDeclined'], $after['decodeDeclined'] - $before['decodeDeclined'],
        ]);
    }

    /**
     * A shape is published by the PHP code; from then on the extension packs it.
     */
    public function testAShapeIsPublishedOnce(): void
    {
        Engine::$isActive = true;
        $packer = new Packer(PackOptions::of(records: new SharedRecords(new MemoryStore())));
        $declined = [];
        for ($i = 0; $i < 4; ++$i) {
            $before = \polypack_stats()['encoded'];
            self::assertSame('4001', \bin2hex($packer->pack(['a' => 1])));
            $declined[] = \polypack_stats()['encoded'] === $before;
        }
        self::assertSame([true, false, false, false], $declined);
    }

    private static function dictionary(RandomBytes $random): Dictionary
    {
        /** @var list<?list<string>> $shapes */
        $shapes = [['a', 'b'], [], ['a'], null, ['1', 'a/b'], ["\0a", 'a'], ['a', 'b'], ['b', 'a', 'c']];
        while (\count($shapes) < 70) {
            $shapes[] = $random->int(0, 5) > 0 ? ['k' . \count($shapes), 'a'] : null;
        }

        return new Dictionary(\array_slice($shapes, 0, [0, 2, 8, 33, 36, 66, 70][$random->int(0, 6)]));
    }

    /**
     * @return list<mixed>
     */
    private static function unpacked(BufferUnpacker $unpacker): array
    {
        $outcomes = [];
        while ($unpacker->hasRemaining() && \count($outcomes) < 20) {
            $before = $unpacker->getRemainingCount();
            $outcomes[] = [...self::outcome($unpacker->unpack(...)), $unpacker->getRemainingCount()];
            if ($unpacker->getRemainingCount() === $before) {
                break;
            }
        }

        return $outcomes;
    }

    /**
     * @param \Closure(): list<mixed> $call
     */
    private static function same(string $label, \Closure $call): void
    {
        [$withPhp, $natively] = self::withBothEngines($call);
        if ($withPhp !== $natively) {
            self::assertSame($withPhp, $natively, $label);
        }
    }
}
