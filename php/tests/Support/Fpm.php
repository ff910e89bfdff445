<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * PHP-FPM with two workers, and a client of FastCGI for it. Workers serve one request after the other, as `php -S` does
 * too, but fatal errors end no worker, and scripts may be preloaded.
 */
final class Fpm
{
    /** @var resource */
    private $process;

    private readonly string $socket;
    private readonly string $log;

    /**
     * @param array<string, string> $settings of php.ini
     */
    public function __construct(string $program, private readonly string $folder, array $settings)
    {
        $this->socket = "{$folder}/fpm.sock";
        $this->log = "{$folder}/fpm.log";
        $isRoot = \posix_geteuid() === 0;
        \file_put_contents("{$folder}/fpm.conf", \implode("\n", [
            '[global]', "error_log = {$this->log}", 'daemonize = no', 'log_limit = 8192',
            '[www]', "listen = {$this->socket}", 'pm = static', 'pm.max_children = 2', 'clear_env = no', 'catch_workers_output = yes',
            ...$isRoot ? ['user = root', 'group = root'] : [],
        ]) . "\n");
        $command = [$program, '-y', "{$folder}/fpm.conf", ...$isRoot ? ['-R'] : []];
        foreach ($settings + ($isRoot ? ['opcache.preload_user' => 'root'] : []) as $name => $value) {
            $command[] = '-d';
            $command[] = "{$name}={$value}";
        }
        // Only the folder that adds the extension: that of the system is another one for each program of PHP.
        $environment = ['PHP_INI_SCAN_DIR' => \ltrim((string) \getenv('PHP_INI_SCAN_DIR'), ':')] + \getenv();
        $nothing = ['file', '/dev/null', 'w'];
        $process = \proc_open($command, [1 => $nothing, 2 => $nothing], $pipes, null, $environment);
        if (!\is_resource($process)) {
            throw new \RuntimeException('php-fpm does not start');
        }
        $this->process = $process;
        for ($tries = 0; !\str_contains($this->log(), 'ready to handle connections'); ++$tries) {
            if ($tries > 4000 || !\proc_get_status($process)['running']) {
                throw new \RuntimeException("php-fpm does not start: {$this->log()}");
            }
            \usleep(25_000);
        }
    }

    /**
     * The program of the same build as this PHP; null if there is none.
     */
    public static function program(): ?string
    {
        $name = \sprintf('php-fpm%d.%d', \PHP_MAJOR_VERSION, \PHP_MINOR_VERSION);
        foreach ([...\explode(':', (string) \getenv('PATH')), '/usr/sbin', '/usr/local/sbin'] as $folder) {
            foreach ([$name, 'php-fpm'] as $file) {
                if (\is_executable("{$folder}/{$file}")) {
                    \exec(\escapeshellarg("{$folder}/{$file}") . ' -n -i', $lines);
                    $lines = \implode("\n", $lines);
                    if (\str_contains($lines, 'PHP Version => ' . \PHP_VERSION . "\n") && \str_contains($lines, 'Thread Safety => ' . (\PHP_ZTS === 1 ? 'enabled' : 'disabled'))) {
                        return "{$folder}/{$file}";
                    }
                    $lines = [];
                }
            }
        }

        return null;
    }

    public function log(): string
    {
        return (string) @\file_get_contents($this->log);
    }

    /**
     * Sends a request for a script, and returns the body of the answer.
     *
     * @param array<string, string> $parameters of FastCGI, as HTTP_COOKIE
     * @param string                $body       at most 65,535 bytes
     */
    public function ask(string $script, string $query = '', array $parameters = [], string $body = ''): string
    {
        $socket = \stream_socket_client("unix://{$this->socket}", $code, $message, 120);
        if ($socket === false) {
            throw new \RuntimeException("php-fpm takes no request: {$message}");
        }
        \stream_set_timeout($socket, 120);
        $packed = '';
        $parameters += ['SCRIPT_FILENAME' => (string) \realpath($script), 'QUERY_STRING' => $query, 'REQUEST_METHOD' => $body === '' ? 'GET' : 'POST', 'CONTENT_LENGTH' => (string) \strlen($body)];
        foreach ($parameters as $name => $value) {
            $packed .= \pack('NN', \strlen($name) | 0x8000_0000, \strlen($value) | 0x8000_0000) . $name . $value;
        }
        \fwrite($socket, self::record(1, "\0\x01\0\0\0\0\0\0") . self::record(4, $packed) . self::record(4, '') . ($body === '' ? '' : self::record(5, $body)) . self::record(5, ''));
        $answer = '';
        do {
            $head = (string) \stream_get_contents($socket, 8);
            if (\strlen($head) < 8) {
                throw new \RuntimeException("a worker ended: {$this->log()}");
            }
            /** @var array{type: int, length: int, padding: int} $record */
            $record = \unpack('x/Ctype/x2/nlength/Cpadding', $head);
            $content = (string) \stream_get_contents($socket, $record['length'] + $record['padding']);
            if ($record['type'] === 6) {
                $answer .= \substr($content, 0, $record['length']);
            }
        } while ($record['type'] !== 3);
        \fclose($socket);

        return \explode("\r\n\r\n", $answer, 2)[1] ?? '';
    }

    private static function record(int $type, string $content): string
    {
        return \pack('CCnnCx', 1, $type, 1, \strlen($content), 0) . $content;
    }

    public function stop(): void
    {
        \proc_terminate($this->process);
        \proc_close($this->process);
    }
}
