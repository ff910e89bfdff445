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
            [$records, $lossless] = [$random->int(0, 1) === 1, $random->int(0, 1) === 1];
            $answers = [];
            foreach ([false, true] as $native) {
                $scanner = new Scanner($depth, $most, $records, null, $lossless, $native);
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

    public function testRecordsAreScannedByThePhpCode(): void
    {
        Engine::$isActive = true;
        $rows = [['a' => 1], ['a' => 2]];
        $packed = MessagePack::pack($rows, PackOptions::RECORDS_INLINE);
        $stream = new StreamUnpacker(UnpackOptions::RECORDS_INLINE);
        self::assertSame([$rows, $rows, [64]], \iterator_to_array($stream->decode([$packed . $packed, "\x91\x40"]), false));
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
