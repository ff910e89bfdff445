<?php

declare(strict_types=1);

namespace Polypack\Tests\Stores;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Records\Dictionary;
use Polypack\Records\SharedRecords;
use Polypack\Stores\DictionaryStore;
use Polypack\Stores\FileStore;
use Polypack\Stores\MemoryStore;
use Polypack\Stores\RedisStore;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\RedisServer;
use Polypack\UnpackOptions;
use Predis\Client;

/**
 * spec/05-records.md#stores: what every store does, also while writers run at the same time and are killed. The Redis
 * is a real one.
 */
final class StoresTest extends TestCase
{
    private static ?RedisServer $server = null;
    private static int $count = 0;

    public static function tearDownAfterClass(): void
    {
        self::$server?->stop();
        self::$server = null;
    }

    private static function server(): RedisServer
    {
        return self::$server ??= new RedisServer();
    }

    private static function place(): string
    {
        return self::server()->folder . '/shapes-' . ++self::$count . '.mp';
    }

    private static function predis(): Client
    {
        return new Client(['scheme' => 'unix', 'path' => self::server()->socket]);
    }

    private static function extension(): \Redis
    {
        if (!\extension_loaded('redis')) {
            self::markTestSkipped('the PHP extension redis is not loaded; tools/setup installs it for the PHP of the system');
        }
        $redis = new \Redis();
        $redis->connect(self::server()->socket);

        return $redis;
    }

    private static function store(string $kind): DictionaryStore
    {
        $key = 'key-' . ++self::$count;

        return match ($kind) {
            'memory' => new MemoryStore(),
            'file' => new FileStore(self::place(), lockTimeout: 120_000),
            'predis' => new RedisStore(self::predis(), $key),
            default => new RedisStore(self::extension(), $key),
        };
    }

    /**
     * @return iterable<string, array{string}>
     */
    public static function kinds(): iterable
    {
        foreach (['memory', 'file', 'predis', 'ext-redis'] as $kind) {
            yield $kind => [$kind];
        }
    }

    #[DataProvider('kinds')]
    public function testKeepsBytesByCompareAndSetOnContent(string $kind): void
    {
        $store = self::store($kind);
        $every = \implode('', \array_map(\chr(...), [...\range(0, 255), ...\range(0, 255)]));
        self::assertNull($store->load());
        self::assertFalse($store->replace($every, $every));
        self::assertFalse($store->replace('', $every), 'nothing is not the empty content');
        self::assertTrue($store->replace(null, $every));
        self::assertFalse($store->replace(null, "\0"));
        self::assertSame($every, $store->load());
        self::assertFalse($store->replace(\strrev($every), $every), 'of the same length');
        self::assertTrue($store->replace($every, ''));
        self::assertSame('', $store->load());
        self::assertFalse($store->replace(null, 'x'));
        self::assertTrue($store->replace('', $every));
        self::assertTrue($store->replace($every, \str_repeat($every, 300)));
        self::assertSame(\str_repeat($every, 300), $store->load());
    }

    public function testRepliesThatAreNotWhatTheScriptReturnsAreRefused(): void
    {
        foreach (['0', '0g', 'AB', "ab\n", "\0", ['ab'], 1, true, \str_repeat('0', 4_000_001)] as $reply) {
            $store = new RedisStore(static fn(): mixed => $reply, 'key');
            try {
                $store->load();
                self::fail(\var_export($reply, true));
            } catch (\UnexpectedValueException $error) {
                self::assertStringContainsString('the client', $error->getMessage());
            }
        }
        foreach ([0, 1, 16, 1_000_000, 4_000_000] as $length) {
            $store = new RedisStore(static fn(): string => \str_repeat('0f', $length), 'key');
            self::assertTrue($store->load() === \str_repeat("\x0f", $length), "{$length} bytes");
        }
    }

    #[DataProvider('kinds')]
    public function testWritersAppendToWhatOthersHaveAppended(string $kind): void
    {
        $store = self::store($kind);
        $writers = [];
        foreach (\range(0, 3) as $number) {
            $writers[] = new Packer(PackOptions::of(records: new SharedRecords($store, maxShapes: 50)));
        }
        $messages = [];
        for ($round = 0; $round < 4; ++$round) {
            foreach ($writers as $number => $packer) {
                $value = [["n{$round}" => $number], ["n{$round}" => 1, "w{$number}" => 2]];
                $packed = $packer->pack($value);
                self::assertLessThanOrEqual(9, \strlen($packed), 'without declarations');
                $messages[] = [$packed, $value];
            }
        }
        $records = new SharedRecords($store);
        $reader = new BufferUnpacker('', UnpackOptions::of(records: $records));
        foreach ($messages as [$packed, $value]) {
            self::assertSame($value, $reader->reset($packed)->unpack());
        }
        self::assertCount(20, $records->dictionary(), 'each once');
        self::assertSame($records->dictionary()->pack(), $store->load());
    }

    public function testClientsOfOneRedisAreOneStore(): void
    {
        $predis = self::predis();
        $extension = self::extension();
        $serializing = self::extension();
        $serializing->setOption(\Redis::OPT_SERIALIZER, \Redis::SERIALIZER_PHP);
        $key = 'key-' . ++self::$count;
        $stores = [
            new RedisStore($predis, $key),
            new RedisStore($extension, $key),
            new RedisStore($serializing, $key),
            new RedisStore(static fn(string $script, array $keys, array $values): mixed => $extension->eval($script, [...$keys, ...$values], \count($keys)), $key),
        ];
        $content = null;
        foreach ([...$stores, ...$stores] as $index => $store) {
            self::assertSame($content, $store->load());
            $next = \str_repeat("{$index}\xff\0\r\n", 70);
            self::assertFalse($store->replace("{$index}", $next));
            self::assertTrue($store->replace($content, $next));
            $content = $next;
        }
        self::assertSame($content, $extension->get($key), 'the bytes themselves');
    }

    public function testErrorsOfRedisAreThrown(): void
    {
        $extension = self::extension();
        $quiet = new Client(['scheme' => 'unix', 'path' => self::server()->socket], ['exceptions' => false]);
        $key = 'list-' . ++self::$count;
        $extension->rPush($key, 'x');
        foreach ([$extension, self::predis(), $quiet] as $client) {
            $store = new RedisStore($client, $key);
            foreach ([static fn(): mixed => $store->load(), static fn(): mixed => $store->replace(null, 'x')] as $call) {
                try {
                    $call();
                    self::fail('it is no string');
                } catch (\Exception $error) {
                    self::assertStringContainsString('WRONGTYPE', $error->getMessage());
                }
            }
        }
        self::assertNull((new RedisStore($extension, 'another'))->load(), 'the error was the other key’s');
        $wrong = new RedisStore(static fn(): mixed => ['x'], 'key');
        foreach ([static fn(): mixed => $wrong->load(), static fn(): mixed => $wrong->replace(null, '')] as $call) {
            try {
                $call();
                self::fail('it is no reply');
            } catch (\UnexpectedValueException $error) {
                self::assertStringContainsString('the client', $error->getMessage());
            }
        }
        $lost = new SharedRecords(new RedisStore($quiet, $key));
        self::assertSame('d4726091a16101', \bin2hex(MessagePack::pack(['a' => 1], PackOptions::of(records: $lost))));
        self::assertStringContainsString('WRONGTYPE', (string) $lost->failure()?->getMessage());
    }

    public function testArgumentsAreChecked(): void
    {
        $calls = [
            static fn(): mixed => new FileStore(''),
            static fn(): mixed => new FileStore("a\0b"),
            static fn(): mixed => new FileStore('x', lockTimeout: 0),
            static fn(): mixed => new FileStore('x', staleAfter: -1),
            static fn(): mixed => new RedisStore(static fn(): mixed => null, ''),
            static fn(): mixed => new SharedRecords(new MemoryStore(), maxShapes: 8161),
            static fn(): mixed => new SharedRecords(new MemoryStore(), maxShapes: -1),
            static fn(): mixed => new Dictionary(\array_fill(0, 8161, null)),
            static fn(): mixed => new Dictionary([['a', 'a']]),
            static fn(): mixed => new Dictionary([["\xff"]]),
            static fn(): mixed => new Dictionary([[1]]), // @phpstan-ignore argument.type
            static fn(): mixed => (new Dictionary())->append([1 => 'a']), // @phpstan-ignore argument.type
        ];
        foreach ($calls as $number => $call) {
            try {
                $call();
                self::fail("call {$number} is accepted");
            } catch (InvalidOptionException $error) {
                self::assertNotSame('', $error->getMessage());
            }
        }
    }

    // Many processes

    /**
     * @return iterable<string, array{string}>
     */
    public static function places(): iterable
    {
        yield 'file' => ['file'];
        yield 'redis' => ['redis'];
    }

    #[DataProvider('places')]
    #[Group('slow')]
    #[Group('once')]
    #[Group('engineless')]
    public function testWritersThatRunAtOnceAndAreKilledLoseNothing(string $kind): void
    {
        $place = $kind === 'file' ? self::place() : self::server()->socket;
        $store = $kind === 'file' ? new FileStore($place, lockTimeout: 120_000) : new RedisStore(self::predis(), 'shapes');
        $stale = new BufferUnpacker('', UnpackOptions::of(records: new SharedRecords($store)));
        \mt_srand(5);
        $lines = [];
        for ($group = 0; $group < 6; ++$group) {
            $children = [];
            for ($i = 0; $i < 3; ++$i) {
                $command = [\PHP_BINARY, __DIR__ . '/../Support/store-writer.php', $kind, $place, (string) (3 * $group + $i)];
                $process = \proc_open($command, [1 => ['pipe', 'w'], 2 => ['pipe', 'w']], $pipes);
                self::assertIsResource($process);
                $children[] = [$process, $pipes[1], $pipes[2]];
            }
            foreach ($children as $i => [$process, $output, $errors]) {
                $text = '';
                if ($i > 0) { // one of three ends by itself
                    $text = (string) \fgets($output); // it is at work
                    \usleep(\mt_rand(0, 8000));
                    \proc_terminate($process, 9);
                }
                $text .= \stream_get_contents($output);
                $error = \stream_get_contents($errors);
                \proc_close($process);
                self::assertSame('', $error);
                // Killing may cut the last line.
                foreach (\explode("\n", \substr($text, 0, (int) \strrpos($text, "\n"))) as $line) {
                    $line = \json_decode($line, true, 512, \JSON_THROW_ON_ERROR);
                    self::assertIsArray($line);
                    $lines[] = $line;
                    if (\is_string($line['bytes'] ?? null)) {
                        self::assertSame($line['value'], $stale->reset((string) \hex2bin($line['bytes']))->unpack());
                    }
                }
            }
        }
        $final = Dictionary::unpack((string) $store->load())->shapes();
        self::assertGreaterThan(20, \count($final));
        self::assertSame(\array_unique($final, \SORT_REGULAR), $final, 'each once');
        $messages = 0;
        foreach ($lines as $line) {
            if (\is_array($line['shapes'] ?? null)) {
                self::assertSame(\array_slice($final, 0, \count($line['shapes'])), $line['shapes'], 'never but added');
            } else {
                ++$messages;
            }
        }
        self::assertGreaterThan(70, $messages);
        if ($kind === 'file') {
            // The next one to write removes what the dead have left.
            self::assertTrue($store->replace($store->load(), (string) $store->load()));
            self::assertSame([$place], \glob("{$place}*"));
        }
    }

    public function testAReaderIsToldThatTheDictionaryIsGone(): void
    {
        $place = self::place();
        $packed = MessagePack::pack([['a' => 1]], PackOptions::of(records: new SharedRecords(new FileStore($place))));
        \unlink($place);
        $outcome = Outcome::of(static fn(): mixed => MessagePack::unpack($packed, UnpackOptions::of(records: new SharedRecords(new FileStore($place)))));
        self::assertSame('unknown_record at 1 (/0)', $outcome);
        \mkdir($place);
        try {
            MessagePack::unpack($packed, UnpackOptions::of(records: new SharedRecords(new FileStore($place))));
            self::fail('a folder is no dictionary');
        } catch (UnpackingFailedException $error) {
            self::assertSame('unsupported_value at 1 (/0)', Outcome::error($error));
            self::assertStringContainsString($place, (string) $error->getPrevious()?->getMessage());
        } finally {
            \rmdir($place);
        }
    }
}
