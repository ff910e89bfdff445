<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\SnapshotFailedException;
use Polypack\Snapshot\KeyRing;
use Polypack\Snapshot\Serializer;
use Polypack\Tests\Support\RedisServer;
use Polypack\Tests\Support\SessionFolder;
use Polypack\Tests\Support\Snapshot\Hooked;
use Polypack\Tests\Support\Snapshot\Legacy;
use Polypack\Tests\Support\WebServer;

/**
 * Sessions as snapshots, on a web server with four workers.
 */
#[RequiresPhpExtension('polypack')]
#[RequiresPhpExtension('posix')]
#[Group('slow')]
final class SessionsTest extends TestCase
{
    use SessionFolder;

    private const GUIDE = __DIR__ . '/../../../docs/guides/cache.md';
    private const OLD = 'old=b2xkIGtleSBvZiBzZXNzaW9ucywgMzIgYnl0ZXMhISE=';
    private const NEW = 'new=bmV3IGtleSBvZiBzZXNzaW9ucywgMzIgYnl0ZXMhISE=';

    private ?WebServer $server = null;

    protected function setUp(): void
    {
        $this->makeFolder();
    }

    protected function tearDown(): void
    {
        $this->server?->stop();
        $this->removeFolder();
    }

    /**
     * @param array<string, string> $settings
     */
    private function serve(array $settings = []): WebServer
    {
        $this->server?->stop();

        return $this->server = new WebServer('session-router.php', $settings + ['session.serialize_handler' => 'polypack', 'session.save_handler' => 'files', 'session.save_path' => $this->folder]);
    }

    private function stored(string $id): string
    {
        return (string) \file_get_contents("{$this->folder}/sess_{$id}");
    }

    public function testSessionsAreSnapshots(): void
    {
        $server = $this->serve();
        foreach (\range(1, 9) as $n) {
            self::assertSame($n, $server->ask('first', 'do=add')['answer']);
        }
        self::assertSame(\bin2hex(Serializer::serialize(['n' => 9])), \bin2hex($this->stored('first')));
        self::assertSame([], $server->ask('first', 'do=date')['warnings']);
        self::assertSame(\bin2hex($this->stored('first')), $server->ask('first', 'do=encode')['answer']);

        $bytes = \bin2hex(Serializer::serialize(['x' => [1.5, 'y']]));
        self::assertSame([true, ['x' => [1.5, 'y']]], $server->ask('second', "do=decode&bytes={$bytes}")['answer']);
        self::assertSame(SnapshotFailedException::class, $server->ask('second', 'do=decode&bytes=c15301')['answer']);
        self::assertSame(['x' => [1.5, 'y']], $server->ask('second', 'do=all')['answer']);
    }

    public function testIdsAreRegenerated(): void
    {
        $server = $this->serve();
        $server->ask('old', 'do=add');
        $answer = $server->ask('old', 'do=regenerate&delete=0')['answer'];
        self::assertIsArray($answer);
        self::assertIsString($answer[1]);
        self::assertSame(['n' => 1], $server->ask($answer[1], 'do=all')['answer']);
        self::assertSame(['n' => 1], $server->ask('old', 'do=all')['answer']);

        $answer = $server->ask('old', 'do=regenerate&delete=1')['answer'];
        self::assertIsArray($answer);
        self::assertIsString($answer[1]);
        self::assertSame(['n' => 1], $server->ask($answer[1], 'do=all')['answer']);
        self::assertSame([], $server->ask('old', 'do=all')['answer']);
    }

    public function testAllowedClassesHoldInTheDataOfSerializable(): void
    {
        $name = Legacy::class;
        $server = $this->serve(['polypack.session_allowed_classes' => $name]);
        foreach (['i:5;' => true, 'O:12:"DateTimeZone":0:{}' => false] as $data => $isRead) {
            $bytes = \bin2hex("\xc1\x53\x01\x00\xce\x01\x41a\xd1\xc9" . \chr(\strlen($name)) . "{$name}\xc9" . \chr(\strlen($data)) . $data);
            $answer = $server->ask('legacy', "do=decode&bytes={$bytes}")['answer'];
            self::assertSame($isRead ? [true, ['a' => ['text' => $data]]] : SnapshotFailedException::class, $answer);
        }
    }

    public function testASessionThatCannotBeEncodedReplacesNothingAndReleasesTheLock(): void
    {
        $server = $this->serve();
        $server->ask('kept', 'do=add');
        $before = $this->stored('kept');
        foreach (['closure', 'throw'] as $do) {
            $warnings = $server->ask('kept', "do={$do}")['warnings'];
            self::assertStringContainsString('The session was not saved, and what was stored stays', $warnings[0] ?? '', $do);
            self::assertSame($before, $this->stored('kept'));
        }
        self::assertSame(2, $server->ask('kept', 'do=add')['answer']);
        self::assertNotSame([], $server->ask('fresh', 'do=closure')['warnings']);
        self::assertSame('', $this->stored('fresh'));
    }

    public function testASessionThatCannotBeEncodedAtTheEndOfARequestIsAWarning(): void
    {
        $keys = "{$this->folder}/keys";
        $log = "{$this->folder}/log";
        $faults = ['closure' => 'PHP does not serialize Closure', 'throw' => 'no in', 'exit' => 'a hook of an object has called exit()'];
        $signed = ['lose-keys' => "key file can't be read: "];
        foreach (['plain' => [$faults, []], 'signed' => [$faults + $signed, ['polypack.session_key_file' => $keys]]] as $id => [$faults, $settings]) {
            \file_put_contents($keys, self::OLD);
            $server = $this->serve($settings + ['error_log' => $log, 'log_errors' => '1', 'display_errors' => '0']);
            $server->ask($id, 'do=add');
            $before = $this->stored($id);
            foreach ($faults as $do => $reason) {
                \file_put_contents($log, '');
                $server->ask($id, "do={$do}&close=0");
                $logged = (string) \file_get_contents($log);
                self::assertStringContainsString('PHP Warning:  session_write_close(): The session was not saved, and what was stored stays: ', $logged);
                self::assertStringContainsString($reason, $logged);
                self::assertSame(1, \substr_count($logged, '] PHP '), $logged);
                self::assertSame(\bin2hex($before), \bin2hex($this->stored($id)), $do);
                \file_put_contents($keys, self::OLD);
            }
            self::assertSame(2, $server->ask($id, 'do=add')['answer']);
        }
    }

    public function testAnErrorHandlerMayThrowAtTheEndOfARequest(): void
    {
        $log = "{$this->folder}/log";
        $server = $this->serve(['error_log' => $log, 'log_errors' => '1', 'display_errors' => '0']);
        $server->ask('kept', 'do=add');
        $before = $this->stored('kept');
        $server->ask('kept', 'do=closure&close=0&handler=throws');
        $logged = (string) \file_get_contents($log);
        self::assertStringContainsString('PHP Fatal error:  Uncaught ErrorException: session_write_close(): The session was not saved', $logged);
        self::assertSame(1, \substr_count($logged, '] PHP '), $logged);
        self::assertSame(\bin2hex($before), \bin2hex($this->stored('kept')));
    }

    public function testASessionThatCannotBeDecodedStaysUnlessASettingSaysSo(): void
    {
        $broken = \substr(Serializer::serialize(['n' => 5, 'name' => 'x']), 0, -1);
        \file_put_contents("{$this->folder}/sess_broken", $broken);
        $server = $this->serve();
        self::assertSame(SnapshotFailedException::class, $server->ask('broken', 'do=add')['answer']);
        self::assertSame($broken, $this->stored('broken'));
        $bytes = Serializer::serialize('no array');
        \file_put_contents("{$this->folder}/sess_text", $bytes);
        self::assertSame(SnapshotFailedException::class, $server->ask('text', 'do=add')['answer']);
        self::assertSame($bytes, $this->stored('text'));

        foreach (['', 'Keep', 'destory', 'destroy', 'DESTROY', 'Delete'] as $i => $setting) {
            \file_put_contents("{$this->folder}/sess_broken", $broken);
            $server = $this->serve(['polypack.session_on_failure' => $setting]);
            $server->ask('broken', 'do=add');
            self::assertSame($i < 3, \file_exists("{$this->folder}/sess_broken"), $setting);
        }
    }

    public function testAllButWordsForNoBindASignatureToItsSession(): void
    {
        \file_put_contents("{$this->folder}/keys", self::OLD);
        foreach (['0' => false, 'OFF' => false, 'none' => false, '1' => true, '2' => true, '-1' => true, 'On' => true, 'enabled' => true] as $setting => $isBound) {
            $server = $this->serve(['polypack.session_key_file' => "{$this->folder}/keys", 'polypack.session_bind_id' => (string) $setting]);
            self::assertSame(1, $server->ask("mine{$setting}", 'do=add')['answer']);
            \copy("{$this->folder}/sess_mine{$setting}", "{$this->folder}/sess_stolen{$setting}");
            self::assertSame($isBound ? SnapshotFailedException::class : 2, $server->ask("stolen{$setting}", 'do=add')['answer'], (string) $setting);
        }
    }

    public function testAFatalErrorInDecodingDestroysNoSessionUnlessASettingSaysSo(): void
    {
        $log = "{$this->folder}/log";
        foreach (['keep', 'destroy'] as $setting) {
            $server = $this->serve(['polypack.session_on_failure' => $setting, 'error_log' => $log, 'log_errors' => '1', 'display_errors' => '0']);
            $server->ask('mine', 'do=hooked');
            $before = $this->stored('mine');
            \stream_get_contents($server->send('mine', 'do=fatal'));
            $logged = (string) \file_get_contents($log);
            self::assertStringContainsString('PHP Fatal error:  Class Next', $logged);
            self::assertSame($setting === 'keep', \str_contains($logged, 'What was stored stays'), $logged);
            self::assertSame($setting === 'keep', \file_exists("{$this->folder}/sess_mine"));
            self::assertSame($setting === 'keep' ? \bin2hex($before) : '', \bin2hex((string) @\file_get_contents("{$this->folder}/sess_mine")));
            self::assertSame(1, $server->ask('mine', 'do=add')['answer'], 'the lock is released');
            \file_put_contents($log, '');
        }
    }

    public function testHooksRunOnceForASessionThatIsNoArray(): void
    {
        $bytes = Serializer::serialize(new Hooked('a'));
        Hooked::calls();
        $expected = ['a session is an array, which these bytes are not, at byte 0; the store is damaged', ['read a', 'free a']];
        foreach ([[], ['polypack.session_allowed_classes' => Hooked::class]] as $settings) {
            \file_put_contents("{$this->folder}/sess_object", $bytes);
            self::assertSame($expected, $this->serve($settings)->ask('object', 'do=calls')['answer']);
            self::assertSame($bytes, $this->stored('object'));
        }
    }

    public function testAutoloadersAreAskedOnceForAMissingClass(): void
    {
        $keys = "{$this->folder}/keys";
        \file_put_contents($keys, self::OLD);
        $value = ['a' => new \ArrayObject([]), 'b' => [new \ArrayObject([])]];
        $bytes = ClassesTest::renamed(Serializer::serialize($value), 'ArrayObject', 'Missing');
        $signing = ['polypack.session_key_file' => $keys];
        $allowing = ['polypack.session_allowed_classes' => 'Missing'];
        foreach ([[], $allowing, $signing, $signing + $allowing] as $settings) {
            $server = $this->serve($settings + ['polypack.session_migrate_until' => 'tomorrow']);
            \file_put_contents("{$this->folder}/sess_missing", $bytes);
            $isAllowed = $settings !== $signing; // a session without a signature has only the classes of the list
            self::assertSame($isAllowed ? ['Missing'] : [], $server->ask('missing', 'do=asked')['answer']);
            self::assertSame(['Missing'], $server->ask('missing', 'do=asked')['answer'], 'as it was written back');
        }
    }

    public function testWhatAProgramPutsIntoASessionThatCannotBeDecodedIsNotSaved(): void
    {
        // Written by two handlers of PHP, and by that of the extension msgpack.
        $written = ['n|i:5;', \serialize(['n' => 5]), "\x81\xa1n\x05"];
        $server = $this->serve();
        foreach ($written as $i => $bytes) {
            \file_put_contents("{$this->folder}/sess_other{$i}", $bytes);
            self::assertSame(SnapshotFailedException::class, $server->ask("other{$i}", 'do=add')['answer'], $bytes);
            $server->ask("other{$i}", 'do=go-on');
            self::assertSame($bytes, $this->stored("other{$i}"));
            $server->ask("other{$i}", 'do=give-up');
            self::assertFileDoesNotExist("{$this->folder}/sess_other{$i}");
            self::assertSame(1, $server->ask("other{$i}", 'do=add')['answer']);
        }
    }

    public function testTheGuideHasEachSettingAndItsDefault(): void
    {
        $table = \explode("\n| setting (`polypack.session_…`)", (string) \file_get_contents(self::GUIDE))[1] ?? '';
        \preg_match_all('/^\| (`.*?`) \| (.*?) ?\| /m', \explode("\n\n", $table)[0], $rows, \PREG_SET_ORDER);
        $defaults = [];
        foreach ($rows as [, $names, $default]) {
            foreach (\explode(', ', $names) as $name) {
                $defaults['polypack.session_' . \trim($name, '`')] = $default === 'all' ? '' : $default;
            }
        }
        $settings = (array) \ini_get_all('polypack', false);
        \ksort($settings);
        \ksort($defaults);

        self::assertSame($settings, $defaults);
    }

    public function testSessionsWithoutASignatureAreCounted(): void
    {
        $keys = "{$this->folder}/keys";
        \file_put_contents($keys, self::OLD);
        \file_put_contents("{$this->folder}/sess_plain", Serializer::serialize(['n' => 5]));
        $settings = ['polypack.session_key_file' => $keys, 'polypack.session_migrate_until' => 'tomorrow'];
        self::assertSame(1, $this->serve($settings)->ask('plain', 'do=unsigned')['answer']);
        $server = $this->serve($settings);
        self::assertSame(0, $server->ask('fresh', 'do=unsigned')['answer']);
        foreach (['cut' => \substr(Serializer::serialize(['n' => 5]), 0, -1), 'text' => Serializer::serialize('no array')] as $id => $bytes) {
            \file_put_contents("{$this->folder}/sess_{$id}", $bytes);
            self::assertSame(0, $server->ask($id, 'do=unsigned')['answer'], 'only those that are let in');
        }
    }

    public function testTheSettingsOfTheGuide(): void
    {
        $guide = (string) \file_get_contents(self::GUIDE);
        self::assertSame(1, \preg_match('/^```ini\n(.+?)^```$/ms', $guide, $block));
        $settings = \parse_ini_string($block[1] ?? '', false, \INI_SCANNER_RAW);
        self::assertIsArray($settings);
        /** @var array<string, string> $settings */
        $settings['polypack.session_key_file'] = "{$this->folder}/keys";
        \file_put_contents($settings['polypack.session_key_file'], self::OLD);
        $server = $this->serve($settings);
        $server->ask('mine', 'do=date');
        $answer = $server->ask('mine', 'do=all')['answer'];
        self::assertIsArray($answer);
        self::assertIsArray($answer['since']);
        self::assertSame('2026-01-02 00:00:00.000000', $answer['since']['date']);
        self::assertStringStartsWith("\xc1E", $this->stored('mine'));
    }

    public function testSignedSessionsAndTheirKeys(): void
    {
        $keys = "{$this->folder}/keys";
        \file_put_contents($keys, self::OLD);
        \file_put_contents("{$this->folder}/sess_plain", Serializer::serialize(['n' => 5, 'o' => new \ArrayObject([])]));
        $signed = ['polypack.session_key_file' => $keys];
        $server = $this->serve($signed);
        $server->ask('mine', 'do=add');
        $ring = KeyRing::fromFile($keys);
        self::assertSame(['n' => 1], Serializer::unserializeSigned($this->stored('mine'), $ring, ['purpose' => 'session:files:PHPSESSID']));

        \file_put_contents($keys, self::NEW . "\n" . self::OLD); // no restart
        self::assertSame(2, $server->ask('mine', 'do=add')['answer']);
        self::assertStringContainsString('new', \substr($this->stored('mine'), 0, 40));
        \file_put_contents($keys, self::NEW);
        self::assertSame(3, $server->ask('mine', 'do=add')['answer']);

        self::assertSame(SnapshotFailedException::class, $server->ask('plain', 'do=add')['answer']);
        \copy("{$this->folder}/sess_mine", "{$this->folder}/sess_stolen");
        self::assertSame(4, $server->ask('stolen', 'do=add')['answer'], 'a signature holds for any id');

        $server = $this->serve($signed + ['polypack.session_migrate_until' => 'tomorrow']);
        self::assertSame(6, $server->ask('plain', 'do=add')['answer']);
        self::assertSame(7, $server->ask('plain', 'do=add')['answer'], 'now it is signed');
        self::assertStringContainsString('__PHP_Incomplete_Class', \print_r(Serializer::unserializeSigned($this->stored('plain'), KeyRing::fromFile($keys), ['purpose' => 'session:files:PHPSESSID', 'allowed_classes' => false]), true));
        $server = $this->serve($signed + ['polypack.session_migrate_until' => 'yesterday', 'polypack.session_bind_id' => '1']);
        \file_put_contents("{$this->folder}/sess_late", Serializer::serialize(['n' => 5]));
        self::assertSame(SnapshotFailedException::class, $server->ask('late', 'do=add')['answer']);
        self::assertSame(1, $server->ask('bound', 'do=add')['answer']);
        self::assertSame(2, $server->ask('bound', 'do=add')['answer']);
        \copy("{$this->folder}/sess_bound", "{$this->folder}/sess_other");
        self::assertSame(SnapshotFailedException::class, $server->ask('other', 'do=add')['answer']);
    }

    public function testADateThatIsNoneIsAnError(): void
    {
        \file_put_contents("{$this->folder}/keys", self::OLD);
        \file_put_contents("{$this->folder}/sess_plain", $plain = Serializer::serialize(['n' => 5]));
        $server = $this->serve(['polypack.session_key_file' => "{$this->folder}/keys", 'polypack.session_migrate_until' => 'some day or other']);
        self::assertSame(InvalidOptionException::class, $server->ask('plain', 'do=add')['answer']);
        self::assertSame($plain, $this->stored('plain'));
        self::assertStringContainsString('polypack.session_migrate_until', \implode('', $server->ask('new', 'do=add')['warnings']));
    }

    public function testKeysFromTheEnvironmentAndAllowedClasses(): void
    {
        \putenv('POLYPACK_TEST_KEYS=' . self::NEW);
        $server = $this->serve(['polypack.session_key_env' => 'POLYPACK_TEST_KEYS', 'polypack.session_allowed_classes' => 'DateTimeZone, ArrayObject']);
        \putenv('POLYPACK_TEST_KEYS');
        $server->ask('mine', 'do=date');
        self::assertStringContainsString('new', \substr($this->stored('mine'), 0, 40));
        $answer = $server->ask('mine', 'do=all')['answer'];
        self::assertIsArray($answer);
        self::assertIsArray($answer['since']);
        self::assertSame('DateTimeImmutable', $answer['since']['__PHP_Incomplete_Class_Name']);
        $server = $this->serve(['polypack.session_key_env' => 'POLYPACK_TEST_KEYS']);
        self::assertSame(InvalidOptionException::class, $server->ask('mine', 'do=add')['answer'], 'a missing key is no missing signature');
    }

    #[RequiresPhpExtension('redis')]
    public function testSessionsInRedis(): void
    {
        $redis = new RedisServer();
        try {
            $settings = ['session.save_handler' => 'redis', 'session.save_path' => "unix://{$redis->socket}", 'redis.session.locking_enabled' => '1'];
            $server = $this->serve($settings);
            foreach (\range(1, 5) as $n) {
                self::assertSame($n, $server->ask('mine', 'do=add')['answer']);
            }
            self::assertNotSame([], $server->ask('mine', 'do=throw')['warnings']);
            self::assertSame(6, $server->ask('mine', 'do=add')['answer'], 'the lock is released');
            $answer = $server->ask('mine', 'do=regenerate&delete=1')['answer'];
            self::assertIsArray($answer);
            self::assertIsString($answer[1]);
            self::assertSame(['n' => 6], $server->ask($answer[1], 'do=all')['answer']);
        } finally {
            $redis->stop();
        }
    }
}
