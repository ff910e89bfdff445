<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\Limits;
use Polypack\Packer;
use Polypack\PackOptions;

/**
 * Compares packers with the reference under every combination of options. The packers are kept, so that state left by
 * one value meets the next.
 */
final class PackingDifferential
{
    private const STRINGS = [0, PackOptions::FORCE_STR, PackOptions::FORCE_BIN, PackOptions::DETECT_STR_BIN];
    private const ARRAYS = [0, PackOptions::DETECT_ARR_MAP, PackOptions::FORCE_ARR, PackOptions::FORCE_MAP];
    private const FLOATS = [0, PackOptions::FORCE_FLOAT64, PackOptions::FORCE_FLOAT32];
    private const MODES = [0, PackOptions::STRICT, PackOptions::LOSSLESS];
    private const RECORDS = [0, PackOptions::RECORDS_INLINE];

    /** @var array<string, Packer> by options and depth */
    private array $packers = [];

    /**
     * @return list<int> all combinations of options
     */
    public static function options(): array
    {
        $all = [];
        foreach (self::STRINGS as $strings) {
            foreach (self::ARRAYS as $arrays) {
                foreach (self::FLOATS as $floats) {
                    foreach (self::MODES as $mode) {
                        foreach (self::RECORDS as $records) {
                            $all[] = $strings | $arrays | $floats | $mode | $records;
                        }
                    }
                }
            }
        }

        return $all;
    }

    /**
     * Returns what differs between packer and reference, null for nothing.
     */
    public function compare(mixed $value, int $options, int $maxDepth = 512): ?string
    {
        $packer = $this->packers["{$options} {$maxDepth}"] ??= new Packer($options, [], new Limits($maxDepth));
        $reference = new ReferencePacker($options, $maxDepth);
        $calls = ['pack' => [static fn(): string => $packer->pack($value), static fn(): string => $reference->pack($value)]];
        if (\is_array($value)) {
            $calls['packArray'] = [static fn(): string => $packer->packArray($value), static fn(): string => $reference->packArray($value)];
            $calls['packMap'] = [static fn(): string => $packer->packMap($value), static fn(): string => $reference->packMap($value)];
        }
        foreach ($calls as $name => [$ours, $theirs]) {
            $got = self::outcome($ours);
            $expected = self::outcome($theirs);
            if ($got !== $expected) {
                $call = \sprintf('%s of %s with options %b, depth %d', $name, self::shown($value), $options, $maxDepth);

                return "{$call}: {$got}, the reference {$expected}";
            }
        }

        return null;
    }

    /**
     * @param \Closure(): string $pack
     */
    private static function outcome(\Closure $pack): string
    {
        return Outcome::of(static fn(): string => \bin2hex($pack()));
    }

    private static function shown(mixed $value): string
    {
        return \str_replace("\n", '', \var_export($value, true));
    }
}
