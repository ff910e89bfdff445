<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Canonical;
use Polypack\Exception\UnpackingFailedException;
use Polypack\MessagePack;
use Polypack\PackOptions;
use Polypack\StreamUnpacker;
use Polypack\Tests\Support\Modes;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\ReferenceDecoder;
use Polypack\Tests\Support\VectorCase;
use Polypack\Tests\Support\Vectors;
use Polypack\UnpackOptions;

/**
 * Every case of vectors/, one test for each file.
 */
final class VectorsTest extends TestCase
{
    /**
     * @return array<string, array{string, string}>
     */
    public static function files(): array
    {
        return Vectors::files();
    }

    /**
     * @return array<string, array{string, string}>
     */
    public static function messages(): array
    {
        return \array_filter(Vectors::files(), static fn(array $row): bool => \in_array($row[0], ['valid', 'invalid', 'records'], true));
    }

    public function testEveryFolderHasFiles(): void
    {
        $folders = \array_values(\array_unique(\array_column(Vectors::files(), 0)));
        self::assertSame(['canonical', 'defaults', 'encode', 'invalid', 'records', 'stream', 'valid'], $folders);
    }

    #[DataProvider('files')]
    public function testFile(string $folder, string $file): void
    {
        match ($folder) {
            'valid' => self::valid($file),
            'invalid' => self::invalid($file),
            'stream' => self::stream($file),
            'records' => self::records($file),
            'canonical' => self::canonical($file),
            'defaults' => self::defaults($file),
            'encode' => self::encode($file),
            default => self::fail("nobody reads vectors/{$folder}"),
        };
        $this->addToAssertionCount(1); // same() counts nothing
    }

    /**
     * The reference answers in modes, and with records, of which a case says nothing.
     */
    #[DataProvider('messages')]
    #[Group('slow')]
    public function testTheReferenceAgrees(string $folder, string $file): void
    {
        $i = 0;
        foreach (Vectors::cases($file) as $name => $case) {
            if (!Modes::takes(++$i)) {
                continue;
            }
            foreach ($folder === 'valid' ? [$case->bytes('canonical'), ...$case->also()] : [$case->bytes()] as $bytes) {
                self::sameAsReference($name, $bytes, $case);
            }
        }
        $this->addToAssertionCount(1); // same() counts nothing
    }

    private static function valid(string $file): void
    {
        foreach (Vectors::cases($file) as $name => $case) {
            $value = $case->value();
            $canonical = $case->bytes('canonical');
            $limits = $case->limits();

            $packed = MessagePack::pack($value, PackOptions::LOSSLESS, $limits);
            self::same(\strlen($canonical), \strlen($packed), "{$name} is packed with the shortest heads");
            $form = new Canonical(limits: $limits);
            self::same(\bin2hex($canonical), \bin2hex($form->canonicalize($packed)), "{$name} is packed");
            self::same(\bin2hex($canonical), \bin2hex($form->pack($value)), "{$name} in canonical form");
            self::same(null, $form->departure($canonical), "{$name} is canonical");
            foreach ([$canonical, ...$case->also()] as $bytes) {
                self::same(
                    self::unordered($value),
                    self::unordered(MessagePack::unpack($bytes, UnpackOptions::LOSSLESS, $limits)),
                    "{$name} is unpacked from ",
                    $bytes,
                );
            }
        }
    }

    private static function invalid(string $file): void
    {
        foreach (Vectors::cases($file) as $name => $case) {
            $bytes = $case->bytes();
            foreach ($case->modes() as $mode) {
                $options = $case->unpackOptions(Vectors::MODES[$mode]);
                $outcome = Outcome::of(static fn(): mixed => MessagePack::unpack($bytes, $options, $case->limits()));
                self::same($case->error(), $outcome, "{$name} in {$mode} mode");

                $unpacker = new BufferUnpacker("\xc0" . $bytes, $options, limits: $case->limits());
                $unpacker->unpackNil();
                $again = Outcome::of(static fn(): mixed => $unpacker->unpack());
                if (!\str_starts_with((string) $case->error(), 'trailing_data')) {
                    self::same(\strlen($bytes), $unpacker->getRemainingCount(), "{$name}: the position after the error");
                    self::same($again, Outcome::of(static fn(): mixed => $unpacker->unpack()), "{$name} once more");
                }
            }
        }
    }

    private static function stream(string $file): void
    {
        foreach (Vectors::cases($file) as $name => $case) {
            $bytes = $case->bytes();
            $options = $case->unpackOptions(UnpackOptions::LOSSLESS);
            $expected = \array_map(self::unordered(...), $case->values());
            foreach (self::cuts($bytes) as $chunks) {
                $stream = new StreamUnpacker($options, [], $case->limits());
                $values = [];
                $error = null;
                try {
                    foreach ($stream->decode($chunks) as $value) {
                        $values[] = self::unordered($value);
                    }
                } catch (UnpackingFailedException $fault) {
                    $error = Outcome::error($fault);
                }
                self::same($expected, $values, "{$name} cut ", ...$chunks);
                self::same($case->error(), $error, "{$name} cut ", ...$chunks);
            }
        }
    }

    private static function records(string $file): void
    {
        foreach (Vectors::cases($file) as $name => $case) {
            $bytes = $case->bytes();
            if ($case->has('value')) {
                self::same(
                    self::unordered($case->value()),
                    self::unordered(MessagePack::unpack($bytes, $case->unpackOptions(UnpackOptions::LOSSLESS), $case->limits())),
                    $name,
                );
                if ($case->encodes()) {
                    $packed = MessagePack::pack($case->value(), $case->packOptions(PackOptions::LOSSLESS), $case->limits());
                    self::same(\bin2hex($bytes), \bin2hex($packed), "{$name} is written");
                }
            } else {
                foreach ($case->modes() as $mode) {
                    $options = $case->unpackOptions(Vectors::MODES[$mode]);
                    $outcome = Outcome::of(static fn(): mixed => MessagePack::unpack($bytes, $options, $case->limits()));
                    self::same($case->error(), $outcome, "{$name} in {$mode} mode");
                }
            }
        }
    }

    private static function canonical(string $file): void
    {
        foreach (Vectors::cases($file) as $name => $case) {
            $canonical = new Canonical($case->isInline(), $case->limits(), integralFloatsAsInts: $case->has('integralFloatsAsInts'));
            if ($case->has('error')) {
                $outcome = Outcome::of(static fn(): string => $canonical->canonicalize($case->bytes()));
                $isAny = \str_contains((string) $case->error(), ' at  '); // an error without an offset may have any
                self::same($case->error(), $isAny ? \preg_replace('/ at \d+ /', ' at  ', $outcome) : $outcome, $name);
                continue;
            }
            self::same(\bin2hex($case->bytes('canonical')), \bin2hex($canonical->canonicalize($case->bytes())), $name);
            self::same($case->departure(), $canonical->departure($case->bytes()), $name);
        }
    }

    private static function defaults(string $file): void
    {
        if (\basename($file) !== 'php.json') {
            self::assertContains(\basename($file), ['javascript.json', 'go.json']);

            return;
        }
        foreach (Vectors::cases($file) as $name => $case) {
            $bytes = $case->bytes();
            $isStrict = $case->has('mode');
            $options = $isStrict ? UnpackOptions::STRICT : 0;
            if ($case->has('becomes')) {
                $again = MessagePack::pack(MessagePack::unpack($bytes, $options), $isStrict ? PackOptions::STRICT : 0);
                self::same(\bin2hex($case->bytes('becomes')), \bin2hex($again), $name);
            } else {
                self::same($case->error(), Outcome::of(static fn(): mixed => MessagePack::unpack($bytes, $options)), $name);
            }
        }
    }

    private static function encode(string $file): void
    {
        $modes = ['default' => 0, 'strict' => PackOptions::STRICT, 'lossless' => PackOptions::LOSSLESS];
        foreach (Vectors::cases($file) as $name => $case) {
            foreach ($case->modes() as $mode) {
                $outcome = Outcome::of(static fn(): string => MessagePack::pack($case->value(), $modes[$mode], $case->limits()));
                self::same($case->error(), $outcome, "{$name} in {$mode} mode");
            }
        }
    }

    /**
     * Holds the decoder against the reference in every mode, with and without records.
     */
    private static function sameAsReference(string $name, string $bytes, VectorCase $case): void
    {
        if (\strlen($bytes) > 600) {
            return; // the reference is slow, and big cases are the same kind of thing again
        }
        $limits = $case->limits();
        foreach (Vectors::MODES as $mode => $options) {
            foreach ([false, true] as $records) {
                $reference = new ReferenceDecoder($mode, $records, $limits->maxDepth, $limits->maxValues ?? \PHP_INT_MAX);
                $options |= $records ? UnpackOptions::RECORDS_INLINE : 0;
                self::same(
                    Outcome::of(static fn(): mixed => $reference->decode($bytes)),
                    Outcome::of(static fn(): mixed => MessagePack::unpack($bytes, $options, $limits)),
                    "{$name} in {$mode} mode, records " . ($records ? 'inline' : 'off'),
                );
            }
        }
    }

    /**
     * Text that is the same for equal values: the canonical form knows no order of entries.
     */
    private static function unordered(mixed $value): string
    {
        return \bin2hex(Support\ReferenceEncoder::canonical($value));
    }

    /**
     * @return iterable<list<string>>
     */
    private static function cuts(string $bytes): iterable
    {
        yield [$bytes];
        $length = \strlen($bytes);
        if ($length > 1) {
            yield \str_split($bytes, 2);
            yield \str_split($bytes, \max(1, \intdiv($length, 3)));
        }
        if ($length <= 5000) {
            yield $length > 0 ? \str_split($bytes) : [];
        }
        for ($i = 1; $i < \min($length, 64); ++$i) {
            yield [\substr($bytes, 0, $i), \substr($bytes, $i)];
        }
    }

    /**
     * Asserts, and puts the message together only when it fails: there are hundreds of thousands of comparisons.
     */
    private static function same(mixed $expected, mixed $got, string $label, string ...$bytes): void
    {
        if ($expected !== $got) {
            $label .= \implode(' ', \array_map(
                static fn(string $part): string => \bin2hex(\substr($part, 0, 40)),
                \array_slice($bytes, 0, 100),
            ));
            self::assertSame($expected, $got, $label);
        }
    }
}
