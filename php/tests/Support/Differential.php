<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\BufferUnpacker;
use Polypack\Canonical;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\PackOptions;
use Polypack\StreamUnpacker;
use Polypack\UnpackOptions;

/**
 * Compares everything that can be said of some bytes in two ways. Each method returns a text for each difference.
 */
final class Differential
{
    /**
     * @return list<string>
     */
    public static function compare(string $bytes, RandomBytes $random): array
    {
        $maxDepth = $random->int(0, 3) > 0 ? 512 : $random->int(0, 4);
        $maxValues = $random->int(0, 3) > 0 ? null : $random->int(1, 12);
        $limits = new Limits($maxDepth, $maxValues, $random->int(0, 3) > 0 ? 1 << 20 : $random->int(1, 40));
        $differences = [];
        foreach (Vectors::MODES as $mode => $options) {
            foreach (['off' => false, 'inline' => true] as $name => $records) {
                $options |= $records ? UnpackOptions::RECORDS_INLINE : 0;
                $reference = new ReferenceDecoder($mode, $records, $maxDepth, $maxValues ?? \PHP_INT_MAX);
                $found = [
                    ...self::decoder($bytes, $options, $limits, $reference),
                    ...self::stream($bytes, $options, $limits, $random, $reference),
                    ...($mode === 'lossless' ? self::roundTrip($bytes, $options, $records, $reference) : []),
                ];
                foreach ($found as $difference) {
                    $differences[] = \bin2hex($bytes) . " in {$mode} mode, records {$name}: {$difference}";
                }
            }
        }

        return $differences;
    }

    /**
     * @return list<string>
     */
    private static function decoder(string $bytes, int $options, Limits $limits, ReferenceDecoder $reference): array
    {
        $expected = Outcome::of(static fn(): mixed => $reference->decode($bytes));
        $got = Outcome::of(static fn(): mixed => MessagePack::unpack($bytes, $options, $limits));

        return $expected === $got ? [] : ["the decoder says {$got}, the reference {$expected}"];
    }

    /**
     * A stream gives the same however it is cut, and where only the decoder has a say, what the reference gives.
     *
     * @return list<string>
     */
    private static function stream(
        string $bytes,
        int $options,
        Limits $limits,
        RandomBytes $random,
        ReferenceDecoder $reference,
    ): array {
        $whole = self::streamed([$bytes], $options, $limits);
        $cut = self::streamed($random->chunks($bytes), $options, $limits);
        if ($whole !== $cut) {
            return ["the stream in one piece is {$whole}, cut {$cut}"];
        }
        $tried = self::tried(new BufferUnpacker($bytes, $options, limits: $limits));
        if ($tried !== \explode('fault: ', $whole)[0]) {
            return ["tryUnpack() gives {$tried}, the stream {$whole}"];
        }

        return self::messages($bytes, $whole, $reference);
    }

    /**
     * Every message the stream delivered is what the reference decodes at its place.
     *
     * @return list<string>
     */
    private static function messages(string $bytes, string $whole, ReferenceDecoder $reference): array
    {
        $expected = '';
        $offset = 0;
        while ($offset < \strlen($bytes)) {
            try {
                $value = $reference->decodeAt($bytes, $offset);
            } catch (ReferenceFault) {
                break;
            }
            $offset = $reference->end();
            $expected .= Outcome::value($value) . ' ';
        }
        $delivered = \explode('fault: ', $whole)[0];

        return \str_starts_with($expected, $delivered) ? [] : ["the stream gives {$whole}, the reference {$expected}"];
    }

    /**
     * @param list<string> $chunks
     */
    private static function streamed(array $chunks, int $options, Limits $limits): string
    {
        $text = '';
        try {
            foreach ((new StreamUnpacker($options, [], $limits))->decode($chunks) as $value) {
                $text .= Outcome::value($value) . ' ';
            }
        } catch (UnpackingFailedException $fault) {
            return "{$text}fault: " . Outcome::error($fault);
        }

        return $text;
    }

    private static function tried(BufferUnpacker $unpacker): string
    {
        $text = '';
        try {
            foreach ($unpacker->tryUnpack() as $value) {
                $text .= Outcome::value($value) . ' ';
            }
        } catch (UnpackingFailedException) {
            return $text;
        }

        return $text;
    }

    /**
     * What lossless mode decodes keeps its canonical form when packed, and that is the reference's form.
     *
     * @return list<string>
     */
    private static function roundTrip(string $bytes, int $options, bool $records, ReferenceDecoder $reference): array
    {
        try {
            $value = MessagePack::unpack($bytes, $options);
        } catch (UnpackingFailedException) {
            return [];
        }
        $canonical = new Canonical($records);
        $expected = ReferenceEncoder::canonical($value);
        $packed = MessagePack::pack($value, PackOptions::LOSSLESS);
        $got = $canonical->canonicalize($packed);
        if ($got !== $expected || $canonical->canonicalize($bytes) !== $expected || \strlen($packed) !== \strlen($expected)) {
            return ['packed ' . \bin2hex($packed) . ', canonical ' . \bin2hex($got) . ', the reference ' . \bin2hex($expected)];
        }
        if ($canonical->departure($expected) !== null) {
            return ['the canonical form departs from itself'];
        }

        return [];
    }
}
