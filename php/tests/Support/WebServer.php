<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * A web server of PHP with four workers.
 */
final class WebServer
{
    public const FORM_TYPE = 'multipart/form-data; boundary=next';

    /** @var resource */
    private $process;

    private readonly string $address;

    /**
     * @param string                $router      the script in this folder that answers
     * @param array<string, string> $settings    of php.ini
     * @param array<string, string> $environment beside that of this process
     */
    public function __construct(string $router, array $settings, array $environment = [])
    {
        $this->address = self::freeAddress();
        $command = [\PHP_BINARY];
        foreach ($settings + ['opcache.enable_cli' => '0', 'session.use_strict_mode' => '0'] as $name => $value) {
            $command[] = '-d';
            $command[] = "{$name}={$value}";
        }
        $nothing = ['file', '/dev/null', 'w'];
        // its own group, so that its workers end with it
        $process = \proc_open(['setsid', ...$command, '-S', $this->address, __DIR__ . "/{$router}"], [1 => $nothing, 2 => $nothing], $pipes, null, ['PHP_CLI_SERVER_WORKERS' => '4'] + $environment + \getenv());
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
     * Sends a request in a session, and returns what session-router.php answers.
     *
     * @return array{answer: mixed, warnings: list<string>, id: string}
     */
    public function ask(string $id, string $query): array
    {
        /** @var array{answer: mixed, warnings: list<string>, id: string} $answer */
        $answer = $this->get($query, "Cookie: PHPSESSID={$id}");

        return $answer;
    }

    /**
     * Uploads a file in a session, and asks PHP to store the progress of that.
     *
     * @return array{answer: mixed, warnings: list<string>, id: string}
     */
    public function upload(string $id, string $query): array
    {
        /** @var array{answer: mixed, warnings: list<string>, id: string} $answer */
        $answer = $this->get($query, "Cookie: PHPSESSID={$id}\r\nContent-Type: " . self::FORM_TYPE, self::form());

        return $answer;
    }

    /**
     * The body of a request of the type FORM_TYPE that uploads a file with the progress `upload_progress_form`.
     */
    public static function form(): string
    {
        $part = static fn(string $head, string $content): string => "--next\r\nContent-Disposition: form-data; {$head}\r\n\r\n{$content}\r\n";

        return $part('name="PHP_SESSION_UPLOAD_PROGRESS"', 'form') . $part('name="file"; filename="file"', \str_repeat('x', 20_000)) . "--next--\r\n";
    }

    /**
     * Sends a request, and returns the JSON that answers it.
     *
     * @param string $body of a POST; without one, the request is a GET
     */
    public function get(string $query, string $header = 'Accept: application/json', string $body = ''): mixed
    {
        $context = \stream_context_create(['http' => ['method' => $body === '' ? 'GET' : 'POST', 'header' => "{$header}\r\n", 'content' => $body, 'timeout' => 120, 'ignore_errors' => true]]);

        return \json_decode((string) \file_get_contents("http://{$this->address}/?{$query}", false, $context), true, 512, \JSON_THROW_ON_ERROR);
    }

    /**
     * Sends a request in a session, and doesn't wait for the answer.
     *
     * @return resource for hasAnswered() and answerOf()
     */
    public function send(string $id, string $query)
    {
        $stream = \stream_socket_client("tcp://{$this->address}");
        if ($stream === false) {
            throw new \RuntimeException('php -S does not answer');
        }
        \fwrite($stream, "GET /?{$query} HTTP/1.0\r\nHost: {$this->address}\r\nCookie: PHPSESSID={$id}\r\n\r\n");

        return $stream;
    }

    /**
     * Waits for an answer.
     *
     * @param resource $stream
     *
     * @return bool false if none has come in the time
     */
    public static function hasAnswered($stream, float $seconds): bool
    {
        $readable = [$stream];
        $none = null;

        return \stream_select($readable, $none, $none, 0, (int) ($seconds * 1e6)) === 1;
    }

    /**
     * @param resource $stream
     */
    public static function answerOf($stream): mixed
    {
        \stream_set_timeout($stream, 60);
        [, $body] = \explode("\r\n\r\n", (string) \stream_get_contents($stream), 2) + ['', ''];
        $answer = \json_decode($body, true, 512, \JSON_THROW_ON_ERROR);

        return \is_array($answer) ? $answer['answer'] : $answer;
    }

    public function stop(): void
    {
        $leader = \proc_get_status($this->process)['pid'];
        \posix_kill(-$leader, 15); // SIGTERM; only pcntl has the constant
        \proc_close($this->process);
    }
}
