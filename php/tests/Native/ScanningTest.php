<?php

declare(strict_types=1);

namespace Polypack\Tests\Native;

use PHPUnit\Framework\Attributes\DataProviderExternal;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Native\Engine;
use Polypack\PackOptions;
use Polypack\Records\Dictionary;
use Polypack\Records\SharedRecords;
use Polypack\Stores\MemoryStore;
use Polypack\Stream\Scanner;
use Polypack\StreamUnpacker;
use Polypack\Tests\Support\BothEngines;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\RandomBytes;
use Polypack\UnpackOptions;

/**
 * Streams give the same with the extension and without, however their bytes are cut. Run by `make test-ext`.
 */
#[RequiresPhpExtension('polypack')]
final class ScanningTest extends TestCase
{
    use BothEngines;

    private const OPTIONS = [0, UnpackOptions::STRICT, UnpackOptions::LOSSLESS];

    #[DataProviderExternal(ExtensionTest::class, 'seeds')]
    public function testRandomStreams(int $seed): void
    {
        $random = new RandomBytes($seed);
        for ($i = 0; $i < 600; ++$i) {
            $bytes = $random->next();
            for ($more = $random->int(0, 2); $more > 0; --$more) {
                $bytes .= $random->next();
            }
            $chunks = $random->chunks($bytes);
            $limits = new Limits(
                $random->int(0, 3) > 0 ? 512 : $random->int(0, 4),
                maxBytes: $random->int(0, 3) > 0 ? 1 << 26 : $random->int(1, 40),
                maxMemory: $random->int(0, 3) > 0 ? null : $random->int(1, 3_000),
            );
            $options = self::OPTIONS[$random->int(0, 2)] | ($random->int(0, 1) === 1 ? UnpackOptions::RECORDS_INLINE : 0);
            [$withPhp, $natively] = self::withBothEngines(static fn(): array => self::fed($chunks, $options, $limits));
            self::assertSame($withPhp, $natively, "seed {$seed}, number {$i}: " . \bin2hex($bytes));
        }
    }

    /**
     * Each answer of the scanner, and the weight, at every cut.
     */
    #[DataProviderExternal(ExtensionTest::class, 'seeds')]
    public function testAnswers(int $seed): void
    {
        $random = new RandomBytes($seed);
        for ($i = 0; $i < 400; ++$i) {
            $chunks = $random->chunks($random->next());
            $depth = $random->int(0, 6);
            $most = $random->int(0, 3) > 0 ? 4096 : $random->int(1, 40);
            [$records, $lossless, $bigInts] = [$random->int(0, 1) === 1, $random->int(0, 1) === 1, $random->int(0, 1) === 1];
            $shared = $records && $random->int(0, 1) === 1 ? new SharedRecords(self::dictionary($random)) : null;
            $answers = [];
            foreach ([false, true] as $native) {
                $scanner = new Scanner($depth, $most, $records, $shared, $lossless, $native, $bigInts);
                $buffer = 'before';
                $answer = [];
                foreach ($chunks as $chunk) {
                    $buffer .= $chunk;
                    try {
                        $isComplete = $scanner->scan($buffer, 6);
                        $answer[] = [$isComplete, $scanner->weight];
                    } catch (UnpackingFailedException $error) {
                        $answer[] = $error->getMessage();
                        break;
                    }
                    if ($isComplete) {
                        break;
                    }
                    if ($random->int(0, 9) === 0) {
                        $scanner = clone $scanner;
                    }
                }
                $answers[] = $answer;
            }
            self::assertSame($answers[0], $answers[1], "seed {$seed}, number {$i}: " . \bin2hex(\implode('', $chunks)));
        }
    }

    public function testDeepMessages(): void
    {
        foreach ([15, 16, 17, 33, 512, 513, 3000] as $depth) {
            $bytes = \str_repeat("\x92\x01", $depth) . "\xc0" . "\x07";
            [$withPhp, $natively] = self::withBothEngines(static fn(): array => self::fed(\str_split($bytes), 0, new Limits(2000)));
            self::assertSame($withPhp, $natively);
        }
    }

    /**
     * An unpacker that is cloned inside a message has a state of its own.
     */
    public function testClones(): void
    {
        Engine::$isActive = true;
        $unpacker = new BufferUnpacker("\x92\x91");
        self::assertSame([], $unpacker->tryUnpack());
        $other = clone $unpacker;
        self::assertSame([[[1], 2]], $unpacker->append("\x01\x02")->tryUnpack());
        self::assertSame([[[['a']], 'b']], $other->append("\x91\xa1a\xa1b")->tryUnpack());
    }

    public function testBytesAreReadOnce(): void
    {
        Engine::$isActive = true;
        $row = MessagePack::pack(\array_fill(0, 2_000, ['id' => 5, 'name' => 'text']));
        $stream = new StreamUnpacker();
        $messages = 0;
        foreach (\str_split($row . $row, 3) as $chunk) {
            $messages += \count($stream->feed($chunk));
        }
        self::assertSame(2, $messages);
        // What has been scanned isn't looked at again: a byte that changes there isn't noticed.
        $scanner = new Scanner(512, 1 << 26, false, null, false, true);
        self::assertFalse($scanner->scan("\x93\x01\x02", 0));
        self::assertTrue($scanner->scan("\xc1\xc1\xc1\x03", 0));
    }

    /**
     * Records whose ids have one byte or two, and what only looks like an id, in each message anew.
     */
    public function testRecords(): void
    {
        Engine::$isActive = true;
        $rows = [['a' => 1], ['b' => 1, 'c' => []], ['a' => ['a' => 'x']]];
        $packed = MessagePack::pack($rows, PackOptions::RECORDS_INLINE);
        $pairs = "\x94\xd5\x72\x60\x05\x91\xa1a\x01" . "\x60\x05\x02" . "\xd5\x72\x61\x05\x90" . "\x61\x05";
        $again = "\x93\xd4\x72\x60\x91\xa1b\x01" . "\x60\x02" . "\x61"; // what is declared ends with its message
        $changing = "\x95\xd5\x72\x60\x05\x91\xa1a\x01" . "\xd4\x72\x60\x91\xa1b\x02" . "\x60\x03" // the latest decides
            . "\xd5\x72\x60\x06\x91\xa1c\x04" . "\x60\x05\x05";
        $bytes = "{$packed}{$packed}{$pairs}{$again}{$changing}\x91\x40";
        $stream = new StreamUnpacker(UnpackOptions::RECORDS_INLINE);
        $scanned = self::scanned(static function () use ($stream, $bytes, $rows): void {
            self::assertSame([
                $rows,
                $rows,
                [['a' => 1], ['a' => 2], [], []],
                [['b' => 1], ['b' => 2], 97],
                [['a' => 1], ['b' => 2], ['b' => 3], ['c' => 4], ['a' => 5]],
                [64],
            ], \iterator_to_array($stream->decode(\str_split($bytes, 3)), false));
        });
        self::assertSame([6, 0], $scanned);
    }

    /**
     * Each first byte of two has a table of its own, behind the list of open containers, which grows as well.
     */
    public function testManyPairs(): void
    {
        Engine::$isActive = true;
        $declarations = $instances = '';
        $values = [];
        for ($low = 0x7f; $low >= 0x60; --$low) {
            foreach ([0, 9, 255] as $high) {
                $declarations .= "\xd5\x72" . \chr($low) . \chr($high) . "\x92\xa1a\xa1b" . "\x91" . \str_repeat("\x91", $low - 0x60) . "\x01\x02";
                $instances .= \chr($low) . \chr($high) . "\x03\x04";
                $values[] = ['a' => 3, 'b' => 4];
            }
        }
        $bytes = "\xdc" . \pack('n', 2 * \count($values)) . $declarations . $instances;
        [$withPhp, $natively] = self::withBothEngines(static fn(): array => self::fed(\str_split($bytes, 7), UnpackOptions::RECORDS_INLINE, new Limits()));
        self::assertSame($withPhp, $natively);
        $stream = new StreamUnpacker(UnpackOptions::RECORDS_INLINE);
        self::assertSame([1, 0], self::scanned(static function () use ($stream, $bytes, $values): void {
            [$message] = \iterator_to_array($stream->decode(\str_split($bytes, 7)), false);
            self::assertIsArray($message);
            self::assertSame($values, \array_slice($message, \count($values)));
        }));
    }

    /**
     * Only the message whose id the dictionary lacks is left to the PHP code, which loads it.
     */
    public function testRecordsOfADictionary(): void
    {
        Engine::$isActive = true;
        $shapes = \array_map(static fn(int $number): array => ["k{$number}"], \range(0, 40));
        $store = new MemoryStore();
        $store->replace(null, (new Dictionary(\array_slice($shapes, 0, 35)))->pack());
        $shared = new SharedRecords($store);
        $shared->dictionary();
        $stream = new StreamUnpacker(UnpackOptions::of(records: $shared));
        self::assertSame([2, 0], self::scanned(static function () use ($stream): void {
            self::assertSame([['k1' => 1], ['k34' => 2]], \iterator_to_array($stream->decode(["\x41", "\x01\x62", "\x00\x02"]), false));
        }));
        $store->replace($store->load(), (new Dictionary($shapes))->pack());
        self::assertSame([1, 1], self::scanned(static function () use ($stream): void {
            self::assertSame([['k40' => 1], ['k40' => 2]], \iterator_to_array($stream->decode(["\x68", "\x00\x01\x68", "\x00\x02"]), false));
        }));
    }

    /**
     * What another unpacker loads while a message is incomplete is known to that message, too.
     */
    public function testTheDictionaryGrowsInsideAMessage(): void
    {
        foreach (self::withBothEngines(static function (): array {
            $store = new MemoryStore();
            $store->replace(null, (new Dictionary([['a']]))->pack());
            $shared = new SharedRecords($store);
            $shared->dictionary();
            $stream = new StreamUnpacker(UnpackOptions::of(records: $shared));
            self::assertSame([], $stream->feed("\x92\x40\x01"));
            $store->replace($store->load(), (new Dictionary([['a'], ['b']]))->pack());
            (new BufferUnpacker("\x41\x05", UnpackOptions::of(records: $shared)))->unpack();

            return $stream->feed("\x41\x02");
        }) as $messages) {
            self::assertSame([[['a' => 1], ['b' => 2]]], $messages);
        }
    }

    /**
     * The function reads nothing outside a state that it hasn't made.
     */
    public function testStatesFromElsewhere(): void
    {
        $random = new RandomBytes(1);
        $answers = ['refused' => 0, 'taken' => 0];
        $bytes = "\x93\x91\x01\xd5\x72\x7f\x09\x91\xa1a\x01\x7f\x09\x02";
        for ($i = 0; $i < 4_000; ++$i) {
            $state = '';
            $weight = 0;
            $begun = \polypack_scan(\substr($bytes, 0, $random->int(0, 12)), 0, $state, $weight, true, 512, 4096, true, null, false, false);
            self::assertSame(-1, $begun);
            for ($j = $random->int(1, 4); $j > 0; --$j) {
                $state[$random->int(0, 110)] = \chr([0, 1, 2, 16, 32, 33, 255][$random->int(0, 6)]);
            }
            if ($random->int(0, 3) === 0) {
                $state = \substr($state, 0, $random->int(0, \strlen($state)));
            }
            try {
                $end = \polypack_scan($bytes, 0, $state, $weight, $random->int(0, 1) === 1, 512, 4096, true, null, false, false);
                self::assertLessThanOrEqual(\strlen($bytes), $end);
                ++$answers['taken'];
            } catch (\ValueError) {
                ++$answers['refused'];
            }
        }
        self::assertGreaterThan(100, \min($answers));

        // An id below 60 that has two bytes, by the words at 8 (the position), 16 (owed), 48 and 56 (declared ids).
        $state = '';
        $weight = 0;
        self::assertSame(1, \polypack_scan("\x01", 0, $state, $weight, true, 512, 4096, true, null, false, false));
        foreach ([8 => 0, 16 => 1, 48 => 1, 56 => 1] as $offset => $word) {
            $state = \substr_replace($state, \pack('P', $word), $offset, 8);
        }
        $this->expectException(\ValueError::class);
        self::fail((string) \polypack_scan("\x40\x41", 0, $state, $weight, false, 512, 4096, true, null, false, false));
    }

    /**
     * Returns how many messages the extension has scanned meanwhile, and how many it has left to the PHP code.
     *
     * @param \Closure(): void $call
     *
     * @return array{int, int}
     */
    private static function scanned(\Closure $call): array
    {
        $before = \polypack_stats();
        $call();
        $after = \polypack_stats();

        return [$after['scanned'] - $before['scanned'], $after['scanDeclined'] - $before['scanDeclined']];
    }

    /**
     * A dictionary whose ids have one byte, or two as well.
     */
    private static function dictionary(RandomBytes $random): Dictionary
    {
        return new Dictionary(\array_map(
            static fn(int $number): ?array => $random->int(0, 5) > 0 ? \array_slice(['a', 'b', 'c'], $number % 4) : null,
            \range(0, [1, 33, 34, 64][$random->int(0, 3)]),
        ));
    }

    /**
     * @param list<string> $chunks
     *
     * @return list<mixed>
     */
    private static function fed(array $chunks, int $options, Limits $limits): array
    {
        $stream = new StreamUnpacker($options, [], $limits);
        $outcomes = [];
        foreach ($chunks as $chunk) {
            $outcomes[] = $outcome = Outcome::of(static fn(): array => $stream->feed($chunk));
            if ($outcome[1] !== ':') { // an error
                break;
            }
        }

        return [...$outcomes, Outcome::of($stream->end(...))];
    }
}
