<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Measure\Environment;
use Polypack\Lab\Paths;
use Polypack\Lab\Refusal;
use Symfony\Component\Process\Process;

/** All contestants: those of this folder, those of other languages, and those of files given on the command line. */
final class Roster
{
    /**
     * In the order of the seed's tables, then what is optional, then binary formats and floors, then records, extension
     * types, transformers, objects of their own and streams.
     */
    private const PHP = [
        Jms::class, Symfony::class, SymfonyTailored::class, TSantos::class, SimpleSerializer::class,
        Valinor::class, EventSauce::class, Serde::class, JsonStreamer::class, AutoMapper::class, Zumba::class,
        Polypack::class, PolypackExtension::class, PolypackStatic::class, PolypackSnapshot::class, PolypackSnapshotExtension::class,
        Rybakit::class, RybakitStatic::class, Msgpack::class, Igbinary::class, PhpSerialize::class, Json::class,
        PolypackRecords::class, PolypackRecordsExtension::class,
        PolypackObjects::class, PolypackObjectsExtension::class, RybakitObjects::class,
        PolypackTransformer::class, PolypackTransformerExtension::class, RybakitTransformer::class,
        PolypackOwnObjects::class, PolypackOwnObjectsExtension::class, RybakitOwnObjects::class,
        PolypackStream::class, PolypackStreamExtension::class, RybakitStream::class, MsgpackStream::class, JsonLines::class,
    ];

    /** @param list<Entry> $entries */
    private function __construct(public readonly array $entries) {}

    /**
     * @param list<string> $files     with a class that is a contestant, as --contestant names them
     * @param bool         $languages whether to ask the workers of other languages too, which takes a second
     */
    public static function load(array $files, PhpSettings $php = new PhpSettings(), bool $languages = false): self
    {
        $entries = [];
        foreach (self::PHP as $class) {
            $source = Paths::lab('src/Contestant/' . \substr((string) \strrchr($class, '\\'), 1) . '.php');
            $entries[] = self::php($class, About::of($class), $source, [], $php);
        }
        foreach ($files as $file) {
            $entries[] = self::ofFile($file, $php);
        }
        if ($languages) {
            $entries = [...$entries, ...Foreign::javaScript(), ...Foreign::go()];
        }
        $slugs = \array_map(static fn(Entry $entry): string => $entry->slug, $entries);
        foreach (\array_diff_key($slugs, \array_unique($slugs)) as $slug) {
            throw new Refusal("two contestants are called {$slug}; rename the one that was given");
        }

        return new self($entries);
    }

    /** Finds a contestant by its name or slug, whatever the case; else names the nearest. */
    public function find(string $name): Entry
    {
        $wanted = self::plainName($name);
        $distances = [];
        foreach ($this->entries as $entry) {
            if ($entry->slug === $name || $entry->name === $name) {
                return $entry;
            }
            $plain = self::plainName($entry->slug);
            $distances[$entry->slug] = \str_contains($plain, $wanted) ? 0 : \levenshtein($wanted, $plain);
        }
        foreach ($this->entries as $entry) {
            if (\in_array($wanted, [self::plainName($entry->slug), self::plainName($entry->name)], true)) {
                return $entry;
            }
        }
        \asort($distances);
        $nearest = \implode(', ', \array_slice(\array_keys($distances), 0, 3));
        throw new Refusal("no contestant is called {$name}; the nearest are {$nearest} (lab vendors lists all)");
    }

    /**
     * @param list<string> $only     names; all when empty
     * @param list<string> $excluded names
     *
     * @return list<Entry>
     */
    public function choose(array $only, array $excluded): array
    {
        $wanted = \array_map($this->find(...), $this->withCommas($only));
        $unwanted = \array_map($this->find(...), $this->withCommas($excluded));

        return \array_values(\array_filter(
            $this->entries,
            static fn(Entry $entry): bool => ($wanted === [] || \in_array($entry, $wanted, true)) && !\in_array($entry, $unwanted, true),
        ));
    }

    /**
     * Joins the halves of a name with a comma, which options take for two.
     *
     * @param list<string> $names
     *
     * @return list<string>
     */
    private function withCommas(array $names): array
    {
        $known = \array_map(static fn(Entry $entry): string => self::plainName($entry->name), $this->entries);
        $joined = [];
        for ($i = 0; $i < \count($names); ++$i) {
            $both = $names[$i] . ', ' . ($names[$i + 1] ?? '');
            $isOne = isset($names[$i + 1]) && \in_array(self::plainName($both), $known, true);
            $joined[] = $isOne ? $both : $names[$i];
            $i += $isOne ? 1 : 0;
        }

        return $joined;
    }

    private static function plainName(string $name): string
    {
        return (string) \preg_replace('/[^a-z0-9*]+/', '', \strtolower($name));
    }

    /** @param list<string> $files that its worker loads first */
    private static function php(string $class, About $about, string $source, array $files, PhpSettings $php): Entry
    {
        $vendor = $about->vendor === null ? null : new Vendor($about->vendor);
        $missing = $vendor?->missing();
        $settings = [];
        if ($about->extension === 'polypack' && !\extension_loaded('polypack')) {
            $built = self::builtExtension();
            $missing = $built === null ? 'the extension is neither loaded nor built here, as this checkout has it (make ext)' : null;
            $settings = $built === null ? [] : ['-d', "extension={$built}"];
        } elseif ($about->extension !== null && !\extension_loaded($about->extension)) {
            $missing = "PHP lacks the extension {$about->extension}";
        }
        $version = match (true) {
            $missing !== null => '–',
            $about->package !== null && $vendor !== null => $vendor->version($about->package),
            $about->vendor === 'polypack' => self::ownVersion(),
            $about->extension !== null => (string) \phpversion($about->extension),
            default => \PHP_VERSION,
        };

        return new Entry(
            $about->slug(),
            $about->name,
            'PHP',
            $about->format,
            $about->scenarios,
            $about->state,
            $about->kind,
            $version,
            [...$php->command(), ...$settings, Paths::lab('workers/php.php')],
            ['class' => $class, 'provenance' => $php->provenance, 'autoload' => [...($vendor === null ? [] : [$vendor->autoload()]), ...$files]],
            $source,
            $missing,
            $about->cannot === null ? [] : ['deserialize' => $about->cannot],
            $about->note,
            $about->vendor,
        );
    }

    /** Asks a process of its own what a file's class says about itself, since loading it may do anything. */
    private static function ofFile(string $file, PhpSettings $php): Entry
    {
        $path = \realpath($file);
        if ($path === false) {
            throw new Refusal("--contestant {$file}: there is no such file");
        }
        $process = new Process([\PHP_BINARY, Paths::lab('workers/php.php'), '--about', $path]);
        $process->setTimeout(20)->run();
        /** @var array{class?: class-string, about?: array<string, mixed>}|null $said */
        $said = \json_decode((string) \strrchr("\n" . \trim($process->getOutput()), "\n"), true);
        if (!isset($said['class'], $said['about'])) {
            $why = \explode("\n", \trim($process->getErrorOutput() . $process->getOutput()))[0];
            throw new Refusal("--contestant {$file}: no class in it is a contestant" . ($why === '' ? '' : " ({$why})"));
        }

        return self::php($said['class'], new About(...$said['about']), $path, [$path], $php);
    }

    /** Returns the extension that make ext has built, if it fits this PHP and the library. Asks a process once. */
    private static function builtExtension(): ?string
    {
        static $file = null;
        $file ??= self::fittingExtension() ?? '';

        return $file === '' ? null : $file;
    }

    private static function fittingExtension(): ?string
    {
        $file = Paths::root('build/ext/php/modules/polypack.so');
        if (!\is_file($file)) {
            return null;
        }
        $code = 'require $argv[1]; exit(defined("POLYPACK_ABI") && POLYPACK_ABI === Polypack\Native\Engine::ABI ? 0 : 1);';
        $process = new Process([\PHP_BINARY, '-d', "extension={$file}", '-r', $code, Paths::root('php/src/Native/Engine.php')]);
        $process->run();

        return $process->isSuccessful() ? $file : null;
    }

    /** Asks git once. */
    private static function ownVersion(): string
    {
        static $version = null;

        return $version ??= Environment::said(['git', 'describe', '--always', '--dirty'], Paths::root()) ?? 'this checkout';
    }
}
