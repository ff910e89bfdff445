<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Paths;
use Polypack\Lab\Payload\Scenario;
use Polypack\Lab\Refusal;
use Symfony\Component\Process\Process;

/** The contestants in other languages, as their workers list them. */
final class Foreign
{
    /** Peers in Go that a machine may lack. tools/go-peers.mjs has them and the modules that they need. */
    private const GO_PEERS = ['vmihailenco' => 'vmihailenco/msgpack', 'msgp' => 'msgp'];

    private const GO_FOLDERS = ['vmihailenco', 'tagparser', 'msgp', 'fwd', 'tools', 'mod', 'sync'];

    /** @var list<Entry>|null */
    private static ?array $javaScript = null;

    /** @var list<Entry>|null until a folder of sources is kept */
    private static ?array $go = null;

    /** @return list<Entry> listed once: the worker loads every library for that */
    public static function javaScript(): array
    {
        // With the function that collects garbage, to know what memory was there before a call.
        $command = ['node', '--expose-gc', Paths::lab('workers/node.mjs')];

        return self::$javaScript ??= self::listed('JavaScript', $command, $command, 'node can not run its worker (make setup)');
    }

    /** @return list<Entry> after building the worker once, which takes a moment if nothing changed */
    public static function go(): array
    {
        return self::$go ??= self::built();
    }

    /** @return list<Entry> */
    private static function built(): array
    {
        $program = Paths::build('worker-go');
        $folders = [];
        foreach (self::goFolders() as $name => $folder) {
            $folders[] = "{$name}={$folder}";
        }
        $building = new Process(['node', Paths::lab('workers/go/build.mjs'), $program, ...$folders]);
        $hasGo = \is_file(Paths::root('.toolchain/bin/go'));
        $built = $hasGo && $building->setTimeout(600)->run() === 0;
        $why = \explode("\n", \trim($building->isStarted() ? $building->getErrorOutput() : ''))[0];
        $entries = self::listed('Go', $built ? [$program] : [], [$program], $hasGo ? "its worker does not build: {$why}" : 'there is no Go (make setup)');
        $missing = $built ? \json_decode($building->getOutput(), true) : [];
        /** @var string $names */
        foreach (\is_array($missing) ? $missing : [] as $peer => $names) {
            $reason = "not on this machine: lab vendors --checkout NAME=FOLDER, for each of {$names}";
            $entries[] = self::absent(self::GO_PEERS[$peer] ?? (string) $peer, 'Go', 'msgpack', [$program], $reason);
        }

        return $entries;
    }

    /** Keeps where the sources of a Go module are, if it has such a name. */
    public static function keepGoFolder(string $name, string $folder): bool
    {
        if (!\in_array($name, self::GO_FOLDERS, true)) {
            return false;
        }
        $path = \realpath($folder);
        if ($path === false || !\is_file("{$path}/go.mod")) {
            throw new Refusal("--checkout {$name}={$folder}: there is no go.mod in that folder");
        }
        Paths::write(self::goFile(), \json_encode([$name => $path] + self::goFolders(), \JSON_THROW_ON_ERROR));
        self::$go = null;

        return true;
    }

    /** @return array<string, string> those that are still there */
    private static function goFolders(): array
    {
        $folders = \json_decode((string) @\file_get_contents(self::goFile()), true);

        return \array_filter(\is_array($folders) ? $folders : [], static fn(mixed $folder): bool => \is_string($folder) && \is_dir($folder));
    }

    private static function goFile(): string
    {
        return Paths::build('go-folders.json');
    }

    /**
     * @param list<string> $listing that lists contestants with --list; empty if it can't
     * @param list<string> $command that starts a worker
     *
     * @return list<Entry> one that says why, if there's no list
     */
    private static function listed(string $language, array $listing, array $command, string $reason): array
    {
        $text = '';
        if ($listing !== []) {
            try {
                $process = new Process([...$listing, '--list']);
                $process->setTimeout(60)->run();
                $text = $process->getOutput();
            } catch (\Throwable) {
                // No such program: the reason says so.
            }
        }
        $list = \json_decode($text, true);
        if (!\is_array($list)) {
            return [self::absent("contestants in {$language}", $language, '–', $command, $reason)];
        }
        $entries = [];
        /** @var array<string, mixed> $one */
        foreach ($list as $one) {
            $entries[] = self::entry($language, $one, $command);
        }

        return $entries;
    }

    /** @param list<string> $command */
    private static function absent(string $name, string $language, string $format, array $command, string $reason): Entry
    {
        $about = new About($name, $format, \array_column(Scenario::cases(), 'value'));

        return new Entry($about->slug(), $name, $language, $format, $about->scenarios, '–', $about->kind, '–', $command, [], '', $reason);
    }

    /**
     * @param array<string, mixed> $one
     * @param list<string>         $command
     */
    private static function entry(string $language, array $one, array $command): Entry
    {
        $text = static fn(string $name, string $else): string => \is_string($one[$name] ?? null) && $one[$name] !== '' ? $one[$name] : $else;
        $name = $text('name', 'nameless');
        $file = $text('file', '');
        $format = $text('format', '–');
        $list = static fn(string $name): array => \is_array($one[$name] ?? null) ? \array_values(\array_filter($one[$name], \is_string(...))) : [];
        $scenarios = $list('scenarios');
        $about = new About($name, $format, $scenarios, $text('state', 'reused'), $text('kind', About::REALISTIC), note: $text('note', ''));

        return new Entry(
            $about->slug(),
            $name,
            $language,
            $format,
            $scenarios,
            $about->state,
            $about->kind,
            $text('version', '–'),
            [$command[0], ...$list('flags'), ...\array_slice($command, 1)],
            ['file' => $file, 'name' => $name, 'page' => isset($one['page'])],
            $language === 'Go' ? Paths::lab("workers/go/{$file}") : $file,
            \is_string($one['missing'] ?? null) ? $one['missing'] : null,
            \is_array($one['cannot'] ?? null) ? \array_filter($one['cannot'], \is_string(...)) : [],
            $about->note,
        );
    }
}
