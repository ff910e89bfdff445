<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Decoder\DefaultDecoder;
use Polypack\Encoder\DefaultEncoder;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Format;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\Tests\Support\Box;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\RandomBytes;
use Polypack\Tests\Support\RandomValues;
use Polypack\Tests\Support\Vectors;
use Polypack\Type\Ext;
use Polypack\Type\Timestamp;

/**
 * A request with default options loads few files, and what it gets is what Packer and BufferUnpacker give.
 */
final class FirstUseTest extends TestCase
{
    private const PAIR = '$packed = Polypack\MessagePack::pack(%s); Polypack\MessagePack::unpack($packed);';

    /**
     * The bounds are counts, not times. One that is exceeded needs a reason: each file costs each request.
     *
     * @param list<string> $files beyond those of each default request
     */
    #[DataProvider('requests')]
    public function testADefaultRequestLoadsFewFiles(string $value, array $files = []): void
    {
        $always = [
            'MessagePack.php', 'Native/Engine.php',
            'Encoder/DefaultEncoder.php', 'Encoder/Loops.php', 'Encoder/Loops/DefaultLoops.php',
            'Decoder/DefaultDecoder.php', 'Decoder/Loops.php', 'Decoder/Loops/DefaultLoops.php',
        ];
        $loaded = self::load(\sprintf(self::PAIR, $value));

        self::assertEqualsCanonicalizing([...$always, ...$files], \array_keys($loaded));
        self::assertLessThan(72_000, \array_sum(\array_intersect_key($loaded, \array_flip($always))));
    }

    /**
     * @return iterable<string, array{0: string, 1?: list<string>}>
     */
    public static function requests(): iterable
    {
        yield 'a map' => ['["id" => 1, "name" => "Ada", "tags" => ["a", "b"], "score" => 1.5, "ok" => true, "none" => null]'];
        yield 'a list' => ['[1, -5, 300, "text", [], ["x" => [1, [2]]]]'];
        yield 'many numbers' => ['range(1, 100)', ['Decoder/Jit.php', 'Encoder/Numbers.php']];
        yield 'all widths' => ['array_map(fn($i) => [2 ** $i, -2 ** $i], range(0, 62))', ['Decoder/Jit.php']];
    }

    /**
     * What a request reads alone.
     *
     * @param list<string> $files
     */
    #[DataProvider('reads')]
    public function testReadingLoadsFewFiles(string $packed, array $files = []): void
    {
        $always = [
            'MessagePack.php', 'Native/Engine.php',
            'Decoder/DefaultDecoder.php', 'Decoder/Loops.php', 'Decoder/Loops/DefaultLoops.php',
        ];
        $loaded = self::load("Polypack\\MessagePack::unpack(hex2bin('{$packed}'));");

        self::assertEqualsCanonicalizing([...$always, ...$files], \array_keys($loaded));
    }

    /**
     * @return iterable<string, array{0: string, 1?: list<string>}>
     */
    public static function reads(): iterable
    {
        yield 'bytes and floats of both widths' => ['93c40101ca3f800000cb3ff0000000000000'];
        // Ext values and timestamps are CanBePacked
        yield 'a timestamp' => ['91d6ff00000001', ['Type/Timestamp.php', 'CanBePacked.php', 'Format.php']];
    }

    /**
     * No mode but the chosen one, no records, lazy reads, streams and errors where nothing needs them.
     */
    public function testPackersAndUnpackersLoadNoErrorsAndStreams(): void
    {
        $loaded = self::load('$p = (new Polypack\Packer())->pack(["a" => [1]]); (new Polypack\BufferUnpacker($p))->unpack();');

        self::assertSame([], \preg_grep('~^(Exception/|Stream/Scanner|Snapshot/|Records/Shape)~', \array_keys($loaded)));
        self::assertLessThanOrEqual(37, \count($loaded));
        self::assertLessThan(424_000, \array_sum($loaded));
    }

    /**
     * Every class of the library is there before the first request, so a request loads no file of it.
     */
    #[RequiresPhpExtension('Zend OPcache')]
    public function testAPreloadedLibraryLoadsNoFiles(): void
    {
        $code = \sprintf(self::PAIR, '["id" => 1, "name" => "Ada", "tags" => [["a"]]]') . <<<'CODE'
            $packer = new Polypack\Packer(Polypack\PackOptions::STRICT);
            $bytes = $packer->pack(["t" => new Polypack\Type\Timestamp(1)]);
            foreach (new Polypack\StreamUnpacker() as $none);
            try {
                (new Polypack\BufferUnpacker("{$bytes}\xc1"))->reset("\xc1")->unpack();
            } catch (Polypack\Exception\UnpackingFailedException) {
                Polypack\Snapshot\Serializer::serialize([1]);
            }
            CODE;
        $settings = ['opcache.enable_cli' => '1', 'opcache.preload' => \dirname(__DIR__) . '/preload.php'];
        if (\function_exists('posix_geteuid') && \posix_geteuid() === 0) {
            $settings['opcache.preload_user'] = 'root';
        }

        self::assertNotSame([], self::load($code));
        self::assertSame([], self::load($code, $settings));
    }

    public function testTheDepthIsTheDefaultOne(): void
    {
        self::assertSame(Format::MAX_DEPTH, (new \ReflectionClass(DefaultDecoder::class))->getConstant('MAX_DEPTH'));
        self::assertSame(Format::MAX_DEPTH, (new \ReflectionProperty(DefaultEncoder::class, 'maxDepth'))->getDefaultValue());
    }

    // The short way and the long one

    public function testVectorsAreReadAlike(): void
    {
        $read = 0;
        foreach (Vectors::files() as [$folder, $file]) {
            foreach (Vectors::cases($file) as $case) {
                $bytes = $case->has('bytes') ? $case->bytes() : '';
                if ($bytes !== '' && \strlen($bytes) < 10_000) {
                    self::assertSame(self::longWay($bytes), self::shortWay($bytes), $file);
                    ++$read;
                }
            }
        }
        self::assertGreaterThan(1000, $read);
    }

    #[Group('slow')]
    public function testRandomInputIsReadAlike(): void
    {
        $random = new RandomBytes(27);
        for ($i = 0; $i < 2000; ++$i) {
            $bytes = $random->next();
            self::assertSame(self::longWay($bytes), self::shortWay($bytes), \bin2hex($bytes));
        }
    }

    #[Group('slow')]
    public function testWideMapsAreReadAlike(): void
    {
        $names = \array_fill_keys(\array_map(static fn(int $i): string => "n{$i}", \range(1, 3000)), 1);
        $collide = [];
        for ($i = 0; $i < 21_000; ++$i) {
            $collide[$i << 16] = $i;
        }
        foreach ([$names, [$names, [$names]], [1, $collide]] as $value) {
            $packed = (new Packer())->pack($value);
            self::assertSame(self::longWay($packed), self::shortWay($packed));
            $cut = \substr($packed, 0, -3);
            self::assertSame(self::longWay($cut), self::shortWay($cut));
        }
    }

    #[Group('slow')]
    public function testRandomValuesArePackedAlike(): void
    {
        $random = new RandomValues(27);
        for ($i = 0; $i < 2000; ++$i) {
            $value = $random->next();
            self::assertSame(self::packedBy(new Packer(), $value), self::packedBy(null, $value));
        }
    }

    public function testWhatIsLeftToAPackerIsPackedAlike(): void
    {
        $deep = [];
        for ($i = 0; $i < 512; ++$i) {
            $deep = [$deep];
        }
        $values = [
            [], [[]], ['a' => new Timestamp(1)], \array_fill(0, 9, new Ext(1, 'x')), [[\NAN, -\INF]], $deep, \reset($deep),
            ['a' => ['b' => \STDERR]], [1, ['x/y' => new \SplObjectStorage(), 'z' => \tmpfile()]],
            ['a' => ['b' => [new Box([1, new Timestamp(5), ['c' => new Box(\STDERR)]])]]],
            [new Box($deep)], \array_fill(0, 20, ['t' => new Timestamp(2), 'd' => new \DateTimeImmutable('@3')]),
        ];
        foreach ($values as $value) {
            self::assertSame(self::packedBy(new Packer(), $value), self::packedBy(null, $value));
        }
    }

    private static function packedBy(?Packer $packer, mixed $value): string
    {
        try {
            return \bin2hex($packer === null ? MessagePack::pack($value) : $packer->pack($value));
        } catch (PackingFailedException $error) {
            return Outcome::error($error) . $error->getMessage();
        }
    }

    private static function shortWay(string $bytes): string
    {
        return self::read(static fn(): mixed => MessagePack::unpack($bytes));
    }

    private static function longWay(string $bytes): string
    {
        return self::read(static function () use ($bytes): mixed {
            $unpacker = new BufferUnpacker($bytes);
            $value = $unpacker->unpack();
            $unpacker->expectEnd();

            return $value;
        });
    }

    /**
     * @param \Closure(): mixed $read
     */
    private static function read(\Closure $read): string
    {
        try {
            return Outcome::value($read());
        } catch (UnpackingFailedException $error) {
            return $error::class . Outcome::error($error) . $error->getMessage();
        }
    }

    /**
     * @param array<string, string> $settings of php.ini
     *
     * @return array<string, int> the files of the library that the code loads, with their bytes
     */
    private static function load(string $code, array $settings = ['opcache.enable_cli' => '0']): array
    {
        $command = [\PHP_BINARY];
        foreach ($settings as $name => $setting) {
            \array_push($command, '-d', "{$name}={$setting}");
        }
        \array_push($command, __DIR__ . '/Support/first-use.php', $code);
        $process = \proc_open($command, [1 => ['pipe', 'w']], $pipes, env_vars: ['POLYPACK_ENGINE' => 'php'] + \getenv());
        self::assertIsResource($process);
        $output = (string) \stream_get_contents($pipes[1]);
        self::assertSame(0, \proc_close($process), $output);
        $files = \json_decode($output, true);
        self::assertIsArray($files, $output);

        /** @var array<string, int> $files */
        return $files;
    }
}
