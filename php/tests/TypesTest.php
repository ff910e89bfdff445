<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\Tests\Support\Modes;

/**
 * What PHPStan says of a program that uses this library.
 */
#[Group('slow')]
final class TypesTest extends TestCase
{
    private const PROGRAM = __DIR__ . '/Support/level-max.php';

    public function testAProgramPassesAtLevelMaxAndItsMistakesAreFound(): void
    {
        if (!Modes::takes(0)) {
            self::markTestSkipped('PHPStan says the same in each mode of PHP');
        }
        $folder = \sys_get_temp_dir() . '/polypack-types-' . \getmypid();
        \mkdir($folder);
        $mistakes = [
            'unpackInt(): int' => 'unpackInt(): array', 'unpackBin(): string' => 'unpackBin(): int', 'unpackMap(): array' => 'unpackMap(): string',
            'unpackStr(): string' => 'unpackStr(): int', 'tryUnpack(): array' => 'tryUnpack(): string',
        ];
        $program = "<?php\n";
        foreach ([...\array_keys($mistakes), ...\array_values($mistakes)] as $number => $use) {
            [$call, $type] = \explode(': ', $use);
            $program .= "\n/** @return {$type}" . ($type === 'array' ? '<mixed>' : '')
                . " */\nfunction f{$number}(Polypack\\BufferUnpacker \$unpacker): {$type} { return \$unpacker->{$call}; }\n";
        }
        \file_put_contents("{$folder}/mistakes.php", $program);
        \file_put_contents("{$folder}/types.neon", "parameters:\n    level: max\n    tmpDir: {$folder}\n");
        $command = [
            \PHP_BINARY, __DIR__ . '/../vendor/bin/phpstan', 'analyse', '--no-progress', '--error-format=json', '--debug',
            "--configuration={$folder}/types.neon", '--autoload-file=' . __DIR__ . '/../vendor/autoload.php', self::PROGRAM,
            "{$folder}/mistakes.php",
        ];
        $process = \proc_open($command, [1 => ['pipe', 'w'], 2 => ['file', "{$folder}/errors", 'w']], $pipes);
        self::assertIsResource($process);
        $output = (string) \stream_get_contents($pipes[1]);
        \proc_close($process);
        $errors = (string) \file_get_contents("{$folder}/errors");
        \exec('rm -rf ' . \escapeshellarg($folder));

        $said = \json_decode((string) \strrchr("\n{$output}", "\n"), true) ?? self::fail($output . $errors);
        self::assertIsArray($said);
        /** @var array<string, array{messages: list<array{message: string}>}> $files */
        $files = $said['files'] ?? [];
        $messages = \array_map(static fn(array $file): array => \array_column($file['messages'], 'message'), $files);
        self::assertSame(["{$folder}/mistakes.php"], \array_keys($messages), $output);
        self::assertCount(\count($mistakes), $messages["{$folder}/mistakes.php"], $output);
        foreach ($messages["{$folder}/mistakes.php"] as $number => $message) {
            self::assertStringStartsWith('Function f' . ($number + \count($mistakes)) . '() should return ', $message);
        }
    }
}
