<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Makes inputs that are valid, nearly valid, or noise; the same for the same seed.
 */
final class RandomBytes
{
    /** Heads that decide something are likelier than they would be among random bytes. */
    private const NOISE = "\x00\x01\x40\x41\x60\x61\x72\x7f\x80\x81\x82\x90\x91\x92\xa0\xa1\xa1\xa2\xc0\xc1\xc2\xc3\xc4\xc5\xc7\xca\xcb"
        . "\xcc\xcd\xce\xcf\xd0\xd1\xd2\xd3\xd4\xd4\xd5\xd6\xd7\xd8\xd9\xda\xdb\xdc\xdd\xde\xdf\xe0\xff\x61\x62\x04\x0c";

    private readonly Randomizer $random;

    public function __construct(int $seed)
    {
        $this->random = new Randomizer(new Xoshiro256StarStar($seed));
    }

    public function next(): string
    {
        $bytes = match ($this->int(0, 3)) {
            0 => $this->noise(),
            1 => $this->value(3),
            default => $this->mutated($this->value(4)),
        };

        return \substr($bytes, 0, 4000);
    }

    /**
     * Cuts bytes at random places.
     *
     * @return list<string>
     */
    public function chunks(string $bytes): array
    {
        $chunks = [];
        for ($i = 0; $i < \strlen($bytes); $i += $length) {
            $length = $this->int(1, 6);
            $chunks[] = \substr($bytes, $i, $length);
        }

        return $chunks;
    }

    /**
     * @phpstan-impure
     */
    public function int(int $least, int $most): int
    {
        return $this->random->getInt($least, $most);
    }

    private function noise(): string
    {
        $noise = '';
        $length = $this->int(0, 24);
        for ($i = 0; $i < $length; ++$i) {
            $noise .= self::NOISE[$this->int(0, \strlen(self::NOISE) - 1)];
        }

        return $noise;
    }

    private function mutated(string $bytes): string
    {
        for ($i = $this->int(1, 3); $i > 0; --$i) {
            $at = $this->int(0, \strlen($bytes));
            $bytes = match ($this->int(0, 4)) {
                0 => \substr($bytes, 0, $at),
                1 => \substr($bytes, 0, $at) . \chr($this->int(0, 255)) . \substr($bytes, $at + 1),
                2 => \substr($bytes, 0, $at) . self::NOISE[$this->int(0, \strlen(self::NOISE) - 1)] . \substr($bytes, $at + 1),
                3 => \substr($bytes, 0, $at) . $this->noise() . \substr($bytes, $at),
                default => \substr($bytes, 0, $at) . \substr($bytes, $at + 1),
            };
        }

        return $bytes;
    }

    /**
     * A value whose heads have any width; often, but not always, a valid one.
     */
    private function value(int $depth): string
    {
        switch ($this->int($depth > 0 ? 0 : 3, 11)) {
            case 0:
                $count = $this->int(0, 4);
                $array = $this->counted($count, 0x90, 0xdc);
                for ($i = 0; $i < $count; ++$i) {
                    $array .= $this->value($depth - 1);
                }

                return $array;
            case 1:
                $count = $this->int(0, 4);
                $map = $this->counted($count, 0x80, 0xde);
                for ($i = 0; $i < $count; ++$i) {
                    $map .= ($this->int(0, 5) > 0 ? $this->key() : $this->value($depth - 1)) . $this->value($depth - 1);
                }

                return $map;
            case 2:
                return $this->record($depth);
            case 3:
                return "\xc0";
            case 4:
                return $this->int(0, 1) === 0 ? "\xc2" : "\xc3";
            case 5:
                return $this->int(0, 1) === 0 ? "\xca" . $this->bytes(4) : "\xcb" . $this->bytes(8);
            case 6:
                return $this->sized($this->bytes($this->int(0, 5)), [0xc4, 0xc5, 0xc6]);
            case 7:
                return $this->ext();
            case 8:
                return $this->text();
            default:
                return $this->number();
        }
    }

    private function key(): string
    {
        return $this->int(0, 2) > 0 ? $this->text() : $this->number();
    }

    private function number(): string
    {
        return match ($this->int(0, 9)) {
            0 => "\xcc" . $this->bytes(1),
            1 => "\xcd" . $this->bytes(2),
            2 => "\xce" . $this->bytes(4),
            3 => "\xcf" . $this->bytes(8),
            4 => "\xd0" . $this->bytes(1),
            5 => "\xd1" . $this->bytes(2),
            6 => "\xd2" . $this->bytes(4),
            7 => "\xd3" . $this->bytes(8),
            8 => \chr($this->int(0xe0, 0xff)),
            default => \chr($this->int(0x00, 0x7f)),
        };
    }

    private function text(): string
    {
        $texts = ['', 'a', 'b', 'a', '1', '0', 'é', "\u{1f600}", "\x00a", 'a/b', '~', "\xff", "\xed\xa0\x80", "\xc3"];
        $text = $texts[$this->int(0, \count($texts) - 1)];

        return $this->int(0, 3) > 0 ? \chr(0xa0 + \strlen($text)) . $text : $this->sized($text, [0xd9, 0xda, 0xdb]);
    }

    private function ext(): string
    {
        $types = [-1, -1, -1, 0, 5, -128, 0x72];
        $type = \pack('c', $types[$this->int(0, 6)]);
        $lengths = [0, 1, 2, 4, 8, 12, 12, 16, 3];
        $data = $this->int(0, 1) === 0
            ? $this->bytes($lengths[$this->int(0, 8)])
            : "\x3b\x9a\xc9\xff" . $this->bytes(8);
        $fix = \array_search(\strlen($data), [1, 2, 4, 8, 16], true);
        if ($fix !== false && $this->int(0, 1) === 0) {
            return \chr(0xd4 + $fix) . $type . $data;
        }

        return match ($this->int(0, 2)) {
            0 => "\xc7" . \pack('C', \strlen($data)),
            1 => "\xc8" . \pack('n', \strlen($data)),
            default => "\xc9" . \pack('N', \strlen($data)),
        } . $type . $data;
    }

    /**
     * A declaration with its first instance, or what may be a later instance: there are only few ids.
     */
    private function record(int $depth): string
    {
        $isPair = $this->int(0, 1) === 0;
        $count = $this->int(0, 2);
        $record = $isPair
            ? "\x60" . \chr($this->int(0, 1))
            : ["\x40", "\x41", "\x60", "\x60"][$this->int(0, 3)];
        if ($this->int(0, 1) === 0) {
            $record = ($isPair ? "\xd5" : "\xd4") . "\x72{$record}" . $this->counted($count, 0x90, 0xdc);
            for ($i = 0; $i < $count; ++$i) {
                $record .= $this->text();
            }
        }
        for ($i = 0; $i < $count; ++$i) {
            $record .= $this->value($depth - 1);
        }

        return $record;
    }

    private function counted(int $count, int $fix, int $wide): string
    {
        return match ($this->int(0, 5)) {
            0 => \chr($wide) . \pack('n', $count),
            1 => \chr($wide + 1) . \pack('N', $count),
            default => \chr($fix + $count),
        };
    }

    /**
     * @param array{int, int, int} $heads with a length of 1, 2 and 4 bytes
     */
    private function sized(string $data, array $heads): string
    {
        $width = $this->int(0, 2);

        return \chr($heads[$width]) . \pack(['C', 'n', 'N'][$width], \strlen($data)) . $data;
    }

    private function bytes(int $length): string
    {
        return $length > 0 ? $this->random->getBytes($length) : '';
    }
}
