<?php

declare(strict_types=1);

namespace Polypack\Lab\Command;

use Polypack\Lab\Paths;
use Polypack\Lab\Refusal;
use Polypack\Lab\Report\Ratios;
use Polypack\Lab\Report\Result;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use Symfony\Component\Process\Process;

/** Makes the page with lab/templates/build.mjs, since its plots come from npm. */
#[AsCommand('report', 'Make one interactive page of a result')]
final class ReportCommand extends Command
{
    protected function configure(): void
    {
        $this
            ->addArgument('result', InputArgument::OPTIONAL, 'What --json wrote, or the ratios of a bench; the latest result if none is named')
            ->addOption('out', null, InputOption::VALUE_REQUIRED, 'Where to write the page; build/lab/report.html or, of a bench, build/lab/NAME.html if not said');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $options = new Options($input);
        $latest = Paths::build('latest.json');
        $source = $options->argument('result') ?? $latest;
        if ($source === $latest && !\is_file($latest)) {
            throw new Refusal('nothing was measured here yet; lab run --quick does, in minutes');
        }
        $ratios = Ratios::read($source);
        $count = \count($ratios ?? Result::read($source)->rows());
        $target = $options->text('out') ?? Paths::build($ratios === null ? 'report.html' : \basename($source, '.json') . '.html');
        $files = [(string) \realpath($source), Paths::make(\dirname($target)) . '/' . \basename($target)];
        foreach ($files as $file) {
            if (\preg_match('//u', $file) !== 1) {
                throw new Refusal("{$file} is no name for node, which makes the page: give one in UTF-8");
            }
        }
        $process = new Process(['node', Paths::lab('templates/build.mjs'), ...$files]);
        $process->setTimeout(300)->run();
        if (!$process->isSuccessful()) {
            $why = \explode("\n", \trim($process->getErrorOutput()));
            throw new Refusal('the page could not be made (make setup): ' . ($why[0] === '' ? 'node is missing' : $why[0]));
        }
        $output->writeln("{$target}: {$count} " . ($ratios === null ? 'cells' : 'ratios'));

        return self::SUCCESS;
    }
}
