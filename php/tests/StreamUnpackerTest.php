<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Extension;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\Stream\Scanner;
use Polypack\StreamUnpacker;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\Processor;
use Polypack\Tests\Support\Vectors;
use Polypack\UnpackOptions;

final class StreamUnpackerTest extends TestCase
{
    public function testMessagesAreDeliveredAsTheyBecomeComplete(): void
    {
        $stream = new StreamUnpacker();
        self::assertSame([1], $stream->feed("\x01\x92"));
        self::assertSame([], $stream->feed("\x02"));
        self::assertSame([], $stream->feed(''));
        self::assertSame([[2, 'a'], null], $stream->feed("\xa1a\xc0"));
        $stream->end();
        self::assertSame([[], true], $stream->feed("\x90\xc3"));
    }

    public function testEveryCutGivesTheSame(): void
    {
        $values = [1, ['a' => [1.5, null], 'b' => \str_repeat('x', 300)], [], 'é', [[[]]], -1];
        $bytes = \implode('', \array_map(static fn(mixed $value): string => MessagePack::pack($value), $values));
        for ($i = 0; $i <= \strlen($bytes); ++$i) {
            $stream = new StreamUnpacker();
            self::assertSame($values, [...$stream->feed(\substr($bytes, 0, $i)), ...$stream->feed(\substr($bytes, $i))]);
            $stream->end();
        }
        self::assertSame($values, \iterator_to_array((new StreamUnpacker())->decode(\str_split($bytes)), false));
    }

    public function testAFaultIsReportedBehindTheMessagesBeforeIt(): void
    {
        $stream = new StreamUnpacker();
        self::assertSame([1, 2], $stream->feed("\x01\x02\x92\x01\xc1\x05"));
        for ($i = 0; $i < 2; ++$i) {
            self::assertSame('reserved_byte at 4 (/1)', Outcome::of(static fn(): mixed => $stream->feed("\x05")));
            self::assertSame('reserved_byte at 4 (/1)', Outcome::of(static function () use ($stream): void {
                $stream->end();
            }));
        }

        self::assertSame('reserved_byte at 4 (/1)', Outcome::of(static fn(): array => \iterator_to_array($stream->decode(["\x05"]), false)));

        $values = [];
        try {
            foreach ((new StreamUnpacker())->decode(["\x01\x02", "\x03\xc1"]) as $value) {
                $values[] = $value;
            }
        } catch (UnpackingFailedException $error) {
            self::assertSame(3, $error->offset);
        }
        self::assertSame([1, 2, 3], $values);
    }

    /**
     * A loop that is left early, as after a handshake, loses no message and no chunk.
     */
    public function testMessagesThatALoopDidNotTakeComeNext(): void
    {
        $stream = new StreamUnpacker();
        self::assertSame(1, self::first($stream, ["\x01\x02\x03\x92"]));
        self::assertSame([2, 3, [4, 5], 6], $stream->feed("\x04\x05\x06"));
        self::assertSame(1, self::first($stream, ["\x01\x02\x03\x92"]));
        self::assertSame(2, self::first($stream, []), 'before the source is asked');
        self::assertSame([3, [4, 5], 6], self::rest($stream, ["\x04\x05", "\x06"]));
        self::assertSame([], $stream->feed(''));

        // More than decode() decodes ahead.
        $long = \str_repeat("\x07", 3000);
        self::assertSame(1, self::first($stream, ["\x01{$long}\x91"]));
        self::assertSame([...\array_fill(0, 3000, 7), [8]], self::rest($stream, ["\x08"]));
        self::assertSame(1, self::first($stream, ["\x01{$long}\x91"]));
        self::assertSame([...\array_fill(0, 3000, 7), [8]], $stream->feed("\x08"));
        self::assertSame(1, self::first($stream, ["\x01{$long}"]));
        $stream->end();
        self::assertSame(\array_fill(0, 3000, 7), $stream->feed(''));

        // A fault waits for the messages before it.
        foreach ([["\x01\x02\x03\x91\xc1"], ["\x01\x02\x03\x91\xc1", "\x05"]] as $chunks) {
            $stream = new StreamUnpacker();
            self::assertSame(1, self::first($stream, $chunks));
            self::assertSame([2, 3], $stream->feed("\x04"));
            self::assertSame('reserved_byte at 4 (/0)', Outcome::of(static fn(): array => $stream->feed("\x05")));
            $stream = new StreamUnpacker();
            self::assertSame(1, self::first($stream, $chunks));
            self::assertSame('reserved_byte at 4 (/0)', Outcome::of($stream->end(...)));
            self::assertSame(2, self::first($stream, ["\x05"]));
            self::assertSame([3], $stream->feed(''));
            self::assertSame('reserved_byte at 4 (/0)', Outcome::of(static fn(): array => self::rest($stream, ["\x05"])));
        }
        $stream = new StreamUnpacker();
        self::assertSame(1, self::first($stream, ["\x01\x02\x91"]));
        self::assertSame('unexpected_end at 2 ()', Outcome::of($stream->end(...)));
        self::assertSame([2], $stream->feed("\x05"));

        // Two loops at once share the messages.
        $stream = new StreamUnpacker();
        $one = $stream->decode(["\x01\x02\x03"]);
        self::assertSame(1, $one->current());
        self::assertSame(2, self::first($stream, ["\x04"]));
        $one->next();
        self::assertSame(3, $one->current());
    }

    /**
     * The messages of an inner call would overtake others.
     */
    public function testAnExtensionCannotUseTheStreamThatCallsIt(): void
    {
        $extension = new class implements Extension {
            public \Closure $use;

            public function getType(): int
            {
                return 5;
            }

            public function pack(Packer $packer, mixed $value): ?string
            {
                return null;
            }

            public function unpackExt(BufferUnpacker $unpacker, int $extLength): string
            {
                $unpacker->read($extLength);
                try {
                    ($this->use)();
                } catch (InvalidOptionException $refusal) {
                    return $refusal->getMessage();
                }

                return 'not refused';
            }
        };
        $stream = new StreamUnpacker(extensions: [$extension]);
        self::assertSame([1], $stream->feed("\x01"));
        $loop = $stream->decode(["\x07\x08", "\x09"]);
        self::assertSame([7, [8]], [$loop->current(), $stream->feed('')]);
        $uses = [
            static fn(): array => $stream->feed("\x02"),
            $stream->end(...),
            static fn(): mixed => $stream->decode(["\x02"])->current(),
            $loop->next(...),
            static fn(): StreamUnpacker => clone $stream,
        ];
        foreach ($uses as $use) {
            $extension->use = $use;
            [, $said] = $stream->feed("\x03\xd4\x05a\x04\x92");
            self::assertStringContainsString('must not use the stream', \json_encode($said, \JSON_THROW_ON_ERROR));
            self::assertSame([[5, 6]], $stream->feed("\x05\x06"));
        }
    }

    public function testACopyGoesOnByItself(): void
    {
        foreach ([0 => "\x01\x92\x02\xa1x\x81\xa1a\x03", UnpackOptions::RECORDS_INLINE => "\x01\x92\xd4\x72\x40\x91\xa1a\x02\x40\x03\x04"] as $options => $bytes) {
            $expected = (new StreamUnpacker($options))->feed($bytes);
            foreach (\range(0, \strlen($bytes)) as $cut) {
                $stream = new StreamUnpacker($options);
                $before = $stream->feed(\substr($bytes, 0, $cut));
                $copy = clone $stream;
                Outcome::of(static fn(): array => $copy->feed(\str_repeat("\x05", 20))); // may be a fault
                $second = clone $stream;
                foreach ([$stream, $second] as $each) {
                    self::assertSame($expected, [...$before, ...$each->feed(\substr($bytes, $cut))], "{$options}, {$cut}");
                    $each->end();
                }
            }
        }
    }

    public function testALoopGoesOnWithTheSameSource(): void
    {
        $chunks = static function (): \Generator {
            yield "\x01\x02\x93";
            yield "\x03\x04";
            yield "\x05\x06";
        };
        $file = \fopen('php://memory', 'r+');
        self::assertIsResource($file);
        \fwrite($file, "\x01\x02\x93\x03\x04\x05\x06");
        \rewind($file);
        foreach ([$chunks(), new \ArrayIterator(\iterator_to_array($chunks())), $file] as $source) {
            $stream = new StreamUnpacker();
            $messages = [];
            for ($i = 0; $i < 4; ++$i) {
                foreach ($stream->decode($source) as $message) {
                    $messages[] = $message;
                    break;
                }
            }
            self::assertSame([1, 2, [3, 4, 5], 6], $messages);
            self::assertSame([], \iterator_to_array($stream->decode($source)));
        }
        // The program has moved the iterator itself, so its current chunk is new.
        $stream = new StreamUnpacker();
        $source = new \ArrayIterator(["\x01\x02", "\x03"]);
        foreach ($stream->decode($source) as $message) {
            break;
        }
        $source->next();
        self::assertSame([2, 3], \iterator_to_array($stream->decode($source)));
    }

    public function testTryUnpackLosesNoMessageToAnError(): void
    {
        $unpacker = new BufferUnpacker("\x01\x92\xc0\xc0\xc1\x02");
        self::assertSame([1, [null, null]], $unpacker->tryUnpack());
        self::assertSame('reserved_byte at 4 ()', Outcome::of(static fn(): array => $unpacker->tryUnpack()));
        self::assertSame(2, $unpacker->getRemainingCount());
        self::assertSame([2], $unpacker->skip(1)->tryUnpack());
        self::assertSame([], $unpacker->tryUnpack());
    }

    public function testTryUnpackFollowsThePosition(): void
    {
        $unpacker = new BufferUnpacker("\x93\x01");
        self::assertSame([], $unpacker->tryUnpack());
        self::assertSame([1], $unpacker->skip(1)->tryUnpack());
        self::assertSame([], $unpacker->seek(0)->tryUnpack());
        self::assertSame([[1, 2, 3], 4], $unpacker->append("\x02\x03\x04")->tryUnpack());
        self::assertSame(5, $unpacker->release());
        self::assertSame([5], $unpacker->append("\x05\x91")->tryUnpack());
        self::assertSame([], $unpacker->reset("\x91")->tryUnpack());
        self::assertSame([[7]], $unpacker->append("\x07")->tryUnpack());
    }

    public function testTheEndInsideAMessageIsTheErrorOfItsBytes(): void
    {
        $stream = new StreamUnpacker();
        self::assertSame([1], $stream->feed("\x01\x81\xa1a"));
        self::assertSame([], $stream->feed("\xd9\x05a"));
        self::assertSame('unexpected_end at 4 (/a)', Outcome::of(static function () use ($stream): void {
            $stream->end();
        }));
    }

    public function testPathsOfFaultsInIncompleteMessages(): void
    {
        $cases = [
            '93' . '01' . '82a161c0a162' . '92c0c1' => 'reserved_byte at 10 (/1/b/1)',
            '82' . '92c1' => 'reserved_byte at 2 ()',
            '82' . '9190' . 'c1' => 'reserved_byte at 3 (/#0)',
            '82' . '01c0' . 'c40200ffc1' => 'reserved_byte at 7 (/0x00ff)',
            '81' . 'cfffffffffffffffff' . 'c1' => 'reserved_byte at 10 (/18446744073709551615)',
            '92' . 'd4724092a161a162' . '01c1' => 'reserved_byte at 10 (/0/b)',
            '92' . 'd4724091a161' . '01' . '40c1' => 'reserved_byte at 9 (/1/a)',
            '92' . 'd4724092a161c1' => 'reserved_byte at 7 (/0)',
            '92' . 'd47240c1' => 'reserved_byte at 4 (/0)',
            '92' . 'd47220' => 'invalid_record at 1 (/0)',
            '92' . 'd4724001' => 'invalid_record at 4 (/0)',
            '92' . 'd572600090' . '6001' => 'unknown_record at 6 (/1)',
        ];
        foreach ($cases as $hex => $error) {
            foreach ([1, 2, 100] as $length) {
                $stream = new StreamUnpacker(UnpackOptions::RECORDS_INLINE | UnpackOptions::LOSSLESS);
                $chunks = \str_split((string) \hex2bin($hex), $length);
                $outcome = Outcome::of(static fn(): array => \iterator_to_array($stream->decode($chunks), false));
                self::assertSame($error, $outcome, "{$hex} in pieces of {$length}");
            }
        }
    }

    public function testMaxBytesIsCertainBeforeTheBytesArrive(): void
    {
        $fed = static fn(string $hex, int $maxBytes): string => Outcome::of(
            static fn(): array => (new StreamUnpacker(limits: new Limits(maxBytes: $maxBytes)))->feed((string) \hex2bin($hex)),
        );
        self::assertSame('limit_exceeded at 0 ()', $fed('dbffffffff', 100));
        self::assertSame('limit_exceeded at 0 ()', $fed('ddffffffff', 100));
        self::assertSame('limit_exceeded at 0 ()', $fed('de0020', 66));
        self::assertSame(Outcome::value([]), $fed('de0020', 67));
        self::assertSame('limit_exceeded at 1 (/0)', $fed('93d903', 7));
        self::assertSame(Outcome::value([]), $fed('93d903', 8));
        self::assertSame('limit_exceeded at 0 ()', $fed('a161', 1));
        self::assertSame(Outcome::value(['a', 'a', 'a']), $fed('a161a161a161', 2));
    }

    public function testDepthIsLimitedBeforeTheMessageIsComplete(): void
    {
        $stream = new StreamUnpacker(limits: new Limits(maxDepth: 2));
        self::assertSame([], $stream->feed("\x91\x91"));
        self::assertSame('limit_exceeded at 2 (/0/0)', Outcome::of(static fn(): array => $stream->feed("\x90")));
        self::assertSame([[[1]]], (new StreamUnpacker(limits: new Limits(maxDepth: 2)))->feed("\x91\x91\x01"));
    }

    #[Group('slow')]
    #[Group('once')]
    public function testTheWorkIsLinearHoweverTheBytesAreCut(): void
    {
        $message = MessagePack::pack(\array_fill(0, 20_000, ['id' => 1, 'name' => 'abcdefgh', 'tags' => [1, 2]]));
        $time = static function (int $pieces) use ($message): float {
            $best = \INF;
            for ($i = 0; $i < 3; ++$i) {
                $start = Processor::milliseconds();
                $messages = \iterator_to_array((new StreamUnpacker())->decode(\str_split($message, \max(1, \intdiv(\strlen($message), $pieces)))), false);
                $best = \min($best, Processor::milliseconds() - $start);
                self::assertCount(1, $messages);
            }

            return $best;
        };
        $whole = $time(1);
        // With 4,000 pieces a quadratic decoder would cost thousands of times as much.
        self::assertLessThan(10 * $whole + 100, $time(4000));
    }

    public function testEachHeadIsLookedAtOnce(): void
    {
        $rows = \array_fill(0, 2000, ['id' => 1, 'name' => \str_repeat('x', 40), 'tags' => [1.5, 300, ['a' => null]]]);
        $bytes = MessagePack::pack($rows);
        $scanner = new Scanner(512, 1 << 26, false);
        $end = 0;
        do {
            // What earlier pieces brought is gone, except for a head that may have been cut. A scanner that looks
            // again finds a fault.
            $forgotten = \max(0, $end - 9);
            $end += 1000;
            $buffer = \str_repeat("\xc1", $forgotten) . \substr($bytes, $forgotten, $end - $forgotten);
            self::assertSame($end >= \strlen($bytes), $scanner->scan($buffer, 0));
        } while ($end < \strlen($bytes));
    }

    /**
     * A list of messages takes more than their bytes, as a message does.
     */
    #[Group('slow')]
    public function testTheMessagesOfAChunkShareTheLimitOfMemory(): void
    {
        $map = "\x81\xa1a\xc0"; // weighs 464, and 64 in the list
        foreach ([[UnpackOptions::STRICT, 528 * 10], [UnpackOptions::STRICT | UnpackOptions::RECORDS_INLINE, 528 * 10], [0, 528 * 10], [UnpackOptions::LOSSLESS, 784 * 10]] as [$options, $memory]) {
            $limits = new Limits(maxMemory: $memory);
            self::assertCount(10, (new StreamUnpacker($options, [], $limits))->feed(\str_repeat($map, 10) . "\x81"));
            $stream = new StreamUnpacker($options, [], $limits);
            self::assertCount(3, $stream->feed(\str_repeat($map, 3)));
            self::assertCount(10, $stream->feed(\str_repeat($map, 11)), 'what fits is delivered');
            $fault = 'limit_exceeded at ' . 13 * 4 . ' ()';
            self::assertSame($fault, Outcome::of(static fn(): array => $stream->feed('')));
            self::assertSame($fault, Outcome::of($stream->end(...)));

            $unpacker = new BufferUnpacker(\str_repeat($map, 25), $options, limits: $limits);
            self::assertSame([10, 10, 5, 0], \array_map(static fn(): int => \count($unpacker->tryUnpack()), \range(1, 4)));
            $all = (new StreamUnpacker($options, [], $limits))->decode([\str_repeat($map, 25)]);
            self::assertCount(25, \iterator_to_array($all, false));
            $heavy = MessagePack::pack(\array_fill(0, 100, ['a' => 1]));
            self::assertStringStartsWith('limit_exceeded at ', Outcome::of(static fn(): array => (new StreamUnpacker($options, [], $limits))->feed($heavy)));
        }

        $megabyte = \str_repeat("\x81\xa0\xc0", 333_333);
        self::assertLessThan(140_000, \count((new StreamUnpacker(UnpackOptions::STRICT))->feed($megabyte)));
        $lists = [UnpackOptions::STRICT => 0, 0 => 0, UnpackOptions::LOSSLESS => 0];
        foreach ($lists as $options => $_) {
            \memory_reset_peak_usage();
            $before = \memory_get_usage();
            foreach ((new StreamUnpacker($options))->decode([$megabyte]) as $message) {
                ++$lists[$options];
            }
            self::assertLessThan(2_500_000, \memory_get_peak_usage() - $before, 'decode() holds few');
        }
        self::assertSame([333_333], \array_values(\array_unique($lists)));
    }

    /**
     * What a scanner says that a message weighs is what the decoder counts.
     */
    #[Group('slow')]
    public function testTheScannerWeighsAsTheDecoderDoes(): void
    {
        $weights = [];
        foreach (Vectors::files() as [$folder, $file]) {
            foreach (\in_array($folder, ['valid', 'records'], true) ? Vectors::cases($file) : [] as $name => $case) {
                if (!$case->has('value') || $case->has('limits') || $case->has('dictionary')) {
                    continue;
                }
                // In an array, because a scalar alone isn't weighed.
                $bytes = "\x91" . ($case->has('bytes') ? $case->bytes() : $case->bytes('canonical'));
                foreach ([UnpackOptions::STRICT => false, UnpackOptions::LOSSLESS => true] as $mode => $isLossless) {
                    $options = $case->unpackOptions($mode);
                    $scanner = new Scanner(513, 1 << 26, $case->isInline(), null, $isLossless);
                    self::assertTrue($scanner->scan($bytes, 0), $name);
                    $unpack = static fn(int $memory): string => Outcome::of(static fn(): bool => MessagePack::unpack($bytes, $options, new Limits(maxDepth: 513, maxMemory: $memory)) === 0);
                    $weights[] = $scanner->weight;
                    $fits = $unpack(\max(1, $scanner->weight));
                    self::assertStringStartsNotWith('limit_exceeded', $fits, $name);
                    if ($scanner->weight > 1 && !\str_contains($fits, ' at ')) {
                        self::assertStringStartsWith('limit_exceeded', $unpack($scanner->weight - 1), "{$name} {$mode}");
                    }
                }
            }
        }
        self::assertGreaterThan(500, \count(\array_diff($weights, [0])));
    }

    /**
     * Ints that become GMP objects count toward the memory of a list, as ints and in containers.
     */
    #[RequiresPhpExtension('gmp')]
    public function testAListCountsBigIntegersThatBecomeObjects(): void
    {
        $ints = \str_repeat("\xcf" . \str_repeat("\xff", 8), 10);
        foreach ([[UnpackOptions::BIGINT_AS_GMP, 5], [UnpackOptions::BIGINT_AS_STR, 10]] as [$option, $expected]) {
            $stream = new StreamUnpacker($option, [], new Limits(maxMemory: 5 * (64 + 96)));
            self::assertCount($expected, $stream->feed($ints));
        }
    }

    public function testMemoryHoldsOneMessage(): void
    {
        $message = MessagePack::pack(\str_repeat('x', 1000));
        $stream = new StreamUnpacker();
        $stream->feed($message); // loads the classes
        $before = \memory_get_usage();
        for ($i = 0; $i < 5000; ++$i) {
            self::assertCount(1, $stream->feed($message));
        }
        self::assertLessThan(100_000, \memory_get_usage() - $before);
    }

    /**
     * Returns the first message that a loop gets, and leaves the loop.
     *
     * @param iterable<string> $source
     */
    private static function first(StreamUnpacker $stream, iterable $source): mixed
    {
        foreach ($stream->decode($source) as $message) {
            return $message;
        }
        self::fail('the source has no message');
    }

    /**
     * @param iterable<string> $source
     *
     * @return list<mixed>
     */
    private static function rest(StreamUnpacker $stream, iterable $source): array
    {
        return \iterator_to_array($stream->decode($source), false);
    }
}
