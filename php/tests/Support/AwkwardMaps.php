<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * Makes messages of nested maps whose few keys are equal, or look equal to one language or another: ints of every
 * width, their digits, bin and str, and what only lossless mode takes.
 */
final class AwkwardMaps
{
    private const KEYS = [
        "\x00", "\x01", "\xcc\x01", "\xcd\x00\x01", "\xd3\x00\x00\x00\x00\x00\x00\x00\x01", "\xff", "\xd0\xff",
        "\xa10", "\xa11", "\xd9\x011", "\xa201", "\xa2-1", "\xa2-0", "\xa1a", "\xd9\x01a", "\xa0", "\xa1~", "\xa1/", "\xa2#0", "\xa40x61",
        "\xc4\x011", "\xc4\x01a", "\xc5\x00\x01a", "\xc4\x00", "\xc4\x02-1", "\xc4\x01\xff", "\xa1\xff",
        "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", "\xb418446744073709551615", "\xcf\x7f\xff\xff\xff\xff\xff\xff\xff", "\xb39223372036854775807",
        "\xa2\x00a",
    ];
    private const OTHER_KEYS = ["\xc0", "\xc3", "\xca\x3f\x80\x00\x00", "\x91\x01", "\x81\x01\x02", "\xd4\x05a", "\xd6\xff\x00\x00\x00\x01", "\x40"];
    private const SCALARS = ["\x05", "\xc0", "\xa1x", "\xc4\x01y", "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", "\xd4\x00\x00", "\xd4\x05a", "\x90", "\x80", "\x40"];

    public function __construct(private readonly RandomBytes $random) {}

    public function next(): string
    {
        return $this->value(3);
    }

    private function value(int $depth): string
    {
        $kind = $depth === 0 ? 9 : $this->random->int(0, 9);
        if ($kind < 2) {
            $count = $this->random->int(0, 4);

            return \chr(0x90 | $count) . \implode('', $this->values($count, $depth - 1));
        }
        if ($kind === 2) { // a record; where records are off, the message is faulty
            $names = $this->random->int(0, 1) === 0 ? "\x92\xa1a\xa11" : "\x93\xa10\xa2-1\xa1~";
            $count = \ord($names[0]) & 0x0f;

            return "\xd4\x72\x40{$names}" . \implode('', $this->values($count, $depth - 1));
        }
        if ($kind === 9) {
            return $this->oneOf(self::SCALARS);
        }
        $count = $this->random->int(0, 5);
        $map = \chr(0x80 | $count);
        foreach ($this->values($count, $depth - 1) as $value) {
            $map .= $this->oneOf($this->random->int(0, 19) === 0 ? self::OTHER_KEYS : self::KEYS) . $value;
        }

        return $map;
    }

    /**
     * @return list<string>
     */
    private function values(int $count, int $depth): array
    {
        $values = [];
        while (\count($values) < $count) {
            $values[] = $this->value($depth);
        }

        return $values;
    }

    /**
     * @param non-empty-list<string> $choices
     */
    private function oneOf(array $choices): string
    {
        return $choices[$this->random->int(0, \count($choices) - 1)];
    }
}
