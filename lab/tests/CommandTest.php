<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\Lab\Contestant\Entry;
use Polypack\Lab\Contestant\PhpSettings;
use Polypack\Lab\Contestant\Roster;
use Polypack\Lab\Paths;
use Polypack\Lab\Report\Result;
use Symfony\Component\Process\Process;

final class CommandTest extends TestCase
{
    private const TWO = ['--only' => ['serialize()', 'json_encode()']];

    public function testTheSeedsColumnsAreThereAndEveryContestantHasANumber(): void
    {
        $run = Lab::run('serialize', self::TWO + ['--batch-count' => '10,1000'] + Lab::QUICK);

        self::assertSame(0, $run['code'], $run['error']);
        self::assertMatchesRegularExpression('/│ Vendor +│ 10 Obj. +│ 1k Obj. +│/', $run['output']);
        self::assertMatchesRegularExpression('/│ json_encode\(\) +│ [\d.]+ +│ [\d.]+ +│/', $run['output']);
        self::assertMatchesRegularExpression('/│ place │ vendor +│ duration \(ms\) +│ ratio +│ memory \(MiB\)/', $run['output']);
    }

    public function testAnExcludedVendorIsNotThere(): void
    {
        $run = Lab::run('deserialize', self::TWO + ['--exclude' => ['json_encode']] + Lab::QUICK);

        self::assertSame(0, $run['code'], $run['error']);
        self::assertStringNotContainsString('│ json_encode', $run['output']);
        self::assertStringContainsString('│ serialize()', $run['output']);
    }

    public function testANameWithACommaIsOneName(): void
    {
        $roster = Roster::load([]);
        $names = static fn(string ...$parts): array => \array_map(static fn(Entry $entry): string => $entry->name, $roster->choose(\array_values($parts), []));

        self::assertSame(['Polypack, stream'], $names('Polypack', 'stream'));
        self::assertSame(['Polypack', 'Polypack, stream', 'msgpack (PECL), stream'], $names('msgpack (PECL)', 'stream', 'polypack', 'polypack-stream'));
    }

    /** @return iterable<string, array{array<string, mixed>, non-empty-string}> */
    public static function refusals(): iterable
    {
        yield 'a part of a name' => [['-e' => ['igb']], 'lab: no contestant is called igb; the nearest are igbinary,'];
        yield 'an unknown vendor' => [['-e' => ['jmz']], 'lab: no contestant is called jmz; the nearest are jms,'];
        yield 'no objects' => [['-b' => '0'], 'lab: --batch-count 0: a whole number from 1 to 1000000 is wanted'];
        yield 'half an object' => [['-b' => '10,1.5'], 'lab: --batch-count 1.5: a whole number from 1 to 1000000 is wanted'];
        yield 'no samples' => [['-s' => '0'], 'lab: --samples 0: a whole number from 1 to 1000000 is wanted'];
        yield 'no such clock' => [['--clock' => 'moon'], 'lab: --clock moon: one of cpu, wall is wanted'];
        yield 'no such mode' => [['--mode' => 'fast'], 'lab: --mode fast: one of plain, opcache, jit, jit-function is wanted'];
        yield 'no such provenance' => [['--provenance' => 'igbinary'], 'lab: --provenance igbinary: one of built, json, unserialize is wanted'];
        yield 'nobody left' => [['-o' => ['jms'], '-e' => ['jms']], 'lab: nobody is left to serialize person'];
        yield 'nothing to resume' => [['--resume' => true, '--seed' => '4711'] + self::TWO, 'lab: nothing was interrupted here'];
        yield 'an unknown option' => [['--frobnicate' => true], 'lab: The "--frobnicate" option does not exist.'];
    }

    /**
     * @param array<string, mixed> $input
     * @param non-empty-string     $message
     */
    #[DataProvider('refusals')]
    public function testTheImpossibleIsRefusedInOneLine(array $input, string $message): void
    {
        $run = Lab::run('serialize', $input);

        self::assertSame(2, $run['code']);
        self::assertStringStartsWith($message, $run['error']);
        self::assertSame(0, \substr_count(\trim($run['error']), "\n"), $run['error']);
    }

    #[RequiresPhpExtension('Zend OPcache')]
    public function testAModeInWhichThisPhpDoesNotRunIsRefused(): void
    {
        foreach (PhpSettings::MODES as $mode) {
            (new PhpSettings($mode))->refuseOtherMode();
        }
        // A JIT whose buffer has no room is switched off.
        $this->expectExceptionMessage('--mode jit: this PHP runs in mode opcache instead');
        (new PhpSettings('jit'))->refuseOtherMode(['-d', 'opcache.jit_buffer_size=0']);
    }

    public function testOutputThatIsLostIsAFailure(): void
    {
        if (!\file_exists('/dev/full')) {
            self::markTestSkipped('there is no device that is full');
        }
        foreach ([['vendors'], ['list'], ['--version'], ['serialize', '-o', 'serialize()', '-b', '10', '--samples', '4', '--rounds', '2', '--budget', '0.05']] as $arguments) {
            $process = new Process(['sh', '-c', '"$@" >/dev/full', 'sh', \PHP_BINARY, Paths::lab('bin/lab'), ...$arguments]);
            $process->setTimeout(240)->run();

            self::assertSame(2, $process->getExitCode(), $arguments[0]);
            self::assertStringEndsWith("lab: the output can't be written: No space left on device\n", $process->getErrorOutput());
        }
        $process = Process::fromShellCommandline('(' . \PHP_BINARY . ' ' . Paths::lab('bin/lab') . ' vendors; echo "status $?" >&2) | true');
        $process->setTimeout(240)->run();
        self::assertSame("status 0\n", $process->getErrorOutput(), 'nobody wanted to read on');
    }

    public function testAnInterruptedRunResumesWithWhatItHas(): void
    {
        $input = self::TWO + ['--seed' => '99'] + Lab::QUICK;
        self::assertSame(0, Lab::run('serialize', $input)['code']);
        $journals = \glob(Paths::build('runs/serialize-*.jsonl')) ?: [];
        \usort($journals, static fn(string $a, string $b): int => \filemtime($b) <=> \filemtime($a));
        $lines = (array) \file($journals[0]);
        self::assertCount(5, $lines, 'the subject and four launches');
        // Two launches are kept, and half of a line, as when the power goes.
        \file_put_contents($journals[0], $lines[0] . $lines[1] . $lines[2] . \substr((string) $lines[3], 0, 40));

        $resumed = Lab::run('serialize', $input + ['--resume' => true]);

        self::assertSame(0, $resumed['code'], $resumed['error']);
        self::assertStringContainsString('resumed: 2 of 4 launches are kept', $resumed['error']);
        $after = (array) \file($journals[0]);
        self::assertCount(5, $after);
        self::assertSame([$lines[1], $lines[2]], \array_values(\array_intersect($after, [$lines[1], $lines[2]])));
    }

    public function testASignalEndsARunThatSaysHowToResume(): void
    {
        if (!\function_exists('pcntl_signal')) {
            self::markTestSkipped('PHP lacks the extension pcntl, so a signal ends it at once; what was measured is kept all the same');
        }
        $command = [\PHP_BINARY, Paths::lab('bin/lab'), 'serialize', '-o', 'serialize', '-r', '50', '--patience', '120', '--budget', '1', '--seed', '77'];
        $process = new Process($command);
        $process->setTimeout(240)->start();
        while ($process->isRunning() && self::launchesOfSeed(77) === 0) {
            \usleep(10_000);
        }
        $process->signal(\SIGINT);

        self::assertSame(130, $process->wait());
        self::assertMatchesRegularExpression('/Interrupted: \d+ of 50 launches are kept\. The same command with --resume goes on\./', $process->getErrorOutput());
        self::assertStringContainsString('│ serialize()', $process->getOutput());
    }

    public function testExportsHoldEverySample(): void
    {
        [$json, $csv] = [Paths::build('export.json'), Paths::build('export.csv')];
        self::assertSame(0, Lab::run('serialize', self::TWO + ['--json' => $json, '--csv' => $csv] + Lab::QUICK)['code']);

        $result = Result::read($json);
        $samples = 0;
        foreach ($result->rows() as $row) {
            self::assertNull($row['fault']);
            $samples += \array_sum(\array_map(\count(...), $row['rounds'] ?? []));
        }
        self::assertGreaterThanOrEqual(4, $samples);
        self::assertCount($samples + 1, (array) \file($csv));
        self::assertArrayHasKey('cpu', (array) $result->document['environment']);
        self::assertSame('opcache', $result->php()->mode);
        self::assertMatchesRegularExpression('/^[0-9a-f]{64}$/', ((array) $result->document['data'])['person/1']);
    }

    public function testTheSeedsCommandLineWorks(): void
    {
        $process = new Process([\PHP_BINARY, 'app', '-i', '2', '-o', 'serialize', '-r', '1', '--budget', '0.05', '--patience', '120', '--baseline', 'serialize'], Paths::lab());
        $process->setTimeout(240)->run();

        self::assertSame(0, $process->getExitCode(), $process->getErrorOutput());
        self::assertStringContainsString('Performing 2 samples of serialize', $process->getOutput());
    }

    public function testSourcesOfGoModulesMayBeFolders(): void
    {
        $wrong = Lab::run('vendors', ['--checkout' => ['msgp=' . __DIR__]]);
        self::assertSame(2, $wrong['code']);
        self::assertStringContainsString('there is no go.mod in that folder', $wrong['error']);

        $said = Lab::run('vendors', [])['output'];
        foreach (['vmihailenco/msgpack', 'msgp'] as $name) {
            self::assertMatchesRegularExpression('~^│ ' . \preg_quote($name, '~') . ' +│ Go ~m', $said, 'there, or named with the reason');
        }
        self::assertMatchesRegularExpression('/│ Polypack \(Go\), append +│ Go +│ msgpack +│ ✓ +│ ✕ reads as without append +│/', $said);
        self::assertMatchesRegularExpression('/│ Polypack \(Go\), zero-copy +│ Go +│ msgpack +│ ✕ writes as with a Codec +│ ✓ +│/', $said);
    }

    public function testVendorsSaysWhatEachCanDoAndWhyOneIsMissing(): void
    {
        $run = Lab::run('vendors', []);

        self::assertSame(0, $run['code']);
        foreach (['JMS', 'Symfony*', 'TSantos', 'SimpleSerializer', 'Polypack'] as $name) {
            self::assertMatchesRegularExpression('/│ ' . \preg_quote($name, '/') . ' +│ PHP +│ \w+ +│ ✓ +│ ✓ +│/', $run['output']);
        }
        \preg_match_all('/^│ (\S+).*│ – +│$/m', $run['output'], $missing);
        foreach ($missing[1] as $name) {
            self::assertMatchesRegularExpression('/^' . \preg_quote($name, '/') . '.* takes no part: \S/m', $run['output']);
        }
    }

    private static function launchesOfSeed(int $seed): int
    {
        foreach (\glob(Paths::build('runs/serialize-*.jsonl')) ?: [] as $file) {
            $lines = (array) \file($file);
            if (\str_contains((string) ($lines[0] ?? ''), "\"seed\":{$seed},")) {
                return \count($lines) - 1;
            }
        }

        return 0;
    }
}
