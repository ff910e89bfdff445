<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * The ways PHP runs a program that the tests and the bench tell apart, and the settings that choose them.
 */
final class Modes
{
    private const OPCACHE = [
        'opcache.enable' => '1',
        'opcache.enable_cli' => '1',
        // Else a script written within the last two seconds is neither cached nor compiled, and nobody says so.
        'opcache.file_update_protection' => '0',
    ];

    public const ALL = [
        'plain' => ['opcache.enable_cli' => '0'],
        'opcache' => [...self::OPCACHE, 'opcache.jit' => 'disable'],
        'jit' => [...self::OPCACHE, 'opcache.jit' => 'tracing', 'opcache.jit_buffer_size' => '64M'],
        'jit-function' => [...self::OPCACHE, 'opcache.jit' => 'function', 'opcache.jit_buffer_size' => '64M'],
    ];

    /**
     * A PHP in a mode, to be followed by a script and its arguments.
     *
     * @param key-of<self::ALL>     $mode
     * @param array<string, string> $settings beside those of the mode
     *
     * @return non-empty-list<string>
     */
    public static function command(string $php, string $mode, array $settings = []): array
    {
        $command = [$php];
        foreach ([...$settings, ...self::ALL[$mode]] as $name => $value) {
            \array_push($command, '-d', "{$name}={$value}");
        }

        return $command;
    }

    /**
     * Tells whether a long loop does its round `$i` in this run of the tests. Those that tests/run.php starts share
     * the rounds; a run of PHPUnit by itself does all.
     */
    public static function takes(int $i): bool
    {
        [$place, $runs] = self::place();

        return $i % $runs === $place;
    }

    /**
     * Returns how many of `$count` random inputs a long loop tries in this run of the tests, with the seed that seed()
     * returns.
     */
    public static function share(int $count): int
    {
        return \intdiv($count, self::place()[1]);
    }

    /**
     * Returns a seed for this run of the tests, so that each tries other inputs.
     */
    public static function seed(int $seed): int
    {
        return 10 * $seed + self::place()[0];
    }

    /**
     * @return array{int, int<1, max>} which of how many runs this is, from POLYPACK_SHARE
     */
    private static function place(): array
    {
        [$place, $runs] = \array_map(\intval(...), \explode('/', (string) \getenv('POLYPACK_SHARE'))) + [0, 0];

        return $runs > 0 ? [$place, $runs] : [0, 1];
    }

    /**
     * The mode this process is really in. PHP without opcache, or one whose JIT doesn't work here, accepts the
     * settings and runs without.
     */
    public static function current(): string
    {
        /** @var array{opcache_enabled: bool, jit?: array{on: bool, kind: int}}|false $status */
        $status = \function_exists('opcache_get_status') ? \opcache_get_status(false) : false;
        if ($status === false || !$status['opcache_enabled']) {
            return 'plain';
        }
        if (!isset($status['jit']) || !$status['jit']['on']) {
            return 'opcache';
        }

        // The trigger of a tracing JIT is 5.
        return $status['jit']['kind'] === 5 ? 'jit' : 'jit-function';
    }
}
