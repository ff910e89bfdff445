<?php

declare(strict_types=1);

namespace Polypack\Lab\Measure;

use Polypack\Lab\Paths;
use Symfony\Component\Process\Process;

/** What a number depends on beside the code: machine, system, PHP and how busy it all is. */
final class Environment
{
    /** @return array<string, string> without what changes from minute to minute */
    public static function record(): array
    {
        static $record = null;

        return $record ??= [
            'cpu' => self::cpu(),
            'cores' => (string) self::cores(),
            'system' => \php_uname('s') . ' ' . \php_uname('r') . ' ' . \php_uname('m'),
            'php' => \PHP_VERSION,
            'extensions' => \implode(' ', \array_filter(['igbinary', 'msgpack', 'polypack', 'xdebug', 'pcov'], \extension_loaded(...))),
            'commit' => self::said(['git', 'describe', '--always', '--dirty'], Paths::root()) ?? 'unknown',
            'node' => self::said(['node', '--version']) ?? 'none',
            'go' => self::said([Paths::root('.toolchain/bin/go'), 'env', 'GOVERSION']) ?? 'none',
        ];
    }

    public static function cores(): int
    {
        return \max(1, \substr_count((string) @\file_get_contents('/proc/cpuinfo'), "processor\t"));
    }

    /** The average number of programs that wanted a processor in the last minute. */
    public static function load(): float
    {
        return (\function_exists('sys_getloadavg') ? \sys_getloadavg() : false)[0] ?? 0.0;
    }

    private static function cpu(): string
    {
        \preg_match('/^model name\s*:\s*(.+)$/m', (string) @\file_get_contents('/proc/cpuinfo'), $found);

        return $found[1] ?? \php_uname('m');
    }

    /** @param list<string> $command */
    public static function said(array $command, ?string $folder = null): ?string
    {
        try {
            $process = new Process($command, $folder);
            $process->setTimeout(20)->run();
        } catch (\Throwable) {
            return null;
        }

        return $process->isSuccessful() ? \trim($process->getOutput()) : null;
    }
}
