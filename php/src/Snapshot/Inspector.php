<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

use Polypack\Exception\SnapshotFailedException;

/**
 * Tells what a payload is: its format, the id of its key, its classes, and how many bytes its parts take. It neither
 * loads the classes that the payload names nor makes objects of them, and it doesn't check signatures.
 *
 * @api
 */
final class Inspector
{
    private const MOST_PARTS = 20;

    /** Measuring entries stops after this many bytes, plus 8 for each byte of the snapshot. */
    private const MOST_MEASURED = 1 << 24;

    /** Counts besides the bytes of each measured entry, so that many small entries also reach the limit. */
    private const COST = 64;

    private const MOST_ENVELOPES = 8;

    /**
     * Describes a payload as an array, which always has `format` and `bytes`. For an envelope it also has `key` (the
     * id) and `payload` (an array like this one). For a snapshot it has `classes`, and also `kind`, or `error` if the
     * snapshot can't be read. For the snapshot of an array it also has `count` and `parts`: how many bytes each of the
     * 20 largest entries would take alone, the largest first. An object counts in each entry that has it. If measuring
     * takes too long, `unmeasured` says how many of the last entries `parts` doesn't consider.
     *
     * At most 8 envelopes are opened, one in the other. The payload of the eighth has an `error` if it is an envelope.
     *
     * @return array<string, mixed>
     */
    public static function describe(string $bytes): array
    {
        $envelopes = [];
        $at = 0;
        $end = \strlen($bytes);
        while (\substr($bytes, $at, 2) === Envelope::START && \count($envelopes) < self::MOST_ENVELOPES) {
            [$key, $payload] = Envelope::parts($bytes, $at);
            $envelopes[] = ['format' => 'signed', 'bytes' => $end - $at, 'key' => $key];
            $at = \min($payload, $end);
        }
        $about = self::payload(\substr($bytes, $at));
        foreach (\array_reverse($envelopes) as $envelope) {
            $about = $envelope + ['payload' => $about];
        }

        return $about;
    }

    /**
     * @return array<string, mixed>
     */
    private static function payload(string $bytes): array
    {
        $about = ['format' => self::format($bytes), 'bytes' => \strlen($bytes)];
        if ($about['format'] === 'signed') {
            return $about + ['error' => 'more than ' . self::MOST_ENVELOPES . ' envelopes, one in the other'];
        }
        if ($about['format'] === 'snapshot') {
            $learner = new Learner();
            $policy = new ClassPolicy(false, [], 'incomplete', ['*' => 'throw'], $learner, null);
            $reader = new Reader($bytes, $policy, Format::MAX_DEPTH, Format::MAX_ELEMENTS, \Polypack\Format::MAX_COLLISIONS);
            try {
                $value = $reader->read();
                $about += ['kind' => \is_object($value) ? 'object' : \get_debug_type($value)];
                $about += \is_array($value) ? self::parts($value, \strlen($bytes)) : [];
            } catch (Failure $failure) {
                $about += ['error' => SnapshotFailedException::of($failure)->getMessage()];
            }

            return $about + ['classes' => $learner->allowedClasses()];
        }

        return $about;
    }

    /**
     * @param array<array-key, mixed> $array
     *
     * @return array<string, mixed>
     */
    private static function parts(array $array, int $bytes): array
    {
        $parts = [];
        $left = self::MOST_MEASURED + 8 * $bytes;
        foreach ($array as $key => $value) {
            if ($left < 0) {
                break;
            }
            $parts[$key] = \strlen(Serializer::serialize($value)) - \strlen(Format::HEADER);
            $left -= $parts[$key] + self::COST;
        }
        $unmeasured = \count($array) - \count($parts);
        \arsort($parts);
        $about = ['count' => \count($array), 'parts' => \array_slice($parts, 0, self::MOST_PARTS, true)];

        return $about + ($unmeasured > 0 ? ['unmeasured' => $unmeasured] : []);
    }

    /**
     * Describes a payload for people, a line for each fact. Control characters in names are shown as `\x0a` and so on.
     * So a payload can't make up lines, or give orders to a terminal.
     */
    public static function text(string $bytes): string
    {
        return self::lines(self::describe($bytes), '');
    }

    /**
     * @param array<array-key, mixed> $about
     */
    private static function lines(array $about, string $indent): string
    {
        $text = '';
        foreach ($about as $name => $fact) {
            $name = self::visible((string) $name);
            if (\is_array($fact) && $name !== 'classes') {
                $text .= "{$indent}{$name}:\n" . self::lines($fact, "{$indent}  ");
            } elseif ($fact !== null) {
                $shown = \is_array($fact) ? \implode(', ', \array_filter($fact, \is_string(...))) : (\is_scalar($fact) ? (string) $fact : '');
                $text .= "{$indent}{$name}: " . ($shown === '' ? 'none' : self::visible($shown)) . "\n";
            }
        }

        return $text;
    }

    private static function visible(string $text): string
    {
        $control = '/[\x00-\x1f\x7f]|\xc2(?=[\x80-\x9f])|(?<=\xc2)[\x80-\x9f]/';

        return (string) \preg_replace_callback($control, static fn(array $found): string => '\x' . \bin2hex($found[0]), $text);
    }

    private static function format(string $bytes): string
    {
        if (\str_starts_with($bytes, Format::START)) {
            return 'snapshot';
        }
        if (\str_starts_with($bytes, Envelope::START)) {
            return 'signed';
        }
        if (\str_starts_with($bytes, "\xc1\x50")) {
            return 'MessagePack with a dictionary';
        }
        foreach ([OldFormat::Igbinary, OldFormat::Php] as $format) {
            if (Migration\OldFormats::couldBe($bytes, $format)) {
                return $format->value;
            }
        }

        return 'unknown';
    }
}
