<?php

declare(strict_types=1);

namespace Polypack\Tests\Stores;

use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\Stores\Files;
use Polypack\Stores\FileStore;
use Polypack\Stores\Owner;
use Polypack\Tests\Support\FullDisk;
use Polypack\Tests\Support\LateFile;

/**
 * The lock of a file, and what crashes leave of it.
 */
final class FileStoreTest extends TestCase
{
    private string $folder = '';
    private string $file = '';

    protected function setUp(): void
    {
        $this->folder = \sys_get_temp_dir() . '/polypack-files-' . \bin2hex(\random_bytes(8));
        \mkdir($this->folder);
        $this->file = "{$this->folder}/shapes.mp";
    }

    protected function tearDown(): void
    {
        foreach (\array_diff((array) \scandir($this->folder), ['.', '..']) as $name) {
            \unlink("{$this->folder}/{$name}");
        }
        \rmdir($this->folder);
    }

    /**
     * @return list<string>
     */
    private function names(): array
    {
        return \array_values(\array_diff((array) \scandir($this->folder), ['.', '..'])); // @phpstan-ignore return.type
    }

    private function store(int $lockTimeout = 120_000): FileStore
    {
        return new FileStore($this->file, $lockTimeout);
    }

    /**
     * @param array<string, mixed> $changes
     */
    private function lock(array $changes, string $suffix = ''): void
    {
        $owner = (array) \json_decode(Owner::self()->toJson(), true);
        \file_put_contents("{$this->file}.lock{$suffix}", \json_encode($changes + $owner, \JSON_THROW_ON_ERROR));
    }

    public function testAFileThatAppearsWhileItIsReadIsRead(): void
    {
        \stream_wrapper_register(LateFile::SCHEME, LateFile::class);
        try {
            LateFile::$misses = 1;
            self::assertSame(LateFile::CONTENT, Files::read(LateFile::SCHEME . '://file'));

            LateFile::$misses = 100;
            $this->expectExceptionMessage('cannot read ' . LateFile::SCHEME . '://file');
            Files::read(LateFile::SCHEME . '://file');
        } finally {
            \stream_wrapper_unregister(LateFile::SCHEME);
        }
    }

    public function testTheLockNamesItsHolderAsInOtherLanguages(): void
    {
        $owner = (array) \json_decode(Owner::self()->toJson(), true);
        self::assertSame(['token', 'pid', 'start', 'host', 'boot', 'space'], \array_keys($owner));
        self::assertSame(\getmypid(), $owner['pid']);
        if (\PHP_OS_FAMILY === 'Linux') {
            self::assertMatchesRegularExpression('/"start":"\d+",.*"boot":"[0-9a-f-]{36}","space":"pid:/', Owner::self()->toJson());
        }
    }

    public function testTheLockOfALivingProcessIsWaitedForAndOneOfADeadProcessIsRemoved(): void
    {
        self::assertTrue($this->store()->replace(null, '1'));
        self::assertSame(['shapes.mp'], $this->names());

        $child = \proc_open([\PHP_BINARY, '-r', 'sleep(600);'], [], $pipes);
        self::assertIsResource($child);
        $pid = \proc_get_status($child)['pid'];
        try {
            $this->lock(['token' => 'aa', 'pid' => $pid, 'start' => '']);
            self::assertMatchesRegularExpression("/process {$pid} .*delete/", $this->failure());
        } finally {
            \proc_terminate($child, 9);
            while (\proc_get_status($child)['running']) {
                \usleep(1000);
            }
            \proc_close($child);
        }
        // Dead, and so is one who wanted to remove its lock; but another is alive, and may be removing it.
        $this->lock(['token' => 'aa', 'pid' => $pid, 'start' => '']);
        $this->lock(['token' => 'cc', 'pid' => $pid, 'start' => ''], '.aa.0');
        $this->lock(['token' => 'dd'], '.aa.1');
        self::assertMatchesRegularExpression("/process {$pid} .*delete/", $this->failure());
        self::assertSame(['shapes.mp', 'shapes.mp.lock', 'shapes.mp.lock.aa.0', 'shapes.mp.lock.aa.1'], $this->names());
        foreach (['', '.aa.0', '.aa.1'] as $suffix) {
            \unlink("{$this->file}.lock{$suffix}");
        }
        // Dead, and so are two who wanted to remove its lock.
        $dead = ['token' => 'cc', 'pid' => $pid, 'start' => ''];
        $this->lock(['token' => 'aa', 'pid' => $pid, 'start' => '']);
        foreach (['.aa.0', '.aa.1', '.bb'] as $suffix) {
            $this->lock($dead, $suffix);
        }
        \file_put_contents("{$this->file}.new.0123", 'half of the cont');
        self::assertTrue($this->store()->replace('1', '2'));
        self::assertSame(['shapes.mp'], $this->names());
    }

    public function testFilesOfWritersThatDiedBeforeAReboot(): void
    {
        foreach (['aa' => ['boot' => 'another'], 'bb' => ['boot' => 'another'], 'cc' => ['host' => 'elsewhere']] as $name => $place) {
            $this->lock(['token' => $name] + $place, ".{$name}");
            \touch("{$this->file}.lock.{$name}", \time() - ($name === 'bb' ? 0 : 3600));
        }
        self::assertTrue($this->store()->replace(null, '1'));
        // The second and the third may be of living writers on other machines.
        self::assertSame(['shapes.mp', 'shapes.mp.lock.bb', 'shapes.mp.lock.cc'], $this->names());
    }

    public function testFilesOfWritersThatWereKilledBeforeTheyNamedThemselves(): void
    {
        $files = ['aa' => '', 'bb.now' => '', 'cc' => '', 'dd' => '?', 'ee' => '?', 'ff.txt' => '?', 'txt' => ''];
        // A file may be cut anywhere while it is written. A lock of another host has nothing that could be looked for.
        $this->lock(['host' => 'elsewhere'], '.aa');
        $whole = (string) \file_get_contents("{$this->file}.lock.aa");
        for ($length = 1; $length < \strlen($whole); $length += 7) {
            $files["aa-{$length}"] = $files["bb.{$length}"] = \substr($whole, 0, $length);
        }
        foreach ($files as $name => $content) {
            \file_put_contents("{$this->file}.lock.{$name}", $content);
            \touch("{$this->file}.lock.{$name}", \time() - (\in_array($name, ['cc', 'ee'], true) ? 0 : 3600));
        }
        self::assertTrue($this->store()->replace(null, '1'));
        // The first two locks may be of living writers, the others of other programs.
        $locks = \array_map(static fn(string $name): string => "shapes.mp.lock.{$name}", ['cc', 'ee', 'ff.txt', 'txt']);
        self::assertSame(['shapes.mp', ...$locks], $this->names());
    }

    #[Group('slow')]
    public function testProcessesThatHaveTheSameNumberOrAreElsewhere(): void
    {
        if (\PHP_OS_FAMILY === 'Linux') {
            $this->lock(['token' => 'dd', 'start' => '1']);
            self::assertTrue($this->store()->replace(null, '1'), 'another process had this number');
        }
        // The other boot may be one of another machine with the same name.
        foreach ([['host' => 'elsewhere'], ['boot' => 'another'], ['space' => 'pid:[1]']] as $place) {
            $content = $this->store()->load();
            $this->lock(['token' => 'ee'] + $place);
            self::assertStringContainsString($place['host'] ?? (string) \gethostname(), $this->failure());
            \touch("{$this->file}.lock", \time() - 3600);
            self::assertTrue($this->store()->replace($content, "{$content}+"), 'left by a dead holder, as far as one can tell');
        }
        \file_put_contents("{$this->file}.lock", 'no JSON');
        self::assertStringContainsString('delete the file', $this->failure());
        self::assertSame(['shapes.mp', 'shapes.mp.lock'], $this->names());
    }

    private function failure(): string
    {
        try {
            $this->store(50)->replace($this->store()->load(), 'never');
        } catch (\RuntimeException $error) {
            return $error->getMessage();
        }
        self::fail('the lock was not respected');
    }

    public function testNoLinkIsFollowed(): void
    {
        $victim = "{$this->folder}/victim";
        \file_put_contents($victim, 'precious');
        foreach (['.new', '.new.0', '.lock.aa'] as $suffix) {
            \symlink($victim, $this->file . $suffix);
        }
        self::assertTrue($this->store()->replace(null, '1'));
        self::assertSame('precious', \file_get_contents($victim));
        \symlink($victim, "{$this->file}.lock");
        self::assertNotSame('', $this->failure());
        self::assertSame('precious', \file_get_contents($victim));
        \unlink("{$this->file}.lock");

        \unlink($this->file);
        \symlink($victim, $this->file);
        self::assertTrue($this->store()->replace('precious', '2'), 'the link is replaced, not what it leads to');
        self::assertSame(['precious', '2', false], [\file_get_contents($victim), \file_get_contents($this->file), \is_link($this->file)]);
    }

    public function testPermissionsAndTheFolderStay(): void
    {
        self::assertTrue($this->store()->replace(null, '1'));
        foreach ([0o664, 0o666, 0o600, 0o640] as $mode) { // of which the umask would take some away
            \chmod($this->file, $mode);
            self::assertTrue($this->store()->replace('1', '1'));
            \clearstatcache();
            self::assertSame($mode, \fileperms($this->file) & 0o777);
        }
        $before = \getcwd();
        self::assertIsString($before);
        \chdir($this->folder);
        $store = new FileStore('shapes.mp');
        \chdir('/');
        try {
            self::assertTrue($store->replace('1', '2'));
        } finally {
            \chdir($before);
        }
        \clearstatcache();
        self::assertSame(0o640, \fileperms($this->file) & 0o777);
        self::assertSame('2', \file_get_contents($this->file));
    }

    /**
     * Otherwise a lock that was waited for is taken for a dead holder's too early.
     */
    public function testTheAgeOfALockStartsWhenItIsTaken(): void
    {
        $this->lock(['token' => 'aa']);
        $code = \sprintf('require %s; exit((int) !(new %s(%s, 600_000))->replace(null, "1"));', \var_export(\dirname(__DIR__, 2) . '/vendor/autoload.php', true), FileStore::class, \var_export($this->file, true));
        $child = \proc_open([\PHP_BINARY, '-r', $code], [], $pipes);
        self::assertIsResource($child);
        try {
            $own = self::await($child, fn() => Files::named("{$this->file}.lock.")[0] ?? null);
            \touch($own, 1);
            self::await($child, fn() => Files::modified($own) === 1 ? null : 'written again');
            \unlink("{$this->file}.lock");
            while (\proc_get_status($child)['running']) {
                \usleep(1000);
            }
        } finally {
            \proc_terminate($child, 9);
            \proc_close($child);
        }
        self::assertSame(['1', ['shapes.mp']], [$this->store()->load(), $this->names()]);
    }

    /**
     * @param resource           $child
     * @param \Closure(): ?string $found
     */
    private static function await($child, \Closure $found): string
    {
        do {
            \usleep(1000);
            $result = $found();
        } while ($result === null && \proc_get_status($child)['running']);
        self::assertNotNull($result, 'the other process has ended');

        return $result;
    }

    /**
     * Another process may have taken the lock for a dead one's by now.
     */
    public function testAWriterThatWasStoppedForLongReplacesNothing(): void
    {
        self::assertTrue($this->store()->replace(null, '1'));
        $store = new FileStore($this->file, staleAfter: 1); // milliseconds, of which writing 32 MB takes more than half
        try {
            $store->replace('1', \str_repeat('x', 1 << 25));
            self::fail('the lock was stale');
        } catch (\RuntimeException $error) {
            self::assertStringContainsString('this process was stopped while it had the lock', $error->getMessage());
        }
        self::assertSame(['1', ['shapes.mp']], [$this->store()->load(), $this->names()]);
    }

    public function testFailuresNameTheFile(): void
    {
        \mkdir($folder = "{$this->folder}/folder");
        $name = "{$this->folder}/new";
        \file_put_contents($name, 'content');
        \stream_wrapper_register(FullDisk::SCHEME, FullDisk::class);
        FullDisk::$removed = [];
        $full = FullDisk::SCHEME . '://file';
        try {
            $failures = [
                "cannot write {$full}" => static fn() => Files::create($full, 'content'),
                "cannot replace {$folder}" => static fn() => Files::rename($name, $folder),
                "cannot remove {$folder}" => static fn() => Files::remove($folder),
                "cannot link {$folder}/nowhere/a" => static fn() => Files::link($name, "{$folder}/nowhere/a"),
                "cannot create {$name}" => static fn() => Files::create($name, ''),
            ];
            foreach ($failures as $message => $call) {
                try {
                    $call();
                    self::fail($message);
                } catch (\RuntimeException $error) {
                    self::assertStringStartsWith($message, $error->getMessage());
                }
            }
            self::assertSame([$full], FullDisk::$removed, 'what could not be written is removed');
        } finally {
            \stream_wrapper_unregister(FullDisk::SCHEME);
            \rmdir($folder);
        }
        Files::remove("{$this->folder}/nothing");
        self::assertNull(Owner::of("{$this->folder}/nothing"));
        self::assertFalse(Files::link($name, $name));
        self::assertSame('content', \file_get_contents($name));
    }

    public function testAFolderThatIsNotThere(): void
    {
        $store = new FileStore("{$this->folder}/nowhere/shapes.mp");
        self::assertNull($store->load());
        $this->expectException(\RuntimeException::class);
        $this->expectExceptionMessage('cannot create');
        $store->replace(null, '1');
    }
}
