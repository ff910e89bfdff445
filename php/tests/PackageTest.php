<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;

/**
 * What Composer downloads is the library and nothing else.
 */
final class PackageTest extends TestCase
{
    private const ROOT = __DIR__ . '/..';
    private const SHIPPED = ['LICENSE', 'README.md', 'composer.json', 'preload.php', 'src'];
    private const NOT_TRACKED = ['vendor', 'composer.lock', '.php-cs-fixer.cache', '.phpstan.cache', '.phpunit.cache'];

    public function testEverythingElseIsLeftOut(): void
    {
        \preg_match_all('~^/(\S+) export-ignore$~m', (string) \file_get_contents(self::ROOT . '/.gitattributes'), $matches);
        $left = \array_diff((array) \scandir(self::ROOT), ['.', '..'], self::NOT_TRACKED, $matches[1]);

        self::assertEqualsCanonicalizing(self::SHIPPED, $left);
        foreach ($matches[1] as $name) {
            self::assertFileExists(self::ROOT . "/{$name}");
        }
    }

    /**
     * `composer archive` packs the folder, and git what the mirror has: with its attributes, as if everything were
     * committed.
     */
    #[Group('slow')]
    #[Group('once')]
    #[Group('engineless')]
    public function testComposerPacksWhatGitDoes(): void
    {
        $folder = \sys_get_temp_dir() . '/polypack-' . \bin2hex(\random_bytes(8));
        \mkdir("{$folder}/objects", recursive: true);
        try {
            self::printed(
                ['composer', 'archive', '--no-interaction', '--format=tar', "--dir={$folder}", '--file=composer'],
                ['COMPOSER_ALLOW_SUPERUSER' => '1'],
            );
            $objects = \trim(self::printed(['git', 'rev-parse', '--path-format=absolute', '--git-path', 'objects']));
            $apart = [ // an index and objects of its own, so that the repository stays as it is
                'GIT_INDEX_FILE' => "{$folder}/index",
                'GIT_OBJECT_DIRECTORY' => "{$folder}/objects",
                'GIT_ALTERNATE_OBJECT_DIRECTORIES' => $objects,
            ];
            self::printed(['git', 'add', '--all', '.'], $apart);
            $prefix = \trim(self::printed(['git', 'rev-parse', '--show-prefix']));
            $tree = \trim(self::printed(['git', 'write-tree', "--prefix={$prefix}"], $apart));
            $top = \trim(self::printed(['git', 'rev-parse', '--show-toplevel']));
            self::printed(['git', '-C', $top, 'archive', '--format=tar', '-o', "{$folder}/git.tar", $tree], $apart);

            $packed = self::files("{$folder}/git.tar");
            self::assertContains('src/MessagePack.php', $packed);
            self::assertSame($packed, self::files("{$folder}/composer.tar"));
        } finally {
            $inside = new \RecursiveDirectoryIterator($folder, \FilesystemIterator::SKIP_DOTS);
            /** @var \SplFileInfo $file */
            foreach (new \RecursiveIteratorIterator($inside, \RecursiveIteratorIterator::CHILD_FIRST) as $file) {
                $file->isDir() ? \rmdir($file->getPathname()) : \unlink($file->getPathname());
            }
            \rmdir($folder);
        }
    }

    /**
     * @param non-empty-list<string> $command
     * @param array<string, string>  $environment beside that of this process
     *
     * @return string what the command prints
     */
    private static function printed(array $command, array $environment = []): string
    {
        $errors = \tmpfile();
        $child = \proc_open($command, [1 => ['pipe', 'w'], 2 => $errors], $pipes, self::ROOT, [...\getenv(), ...$environment]);
        self::assertIsResource($child);
        self::assertIsResource($errors);
        $printed = (string) \stream_get_contents($pipes[1]);
        $status = \proc_close($child);
        \rewind($errors);
        self::assertSame(0, $status, \implode(' ', $command) . "\n" . \stream_get_contents($errors));

        return $printed;
    }

    /**
     * @return list<string>
     */
    private static function files(string $archive): array
    {
        $files = [];
        /** @var \PharFileInfo $file */
        foreach (new \RecursiveIteratorIterator(new \PharData($archive)) as $file) {
            $files[] = \substr($file->getPathname(), \strlen("phar://{$archive}/"));
        }
        \sort($files);

        return $files;
    }

    public function testThePackageNeedsPhpAlone(): void
    {
        /** @var array{require: array<string, string>, autoload: array<string, mixed>} $composer */
        $composer = \json_decode((string) \file_get_contents(self::ROOT . '/composer.json'), true, 16, \JSON_THROW_ON_ERROR);

        self::assertSame(['php', 'php-64bit'], \array_keys($composer['require']));
        self::assertSame(['psr-4' => ['Polypack\\' => 'src/'], 'files' => ['src/Snapshot/functions.php']], $composer['autoload']);
    }

    /**
     * Other extensions may be missing: Alpine, for example, has ctype in a package of its own.
     */
    public function testFunctionsOfOtherExtensionsAreOnlyCalledWhereTheyAreKnownToExist(): void
    {
        $everywhere = ['Core', 'standard', 'pcre', 'hash', 'json', 'date', 'SPL', 'Reflection', 'random'];
        $checked = '/^(?:mb_check_encoding|gmp_|igbinary_|polypack_|posix_)/';
        $unchecked = ['filter_var']; // only called if opcache or ext-session is loaded
        $others = [];
        $files = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator(self::ROOT . '/src', \FilesystemIterator::SKIP_DOTS));
        /** @var \SplFileInfo $file */
        foreach ($files as $file) {
            $tokens = \PhpToken::tokenize((string) \file_get_contents($file->getPathname()));
            foreach ($tokens as $i => $token) {
                $isCall = $token->is(\T_NAME_FULLY_QUALIFIED) && ($tokens[$i + 1]->text ?? '') === '(';
                if (!$isCall || $tokens[$i - 2]->is(\T_NEW)) {
                    continue;
                }
                $name = \substr($token->text, 1);
                $extension = \function_exists($name) ? (new \ReflectionFunction($name))->getExtensionName() : 'missing';
                if (!\in_array($extension, $everywhere, true) && \preg_match($checked, $name) !== 1) {
                    $others[$name] = $file->getFilename();
                }
            }
        }
        self::assertSame($unchecked, \array_keys($others), \json_encode($others, \JSON_THROW_ON_ERROR));
    }
}
