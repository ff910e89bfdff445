<?php

declare(strict_types=1);

namespace Polypack\Lab\Measure;

use Polypack\Lab\Contestant\About;
use Polypack\Lab\Contestant\Contestant;
use Polypack\Lab\Contestant\OfOwnObjects;
use Polypack\Lab\Contestant\OfValues;
use Polypack\Lab\Payload\Same;
use Polypack\Lab\Payload\Scenario;

/**
 * Runs one contestant in a process of its own and answers requests, a line of JSON each
 * (docs/internals/lab-protocol.md).
 *
 * Whatever the contestant prints, throws or dies of costs this process and nothing else.
 */
final class Worker
{
    private const MEMORY_FOR_LAST_WORDS = 1 << 20;

    /** @var class-string<Contestant> */
    private string $class;

    private Contestant $contestant;

    private About $about;

    private Scenario $scenario;

    private mixed $plain = [];

    /** What is serialized: an array, or a single value of any kind. */
    private mixed $values = [];

    /** What is deserialized. */
    private string $input = '';

    private bool $serializes = true;

    /** The result of the latest call, timed or not. */
    private mixed $result = null;

    /** What PHP said while a call was verified, first of its kind only. */
    private ?string $warning = null;

    private int $deprecations = 0;

    /** @phpstan-ignore property.onlyWritten (freed by the last words, which need memory to be said when there's none left) */
    private ?string $reserve;

    /** @param string $token that each answer starts with, so that nothing a contestant prints is taken for one */
    public function __construct(private readonly string $token)
    {
        $this->reserve = \str_repeat('x', self::MEMORY_FOR_LAST_WORDS);
    }

    /** Answers until the input ends. */
    public function answer(): int
    {
        \set_error_handler($this->note(...));
        \register_shutdown_function($this->lastWords(...));
        while (($line = \fgets(\STDIN)) !== false) {
            /** @var array<string, mixed> $request */
            $request = \json_decode($line, true, 16, \JSON_THROW_ON_ERROR);
            try {
                $this->say(match ($request['do']) {
                    'prepare' => $this->prepare($request),
                    'verify' => ['fault' => $this->verify()],
                    'run' => $this->time($this->contestant, (int) $request['times']),
                    'empty' => $this->time(new Nothing($this->scenario, ''), (int) $request['times']),
                    'memory' => $this->memory(),
                    default => ['fault' => "the worker knows no {$request['do']}"],
                });
            } catch (\Throwable $error) {
                $this->say(['fault' => self::describe($error)]);
            }
        }

        return 0;
    }

    /**
     * @param array<string, mixed> $request
     *
     * @return array<string, mixed>
     */
    private function prepare(array $request): array
    {
        $this->scenario = Scenario::from($request['scenario']);
        $this->serializes = $request['operation'] === 'serialize';
        $data = (string) \file_get_contents($request['data']);
        if (\hash('sha256', $data) !== $request['digest']) {
            return ['fault' => 'the data is not what the coordinator has hashed'];
        }
        $read = $this->scenario->read($data);
        $this->plain = match ($request['provenance']) {
            'built' => $this->scenario->plain($request['count'], $request['seed']),
            'unserialize' => \unserialize(\serialize($read), ['allowed_classes' => false]),
            default => $read,
        };
        $changed = $this->plain === $read ? null : Same::fault($read, $this->plain);
        if ($changed !== null) {
            return ['fault' => "the data is not the same with provenance {$request['provenance']}: {$changed}"];
        }
        unset($read);
        foreach ($request['autoload'] as $file) {
            require $file;
        }

        /** @var class-string<Contestant> $class */
        $class = $request['class'];
        $this->class = $class;
        $this->about = About::of($class);
        $this->values = $this->fromPlain();
        $start = Clock::cpu();
        $this->contestant = new $class($this->scenario, $request['cache']);
        $setUp = Clock::cpu() - $start;
        if ($this->scenario->isValue() && !$this->contestant instanceof OfValues) {
            return ['fault' => 'takes no single values: it lacks the interface OfValues'];
        }

        if (!$this->serializes) {
            $this->input = $this->about->format === 'json' ? $data : $this->serialized();
        }
        $start = Clock::cpu();
        $this->call();
        $first = Clock::cpu() - $start;
        $bytes = $this->serializes ? $this->result : $this->input;
        if (\is_string($bytes)) {
            \file_put_contents($request['out'], $bytes);
        }

        return ['set_up' => $setUp, 'first' => $first, 'bytes' => \is_string($bytes) ? \strlen($bytes) : null];
    }

    /** Returns what is serialized, made anew. */
    private function fromPlain(): mixed
    {
        return match (true) {
            $this->scenario->isValue() => $this->plain,
            \is_subclass_of($this->class, OfOwnObjects::class) => $this->class::objects($this->scenario, $this->plain),
            default => $this->scenario->fromPlain($this->plain),
        };
    }

    /** Calls the contestant once. */
    private function call(): void
    {
        $this->result = $this->serializes ? $this->serialized() : $this->deserialized($this->input);
    }

    private function serialized(): mixed
    {
        return $this->takesValue($this->contestant) ? $this->contestant->serializeValue($this->values) : $this->contestant->serialize($this->values);
    }

    private function deserialized(string $bytes): mixed
    {
        return $this->takesValue($this->contestant) ? $this->contestant->deserializeValue($bytes) : $this->contestant->deserialize($bytes);
    }

    /** @phpstan-assert-if-true OfValues $contestant */
    private function takesValue(Contestant $contestant): bool
    {
        return $contestant instanceof OfValues && $this->scenario->isValue();
    }

    /**
     * Compares all of the latest result with what it has to be, then that of a call more. Returns null or what is
     * wrong.
     */
    private function verify(): ?string
    {
        $fault = $this->faultOfResult();
        if ($fault === null) {
            $this->warning = null;
            $this->deprecations = 0;
            $old = \error_reporting(\E_ALL);
            $this->call();
            \error_reporting($old);
            $fault = $this->faultOfResult();
            if ($fault === null && $this->warning !== null) {
                $fault = "prints warnings: {$this->warning}";
            }
        }

        return $fault;
    }

    private function faultOfResult(): ?string
    {
        // Made anew, since a contestant may have changed the values that it was given.
        $expected = $this->fromPlain();
        if (!$this->serializes) {
            return $this->wrong('', Same::fault($expected, $this->result));
        }
        if (!\is_string($this->result)) {
            return 'returns ' . \get_debug_type($this->result) . ' instead of bytes';
        }
        $touched = Same::fault($expected, $this->values);
        if ($touched !== null) {
            return "changes the values that it serializes: {$touched}";
        }
        [$expected, $read] = match ($this->about->format) {
            'json' => [$this->plain, \json_decode($this->result, true, 512, \JSON_THROW_ON_ERROR)],
            'ndjson' => [$this->plain, Referee::readLines($this->result)],
            'msgpack' => [$this->plain, Referee::readMessagePack($this->asOne($this->result))],
            'php' => [$expected, \unserialize($this->result)],
            'igbinary' => [$expected, \igbinary_unserialize($this->result)],
            default => [$expected, $this->deserialized($this->result)],
        };

        return $this->wrong('its bytes say ', Same::fault($expected, $read));
    }

    /** Puts the head of an array around a stream: it has to hold so many messages and nothing else. */
    private function asOne(string $bytes): string
    {
        return $this->scenario->isStream() ? "\xdd" . \pack('N', \count($this->plain)) . $bytes : $bytes;
    }

    private function wrong(string $where, ?string $fault): ?string
    {
        return $fault === null ? null : "returns other data: {$where}{$fault}";
    }

    /**
     * Times calls one after the other. The result of each is freed within its call's time, as in an application.
     *
     * @return array{wall: int, cpu: int} nanoseconds of all
     */
    private function time(Contestant $contestant, int $times): array
    {
        $cpu = Clock::cpu();
        $wall = \hrtime(true);
        $result = $this->takesValue($contestant) ? $this->repeatWithValue($contestant, $times) : $this->repeat($contestant, $times);
        $wall = \hrtime(true) - $wall;
        $cpu = Clock::cpu() - $cpu;
        if ($contestant === $this->contestant) {
            $this->result = $result;
        }

        return ['wall' => $wall, 'cpu' => $cpu];
    }

    private function repeat(Contestant $contestant, int $times): mixed
    {
        $values = $this->values;
        $input = $this->input;
        $result = null;
        if ($this->serializes) {
            for ($i = 0; $i < $times; ++$i) {
                $result = $contestant->serialize($values);
            }
        } else {
            for ($i = 0; $i < $times; ++$i) {
                $result = $contestant->deserialize($input);
            }
        }

        return $result;
    }

    private function repeatWithValue(OfValues $contestant, int $times): mixed
    {
        $value = $this->values;
        $input = $this->input;
        $result = null;
        if ($this->serializes) {
            for ($i = 0; $i < $times; ++$i) {
                $result = $contestant->serializeValue($value);
            }
        } else {
            for ($i = 0; $i < $times; ++$i) {
                $result = $contestant->deserializeValue($input);
            }
        }

        return $result;
    }

    /**
     * Returns how many bytes one call takes at its peak, its result included, and how many the result keeps.
     *
     * @return array{bytes: int, kept: int}
     */
    private function memory(): array
    {
        $this->result = null;
        \gc_collect_cycles();
        \memory_reset_peak_usage();
        $before = \memory_get_usage();
        $this->call();
        $bytes = \memory_get_peak_usage() - $before;
        \gc_collect_cycles();
        $kept = \max(0, \memory_get_usage() - $before);

        return ['bytes' => $bytes, 'kept' => $kept];
    }

    /** @param array<string, mixed> $answer */
    private function say(array $answer): void
    {
        $answer += ['deprecations' => $this->deprecations];
        \fwrite(\STDOUT, "\n{$this->token}" . \json_encode($answer, \JSON_INVALID_UTF8_SUBSTITUTE | \JSON_UNESCAPED_UNICODE) . "\n");
    }

    private function note(int $level, string $message, string $file, int $line): bool
    {
        if ((\error_reporting() & $level) === 0) {
            return true;
        }
        if (($level & (\E_DEPRECATED | \E_USER_DEPRECATED)) !== 0) {
            ++$this->deprecations;
        } else {
            $this->warning ??= \sprintf('%s (%s:%d)', $message, \basename($file), $line);
        }

        return true;
    }

    /** Says why the process ends, if it's an error that PHP doesn't throw. */
    private function lastWords(): void
    {
        $this->reserve = null;
        $error = \error_get_last();
        if ($error !== null && ($error['type'] & (\E_ERROR | \E_CORE_ERROR | \E_COMPILE_ERROR | \E_PARSE)) !== 0) {
            $message = \strtok($error['message'], "\n");
            $this->say(['fault' => \str_starts_with((string) $message, 'Allowed memory size') ? 'eats memory: ' . \lcfirst((string) $message) : "dies: {$message}"]);
        }
    }

    private static function describe(\Throwable $error): string
    {
        $class = \basename(\strtr($error::class, '\\', '/'));

        return \sprintf('throws %s: %s (%s:%d)', $class, \strtok($error->getMessage() . "\n", "\n"), \basename($error->getFile()), $error->getLine());
    }
}
