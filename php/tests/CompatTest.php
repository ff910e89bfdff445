<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\MessagePack;
use Polypack\Tests\Support\Rybakit;

/**
 * The package polypack/rybakit-msgpack-compat (php/rybakit), and programs of old and new libraries on one store.
 */
final class CompatTest extends TestCase
{
    /** What the program of Support/rybakit-consumer.php stores, as rybakit/msgpack 0.9.2 writes it. */
    private const STORED = '89a5707269636581a563656e7473cd03e3a26174d7ff0000001469a41c30a5706f696e74c703079203fca56279'
        . '746573c402ff00a36d61708200010102a3657874d60964617461a473746179a6332064617973a76e756d626572'
        . '739b00ff7fcc80d1ff7fce00010000cf7fffffffffffffffd38000000000000000cb3ff8000000000000c0c3a4'
        . '74657874aac3856e67737472c3b66d';

    public function testAProgramForTheOtherLibraryRuns(): void
    {
        $stored = self::program('ours', 'write');

        self::assertSame(self::STORED, \bin2hex($stored));
        self::assertSame(self::expected(), \unserialize(self::program('ours', 'read', $stored)));
    }

    public function testBothLibrariesUseOneStore(): void
    {
        // The bytes that it writes are tested above without it.
        $theirs = Rybakit::folder() ?? self::markTestSkipped(Rybakit::MISSING);
        self::assertSame(self::program('ours', 'write'), self::program($theirs, 'write'));
        self::assertSame(self::program($theirs, 'read', self::program('ours', 'write')), self::program('ours', 'read', self::program($theirs, 'write')));
    }

    #[RequiresPhpExtension('msgpack')]
    public function testTheExtensionMsgpackUsesTheSameStore(): void
    {
        $value = [
            'id' => 7, 'name' => 'Ångström', 'numbers' => [0, -1, 127, 128, -129, 65536, \PHP_INT_MAX, \PHP_INT_MIN, 1.5],
            'deep' => [['a' => null], [true, false, []]], 5 => 'five', '' => \str_repeat('x', 70_000),
        ];

        self::assertSame(\bin2hex(\msgpack_pack($value)), \bin2hex(MessagePack::pack($value)));
        self::assertSame($value, MessagePack::unpack(\msgpack_pack($value)));
        self::assertSame($value, \msgpack_unpack(MessagePack::pack($value)));
    }

    public function testThePackageTakesThePlaceOfTheOther(): void
    {
        $package = \json_decode((string) \file_get_contents(__DIR__ . '/../rybakit/composer.json'), true);
        self::assertIsArray($package);

        self::assertSame('polypack/rybakit-msgpack-compat', $package['name']);
        self::assertSame(['rybakit/msgpack' => '0.9.2'], $package['replace']);
        self::assertSame(['files' => ['aliases.php']], $package['autoload']);
    }

    /**
     * @return array<string, mixed>
     */
    private static function expected(): array
    {
        return [
            'price' => ['cents' => 995], 'at' => [1_772_362_800, 5], 'point' => [3, -4], 'bytes' => "\xff\x00", 'map' => [1, 2],
            'ext' => [9, 'data'], 'stay' => '3 days',
            'numbers' => [0, -1, 127, 128, -129, 65536, \PHP_INT_MAX, \PHP_INT_MIN, 1.5, null, true], 'text' => 'Ångström',
        ];
    }

    private static function program(string $library, string $what, string $input = ''): string
    {
        $command = [\PHP_BINARY, __DIR__ . '/Support/rybakit-consumer.php', $library, $what];
        $process = \proc_open($command, [['pipe', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes);
        self::assertIsResource($process);
        \fwrite($pipes[0], $input);
        \fclose($pipes[0]);
        $output = (string) \stream_get_contents($pipes[1]);
        $errors = (string) \stream_get_contents($pipes[2]);

        self::assertSame([0, $what === 'read' ? 'caught short' : 'caught '], [\proc_close($process), $errors], $output);

        return $output;
    }
}
