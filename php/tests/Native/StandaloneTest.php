<?php

declare(strict_types=1);

namespace Polypack\Tests\Native;

use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\Exception\ErrorCode;
use Polypack\Exception\InsufficientDataException;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\PolypackException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\MessagePack;
use Polypack\PackOptions;
use Polypack\Tests\Support\RandomBytes;
use Polypack\Tests\Support\Vectors;
use Polypack\UnpackOptions;

/**
 * The extension without the library: polypack_pack() and polypack_unpack() throw the same exceptions as with it. A
 * child process without an autoloader (standalone.php) says what they do.
 */
#[RequiresPhpExtension('polypack')]
final class StandaloneTest extends TestCase
{
    private const CLASSES = [
        PolypackException::class, ErrorCode::class, InvalidOptionException::class, PackingFailedException::class,
        UnpackingFailedException::class, InsufficientDataException::class,
    ];

    public function testTheClassesAreTheLibrarys(): void
    {
        require_once __DIR__ . '/../Support/reflect.php';
        foreach (self::CLASSES as $class) {
            self::assertSame(\Polypack\Tests\Support\reflect($class), self::standalone('reflect', [[$class, 0]])[0], $class);
        }
    }

    public function testItsFaultsAreTheLibrarys(): void
    {
        $messages = $expected = [];
        $random = new RandomBytes(1);
        foreach (self::inputs($random) as $label => $bytes) {
            foreach ([0, UnpackOptions::STRICT, UnpackOptions::LOSSLESS, UnpackOptions::BIGINT_THROW] as $options) {
                try {
                    MessagePack::unpack($bytes, $options);
                } catch (UnpackingFailedException $error) {
                    $messages[] = [\bin2hex($bytes), $options];
                    $expected[] = [$label, $error::class, $error->errorCode->value, $error->offset, $error->path, $error->getMessage()];
                }
            }
        }
        $needLibrary = 0;
        foreach (self::standalone('unpack', $messages) as $i => $found) {
            \assert(\is_array($found));
            if (\is_string($found[4]) && \str_contains($found[4], 'only with the library')) {
                // keys that are containers, in lossless mode
                self::assertContains($expected[$i][2], ['duplicate_key', 'limit_exceeded'], $expected[$i][0]);
                ++$needLibrary;
                continue;
            }
            self::assertSame(\array_slice($expected[$i], 1), $found, "{$expected[$i][0]}, options {$messages[$i][1]}: {$messages[$i][0]}");
        }
        self::assertGreaterThan(2_000, \count($messages));
        self::assertLessThan(\count($messages) / 10, $needLibrary);
    }

    /**
     * @return iterable<string, string>
     */
    private static function inputs(RandomBytes $random): iterable
    {
        foreach (Vectors::files() as $name => [$folder, $file]) {
            foreach (Vectors::cases($file) as $label => $case) {
                if ($folder === 'invalid' && $case->has('bytes') && !$case->has('records') && \strlen($case->bytes()) < 100_000) {
                    yield "{$label} of {$name}" => $case->bytes();
                }
            }
        }
        for ($i = 0; $i < 800; ++$i) {
            yield "random {$i}" => $random->next();
        }
        yield 'dup' => "\x82\xc4\x01a\x01\xc4\x01a\x02";
        yield 'path' => "\x81\xc4\x02\x00\xff\x91\xc1";
        yield 'long name' => "\x81\xd9\xff" . \str_repeat('~/', 127) . "\xff\xc1";
    }

    public function testWhatItCanNotUnpack(): void
    {
        foreach (["\xd6\xff\0\0\0\1", "\xd4\x05\x01", "\x82\x90\1\x91\1\1"] as $bytes) {
            $found = self::standalone('unpack', [[\bin2hex("\x91{$bytes}"), UnpackOptions::LOSSLESS]])[0];
            self::assertSame(
                [UnpackingFailedException::class, 'unsupported_value', 0, '', 'the message can be unpacked only with the library polypack/polypack, at byte 0; install it with Composer'],
                $found,
            );
        }
    }

    public function testFaultsOfPacking(): void
    {
        $deep = 1;
        for ($i = 0; $i < 513; ++$i) {
            $deep = ['k' => $deep];
        }
        $object = new \stdClass();
        $object->a = [1, \STDERR];
        $cases = [
            [$object, 0], [$deep, 0], [['k' => ["\xff"]], PackOptions::LOSSLESS], [["\xff" => 1], PackOptions::LOSSLESS],
            [['x/~' => [1e300]], PackOptions::FORCE_FLOAT32],
        ];
        $expected = [];
        foreach ($cases as [$value, $options]) {
            try {
                MessagePack::pack($value, $options);
                self::fail('packing succeeds');
            } catch (PackingFailedException $error) {
                $expected[] = [$error::class, $error->errorCode->value, null, $error->path, $error->getMessage()];
            }
        }
        self::assertSame($expected, self::standalone('pack', \array_map(static fn(array $case): array => [\base64_encode(\serialize($case[0])), $case[1]], $cases)));
        $found = self::standalone('pack', [[\base64_encode(\serialize(['a' => [new \ArrayObject()]])), 0]])[0];
        self::assertSame([PackingFailedException::class, 'unsupported_value', null, '/a/0'], \array_slice((array) $found, 0, 4));
    }

    public function testTheLibraryMayComeLater(): void
    {
        self::assertSame(
            [UnpackingFailedException::class, 'ext', 'reserved_byte', [1]],
            self::standalone('later', [[\dirname(__DIR__, 2) . '/vendor/autoload.php', 0]]),
        );
        self::assertSame(
            [InvalidOptionException::class, InvalidOptionException::class],
            self::standalone('options', [['', 3], ['', 1 << 30]]),
        );
    }

    /**
     * @param list<array{string, int}> $cases texts and options
     *
     * @return list<mixed>
     */
    private static function standalone(string $what, array $cases): array
    {
        $child = \proc_open([\PHP_BINARY, __DIR__ . '/../Support/standalone.php', $what], [['pipe', 'r'], ['pipe', 'w'], \STDERR], $pipes);
        self::assertIsResource($child);
        \fwrite($pipes[0], \json_encode($cases, \JSON_THROW_ON_ERROR));
        \fclose($pipes[0]);
        $said = (string) \stream_get_contents($pipes[1]);
        \proc_close($child);
        $found = \json_decode($said, true);
        self::assertIsArray($found, $said);

        return \array_values($found);
    }
}
