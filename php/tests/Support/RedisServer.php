<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * A Redis server of its own for a test, on a socket in a temporary folder.
 */
final class RedisServer
{
    /** @var resource */
    private $process;
    public readonly string $folder;
    public readonly string $socket;

    public function __construct()
    {
        $this->folder = \sys_get_temp_dir() . '/polypack-redis-' . \bin2hex(\random_bytes(8));
        \mkdir($this->folder);
        $this->socket = "{$this->folder}/redis.sock";
        $options = ['--port', '0', '--unixsocket', $this->socket, '--save', '', '--appendonly', 'no', '--dir', $this->folder];
        $process = \proc_open(['redis-server', ...$options], [1 => ['file', '/dev/null', 'w'], 2 => ['file', '/dev/null', 'w']], $pipes);
        if (!\is_resource($process)) {
            throw new \RuntimeException('redis-server does not start; tools/setup installs it');
        }
        $this->process = $process;
        for ($tries = 0; !\file_exists($this->socket); ++$tries) {
            if ($tries > 4000 || !\proc_get_status($process)['running']) {
                throw new \RuntimeException('redis-server does not start; tools/setup installs it');
            }
            \usleep(25_000);
            \clearstatcache();
        }
    }

    public function stop(): void
    {
        \proc_terminate($this->process);
        \proc_close($this->process);
        foreach ((array) \glob("{$this->folder}/*") as $file) {
            \unlink((string) $file);
        }
        \rmdir($this->folder);
    }
}
