<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Paths;
use Polypack\Lab\Refusal;
use Polypack\Tests\Support\Modes;
use Symfony\Component\Process\Process;

/** How PHP runs contestants, and which part of it makes the strings that they get. */
final class PhpSettings
{
    /** Without opcache, with it, and with each of its JITs: the modes of php/bench. */
    public const MODES = ['plain', 'opcache', 'jit', 'jit-function'];

    /**
     * What makes strings and arrays of the data. It decides how PHP stores them: literals carry their hash, and only
     * unserialize() makes lists that are hash tables.
     */
    public const PROVENANCES = ['built', 'json', 'unserialize'];

    /** As opcache calls them. */
    private const JITS = ['jit' => 'tracing', 'jit-function' => 'function'];

    /** @param string $memory of a contestant, as memory_limit takes it */
    public function __construct(
        public readonly string $mode = 'opcache',
        public readonly string $memory = '1G',
        public readonly string $provenance = 'json',
    ) {}

    /** @return array<string, string> what stands in a result */
    public function record(): array
    {
        return ['mode' => $this->mode, 'provenance' => $this->provenance];
    }

    /**
     * Refuses a mode that this PHP accepts and doesn't run in, as without opcache, or where a JIT doesn't work.
     *
     * @param list<string> $more settings, as on a command line
     */
    public function refuseOtherMode(array $more = []): void
    {
        $code = 'require $argv[1]; echo ' . Modes::class . '::current();';
        $process = new Process([...$this->command(), ...$more, '-r', $code, Paths::root('php/tests/Support/Modes.php')]);
        $mode = $process->mustRun()->getOutput();
        if ($mode !== $this->mode) {
            throw new Refusal("--mode {$this->mode}: this PHP runs in mode {$mode} instead");
        }
    }

    /** @return list<string> */
    public function command(): array
    {
        $jit = self::JITS[$this->mode] ?? null;
        $settings = [
            'memory_limit' => $this->memory, 'display_errors' => 'stderr', 'log_errors' => '0', 'xdebug.mode' => 'off',
            'zend.assertions' => '-1', 'error_reporting' => (string) (\E_ALL & ~\E_DEPRECATED & ~\E_USER_DEPRECATED),
            'opcache.enable_cli' => $this->mode === 'plain' ? '0' : '1',
            // Timestamps have seconds: code that changed twice in one, as by git, would else be taken from the cache.
            'opcache.file_update_protection' => '2',
            'opcache.jit' => $jit ?? 'disable', 'opcache.jit_buffer_size' => $jit === null ? '0' : '64M',
            // As in production, where opcache has compiled all files before a request comes.
            'opcache.file_cache' => $this->mode === 'plain' ? '' : Paths::make(Paths::build("opcache-{$this->mode}")),
        ];
        $command = [\PHP_BINARY];
        foreach ($settings as $name => $value) {
            $command[] = '-d';
            $command[] = "{$name}={$value}";
        }

        return $command;
    }
}
