<?php

declare(strict_types=1);

namespace Polypack\Lab\Measure;

use Symfony\Component\Process\Exception\ProcessTimedOutException;
use Symfony\Component\Process\InputStream;
use Symfony\Component\Process\Process;

/**
 * The coordinator's end of a worker (docs/internals/lab-protocol.md). Answers start with a token that only the worker
 * knows; whatever else stands on its output was printed by the contestant.
 */
final class Connection
{
    private const PRINTED_AT_MOST = 1 << 20;

    /** Seconds for a worker to end by itself: a browser has to be closed, and its folder removed. */
    private const GRACE = 10.0;

    private readonly string $token;

    private readonly InputStream $input;

    private readonly Process $process;

    private readonly float $started;

    private string $unread = '';

    private string $printed = '';

    /** @param list<string> $command */
    public function __construct(array $command, private readonly float $patience)
    {
        $this->token = \bin2hex(\random_bytes(8)) . ' ';
        $this->input = new InputStream();
        $this->process = new Process([...$command, $this->token], null, null, $this->input, null);
        $this->process->start();
        $this->started = \microtime(true);
    }

    /**
     * Asks and waits for the answer.
     *
     * @param array<string, mixed> $request
     * @param float                $seconds that doing it may take, beyond patience
     *
     * @return array<string, mixed>
     *
     * @throws Fault if the contestant fails, prints, dies or is silent for too long
     */
    public function ask(array $request, float $seconds = 0.0): array
    {
        $allowed = $this->patience + $seconds;
        $this->process->setTimeout(\microtime(true) - $this->started + $allowed);
        $this->input->write(\json_encode($request, \JSON_THROW_ON_ERROR | \JSON_UNESCAPED_SLASHES) . "\n");
        try {
            $answer = $this->read() ?? $this->await();
        } catch (ProcessTimedOutException) {
            throw new Fault(\sprintf('hangs: no answer to "%s" for %s s', self::text($request['do']), \round($allowed, 1)));
        }
        if (\is_string($answer['fault'] ?? null)) {
            throw new Fault($answer['fault']);
        }
        $printed = \trim($this->printed);
        if ($printed !== '') {
            throw new Fault("prints: {$this->firstLine($printed)}");
        }

        return $answer;
    }

    public function close(): void
    {
        $this->input->close();
        $this->process->stop(self::GRACE);
    }

    /**
     * Looks again and again, soon at first: Process::waitUntil() doesn't notice the end of a process whose input is
     * open.
     *
     * @return array<string, mixed>
     */
    private function await(): array
    {
        for ($pause = 100; true; $pause = \min(5000, 2 * $pause)) {
            $this->process->checkTimeout();
            $running = $this->process->isRunning();
            $this->unread .= $this->process->getIncrementalOutput();
            $this->process->clearOutput();
            $answer = $this->read();
            if ($answer !== null || !$running) {
                return $answer ?? $this->died();
            }
            \usleep($pause);
        }
    }

    /**
     * Takes an answer off what has been read, if one is complete.
     *
     * @return array<string, mixed>|null
     */
    private function read(): ?array
    {
        while (($end = \strpos($this->unread, "\n")) !== false) {
            $line = \substr($this->unread, 0, $end);
            $this->unread = \substr($this->unread, $end + 1);
            if (\str_starts_with($line, $this->token)) {
                $answer = \json_decode(\substr($line, \strlen($this->token)), true);

                return \is_array($answer) ? $answer : throw new Fault('the worker answers what is not JSON');
            }
            $this->printed = \substr($this->printed . "{$line}\n", 0, self::PRINTED_AT_MOST);
        }
        if (\strlen($this->unread) > self::PRINTED_AT_MOST) {
            throw new Fault('prints without end');
        }

        return null;
    }

    private function died(): never
    {
        $said = \trim($this->process->getErrorOutput() . "\n" . $this->printed . $this->unread);
        $how = $this->process->hasBeenSignaled()
            ? "of signal {$this->process->getTermSignal()}"
            : "with exit code {$this->process->getExitCode()}";
        throw new Fault("dies {$how}" . ($said === '' ? ', saying nothing' : ": {$this->firstLine($said)}"));
    }

    private function firstLine(string $text): string
    {
        $line = \mb_scrub(\trim((string) \strtok($text, "\n")));

        return \mb_strlen($line) > 160 ? \mb_substr($line, 0, 160) . '…' : $line;
    }

    private static function text(mixed $value): string
    {
        return \is_string($value) ? $value : '?';
    }
}
