<?php

declare(strict_types=1);

namespace Polypack\Tests\Records;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Exception\UnpackingFailedException;
use Polypack\MessagePack;
use Polypack\Records\Dictionary;
use Polypack\Records\SharedRecords;
use Polypack\Tests\Support\Outcome;
use Polypack\UnpackOptions;

/**
 * Messages with long names take another way through the decoder (InlineReading::longFields()), with the same results.
 * What it costs is tested in conformance/lib/cost-finds.mjs.
 */
final class LongNamesTest extends TestCase
{
    /** Declares a record of which no instance follows but the first. */
    private const LONG = "\xd4\x72\x7f\x91\xda\x04\x4c";

    private const NAMES = [['a', 'b'], ['1', 'a'], ['', 'a'], ["\0x", 'y'], ['12', '3', 'x', '0', '01', '-5', '9223372036854775808'], ['x']];

    #[DataProvider('modes')]
    public function testTheyGiveTheSame(int $options): void
    {
        foreach (self::NAMES as $names) {
            foreach (["\x40", "\x60\x01"] as $id) {
                $values = \implode('', \array_map(\chr(...), \array_keys($names)));
                $rows = [
                    self::declaration($id, $names) . $values,
                    $id . \str_repeat("\xa1v", \count($names)),
                    $id . "\x91" . $id . $values . \str_repeat("\xc0", \count($names) - 1), // one in another
                    self::declaration($id, \array_reverse($names)) . $values,
                    $id . $values,
                ];
                $bytes = \implode('', $rows);
                self::same("\x95{$bytes}", "\x96" . self::LONG . \str_repeat('n', 1100) . "\xc0{$bytes}", $options);
            }
        }
    }

    /**
     * Faults have the same code and path, and a position behind the long name.
     */
    #[DataProvider('modes')]
    public function testFaults(int $options): void
    {
        $before = self::LONG . \str_repeat('n', 1100) . "\xc0";
        foreach (["\x01", "\x01\xc1", "\x01\x92\x01", "\x01\xd4\x72\x40\x92\xa1a\xa1a\x01\x02", "\x01\xa5abcd"] as $values) {
            $rows = self::declaration("\x40", ['a', 'b']) . "\x01\x02\x40{$values}";
            $plain = self::error("\x92{$rows}", $options);
            $long = self::error("\x93{$before}{$rows}", $options);
            self::assertSame([$plain[0], $plain[1] + \strlen($before)], [$long[0], $long[1]]);
            self::assertSame(\preg_replace('~^/1~', '/2', $plain[2]), $long[2]);
        }
    }

    /**
     * @return iterable<string, array{int}>
     */
    public static function modes(): iterable
    {
        yield 'default' => [0];
        yield 'strict' => [UnpackOptions::STRICT];
        yield 'lossless' => [UnpackOptions::LOSSLESS];
    }

    /**
     * A dictionary with long names, and a message that declares them itself, even under an id of the dictionary.
     */
    public function testDictionaries(): void
    {
        $names = [\str_repeat('n', 1100), '1', 'b'];
        $options = UnpackOptions::of(records: new SharedRecords(new Dictionary([['a', 'b'], $names])));
        $bytes = "\x94\x40\x01\x02\x41\x01\x02\x03" . self::declaration("\x41", ['b', 'a']) . "\x01\x02\x41\x03\x04";
        self::assertSame(
            [['a' => 1, 'b' => 2], \array_combine($names, [1, 2, 3]), ['b' => 1, 'a' => 2], ['b' => 3, 'a' => 4]],
            (new BufferUnpacker($bytes, $options))->unpack(),
        );
    }

    /**
     * What is read can be changed and copied as any array can.
     */
    public function testValuesAreNoReferences(): void
    {
        $name = \str_repeat('n', 1100);
        $rows = MessagePack::unpack("\x92" . self::declaration("\x40", [$name, 'b']) . "\x01\x02\x40\x03\x04", UnpackOptions::RECORDS_INLINE);
        self::assertIsArray($rows);
        self::assertIsArray($rows[1]);
        self::assertNull(\ReflectionReference::fromArrayElement($rows[1], 'b'));
        $copy = $rows;
        $copy[1]['b'] = 'changed';
        self::assertSame([$name => 3, 'b' => 4], $rows[1]);
    }

    private static function same(string $plain, string $long, int $options): void
    {
        $expected = (new BufferUnpacker($plain, $options | UnpackOptions::RECORDS_INLINE))->unpack();
        $found = (new BufferUnpacker($long, $options | UnpackOptions::RECORDS_INLINE))->unpack();
        self::assertIsArray($expected);
        self::assertIsArray($found);
        self::assertSame(Outcome::value($expected), Outcome::value(\array_slice($found, 1)), \bin2hex($plain));
        self::assertSame(\serialize($expected), \serialize(\array_slice($found, 1)));
    }

    /**
     * @return array{string, int, string} code, position and path
     */
    private static function error(string $bytes, int $options): array
    {
        try {
            (new BufferUnpacker($bytes, $options | UnpackOptions::RECORDS_INLINE))->unpack();
        } catch (UnpackingFailedException $error) {
            return [$error->errorCode->value, (int) $error->offset, $error->path];
        }
        self::fail('no fault in ' . \bin2hex($bytes));
    }

    /**
     * @param list<string> $names of which the values of the first instance follow
     */
    private static function declaration(string $id, array $names): string
    {
        return (\strlen($id) === 1 ? "\xd4\x72" : "\xd5\x72") . $id . \chr(0x90 | \count($names)) . \implode('', \array_map(MessagePack::pack(...), $names));
    }
}
