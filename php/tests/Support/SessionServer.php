<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * A web server of PHP with four workers, whose sessions are snapshots. session-router.php answers.
 */
final class SessionServer
{
    /** @var resource */
    private $process;

    private readonly string $address;

    /**
     * @param array<string, string> $settings of php.ini
     */
    public function __construct(array $settings)
    {
        $this->address = self::freeAddress();
        $command = [\PHP_BINARY];
        foreach ($settings + ['session.serialize_handler' => 'polypack', 'opcache.enable_cli' => '0'] as $name => $value) {
            $command[] = '-d';
            $command[] = "{$name}={$value}";
        }
        $nothing = ['file', '/dev/null', 'w'];
        // its own group, so that its workers end with it
        $process = \proc_open(['setsid', ...$command, '-S', $this->address, __DIR__ . '/session-router.php'], [1 => $nothing, 2 => $nothing], $pipes, null, ['PHP_CLI_SERVER_WORKERS' => '4'] + \getenv());
        if (!\is_resource($process)) {
            throw new \RuntimeException('php -S does not start');
        }
        $this->process = $process;
        for ($tries = 0; @\file_get_contents("http://{$this->address}/") === false; ++$tries) {
            if ($tries > 2000) {
                throw new \RuntimeException('php -S does not answer');
            }
            \usleep(20_000);
        }
    }

    private static function freeAddress(): string
    {
        $socket = \stream_socket_server('tcp://127.0.0.1:0');
        if ($socket === false) {
            throw new \RuntimeException('no port is free');
        }
        $address = (string) \stream_socket_get_name($socket, false);
        \fclose($socket);

        return $address;
    }

    /**
     * Sends a request, and returns what session-router.php answers.
     *
     * @return array{answer: mixed, warnings: list<string>, id: string}
     */
    public function ask(string $id, string $query): array
    {
        $context = \stream_context_create(['http' => ['header' => "Cookie: PHPSESSID={$id}\r\n", 'timeout' => 120]]);
        /** @var array{answer: mixed, warnings: list<string>, id: string} $answer */
        $answer = \json_decode((string) \file_get_contents("http://{$this->address}/?{$query}", false, $context), true, 512, \JSON_THROW_ON_ERROR);

        return $answer;
    }

    public function stop(): void
    {
        $leader = \proc_get_status($this->process)['pid'];
        \posix_kill(-$leader, \SIGTERM);
        \proc_close($this->process);
    }
}
