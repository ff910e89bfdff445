<?php

declare(strict_types=1);

namespace Polypack\Lab\Command;

use Polypack\Lab\Contestant\PhpSettings;
use Polypack\Lab\Measure\Effort;
use Polypack\Lab\Refusal;
use Symfony\Component\Console\Input\InputInterface;

/** Reads options, and refuses what is impossible in one line. */
final class Options
{
    public function __construct(private readonly InputInterface $input) {}

    public function text(string $name): ?string
    {
        $value = $this->input->getOption($name);

        return \is_string($value) ? $value : null;
    }

    public function argument(string $name): ?string
    {
        $value = $this->input->getArgument($name);

        return \is_string($value) ? $value : null;
    }

    /** @return list<string> of an option that may be repeated, or hold several names with commas between */
    public function list(string $name): array
    {
        $value = $this->input->getOption($name);
        $list = [];
        foreach (\is_array($value) ? $value : [$value] as $part) {
            foreach (\is_string($part) ? \explode(',', $part) : [] as $one) {
                if (\trim($one) !== '') {
                    $list[] = \trim($one);
                }
            }
        }

        return $list;
    }

    public function int(string $name, int $least, int $most): int
    {
        return self::number($this->text($name) ?? '', $name, $least, $most);
    }

    /** @return non-empty-list<int> in rising order, each once */
    public function ints(string $name, int $least, int $most): array
    {
        $numbers = \array_map(static fn(string $text): int => self::number($text, $name, $least, $most), $this->list($name));
        $numbers = \array_values(\array_unique($numbers));
        \sort($numbers);

        return $numbers === [] ? throw new Refusal("--{$name} wants a number from {$least} to {$most}") : $numbers;
    }

    public function seconds(string $name, float $least, float $most): float
    {
        $text = $this->text($name) ?? '';

        return \is_numeric($text) && (float) $text >= $least && (float) $text <= $most
            ? (float) $text
            : throw new Refusal("--{$name} {$text}: a number of seconds from {$least} to {$most} is wanted");
    }

    /** @param non-empty-list<string> $known */
    public function oneOf(string $name, array $known): string
    {
        $text = $this->text($name) ?? '';

        return \in_array($text, $known, true) ? $text : throw new Refusal("--{$name} {$text}: one of " . \implode(', ', $known) . ' is wanted');
    }

    public function effort(): Effort
    {
        $samples = $this->int('samples', 1, 1_000_000);

        return new Effort(
            samples: $samples,
            rounds: $this->int('rounds', 1, 100),
            budget: $this->seconds('budget', 0.01, 3600),
            patience: $this->seconds('patience', 0.1, 3600),
            clock: $this->oneOf('clock', ['cpu', 'wall']),
        );
    }

    public function php(): PhpSettings
    {
        return new PhpSettings(
            $this->oneOf('mode', PhpSettings::MODES),
            $this->text('memory') ?? '1G',
            $this->oneOf('provenance', PhpSettings::PROVENANCES),
        );
    }

    private static function number(string $text, string $name, int $least, int $most): int
    {
        $digits = \preg_replace('/[_ ]/', '', $text);

        return \preg_match('/^\d{1,9}$/', (string) $digits) === 1 && (int) $digits >= $least && (int) $digits <= $most
            ? (int) $digits
            : throw new Refusal("--{$name} {$text}: a whole number from {$least} to {$most} is wanted");
    }
}
