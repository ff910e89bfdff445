<?php

declare(strict_types=1);

namespace Polypack\Stores;

/**
 * Says which process holds a lock, and whether it is alive.
 *
 * @internal
 */
final class Owner
{
    /** ESRCH means that no process has the given id. It is 3 on every system with posix_kill(). */
    private const NO_SUCH_PROCESS = 3;

    /**
     * @param string $token a random string
     * @param string $start when the process started, in clock ticks since the boot; '' if unknown
     * @param string $boot  an id that each boot of the machine changes; '' if unknown
     * @param string $space an id of the namespace that the pid belongs to; '' if unknown
     */
    private function __construct(
        public readonly string $token,
        public readonly int $pid,
        public readonly string $start,
        public readonly string $host,
        public readonly string $boot,
        public readonly string $space,
    ) {}

    public static function self(): self
    {
        return self::here(\bin2hex(\random_bytes(16)));
    }

    /**
     * Returns the owner that a file names. If it names none, returns an unknown owner; if there is no file, null.
     */
    public static function of(string $file): ?self
    {
        $text = Files::read($file);
        if ($text === null) {
            return null;
        }
        $fields = \json_decode($text, true, 2);
        if (\is_array($fields)) {
            $pid = $fields['pid'] ?? 0;
            $token = self::text($fields, 'token');
            if (\preg_match('/\A[0-9a-f-]+\z/', $token) === 1 && \is_int($pid) && $pid > 0) {
                [$start, $host] = [self::text($fields, 'start'), self::text($fields, 'host')];

                return new self($token, $pid, $start, $host, self::text($fields, 'boot'), self::text($fields, 'space'));
            }
        }

        return new self('unknown', 0, '', '', '', ''); // the file is from another program, or is just being written
    }

    public function toJson(): string
    {
        return \json_encode(\get_object_vars($this), \JSON_THROW_ON_ERROR | \JSON_UNESCAPED_SLASHES | \JSON_INVALID_UTF8_SUBSTITUTE);
    }

    /**
     * Tells whether the owner is dead; null if this process can't find out. Another boot id doesn't mean that the owner
     * is dead, because machines that share a folder may have the same host name.
     */
    public function isDead(): ?bool
    {
        $here = self::here('');
        if ($this->host === '' || [$this->host, $this->boot, $this->space] !== [$here->host, $here->boot, $here->space]) {
            return null;
        }
        $state = self::state($this->pid);
        if ($state !== null) {
            // The pid may belong to another process by now. A process that has ended may still be listed as a zombie
            // (Z) or as dead (X).
            return ($this->start !== '' && $state[1] !== $this->start) || $state[0] === 'Z' || $state[0] === 'X';
        }
        if (!\function_exists('posix_kill')) { // /proc may hide a living process of another user
            return null;
        }

        return !\posix_kill($this->pid, 0) && \posix_get_last_error() === self::NO_SUCH_PROCESS;
    }

    /**
     * Tells whether the file names no owner.
     */
    public function isUnknown(): bool
    {
        return $this->pid === 0;
    }

    /**
     * Tells whether the owner ran before a reboot of this machine, or runs on another machine with the same host name.
     */
    public function isOfAnotherBoot(): bool
    {
        $here = self::here('');

        return $this->host !== '' && $this->host === $here->host && $this->boot !== $here->boot;
    }

    private static function here(string $token): self
    {
        $pid = (int) \getmypid();
        $space = @\readlink('/proc/self/ns/pid');

        return new self(
            $token,
            $pid,
            self::state($pid)[1] ?? '',
            (string) \gethostname(),
            \trim(Files::small('/proc/sys/kernel/random/boot_id')),
            $space === false ? '' : $space,
        );
    }

    /**
     * Returns the letter for the state of a process, and when it started in clock ticks since the boot. Returns null if
     * the process doesn't exist or is hidden, or if the system isn't Linux.
     *
     * @return ?array{string, string}
     */
    private static function state(int $pid): ?array
    {
        $stat = Files::small("/proc/{$pid}/stat");
        if ($stat === '') {
            return null;
        }
        // The second field is the name of the program in parentheses. It may contain spaces and parentheses itself.
        $fields = \explode(' ', \substr($stat, (int) \strrpos($stat, ')') + 2));

        return [$fields[0], $fields[19] ?? ''];
    }

    /**
     * @param array<mixed> $fields
     */
    private static function text(array $fields, string $name): string
    {
        $text = $fields[$name] ?? '';

        return \is_scalar($text) ? (string) $text : '';
    }
}
