<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Paths;
use Symfony\Component\Process\Process;

/** The contestants in other languages, as their workers list them. */
final class Foreign
{
    /** @return list<Entry> */
    public static function javaScript(): array
    {
        $command = ['node', Paths::lab('workers/node.mjs')];

        return self::listed('JavaScript', $command, $command, 'node can not run its worker (make setup)');
    }

    /** @return list<Entry> after building the worker, which takes a moment if nothing changed */
    public static function go(): array
    {
        $program = Paths::build('worker-go');
        $go = Paths::root('.toolchain/bin/go');
        $building = new Process([$go, 'build', '-o', $program, '.'], Paths::lab('workers/go'), ['GOFLAGS' => '-mod=mod', 'GOWORK' => 'off']);
        $building->setTimeout(600);
        $built = \is_file($go) && $building->run() === 0;
        $reason = $built || !\is_file($go) ? 'there is no Go (make setup)' : 'its worker does not build: ' . \explode("\n", \trim($building->getErrorOutput()))[0];

        return self::listed('Go', $built ? [$program] : [], [$program], $reason);
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
            $slug = \strtolower($language) . '-contestants';

            return [new Entry($slug, "contestants in {$language}", $language, '–', ['person', 'order', 'rows', 'countries'], '–', About::REALISTIC, '–', $command, [], '', $reason)];
        }
        $entries = [];
        /** @var array<string, mixed> $one */
        foreach ($list as $one) {
            $entries[] = self::entry($language, $one, $command);
        }

        return $entries;
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
        $scenarios = \is_array($one['scenarios'] ?? null) ? \array_values(\array_filter($one['scenarios'], \is_string(...))) : [];
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
            $command,
            ['file' => $file, 'name' => $name],
            $language === 'Go' ? Paths::lab("workers/go/{$file}") : $file,
            \is_string($one['missing'] ?? null) ? $one['missing'] : null,
            note: $about->note,
        );
    }
}
