<?php

declare(strict_types=1);

namespace Polypack\Lab\Command;

use Polypack\Lab\Contestant\Roster;
use Polypack\Lab\Measure\Clock;
use Polypack\Lab\Measure\Environment;
use Polypack\Lab\Measure\Statistics;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Helper\Table;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('doctor', 'Say what on this machine would spoil numbers')]
final class DoctorCommand extends Command
{
    private const SPINS = 40;

    /** @var list<array{string, string, string}> */
    private array $lines = [];

    private bool $spoils = false;

    protected function configure(): void
    {
        $this->addOption('strict', null, InputOption::VALUE_NONE, 'Exit with 1 if something would spoil numbers');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        foreach (Environment::record() as $name => $value) {
            $this->say($name, $value);
        }
        $this->php();
        $this->machine();
        $this->noise();
        foreach (Roster::load([], languages: true)->entries as $entry) {
            if ($entry->missing !== null) {
                $this->say("contestant {$entry->name}", 'missing', $entry->missing);
            }
        }
        (new Table($output))->setStyle('box')->setHeaders(['what', 'is', 'advice'])->setRows($this->lines)->render();
        $output->writeln($this->spoils ? 'Something above would spoil numbers: see the advice marked with !' : 'Nothing here would spoil numbers.');

        return $this->spoils && $input->getOption('strict') === true ? self::FAILURE : self::SUCCESS;
    }

    private function php(): void
    {
        $xdebug = \extension_loaded('xdebug');
        $this->say('xdebug', $xdebug ? 'loaded' : 'not loaded', $xdebug ? '! workers switch its modes off, but it still costs a little: php -n, or disable it' : '');
        $this->say('pcov', \extension_loaded('pcov') && \ini_get('pcov.enabled') === '1' ? 'loaded and enabled' : 'not enabled');
        $opcache = \extension_loaded('Zend OPcache');
        $this->say('opcache', $opcache ? 'there; workers enable it' : 'missing', $opcache ? '' : '! all contestants in PHP are slower than in production: install it');
        $this->say('JIT', $opcache ? 'off, unless --mode jit' : 'missing');
        $this->say('pcntl', \function_exists('pcntl_signal') ? 'there' : 'missing', \function_exists('pcntl_signal') ? '' : 'Ctrl-C ends a run at once; --resume works all the same');
        $zstd = \function_exists('zstd_compress') || Environment::said(['zstd', '--version']) !== null;
        $this->say('zstd', $zstd ? 'there' : 'missing', $zstd ? '' : 'sizes by zstd are left out');
        foreach (['igbinary', 'msgpack'] as $extension) {
            $this->say($extension, \phpversion($extension) ?: 'missing');
        }
    }

    private function machine(): void
    {
        $load = Environment::load();
        $this->say('load', \sprintf('%.1f on %d cores', $load, Environment::cores()), $load > 0.5 * Environment::cores() ? '! other programs run: wait for them, or trust ratios only' : '');
        $governor = \trim((string) @\file_get_contents('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor'));
        $this->say('frequency', $governor === '' ? 'not told' : $governor, \in_array($governor, ['powersave', 'ondemand', 'schedutil'], true) ? '! cpupower frequency-set -g performance' : '');
        \preg_match('/^cpu +(?:\d+ +){7}(\d+)/m', (string) @\file_get_contents('/proc/stat'), $stolen);
        $this->say('stolen by other machines', isset($stolen[1]) ? "{$stolen[1]} ticks since it started" : 'not told');
    }

    /** Does the same work again and again, and looks how much its times differ. */
    private function noise(): void
    {
        $spin = static function (): array {
            $start = [Clock::cpu(), \hrtime(true)];
            for ($i = $sum = 0; $i < 200_000; ++$i) {
                $sum += $i & 7;
            }

            return [(float) (Clock::cpu() - $start[0]), (float) (\hrtime(true) - $start[1])];
        };
        $times = \array_map($spin, \range(1, self::SPINS));
        [$cpu, $wall] = [\array_column($times, 0), \array_column($times, 1)];
        foreach (['noise of processor time' => $cpu, 'noise of wall time' => $wall] as $name => $times) {
            $median = Statistics::median($times);
            $spread = Statistics::median(\array_map(static fn(float $time): float => \abs($time - $median), $times)) / $median;
            $this->say($name, \sprintf('%.1f %%', 100 * $spread), $spread > 0.05 ? '! the same work takes different times: intervals will be wide' : '');
        }
    }

    private function say(string $what, string $is, string $advice = ''): void
    {
        $this->spoils = $this->spoils || \str_starts_with($advice, '!');
        $this->lines[] = [OutputFormatter::escape($what), OutputFormatter::escape($is), OutputFormatter::escape($advice)];
    }
}
