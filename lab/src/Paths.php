<?php

declare(strict_types=1);

namespace Polypack\Lab;

/** Where the lab keeps things. What it makes lies below build/lab of the checkout. */
final class Paths
{
    public static function lab(string $below = ''): string
    {
        return \dirname(__DIR__) . ($below === '' ? '' : "/{$below}");
    }

    public static function root(string $below = ''): string
    {
        return \dirname(__DIR__, 2) . ($below === '' ? '' : "/{$below}");
    }

    /** Returns a path below build/lab, whose folder is made. LAB_BUILD names another place for all of them. */
    public static function build(string $below): string
    {
        $path = (\getenv('LAB_BUILD') ?: self::root('build/lab')) . "/{$below}";
        self::make(\dirname($path));

        return $path;
    }

    public static function make(string $folder): string
    {
        if (!\is_dir($folder) && !@\mkdir($folder, 0o777, true) && !\is_dir($folder)) {
            throw new Refusal("the folder {$folder} can't be made");
        }

        return $folder;
    }

    /**
     * Writes a file in one step, so that no reader finds half of it. Writes to links, devices and pipes in place,
     * because renaming would replace them.
     */
    public static function write(string $file, string $bytes): void
    {
        self::make(\dirname($file));
        $isInPlace = \is_link($file) || (\file_exists($file) && !\is_file($file));
        $written = $isInPlace ? $file : "{$file}.new." . \getmypid();
        $isWritten = @\file_put_contents($written, $bytes) === \strlen($bytes);
        if (!$isWritten || !($isInPlace || @\rename($written, $file))) {
            if (!$isInPlace) {
                @\unlink($written);
            }
            throw new Refusal("{$file} can't be written");
        }
    }
}
