<?php

declare(strict_types=1);

namespace Polypack\Bench;

use Polypack\MessagePack;

/**
 * One way to encode and decode: two functions that do it a number of times and return the last result. The loops are
 * inside, so that the cost of calling a closure is in no number.
 */
class Contestant
{
    /**
     * @param \Closure(mixed, int): string $encode takes the value and how often
     * @param \Closure(string, int): mixed $decode takes the bytes and how often
     */
    public function __construct(
        public readonly string $name,
        public readonly \Closure $encode,
        public readonly \Closure $decode,
    ) {}
}

/**
 * A library written in PHP. Each gets loops of its own, made from one template (_loops-*.php.txt): what PHP and its JIT
 * remember about a loop then belongs to one library.
 */
final class Library extends Contestant
{
    /** Peers whose checkout --peer names: the namespace they are written in. */
    public const PEERS = ['base' => 'Polypack', 'rybakit' => 'MessagePack'];

    /** This library in strict mode, as a contestant. */
    public const STRICT = 'strict';

    private const BASE = 'PolypackBase';

    /**
     * @param \Closure(mixed, int): string $encode
     * @param \Closure(string, int): mixed $decode
     * @param \Closure(list<string>): list<mixed> $stream takes chunks, returns the messages
     * @param \Closure(string): string $packBin
     * @param \Closure(int, string): object $ext
     * @param \Closure(int, int): object $timestamp
     */
    public function __construct(
        string $name,
        \Closure $encode,
        \Closure $decode,
        public readonly \Closure $stream,
        public readonly \Closure $packBin,
        public readonly \Closure $ext,
        public readonly \Closure $timestamp,
    ) {
        parent::__construct($name, $encode, $decode);
    }

    /**
     * Loads the peers that are on this machine: those with a checkout, and what Composer's autoloader has.
     *
     * @param array<string, string> $folders of checkouts, by name
     *
     * @return array<string, string> the namespace of each, by name
     */
    public static function load(array $folders): array
    {
        $found = [];
        foreach (self::PEERS as $name => $namespace) {
            $source = isset($folders[$name]) ? "{$folders[$name]}/src" : '';
            if ($name === 'base' && $source !== '') {
                $found[$name] = self::loadBase($source);
            } elseif ($source !== '') {
                self::autoload($namespace, $source);
                $found[$name] = $namespace;
            } elseif ($name !== 'base' && \class_exists("{$namespace}\\Packer")) {
                $found[$name] = $namespace;
            }
        }

        return $found;
    }

    /**
     * With one packer and one unpacker kept for all calls, as the README advises for many values.
     */
    public static function kept(string $name, string $namespace): self
    {
        /**
         * @var array{
         *     encode: \Closure(mixed, int): string, decode: \Closure(string, int): mixed,
         *     stream: \Closure(list<string>): list<mixed>, packBin: \Closure(string): string,
         *     ext: \Closure(int, string): object, timestamp: \Closure(int, int): object
         * } $functions
         */
        $functions = self::template('_loops-kept', $name, $namespace);

        return new self($name, ...$functions);
    }

    /**
     * With the static functions, which build what they need on each call.
     */
    public static function static(string $name, string $namespace): Contestant
    {
        /** @var array{encode: \Closure(mixed, int): string, decode: \Closure(string, int): mixed} $functions */
        $functions = self::template('_loops-static', $name, $namespace);

        return new Contestant($name, ...$functions);
    }

    /**
     * Packs objects that pack themselves, or are packed by transformers.
     *
     * @return array<string, \Closure(int): string> by workload; they take how often
     */
    public static function objects(string $name, string $namespace): array
    {
        /** @var \Closure(list<object>, list<object>): (\Closure(int): string) $repeat */
        $repeat = self::template('_loops-objects', $name, $namespace);
        $plain = Objects::plain();
        $packing = [];
        foreach (self::kindsOfObjects($name, $namespace) as $workload => [$transformers, $make]) {
            $packing[$workload] = $repeat($transformers, \array_map($make, $plain[$workload]));
        }

        return $packing;
    }

    /**
     * The objects of a library's user.
     *
     * @return array<string, array{list<object>, \Closure(mixed): object}> by workload: its transformers, and what makes
     *   an object of plain data
     */
    public static function kindsOfObjects(string $name, string $namespace): array
    {
        /** @var array<string, array{list<object>, \Closure(mixed): object}> */
        return self::template('_objects', $name, $namespace);
    }

    private static function template(string $file, string $name, string $namespace): mixed
    {
        // In rybakit/msgpack timestamps are an extension to register; here they are built in.
        $extensions = $name === 'rybakit' ? "[new {$namespace}\\Extension\\TimestampExtension()]" : '[]';
        $template = (string) \file_get_contents(__DIR__ . "/{$file}.php.txt");

        return require self::write("{$file}-{$name}.php", \strtr($template, [
            'LIBRARY' => $namespace, 'EXTENSIONS' => $extensions,
        ] + self::options($name, $file === '_loops-static')));
    }

    /**
     * Returns the options in a template. A function without options is called without them: that is a faster way.
     *
     * @return array{PACKING: string, UNPACKING: string, LIMITS: string}
     */
    private static function options(string $name, bool $isStatic): array
    {
        if ($name !== self::STRICT) {
            return $isStatic ? ['PACKING' => '', 'UNPACKING' => '', 'LIMITS' => ''] : ['PACKING' => 'null', 'UNPACKING' => 'null', 'LIMITS' => ''];
        }
        $comma = $isStatic ? ', ' : '';

        return [
            'PACKING' => "{$comma}\\Polypack\\PackOptions::STRICT",
            'UNPACKING' => "{$comma}\\Polypack\\UnpackOptions::STRICT",
            'LIMITS' => ', new \\Polypack\\Limits(maxMemory: 1 << 30)', // one of the documents needs more than 64 MiB
        ];
    }

    /**
     * Gives another version of this library a namespace of its own, so that both can be in one process.
     */
    private static function loadBase(string $source): string
    {
        $files = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($source, \FilesystemIterator::SKIP_DOTS));
        /** @var \SplFileInfo $file */
        foreach ($files as $file) {
            $code = (string) \file_get_contents($file->getPathname());
            $code = (string) \preg_replace('/(?<![\w\\\\])(\\\\?)Polypack(?=[\\\\;])/', '$1' . self::BASE, $code);
            self::write('base' . \substr($file->getPathname(), \strlen($source)), $code);
        }
        self::autoload(self::BASE, self::folder() . '/base');

        return self::BASE;
    }

    private static function autoload(string $namespace, string $folder): void
    {
        \spl_autoload_register(static function (string $class) use ($namespace, $folder): void {
            if (\str_starts_with($class, "{$namespace}\\")) {
                $file = $folder . \strtr(\substr($class, \strlen($namespace)), '\\', '/') . '.php';
                if (\is_file($file)) {
                    require $file;
                }
            }
        });
    }

    /**
     * Writes a file into the build folder, unless it is there as it should be.
     */
    private static function write(string $name, string $code): string
    {
        $path = self::folder() . "/{$name}";
        if (!\is_file($path) || \file_get_contents($path) !== $code) {
            @\mkdir(\dirname($path), recursive: true);
            \file_put_contents($path, $code);
        }

        return $path;
    }

    private static function folder(): string
    {
        return \dirname(__DIR__, 2) . '/build/bench-php';
    }
}

/**
 * What PHP and its extensions have.
 */
final class BuiltIn
{
    /**
     * @return list<Contestant>
     */
    public static function all(): array
    {
        $peers = [];
        if (\extension_loaded('msgpack')) {
            $peers[] = self::pecl();
        }
        if (\extension_loaded('igbinary')) {
            $peers[] = self::igbinary();
        }

        if (\function_exists('floor_rebuild')) {
            $peers[] = self::floor();
        }

        return [...$peers, self::serialize(), self::json()];
    }

    public static function named(string $name): ?Contestant
    {
        foreach (self::all() as $one) {
            if ($one->name === $name) {
                return $one;
            }
        }

        return null;
    }

    private static function json(): Contestant
    {
        return new Contestant(
            'json',
            static function (mixed $value, int $calls): string {
                $json = '';
                for ($i = 0; $i < $calls; ++$i) {
                    // Without the first flag 1.0 comes back as 1; the others are the fastest way for text.
                    $json = \json_encode($value, \JSON_PRESERVE_ZERO_FRACTION | \JSON_UNESCAPED_UNICODE | \JSON_UNESCAPED_SLASHES);
                }

                return (string) $json;
            },
            static function (string $json, int $calls): mixed {
                $value = null;
                for ($i = 0; $i < $calls; ++$i) {
                    $value = \json_decode($json, true);
                }

                return $value;
            },
        );
    }

    /**
     * JSON for a list of strings that are not text: base64, as its users do.
     */
    public static function jsonOfBlobs(): Contestant
    {
        return new Contestant(
            'json',
            static function (mixed $value, int $calls): string {
                /** @var array<string> $value */
                $json = '';
                for ($i = 0; $i < $calls; ++$i) {
                    $json = \json_encode(\array_map(base64_encode(...), $value), \JSON_UNESCAPED_SLASHES);
                }

                return (string) $json;
            },
            static function (string $json, int $calls): mixed {
                $value = null;
                for ($i = 0; $i < $calls; ++$i) {
                    /** @var array<string> $texts */
                    $texts = \json_decode($json, true);
                    $value = \array_map(base64_decode(...), $texts);
                }

                return $value;
            },
        );
    }

    private static function serialize(): Contestant
    {
        return new Contestant(
            'serialize',
            static function (mixed $value, int $calls): string {
                $bytes = '';
                for ($i = 0; $i < $calls; ++$i) {
                    $bytes = \serialize($value);
                }

                return $bytes;
            },
            static function (string $bytes, int $calls): mixed {
                $value = null;
                for ($i = 0; $i < $calls; ++$i) {
                    $value = \unserialize($bytes);
                }

                return $value;
            },
        );
    }

    private static function pecl(): Contestant
    {
        return new Contestant(
            'pecl',
            static function (mixed $value, int $calls): string {
                $packed = '';
                for ($i = 0; $i < $calls; ++$i) {
                    $packed = \msgpack_pack($value);
                }

                return $packed;
            },
            static function (string $packed, int $calls): mixed {
                $value = null;
                for ($i = 0; $i < $calls; ++$i) {
                    $value = \msgpack_unpack($packed);
                }

                return $value;
            },
        );
    }

    /**
     * What every decoder must do: make the arrays and copy the strings (ext/bench/floor.c). It encodes nothing.
     */
    private static function floor(): Contestant
    {
        $serialize = self::serialize();

        return new Contestant(
            'floor',
            $serialize->encode,
            static function (string $bytes, int $calls): mixed {
                static $value = null, $of = '';
                if ($of !== $bytes) { // outside of what is measured: rounds before the first have the same bytes
                    $value = MessagePack::unpack(MessagePack::pack(\unserialize($bytes))); // equal keys are one string
                    $of = $bytes;
                }
                $copy = null;
                for ($i = 0; $i < $calls; ++$i) {
                    $copy = \floor_rebuild($value);
                }

                return $copy;
            },
        );
    }

    private static function igbinary(): Contestant
    {
        return new Contestant(
            'igbinary',
            static function (mixed $value, int $calls): string {
                $bytes = '';
                for ($i = 0; $i < $calls; ++$i) {
                    $bytes = \igbinary_serialize($value);
                }

                return (string) $bytes;
            },
            static function (string $bytes, int $calls): mixed {
                $value = null;
                for ($i = 0; $i < $calls; ++$i) {
                    $value = \igbinary_unserialize($bytes);
                }

                return $value;
            },
        );
    }
}
