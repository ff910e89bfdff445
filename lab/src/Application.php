<?php

declare(strict_types=1);

namespace Polypack\Lab;

use Symfony\Component\Console\Application as Console;
use Symfony\Component\Console\Exception\ExceptionInterface;
use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** The lab's commands. What can't be done is said in one line; a fault of the lab's own shows its trace with -v. */
final class Application extends Console
{
    public function __construct()
    {
        parent::__construct('Polypack lab');
        $this->addCommands([
            new Command\SerializeCommand(),
            new Command\DeserializeCommand(),
            new Command\VendorsCommand(),
            new Command\RunCommand(),
            new Command\CompareCommand(),
            new Command\ReportCommand(),
            new Command\DoctorCommand(),
        ]);
    }

    public function doRun(InputInterface $input, OutputInterface $output): int
    {
        try {
            return parent::doRun($input, $output);
        } catch (ExceptionInterface $error) {
            // An unknown command or option: 1 is for what a command found, 2 for what couldn't be done.
            $lines = \preg_split('/\s*\n\s*/', \trim($error->getMessage())) ?: [];
            throw new Refusal(\implode(' ', $lines));
        }
    }

    public function renderThrowable(\Throwable $e, OutputInterface $output): void
    {
        if ($output->isVerbose() || !$e instanceof Refusal) {
            parent::renderThrowable($e, $output);
        } else {
            $output->writeln('lab: ' . OutputFormatter::escape($e->getMessage()), OutputInterface::VERBOSITY_QUIET);
        }
    }
}
