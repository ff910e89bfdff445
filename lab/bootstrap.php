<?php

declare(strict_types=1);

namespace Polypack\Lab;

use Symfony\Component\Console\Input\ArgvInput;

if (!\is_file(__DIR__ . '/vendor/autoload.php')) {
    \fwrite(\STDERR, "lab: its packages aren't installed; run make setup, or composer install in lab/\n");
    exit(2);
}
require __DIR__ . '/vendor/autoload.php';

/**
 * Runs the command of the command line.
 *
 * @param string|null $default the command if none is named; the list of commands if null
 */
function run(?string $default = null): int
{
    /** @var list<string> $arguments */
    $arguments = $_SERVER['argv'];
    // The seed's short name of --samples, which stands in its README still.
    $arguments = \array_map(static fn(string $argument): string => (string) \preg_replace('/^-i(?=\d|$)/', '-s', $argument), $arguments);
    $first = $arguments[1] ?? '';
    if ($default !== null && ($first === '' || ($first[0] === '-' && !\in_array($first, ['-h', '--help', '-V', '--version'], true)))) {
        \array_splice($arguments, 1, 0, [$default]);
    }
    $application = new Application();
    $application->setAutoExit(false);

    $output = new Output();
    $code = $application->run(new ArgvInput($arguments), $output);
    if ($output->fault !== null) {
        \fwrite(\STDERR, "lab: the output can't be written: {$output->fault}\n");

        return $code === 0 ? 2 : $code;
    }

    return $code;
}
