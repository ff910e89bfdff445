<?php

declare(strict_types=1);

namespace Polypack\Snapshot\Migration;

use Polypack\Snapshot\LegacyData;

/**
 * Finds where a value that serialize() wrote ends, and the class names in it, without unserializing it. It doesn't
 * check the counts of elements, so it accepts more than unserialize() does. If unserialize() accepts the bytes, both
 * find the same end and the same classes.
 *
 * @internal
 */
final class PhpScan
{
    /**
     * A closing brace, an int, another scalar, a reference, or the start of a text, an object, an enum case or an
     * array.
     */
    private const TOKEN = '/\G(?:(\})|i:([+-]?[0-9]+);|(?:N|b:[01]|r:[0-9]+|d:[-+.0-9a-zA-Z]+);|(R:)[0-9]+;|([sSOCE]):([0-9]+):"|a:[0-9]+:\{)/';

    /** The name of a class or enum, as serialize() writes it. */
    private const CLASS_NAME = '/([OCE]):[0-9]+:"(?=([^":]*+))/';

    private int $at = 0;

    /** @var array<string, true> */
    private array $classes = [];

    /** @var array<string, true> names of enums; unserialize() makes their cases even if they aren't allowed */
    private array $enums = [];

    /** @var list<array{string, string}> the class of each object with a text under the key 3, and this text */
    private array $named = [];

    /** @var list<string> the data of each object of Serializable */
    private array $data = [];

    /** @var list<string> texts with a semicolon, which may hold a value in PHP's format */
    private array $texts = [];

    /** @var list<array{?string, bool, int|string|null}> open containers: class, whether a key comes next, latest key */
    private array $open = [];

    public function __construct(private readonly string $bytes) {}

    /**
     * Returns where the value ends, or null if the bytes aren't what PHP writes.
     */
    public function end(): ?int
    {
        do {
            if (\preg_match(self::TOKEN, $this->bytes, $token, 0, $this->at) !== 1) {
                return null;
            }
            $this->at += \strlen($token[0]);
            if (($token[1] ?? '') !== '') {
                if (\array_pop($this->open) === null) {
                    return null;
                }
                $this->met(null);
            } elseif (($token[2] ?? '') !== '') {
                $this->met((int) $token[2]);
            } elseif (($token[4] ?? '') !== '') {
                if (!$this->text($token[4], (int) $token[5])) {
                    return null;
                }
            } elseif ($token[0][0] === 'a') {
                $this->open[] = [null, true, null];
            } else {
                $this->met(($token[3] ?? '') === '' ? null : 'a reference');
            }
        } while ($this->open !== []);

        return $this->at;
    }

    /**
     * @return list<string>
     */
    public function classes(): array
    {
        return \array_map(\strval(...), \array_keys($this->classes));
    }

    /**
     * @return list<string>
     */
    public function enums(): array
    {
        return \array_map(\strval(...), \array_keys($this->enums));
    }

    /**
     * Returns the texts that may name the iterator class of an ArrayObject.
     *
     * @return list<array{string, string}> the class of an object, and the text under its key 3
     */
    public function named(): array
    {
        return $this->named;
    }

    /**
     * Returns the data of each object of Serializable.
     *
     * @return list<string>
     */
    public function data(): array
    {
        return $this->data;
    }

    /**
     * Returns the data of each object of Serializable, and the texts that may hold a value in PHP's format.
     *
     * @return list<string>
     */
    public function within(): array
    {
        return [...$this->data, ...$this->texts];
    }

    /**
     * Notes a key or value of the innermost container. $value is an int, a text, or null for anything else.
     */
    private function met(int|string|null $value): void
    {
        $last = \count($this->open) - 1;
        if ($last < 0) {
            return;
        }
        [$class, $isKey, $key] = $this->open[$last];
        if (!$isKey && $class !== null && ($key === 3 || $key === '3') && \is_string($value)) {
            $this->named[] = [$class, $value];
        }
        $this->open[$last] = [$class, !$isKey, $isKey ? $value : null];
    }

    private function text(string $type, int $length): bool
    {
        $text = $type === 'S' ? $this->escaped($length) : $this->take($length);
        if ($text === null || !$this->skip($type === 'O' || $type === 'C' ? '":' : '";')) {
            return false;
        }
        if ($type === 'O') {
            $this->classes[$text] = true;
            $this->open[] = [$text, true, null];

            return \preg_match('/\G[+-]?[0-9]+:\{/', $this->bytes, $count, 0, $this->at) === 1 && $this->skip($count[0]);
        }
        if ($type === 'C') {
            $this->classes[$text] = true;

            return $this->custom();
        }
        if ($type === 'E') {
            $this->enums[\explode(':', $text, 2)[0]] = true;
            $text = null;
        } elseif (\str_contains($text, ';')) {
            $this->texts[] = $text;
        }
        $this->met($text);

        return true;
    }

    /**
     * Reads the data of a Serializable. Classes that are built into PHP write values in PHP's format there. So
     * everything that looks like a class name counts as one.
     */
    private function custom(): bool
    {
        if (\preg_match('/\G\+?([0-9]+):\{/', $this->bytes, $count, 0, $this->at) !== 1 || !$this->skip($count[0])) {
            return false;
        }
        $content = $this->take((int) $count[1]);
        foreach (LegacyData::layers($content ?? '') as $layer) {
            \preg_match_all(self::CLASS_NAME, $layer, $found, \PREG_SET_ORDER);
            foreach ($found as [, $type, $name]) {
                $type === 'E' ? $this->enums[$name] = true : $this->classes[$name] = true;
            }
        }
        $this->met(null);

        $this->data[] = $content ?? '';

        return $content !== null && $this->skip('}');
    }

    private function take(int $length): ?string
    {
        if ($length > \strlen($this->bytes) - $this->at) {
            return null;
        }
        $this->at += $length;

        return \substr($this->bytes, $this->at - $length, $length);
    }

    /**
     * Reads a text with escapes such as `\0a`, which count as one byte each.
     */
    private function escaped(int $length): ?string
    {
        $text = '';
        while (true) {
            $run = \strcspn($this->bytes, '\\', $this->at, $length);
            $text .= $this->take($run);
            $length -= $run;
            if ($length === 0) {
                return $text;
            }
            if (\preg_match('/\G\\\\([0-9a-fA-F]{2})/', $this->bytes, $escape, 0, $this->at) !== 1) {
                return null;
            }
            $this->at += 3;
            $text .= \chr((int) \hexdec($escape[1]));
            --$length;
        }
    }

    private function skip(string $expected): bool
    {
        $isThere = \substr_compare($this->bytes, $expected, $this->at, \strlen($expected)) === 0;
        $this->at += \strlen($expected);

        return $isThere;
    }
}
