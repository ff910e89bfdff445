<?php

declare(strict_types=1);

namespace Polypack\Fuzz;

/**
 * What the fuzzers here have in common: the command line, the time they run and that PHP's warnings end them.
 */
final class Run
{
    public readonly int $seed;
    /** @var array<string, string> of the command line, or their defaults */
    public readonly array $options;
    /** How many rounds were begun. */
    public int $rounds = 0;
    private readonly float $end;

    /**
     * Reads the command line: `--time SECONDS`, 10 by default, `--seed NUMBER`, any by default, and more. Ends the
     * process with status 2 and the usage when it is anything else.
     *
     * @param array<string, array{string, string}> $more name => default and pattern
     */
    public function __construct(string $usage, array $more = [])
    {
        $known = ['time' => ['10', '/^\d+$/D'], 'seed' => [(string) \random_int(0, 0x7fffffff), '/^\d+$/D'], ...$more];
        $options = \array_map(static fn(array $option): string => $option[0], $known);
        /** @var list<string> $words */
        $words = $_SERVER['argv'];
        foreach (\array_chunk(\array_slice($words, 1), 2) as $argument) {
            $name = \str_starts_with($argument[0], '--') ? \substr($argument[0], 2) : '';
            if (!isset($known[$name], $argument[1]) || \preg_match($known[$name][1], $argument[1]) !== 1) {
                \fwrite(\STDERR, "usage: {$usage}\n");
                exit(2);
            }
            $options[$name] = $argument[1];
        }
        $this->options = $options;
        $this->seed = (int) $options['seed'];
        $this->end = \microtime(true) + (int) $options['time'];
    }

    /**
     * Begins another round, unless the time is over.
     */
    public function goesOn(): bool
    {
        if (\microtime(true) >= $this->end) {
            return false;
        }
        ++$this->rounds;

        return true;
    }

    /**
     * Makes every warning and notice of PHP an exception.
     */
    public static function raiseWarnings(): void
    {
        \set_error_handler(static function (int $severity, string $message): never {
            throw new \ErrorException($message, 0, $severity);
        });
    }
}
