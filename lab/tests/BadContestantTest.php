<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\Lab\Contestant\Roster;
use Polypack\Lab\Measure\Cell;
use Polypack\Lab\Measure\Launch;
use Polypack\Lab\Paths;
use Polypack\Lab\Payload\Scenario;

/** A contestant that misbehaves costs its own cell and nothing else, and the table says what happened. */
final class BadContestantTest extends TestCase
{
    /** @return iterable<string, array{string, string, string}> */
    public static function faults(): iterable
    {
        yield 'lies about its last element' => ['Liar', 'deserialize', 'returns other data: /2: Person expected, got array of 5'];
        yield 'lies when it is timed' => ['LaterLiar', 'serialize', 'returns other data: its bytes say /2: missing'];
        yield 'dies' => ['Dies', 'serialize', 'dies with exit code 7: segfault of a kind'];
        yield 'is killed, as a fault in C kills' => ['Killed', 'serialize', 'dies of signal 9'];
        yield 'prints what looks like an answer' => ['Prints', 'serialize', 'prints: {"fault":null}'];
        yield 'prints warnings' => ['Warns', 'serialize', 'prints warnings: Undefined variable $undefined'];
        yield 'eats memory' => ['Eats', 'serialize', 'eats memory: allowed memory size of 67108864 bytes exhausted'];
        yield 'throws' => ['Throws', 'serialize', 'throws DomainException: not today'];
        yield 'changes its input' => ['Changes', 'serialize', 'changes the values that it serializes: /0/name:'];
    }

    #[DataProvider('faults')]
    public function testItCostsItsOwnCell(string $name, string $operation, string $fault): void
    {
        $run = Lab::run($operation, [
            '--contestant' => [Lab::contestant($name)],
            '--only' => ['serialize()', $name],
            '--baseline' => 'serialize()',
            '--batch-count' => '3',
            '--memory' => '64M',
        ] + Lab::QUICK);

        self::assertSame(0, $run['code'], $run['error']);
        self::assertStringContainsString("] {$name}, 3: {$fault}", $run['output']);
        self::assertMatchesRegularExpression('/│ serialize\(\) +│ [\d.]+ +│/', $run['output']);
        self::assertMatchesRegularExpression("/│ {$name} +│ – \\[1\\] +│/", $run['output']);
    }

    /** @return iterable<string, array{string, string, non-empty-string}> */
    public static function faultsOfStreams(): iterable
    {
        yield 'ends within a chunk' => ['drops', 'deserialize', 'returns other data: /29: missing'];
        yield 'writes a message less' => ['drops', 'serialize', 'returns other data: its bytes say the whole: array of 30 expected, got '];
        yield 'writes a list, which is one message' => ['wraps', 'serialize', 'returns other data: its bytes say '];
        yield 'writes a message more' => ['repeats', 'serialize', 'prints warnings: [msgpack] (php_msgpack_unserialize) Extra bytes'];
    }

    /** @param non-empty-string $fault */
    #[DataProvider('faultsOfStreams')]
    public function testAStreamHasEveryMessageAndNothingElse(string $how, string $operation, string $fault): void
    {
        if (!\extension_loaded('msgpack')) {
            self::markTestSkipped('PHP lacks the extension msgpack, which reads these streams');
        }
        $entry = Roster::load([Lab::contestant('BadStream')])->find('badstream');
        $bytes = Scenario::StreamRows->data(30, 1);
        $file = Paths::build('data/bad-stream.json');
        Paths::write($file, $bytes);
        $data = ['file' => $file, 'digest' => \hash('sha256', $bytes), 'seed' => 1];

        $launch = Launch::measure(new Cell($entry, Scenario::StreamRows, $operation, 30), Lab::effort(), $data, Paths::build('out/bad-stream'), $how);

        self::assertIsString($launch['fault'] ?? null);
        self::assertStringStartsWith($fault, $launch['fault']);
    }

    public function testOneThatHangsIsGivenUp(): void
    {
        $run = Lab::run('serialize', [
            '--contestant' => [Lab::contestant('Hangs')],
            '--only' => ['hangs'],
            '--patience' => '3',
        ] + Lab::QUICK);

        self::assertSame(0, $run['code'], $run['error']);
        self::assertMatchesRegularExpression('/\] Hangs, 1: hangs: no answer to "prepare" for 3 s/', $run['output']);
    }

    public function testAFileWithoutAContestantIsRefusedInOneLine(): void
    {
        $run = Lab::run('serialize', ['--contestant' => [__FILE__]] + Lab::QUICK);

        self::assertSame(2, $run['code']);
        self::assertStringStartsWith('lab: --contestant ' . __FILE__ . ': no class in it is a contestant', $run['error']);
        self::assertSame(1, \substr_count(\trim($run['error']), "\n") + 1);
    }
}
