<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Exception\ErrorCode;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Pecl\PeclReader;
use Polypack\Pecl\PhpObject;
use Polypack\StreamUnpacker;
use Polypack\Tests\Support\Codes;
use Polypack\Tests\Support\CountingStore;
use Polypack\Tests\Support\PeclPoint;
use Polypack\Tests\Support\PeclState;
use Polypack\Tests\Support\RedisServer;
use Polypack\Tests\Support\Returning;
use Polypack\Tests\Support\Rybakit;
use Polypack\Tests\Support\Suit;
use Polypack\Type\Entries;
use Polypack\UnpackOptions;

/**
 * Each row of the tables in docs/guides/migrating-from-msgpack-php.md: both columns are run, so a row without a check
 * fails, and so does one that says something else than the libraries do.
 *
 * The column of rybakit/msgpack needs that library, and the one of the extension msgpack that extension.
 */
#[Group('once')]
final class MigrationRowsTest extends TestCase
{
    use Codes;

    private const GUIDE = __DIR__ . '/../../docs/guides/migrating-from-msgpack-php.md';

    public function testEveryRowAboutThePureLibraryIsWhatPolypackDoes(): void
    {
        $rows = self::rowsOf('ours');
        self::assertSame(self::heads("## From the pure library\n"), \array_keys($rows));
        foreach ($rows as $head => $checks) {
            foreach ($checks as $i => [, $is, $got]) {
                self::assertSame($is, $got, "{$head}, {$i}");
            }
        }
    }

    public function testEveryRowAboutThePureLibraryIsWhatItDid(): void
    {
        foreach (self::rowsOf(self::checkout()) as $head => $checks) {
            foreach ($checks as $i => [$was, , $got]) {
                self::assertSame($was, $got, "{$head}, {$i}");
            }
        }
    }

    public function testItsNamesAreHere(): void
    {
        $missing = \array_diff(self::namesOf(self::checkout()), self::namesOf('ours'));
        self::assertSame([], \preg_grep('/ is a /', $missing), 'parents');
        $named = \array_values(\array_unique(\array_map(static fn(string $name): string => \trim((string) \strstr($name, '::'), ':()'), $missing)));
        \sort($named);

        // A row names them.
        self::assertSame(['invalidMapKeyType', 'outOfRange', 'unexpectedCode', 'unknownCode', 'unsupportedType'], $named);
        foreach ($named as $name) {
            self::assertMatchesRegularExpression("/^\|.*{$name}\(\)/m", (string) \file_get_contents(self::GUIDE));
        }
    }

    /**
     * @param \Closure(): void $ours
     * @param (\Closure(): void)|null $theirs
     */
    #[DataProvider('rowsOfTheExtension')]
    public function testARowAboutTheExtension(\Closure $ours, ?\Closure $theirs = null): void
    {
        $ours();
        if ($theirs !== null && \extension_loaded('msgpack')) {
            $theirs();
        }
    }

    public function testEveryRowAboutTheExtensionHasACheck(): void
    {
        self::assertSame(self::heads("## From the PECL extension\n"), \array_keys(self::rowsOfTheExtension()));
    }

    /**
     * @return array<string, array{0: \Closure(): void, 1?: \Closure(): void}> what Polypack does, and the extension
     */
    public static function rowsOfTheExtension(): array
    {
        $value = ['id' => 7, 'list' => [1.5, null, true], 'text' => \str_repeat('x', 40)];
        $object = (string) \hex2bin('82c0a450726f62a16101');

        return [
            '`msgpack_pack($v)`, `msgpack_serialize($v)`' => [
                static fn() => self::assertSame($value, MessagePack::unpack(MessagePack::pack($value))),
                static fn() => self::assertSame(
                    [\msgpack_pack($value), \msgpack_serialize($value)],
                    [MessagePack::pack($value), MessagePack::pack($value)],
                ),
            ],
            '`msgpack_unpack($s)`, `msgpack_unserialize($s)`' => [
                static function () use ($object): void {
                    self::assertCode(ErrorCode::InvalidKey, static fn() => MessagePack::unpack($object));
                    $read = (new PeclReader())->read($object);
                    self::assertInstanceOf(PhpObject::class, $read);
                    self::assertSame(['Prob', ['a' => 1]], [$read->class, $read->properties]);
                },
                static function () use ($value): void {
                    self::assertSame($value, MessagePack::unpack(\msgpack_pack($value)));
                    self::assertSame($value, \msgpack_unserialize(MessagePack::pack($value)));
                },
            ],
            '`new MessagePack()`, `->pack()`, `->unpack()`' => [
                static fn() => self::assertSame($value, (new BufferUnpacker((new Packer())->pack($value)))->unpack()),
                static function () use ($value): void {
                    $theirs = new \MessagePack(); // @phpstan-ignore arguments.count (the stub knows no defaults)
                    self::assertSame((new Packer())->pack($value), $theirs->pack($value));
                    self::assertSame($value, $theirs->unpack((new Packer())->pack($value))); // @phpstan-ignore arguments.count
                },
            ],
            '`MessagePackUnpacker`: `feed()`, `execute()`, `data()`, `reset()`' => [
                static function (): void {
                    $stream = new StreamUnpacker();
                    self::assertSame([[1, 2], [[3, 4]]], [$stream->feed("\x01\x02\x92\x03"), $stream->feed("\x04")]);
                },
                static function (): void {
                    $theirs = new \MessagePackUnpacker(); // @phpstan-ignore arguments.count
                    $theirs->feed("\x01\x02\x92\x03");
                    $read = [];
                    while ($theirs->execute()) { // @phpstan-ignore arguments.count
                        $read[] = $theirs->data(); // @phpstan-ignore arguments.count
                        $theirs->reset();
                    }
                    $theirs->feed("\x04");
                    self::assertTrue($theirs->execute()); // @phpstan-ignore arguments.count
                    self::assertSame([1, 2, [3, 4]], [...$read, $theirs->data()]); // @phpstan-ignore arguments.count
                },
            ],
            '`OPT_PHPONLY`, `msgpack.php_only`' => [
                static function (): void {
                    self::assertSame('05', \bin2hex(MessagePack::pack(new Returning("\x05"))));
                    self::assertSame('05', \bin2hex((new Packer())->extendWith(Returning::transformer())->pack(new Returning("\x05"))));
                    self::assertSame('81a16101', \bin2hex(MessagePack::pack((object) ['a' => 1])));
                },
                static fn() => self::assertSame("\x91\x01", (new \MessagePack(false))->pack((object) ['a' => 1])),
            ],
            '`OPT_FORCE_F32` of newer versions' => [
                static fn() => self::assertSame('ca3fc00000', \bin2hex(MessagePack::pack(1.5, PackOptions::FORCE_FLOAT32))),
            ],
            '`msgpack.use_str8_serialization`' => [
                static fn() => self::assertStringStartsWith("\xd9\x20x", MessagePack::pack(\str_repeat('x', 32))),
                static fn() => self::assertSame(MessagePack::pack(\str_repeat('x', 32)), \msgpack_pack(\str_repeat('x', 32))),
            ],
            '`OPT_ASSOC`, `msgpack.assoc` of newer versions: maps as `stdClass`' => [
                static fn() => self::assertEquals((object) ['a' => 1], MessagePack::unpack("\x81\xa1a\x01", UnpackOptions::LOSSLESS)),
            ],
            '`msgpack_unpack($s, $template)`' => [
                static function (): void {
                    $names = \array_map(
                        static fn(\ReflectionParameter $parameter): string => $parameter->getName(),
                        (new \ReflectionMethod(MessagePack::class, 'unpack'))->getParameters(),
                    );
                    self::assertSame(['packed', 'options', 'limits', 'extensions'], $names);
                },
                static function (): void {
                    $read = @\msgpack_unpack("\x81\xa5loads\x05", new CountingStore()); // warns, and fills it
                    self::assertInstanceOf(CountingStore::class, $read);
                    self::assertSame(5, $read->loads);
                },
            ],
            // PeclReader reads what the handler writes: MigrationTest::testPeclReaderReadsSessions().
            '`session.serialize_handler = msgpack`' => [
                static fn() => self::assertEquals(['id' => 7], (new PeclReader())->read("\x81\xa2id\x07")),
            ],
            'phpredis with `SERIALIZER_MSGPACK`' => [self::keepsAValueInRedis(...)],
            'objects as the extension writes them' => [
                static fn() => self::assertInstanceOf(PhpObject::class, (new PeclReader())->read($object)),
                static function (): void {
                    $read = (new PeclReader())->read(\msgpack_pack(new PeclPoint()));
                    self::assertInstanceOf(PhpObject::class, $read);
                    // Packed again it is an error, not what the extension wrote.
                    self::assertCode(ErrorCode::UnsupportedValue, static fn() => MessagePack::pack($read));
                },
            ],
        ];
    }

    /**
     * @param array<string, mixed> $described what PeclReader makes of it: classes, properties and states
     */
    #[DataProvider('objects')]
    public function testARowAboutWhatTheExtensionWritesForObjects(string $hex, array $described, ?\Closure $value = null): void
    {
        self::assertSame($described, self::describe((new PeclReader())->read((string) \hex2bin($hex))));
        if ($value !== null && \extension_loaded('msgpack')) {
            self::assertSame($hex, \bin2hex(\msgpack_pack($value())));
        }
    }

    public function testEveryRowAboutWhatTheExtensionWritesForObjectsHasACheck(): void
    {
        $heads = \array_map(static fn(string $name): string => \explode(';', $name)[0], \array_keys(self::objects()));
        self::assertSame(self::heads("### What the extension writes for objects\n"), \array_values(\array_unique($heads)));
    }

    /**
     * @return array<string, array{0: string, 1: array<array-key, mixed>, 2?: \Closure(): mixed}>
     */
    public static function objects(): array
    {
        $name = static fn(string $class): string => \bin2hex((new Packer())->packStr($class));
        $point = '84c0' . $name(PeclPoint::class) . 'a17801a4002a007902' . $name("\0" . PeclPoint::class . "\0z") . '03';
        $described = [PeclPoint::class, ['x' => 1, 'y' => 2, 'z' => 3], null];

        return [
            'object of class `P`' => [$point, $described, static fn(): PeclPoint => new PeclPoint()],
            'with `__serialize()`' => [
                '82c0' . $name(PeclState::class) . 'c081a46b657074920102',
                [PeclState::class, [], ['kept' => [1, 2]]], static fn(): PeclState => new PeclState(),
            ],
            'with `Serializable`' => ['82c003a153a3616263', ['S', [], 'abc']],
            'enum' => [
                '83c0' . $name(Suit::class) . 'a46e616d65a6486561727473a576616c7565' . $name(Suit::Hearts->value),
                [Suit::class, ['name' => 'Hearts', 'value' => Suit::Hearts->value], null],
                // Version 3 writes the next check's.
                ...(\version_compare((string) \phpversion('msgpack'), '3', '<') ? [static fn(): Suit => Suit::Hearts] : []),
            ],
            'enum; version 3' => ['82c006a453756974a6486561727473', ['Suit', ['name' => 'Hearts'], null]],
            'the same object again' => ["92{$point}82c0040002", [$described, $described], static function (): array {
                $point = new PeclPoint();

                return [$point, $point];
            }],
            'the same object again; by reference' => ['9382c0a150a161c082c005000282c0040002', [['P', ['a' => null], null], ['P', ['a' => null], null], ['P', ['a' => null], null]]],
            'array that references lead to' => ['9282c001000782c0020002', [[7], [7]], static function (): array {
                $array = [7];

                return [&$array, &$array];
            }],
        ];
    }

    public function testHowTheExtensionDiffersElsewhere(): void
    {
        // The sentences below the table of names.
        foreach (["\x92\x01" => ErrorCode::UnexpectedEnd, "\xc1" => ErrorCode::ReservedByte, "\x81\xc3\x01" => ErrorCode::InvalidKey] as $packed => $code) {
            self::assertCode($code, static fn() => MessagePack::unpack($packed));
        }
        self::assertEquals(new Entries([[true, 1]]), MessagePack::unpack("\x81\xc3\x01", UnpackOptions::LOSSLESS));
        self::assertSame('x', MessagePack::unpack("\xc4\x01x"));
        if (!\extension_loaded('msgpack')) {
            return;
        }
        self::assertSame('a1ff', \bin2hex(\msgpack_pack("\xff")));
        self::assertNull(@\msgpack_unpack("\xd4\x05x"));
        self::assertNull(@\msgpack_unpack("\xd6\xff\0\0\0\1"));
        self::assertSame([1 => 1], @\msgpack_unpack("\x81\xc3\x01"));
        self::assertFalse(@\msgpack_unpack("\x92\x01"));
    }

    private static function keepsAValueInRedis(): void
    {
        if (!\extension_loaded('redis')) {
            self::markTestSkipped('this PHP has no extension redis');
        }
        $server = new RedisServer();
        try {
            $redis = new \Redis();
            $redis->connect($server->socket);
            $redis->setOption(\Redis::OPT_SERIALIZER, \Redis::SERIALIZER_NONE);
            $redis->set('key', MessagePack::pack(['a' => 1]));
            $packed = $redis->get('key');
            self::assertIsString($packed);
            self::assertSame(['a' => 1], MessagePack::unpack($packed));
        } finally {
            $server->stop();
        }
    }

    /**
     * Runs the program with a library, and returns what it found for each row.
     *
     * @return array<string, list<array{mixed, mixed, mixed}>>
     */
    private static function rowsOf(string $library): array
    {
        /** @var array<string, list<array{mixed, mixed, mixed}>> $rows */
        $rows = self::printed($library);
        unset($rows['']);

        return $rows;
    }

    /**
     * @return list<string> the names of a library's classes, parents, methods and constants
     */
    private static function namesOf(string $library): array
    {
        /** @var list<string> $names */
        $names = self::printed($library)[''];

        return $names;
    }

    /**
     * @return array<mixed>
     */
    private static function printed(string $library): array
    {
        $command = \implode(' ', \array_map(escapeshellarg(...), [\PHP_BINARY, __DIR__ . '/Support/rybakit-rows.php', $library]));
        \exec("{$command} 2>&1", $output, $status);
        $rows = @\unserialize(\implode("\n", $output));
        self::assertSame(0, $status, \implode("\n", $output));
        self::assertIsArray($rows, \implode("\n", $output));

        return $rows;
    }

    private static function checkout(): string
    {
        return Rybakit::folder() ?? self::markTestSkipped(Rybakit::MISSING);
    }

    /**
     * Returns what stands first in each row of the first table behind a heading.
     *
     * @param non-empty-string $heading
     *
     * @return list<string>
     */
    private static function heads(string $heading): array
    {
        $guide = \explode($heading, (string) \file_get_contents(self::GUIDE))[1] ?? '';
        \preg_match('/^\|---.*\n((?:\|.*\n)+)/m', $guide, $table);
        \preg_match_all('/^\| (.*?) \|/m', $table[1] ?? '', $heads);

        return $heads[1];
    }

    private static function describe(mixed $value): mixed
    {
        if ($value instanceof PhpObject) {
            return [$value->class, self::describe($value->properties), self::describe($value->state)];
        }

        return \is_array($value) ? \array_map(self::describe(...), $value) : $value;
    }
}
