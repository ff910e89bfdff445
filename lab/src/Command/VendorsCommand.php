<?php

declare(strict_types=1);

namespace Polypack\Lab\Command;

use Polypack\Lab\Contestant\Entry;
use Polypack\Lab\Contestant\Foreign;
use Polypack\Lab\Contestant\Roster;
use Polypack\Lab\Contestant\Vendor;
use Polypack\Lab\Payload\Scenario;
use Polypack\Lab\Refusal;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Helper\Table;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('vendors', 'Show the vendors, what they can do, and their versions; or install them')]
final class VendorsCommand extends Command
{
    protected function configure(): void
    {
        $this
            ->addArgument('names', InputArgument::IS_ARRAY, 'With --install: the packages of these folders below lab/vendors, tried again; without, those never tried')
            ->addOption('install', null, InputOption::VALUE_NONE, 'Let Composer install what is missing')
            ->addOption('checkout', null, InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY, 'VENDOR=FOLDER: install with a checkout of a package that the registry lacks, or build with the sources of a Go module')
            ->addOption('contestant', 'c', InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY, 'A file with a contestant of your own');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $options = new Options($input);
        /** @var list<string> $names */
        $names = $input->getArgument('names');
        $checkouts = [];
        foreach ($options->list('checkout') as $pair) {
            [$name, $folder] = \explode('=', $pair, 2) + [1 => ''];
            if ($folder === '') {
                throw new Refusal("--checkout {$pair}: VENDOR=FOLDER is wanted");
            }
            $isGo = Foreign::keepGoFolder($name, $folder);
            $output->write($isGo ? "{$name}: {$folder}\n" : '');
            if (!$isGo) {
                $checkouts[$name][] = $folder;
            }
        }
        if ($input->getOption('install') === true || $checkouts !== []) {
            $wanted = $names === [] ? \array_keys($checkouts) : $names;

            $vendors = self::find($wanted);
            if ($wanted === []) {
                $vendors = \array_values(\array_filter($vendors, static fn(Vendor $vendor): bool => !$vendor->isSettled()));
            }

            return self::install($vendors, $checkouts, $output);
        }
        $this->show(Roster::load($options->list('contestant'), languages: true), $output);

        return self::SUCCESS;
    }

    /**
     * @param list<Vendor>                $vendors
     * @param array<string, list<string>> $checkouts by vendor
     *
     * @return int 0 even if the registry lacks some: that is said, and the tables say it again
     */
    public static function install(array $vendors, array $checkouts, OutputInterface $output): int
    {
        foreach ($vendors as $number => $vendor) {
            $output->write(\sprintf('[%d/%d] %s: installing … ', $number + 1, \count($vendors), $vendor->name));
            $reason = $vendor->install($checkouts[$vendor->name] ?? []);
            $output->writeln(OutputFormatter::escape($reason ?? 'done'));
        }

        return self::SUCCESS;
    }

    /**
     * @param list<string> $names all when empty
     *
     * @return list<Vendor>
     */
    private static function find(array $names): array
    {
        $vendors = Vendor::all();
        $known = \array_map(static fn(Vendor $vendor): string => $vendor->name, $vendors);
        foreach (\array_diff($names, $known) as $name) {
            throw new Refusal("no folder below lab/vendors is called {$name}; there are " . \implode(', ', $known));
        }

        return $names === [] ? $vendors : \array_values(\array_filter($vendors, static fn(Vendor $vendor): bool => \in_array($vendor->name, $names, true)));
    }

    private function show(Roster $roster, OutputInterface $output): void
    {
        $lines = [];
        foreach ($roster->entries as $entry) {
            $lines[] = \array_map(OutputFormatter::escape(...), [
                $entry->name,
                $entry->language,
                $entry->format,
                self::can($entry, 'serialize'),
                self::can($entry, 'deserialize'),
                self::scenarios($entry->scenarios),
                $entry->state,
                $entry->kind,
                $entry->version,
            ]);
        }
        (new Table($output))->setStyle('box')
            ->setHeaders(['name', 'language', 'format', 'serialization', 'deserialization', 'scenarios', 'state', 'kind', 'version'])
            ->setRows($lines)->render();
        foreach ($roster->entries as $entry) {
            if ($entry->missing !== null) {
                $output->writeln(OutputFormatter::escape("{$entry->name} takes no part: {$entry->missing}"));
            }
        }
    }

    private static function can(Entry $entry, string $operation): string
    {
        return isset($entry->cannot[$operation]) ? "✕ {$entry->cannot[$operation]}" : '✓';
    }

    /** @param list<string> $scenarios */
    private static function scenarios(array $scenarios): string
    {
        $others = \array_diff($scenarios, Scenario::LISTS);
        $more = \count($others) > 4 ? [\count($others) . ' of benches'] : $others;

        return \implode(' ', [...\array_intersect(Scenario::LISTS, $scenarios), ...$more]);
    }
}
