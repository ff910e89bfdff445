<?php

declare(strict_types=1);

namespace Polypack\Tests\Native;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\DataProviderExternal;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\Bench\Documents;
use Polypack\Bench\Payloads;
use Polypack\BufferUnpacker;
use Polypack\Canonical;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Native\Engine;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\StreamUnpacker;
use Polypack\Tests\Support\BothEngines;
use Polypack\Tests\Support\Counted;
use Polypack\Tests\Support\CountedExtension;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\RandomBytes;
use Polypack\Tests\Support\RandomValues;
use Polypack\Tests\Support\VectorCase;
use Polypack\Tests\Support\Vectors;
use Polypack\Type\Entries;
use Polypack\Type\Ext;
use Polypack\UnpackOptions;
use Polypack\Utf8;

/**
 * The extension and the PHP code give the same: bytes, values, exceptions with their texts, positions, and how often
 * they call user code (docs/decisions/0024-php-extension.md). Run by `make test-ext`.
 */
#[RequiresPhpExtension('polypack')]
final class ExtensionTest extends TestCase
{
    use BothEngines;

    private const PACK_OPTIONS = [
        0, PackOptions::STRICT, PackOptions::LOSSLESS, PackOptions::FORCE_BIN, PackOptions::DETECT_STR_BIN, PackOptions::FORCE_ARR,
        PackOptions::FORCE_MAP, PackOptions::FORCE_FLOAT32, PackOptions::LOSSLESS | PackOptions::DETECT_STR_BIN,
        PackOptions::STRICT | PackOptions::FORCE_BIN | PackOptions::FORCE_MAP | PackOptions::FORCE_FLOAT32,
    ];
    private const UNPACK_OPTIONS = [
        0, UnpackOptions::STRICT, UnpackOptions::LOSSLESS, UnpackOptions::BIGINT_AS_GMP, UnpackOptions::BIGINT_AS_FLOAT,
        UnpackOptions::BIGINT_THROW | UnpackOptions::STRICT,
    ];
    private const BIG_INTS = UnpackOptions::BIGINT_AS_GMP | UnpackOptions::BIGINT_AS_FLOAT | UnpackOptions::BIGINT_THROW;

    #[DataProvider('vectors')]
    public function testVectors(string $file): void
    {
        $random = new RandomBytes(1);
        foreach (Vectors::cases($file) as $name => $case) {
            $inputs = $case->has('bytes') ? [$case->bytes()] : ($case->has('canonical') ? [$case->bytes('canonical'), ...$case->also()] : []);
            foreach ($inputs as $bytes) {
                self::decode($bytes, $case->limits(), $random, $name);
            }
            if ($case->has('value')) {
                self::encode($case->value(), $case->limits()->maxDepth, $name);
            }
        }
        $this->addToAssertionCount(1); // same() counts nothing
    }

    /**
     * @return array<string, array{string}>
     */
    public static function vectors(): array
    {
        return \array_map(static fn(array $row): array => [$row[1]], Vectors::files());
    }

    #[DataProvider('seeds')]
    public function testRandomBytes(int $seed): void
    {
        $random = new RandomBytes($seed);
        for ($i = 0; $i < 400; ++$i) {
            $limits = new Limits(
                $random->int(0, 3) > 0 ? 512 : $random->int(0, 4),
                $random->int(0, 3) > 0 ? null : $random->int(1, 12),
            );
            self::decode($random->next(), $limits, $random, "seed {$seed}, number {$i}");
        }
        $this->addToAssertionCount(1);
    }

    #[DataProvider('seeds')]
    public function testRandomValues(int $seed): void
    {
        $random = new RandomValues($seed);
        for ($i = 0; $i < 400; ++$i) {
            self::encode($random->next(), $random->int(0, 3) > 0 ? 512 : $random->int(0, 4), "seed {$seed}, number {$i}");
        }
        $this->addToAssertionCount(1);
    }

    /**
     * @return iterable<string, array{int}>
     */
    public static function seeds(): iterable
    {
        for ($seed = 1; $seed <= 8; ++$seed) {
            yield "seed {$seed}" => [$seed];
        }
    }

    public function testPayloads(): void
    {
        require_once __DIR__ . '/../../bench/_payloads.php';
        foreach (Payloads::all() as $name => $payload) {
            self::encode($payload, 512, $name);
            self::decode(MessagePack::pack($payload), new Limits(), new RandomBytes(1), $name);
            self::decode(MessagePack::pack($payload, PackOptions::RECORDS_INLINE), new Limits(), new RandomBytes(1), "{$name} with records");
        }
        $this->addToAssertionCount(1);
    }

    /**
     * @param array{maxValues?: int, maxCollisions?: int, maxMemory?: int} $limits
     */
    #[DataProviderExternal(EngineTest::class, 'budgets')]
    public function testBudgets(array $limits): void
    {
        $random = new RandomBytes(1);
        foreach (EngineTest::wideMaps() as $i => $message) {
            for ($j = 0; $j < 4; ++$j) { // with and without the extension
                self::decode($message, new Limits(...$limits), $random, "message {$i}");
            }
        }
        $this->addToAssertionCount(1);
    }

    #[DataProvider('seeds')]
    public function testRandomMemory(int $seed): void
    {
        $values = new RandomValues($seed);
        $random = new RandomBytes($seed);
        for ($i = 0; $i < 200; ++$i) {
            $packed = Outcome::of(static fn(): string => MessagePack::pack([$values->next(), $values->next()]));
            $bytes = \str_starts_with($packed, 's:') ? \unserialize($packed) : "\x91\xc0";
            \assert(\is_string($bytes));
            self::decode($bytes, new Limits(maxMemory: $random->int(1, 3_000)), $random, "seed {$seed}, number {$i}");
        }
        $this->addToAssertionCount(1);
    }

    /**
     * What is valid is done by the extension, except for the kinds that docs/decisions/0024-php-extension.md names:
     * every message of the vectors, decoded, packed again and read as a stream, in three modes.
     */
    public function testWhatItHandsBack(): void
    {
        Engine::$isActive = true;
        $handedBack = ['decode' => 0, 'encode' => 0, 'stream' => 0];
        $messages = 0;
        foreach (Vectors::files() as $name => [$folder, $file]) {
            foreach (\in_array($folder, ['valid', 'records', 'defaults', 'canonical', 'encode'], true) ? Vectors::cases($file) : [] as $label => $case) {
                foreach ($case->has('bytes') ? [$case->bytes()] : ($case->has('canonical') ? [$case->bytes('canonical'), ...$case->also()] : []) as $bytes) {
                    foreach (Vectors::MODES as $mode => $options) {
                        foreach (self::handsBack($case, $bytes, $options) as $operation => [$isHandedBack, $mayBe]) {
                            self::assertSame($mayBe, $isHandedBack, "{$operation} {$label} of {$name} in {$mode} mode");
                            $handedBack[$operation] += $isHandedBack ? 1 : 0;
                            ++$messages;
                        }
                    }
                }
            }
        }
        self::assertGreaterThan(20_000, $messages);
        // All of these kinds are among the vectors.
        self::assertGreaterThan(0, \min($handedBack));
    }

    /**
     * What is UTF-8, with faults on both sides of the blocks of bytes that vector instructions read at once.
     */
    public function testUtf8(): void
    {
        $bytes = \array_map(\chr(...), [0, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff]);
        $counts = [true => 0, false => 0];
        foreach ($bytes as $first) {
            foreach ($bytes as $second) {
                foreach ($bytes as $third) {
                    foreach (['', "\x80", "\xbf"] as $fourth) {
                        $text = "{$first}{$second}{$third}{$fourth}";
                        $isValid = Utf8::isValid($text);
                        foreach ([[0, 0], [1, 20], [14, 0], [13, 40], [61, 0], [62, 3], [63, 70]] as [$before, $after]) {
                            $whole = \str_repeat('a', $before) . $text . \str_repeat('b', $after);
                            $packed = \polypack_pack($whole, PackOptions::STRICT);
                            if ((\strpbrk($packed[0], "\xc4\xc5") === false) !== $isValid) {
                                self::fail("packing {$before} bytes and " . \bin2hex($text));
                            }
                            $isRefused = false;
                            try {
                                \polypack_unpack("\xd9" . \chr(\strlen($whole)) . $whole, UnpackOptions::STRICT);
                            } catch (UnpackingFailedException) {
                                $isRefused = true;
                            }
                            if ($isRefused === $isValid) {
                                self::fail("unpacking {$before} bytes and " . \bin2hex($text));
                            }
                        }
                        ++$counts[$isValid];
                    }
                }
            }
        }
        self::assertGreaterThan(400, \min($counts));
    }

    /**
     * In three modes, with records, as a stream, and in canonical form.
     */
    public function testPayloadsAndDocumentsAreNotHandedBack(): void
    {
        require_once __DIR__ . '/../../bench/_payloads.php';
        require_once __DIR__ . '/../../bench/_documents.php';
        Engine::$isActive = true;
        \ini_set('memory_limit', '1G'); // one document takes 300 MB, and is there twice
        $limits = new Limits(maxMemory: 1 << 30); // strict mode allows 64 MiB
        $names = Documents::names();
        self::assertGreaterThan(5, \count($names), 'no document is installed');
        foreach ([...Payloads::all(), ...\array_combine($names, $names)] as $name => $value) {
            $value = \is_string($value) ? Documents::named($value) : $value;
            foreach ([0, PackOptions::STRICT, PackOptions::LOSSLESS, PackOptions::RECORDS_INLINE] as $options) {
                $before = \polypack_stats();
                $isLossless = $options === PackOptions::LOSSLESS;
                $packed = MessagePack::pack($value, $isLossless ? $options | PackOptions::DETECT_STR_BIN : $options);
                $again = MessagePack::unpack($packed, $options, $limits);
                if (!$isLossless) { // it gives objects for maps
                    self::assertEquals($value, $again, $name);
                }
                unset($again);
                $stream = new StreamUnpacker($options, [], $limits);
                foreach (\str_split($packed, 8192) as $chunk) {
                    $stream->feed($chunk);
                }
                if ($isLossless) {
                    (new Canonical())->canonicalize($packed);
                }
                $counted = \array_map(static fn(int $now, int $then): int => $now - $then, \polypack_stats(), $before);
                self::assertSame(
                    ['encoded' => 1, 'decoded' => 2, 'scanned' => 1, 'canonicalized' => $isLossless ? 1 : 0],
                    \array_filter(\array_combine(\array_keys($before), $counted), static fn(int $times): bool => $times > 0) + ['canonicalized' => 0],
                    "{$name}, options {$options}",
                );
            }
        }
    }

    /**
     * Decodes bytes, packs the value and reads the bytes as a stream, and tells of each whether PHP code did it, and
     * whether that may be.
     *
     * @return array<string, array{bool, bool}>
     */
    private static function handsBack(VectorCase $case, string $bytes, int $options): array
    {
        $unpackOptions = $case->unpackOptions($options);
        try {
            [$value, $isHandedBack] = self::watched('decode', static fn(): mixed => MessagePack::unpack($bytes, $unpackOptions, $case->limits()));
        } catch (UnpackingFailedException) {
            return []; // not valid in this mode
        }
        $isAlone = !\is_array($value) && !\is_object($value);
        $head = \ord($bytes[0]);
        if ($isAlone || ($head >= 0xa0 && $head < 0xdc) || $bytes === "\x90") {
            return []; // scalars, ext values and the empty array by themselves: calling costs more than doing it
        }
        $mayBe = $options === UnpackOptions::LOSSLESS && self::hasContainerAmongKeys($value, 2);
        $operations = ['decode' => [$isHandedBack, $mayBe]];

        try {
            $packer = new Packer($case->packOptions($options), [], $case->limits());
            [, $isHandedBack] = self::watched('encode', static fn(): mixed => $packer->pack($value));
            $operations['encode'] = [$isHandedBack, $case->hasRecords() && self::hasContainerAmongKeys($value, 1)];
        } catch (PackingFailedException) {
            // a limit of the case that counts more while packing
        }
        try {
            $stream = new StreamUnpacker($unpackOptions, [], $case->limits());
            $before = \polypack_stats();
            [, $isHandedBack] = self::watched('decode', static fn(): mixed => \iterator_to_array($stream->decode(\str_split($bytes, 5))));
            $after = \polypack_stats();
            $isScanned = $after['scanned'] === $before['scanned'] + 1 && $after['scanDeclined'] === $before['scanDeclined'];
            $operations['stream'] = [$isHandedBack || !$isScanned, $mayBe];
        } catch (UnpackingFailedException) {
            // maxBytes counts for streams alone
        }

        return $operations;
    }

    /**
     * Calls a function, and tells whether the extension has declined, or done nothing.
     *
     * @param 'decode'|'encode'  $operation
     * @param \Closure(): mixed $call
     *
     * @return array{mixed, bool}
     */
    private static function watched(string $operation, \Closure $call): array
    {
        $before = \polypack_stats();
        $value = $call();
        $after = \polypack_stats();

        return [
            $value,
            $after["{$operation}d"] === $before["{$operation}d"] || $after["{$operation}Declined"] > $before["{$operation}Declined"],
        ];
    }

    /**
     * Tells whether a map of so many entries or more has a key that is an array or a map.
     */
    private static function hasContainerAmongKeys(mixed $value, int $least): bool
    {
        if ($value instanceof Entries) {
            foreach ($value->entries as [$key, $item]) {
                $isContainer = \is_array($key) || $key instanceof \stdClass || $key instanceof Entries;
                if (($isContainer && \count($value) >= $least) || self::hasContainerAmongKeys($key, $least) || self::hasContainerAmongKeys($item, $least)) {
                    return true;
                }
            }

            return false;
        }
        foreach (\is_array($value) || $value instanceof \stdClass ? (array) $value : [] as $item) {
            if (self::hasContainerAmongKeys($item, $least)) {
                return true;
            }
        }

        return false;
    }

    public function testTheFunctionsForUsers(): void
    {
        $value = ['id' => 5, 'tags' => ['a', 1.5, null], 'ext' => new Ext(7, 'x')];
        $packed = MessagePack::pack($value);

        self::assertSame(\bin2hex($packed), \bin2hex(\polypack_pack($value)));
        self::assertEquals($value, \polypack_unpack($packed));
        self::assertEquals((object) ['a' => 1], \polypack_unpack("\x81\xa1a\x01", UnpackOptions::LOSSLESS));
        self::assertSame("\x05", \polypack_pack(5));
        self::assertSame(5, \polypack_unpack("\x05"));
        foreach ([static fn(): mixed => \polypack_unpack("\x91"), static fn(): mixed => \polypack_unpack("\x01\x02")] as $call) {
            self::assertStringContainsString(' at ', Outcome::of($call));
        }
        self::assertSame('unsupported_value at  (/0)', Outcome::of(static fn(): string => \polypack_pack([\STDERR])));
    }

    /**
     * Decodes with both engines, in each mode, without and with records, and half of the time with an extension.
     */
    private static function decode(string $bytes, Limits $limits, RandomBytes $random, string $label): void
    {
        foreach (self::UNPACK_OPTIONS as $options) {
            foreach ([0, UnpackOptions::RECORDS_INLINE] as $records) {
                $hasExtension = $random->int(0, 1) === 1;
                if (($options & self::BIG_INTS) !== 0 && !\str_contains($bytes, "\xcf")) {
                    continue; // no integer is above 2^63-1
                }
                self::same("{$label}, options {$options} | {$records}: ", $bytes, static function () use ($bytes, $options, $records, $limits, $hasExtension): array {
                    $extension = new CountedExtension(static fn(BufferUnpacker $inside): mixed => $inside->unpack());
                    $unpacker = new BufferUnpacker("\x01{$bytes}", $options | $records, $hasExtension ? [$extension] : [], $limits);
                    $unpacker->unpack();

                    return [...self::outcome($unpacker->unpack(...)), $unpacker->getRemainingCount(), $extension->calls];
                });
            }
        }
    }

    /**
     * Encodes with both engines, with each option, without and with records; in turn alone and beside an object that
     * packs itself.
     */
    private static function encode(mixed $value, int $maxDepth, string $label): void
    {
        /** @var bool $isBeside */
        static $isBeside = false;
        foreach (self::PACK_OPTIONS as $options) {
            foreach ([0, PackOptions::RECORDS_INLINE] as $records) {
                $isBeside = !$isBeside;
                self::same("{$label}, options {$options} | {$records}: ", '', static function () use ($value, $options, $records, $maxDepth, $isBeside): array {
                    $packer = new Packer($options | $records, [], new Limits($maxDepth));
                    $object = new Counted(static fn(Packer $inside): string => $inside->pack(['a' => [1]]));
                    $outcome = self::outcome(static fn(): string => $packer->pack($isBeside ? [$object, 'v' => $value] : $value));

                    return [...$outcome, $object->calls, ...self::outcome(static fn(): string => $packer->pack([['b' => 100]]))];
                });
            }
            $isBeside = !$isBeside;
        }
        $isBeside = !$isBeside; // the next value has the other half
    }

    /**
     * @param \Closure(): list<mixed> $call
     */
    private static function same(string $label, string $bytes, \Closure $call): void
    {
        [$withPhp, $natively] = self::withBothEngines($call);
        if ($withPhp !== $natively) {
            self::assertSame($withPhp, $natively, $label . \bin2hex(\substr($bytes, 0, 400)));
        }
    }
}
