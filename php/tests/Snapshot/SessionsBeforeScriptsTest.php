<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\Exception\SnapshotFailedException;
use Polypack\Snapshot\KeyRing;
use Polypack\Snapshot\Serializer;
use Polypack\Tests\Support\Box;
use Polypack\Tests\Support\Fpm;
use Polypack\Tests\Support\SessionFolder;
use Polypack\Tests\Support\WebServer;

/**
 * Sessions that PHP decodes before the script runs, so without an autoloader: for the progress of uploads, and because
 * of session.auto_start.
 */
#[RequiresPhpExtension('polypack')]
#[RequiresPhpExtension('posix')]
#[Group('once')]
#[Group('slow')]
final class SessionsBeforeScriptsTest extends TestCase
{
    use SessionFolder;

    private ?WebServer $server = null;
    private ?Fpm $fpm = null;

    protected function setUp(): void
    {
        $this->makeFolderWithKeys();
    }

    protected function tearDown(): void
    {
        $this->server?->stop();
        $this->fpm?->stop();
        $this->removeFolder();
    }

    /**
     * @param array<string, string> $settings
     *
     * @return array<string, string>
     */
    private function settings(array $settings): array
    {
        if (isset($settings['polypack.session_key_file'])) {
            $settings['polypack.session_key_file'] = "{$this->folder}/keys";
        }

        return $settings + [
            'session.serialize_handler' => 'polypack', 'session.save_handler' => 'files', 'session.save_path' => $this->folder, 'session.use_strict_mode' => '0',
            'session.upload_progress.enabled' => '1', 'session.upload_progress.cleanup' => '0', 'output_buffering' => '0',
            'display_errors' => '1', 'log_errors' => '1', 'error_log' => "{$this->folder}/log", 'html_errors' => '0',
        ];
    }

    /**
     * @param array<string, string> $settings
     */
    private function serve(array $settings = []): WebServer
    {
        return $this->server = new WebServer('session-router.php', $this->settings($settings));
    }

    private function stored(string $id): string
    {
        return (string) @\file_get_contents("{$this->folder}/sess_{$id}");
    }

    private function store(string $id, string $bytes): void
    {
        \file_put_contents("{$this->folder}/sess_{$id}", $bytes);
    }

    /**
     * Returns what has been logged since the last time.
     */
    private function logged(): string
    {
        $log = (string) @\file_get_contents("{$this->folder}/log");
        \file_put_contents("{$this->folder}/log", '');

        return $log;
    }

    private function assertLoggedOnce(string $reason): void
    {
        $log = $this->logged();
        self::assertStringContainsString("PHP Warning:  PHP Request Startup: The session can't be used before the script runs, and stays as it is.", $log);
        self::assertStringContainsString("call session_start() in the script: {$reason}", $log);
        self::assertSame(1, \substr_count($log, '] PHP '), $log);
    }

    /**
     * @return iterable<string, array{array<string, string>}>
     */
    public static function settingsThatNeedTheLibrary(): iterable
    {
        yield 'keys' => [['polypack.session_key_file' => 'keys']];
        yield 'keys and ids' => [['polypack.session_key_file' => 'keys', 'polypack.session_bind_id' => '1']];
        yield 'keys, which destroys' => [['polypack.session_key_file' => 'keys', 'polypack.session_on_failure' => 'destroy']];
        yield 'allowed classes' => [['polypack.session_allowed_classes' => Box::class]];
    }

    /**
     * @return iterable<string, array{array<string, string>}>
     */
    public static function settingsWithObjects(): iterable
    {
        yield 'none' => [[]];
        yield 'destroys' => [['polypack.session_on_failure' => 'destroy']];
        yield 'no lazy write' => [['session.lazy_write' => '0']];
        yield from self::settingsThatNeedTheLibrary();
    }

    /**
     * @param array<string, string> $settings
     */
    #[DataProvider('settingsWithObjects')]
    public function testAnUploadLeavesASessionWithObjectsAsItIs(array $settings): void
    {
        $server = $this->serve($settings);
        $server->ask('mine', 'do=add');
        $server->ask('mine', 'do=box');
        self::assertSame('', $this->logged());
        $before = $this->stored('mine');
        self::assertNotSame('', $before);
        $expected = ['answer' => ['n' => 1, 'box' => ['content' => 1]], 'warnings' => [], 'id' => 'mine'];
        self::assertSame($expected, $server->upload('mine', 'do=all'));
        self::assertSame(\bin2hex($before), \bin2hex($this->stored('mine')));
        $this->assertLoggedOnce('this session needs the PHP library');
        self::assertSame(2, $server->upload('mine', 'do=add')['answer'], 'what the script changes is saved');
        self::assertSame(3, $server->ask('mine', 'do=add')['answer']);
    }

    /**
     * @param array<string, string> $settings
     */
    #[DataProvider('settingsThatNeedTheLibrary')]
    public function testAnUploadWithAnIdThatNobodyHas(array $settings): void
    {
        $server = $this->serve($settings);
        self::assertSame(['answer' => [], 'warnings' => [], 'id' => 'invented'], $server->upload('invented', 'do=all'));
        $this->assertLoggedOnce('this session needs the PHP library');
        self::assertSame(1, $server->upload('invented', 'do=add')['answer']);
        self::assertSame(2, $server->ask('invented', 'do=add')['answer']);
    }

    public function testTheProgressOfAnUploadIsStoredInASessionThatCReads(): void
    {
        $server = $this->serve();
        $server->ask('mine', 'do=add');
        $server->ask('mine', 'do=date');
        $answer = $server->upload('mine', 'do=all')['answer'];
        self::assertIsArray($answer);
        self::assertSame(['n', 'since', 'upload_progress_form'], \array_keys($answer));
        self::assertIsArray($answer['upload_progress_form']);
        self::assertTrue($answer['upload_progress_form']['done']);
        self::assertSame('', $this->logged());
        self::assertSame(2, $server->ask('mine', 'do=add')['answer']);
    }

    /**
     * A session that another program has written must not get in before the signature or the class is looked at.
     */
    public function testAnUploadAcceptsNothingThatTheScriptRefuses(): void
    {
        $unsigned = Serializer::serialize(['n' => 1, 'at' => new \DateTimeZone('UTC')]);
        $signed = Serializer::serializeSigned(['n' => 1], KeyRing::fromFile("{$this->folder}/keys"), ['purpose' => 'session:files:PHPSESSID:other']);
        $server = $this->serve(['polypack.session_key_file' => 'keys', 'polypack.session_bind_id' => '1']);
        foreach ([$unsigned, $signed, \substr($unsigned, 0, -1), 'n|i:5;'] as $bytes) {
            $this->store('mine', $bytes);
            self::assertSame(SnapshotFailedException::class, $server->upload('mine', 'do=all')['answer']);
            self::assertSame(\bin2hex($bytes), \bin2hex($this->stored('mine')));
        }
        $server->stop();
        $server = $this->serve(['polypack.session_allowed_classes' => Box::class]);
        $this->store('mine', $unsigned);
        $answer = $server->upload('mine', 'do=all')['answer'];
        self::assertIsArray($answer);
        self::assertIsArray($answer['at']);
        self::assertSame('DateTimeZone', $answer['at']['__PHP_Incomplete_Class_Name']);
        self::assertSame(\bin2hex($unsigned), \bin2hex($this->stored('mine')));
    }

    public function testASessionThatThrowsBeforeTheScriptStays(): void
    {
        $server = $this->serve();
        $bytes = \str_replace('2026', 'year', Serializer::serialize(['n' => 1, 'at' => new \DateTimeImmutable('2026-01-02 UTC')]));
        $this->store('mine', $bytes);
        self::assertSame('Error', $server->upload('mine', 'do=all')['answer']);
        self::assertSame(\bin2hex($bytes), \bin2hex($this->stored('mine')));
        $this->assertLoggedOnce('Invalid serialization data');
    }

    /**
     * @param array<string, string> $settings
     */
    #[DataProvider('settingsWithObjects')]
    public function testAfterAutoStartTheScriptStartsASessionThatNeedsTheLibrary(array $settings): void
    {
        $server = $this->serve($settings + ['session.auto_start' => '1']);
        $server->ask('mine', 'do=add');
        $server->ask('mine', 'do=box');
        $this->logged();
        $before = $this->stored('mine');
        $expected = ['answer' => ['n' => 1, 'box' => ['content' => 1]], 'warnings' => [], 'id' => 'mine'];
        self::assertSame($expected, $server->ask('mine', 'do=all'));
        self::assertSame(\bin2hex($before), \bin2hex($this->stored('mine')));
        $this->assertLoggedOnce('this session needs the PHP library');
        self::assertSame(2, $server->ask('mine', 'do=add')['answer']);
        self::assertSame(3, $server->upload('mine', 'do=add')['answer']);
    }

    public function testAutoStartStartsASessionThatCReads(): void
    {
        $server = $this->serve(['session.auto_start' => '1']);
        foreach ([1, 2, 3] as $n) {
            $answer = $server->ask('mine', 'do=add');
            self::assertSame($n, $answer['answer']);
            self::assertStringContainsString('Ignoring session_start()', $answer['warnings'][0] ?? '');
        }
        self::assertSame('', $this->logged());
    }

    /**
     * @param array<string, string> $settings
     */
    #[DataProvider('settingsWithObjects')]
    #[RequiresPhpExtension('Zend OPcache')]
    public function testAPreloadedLibraryStoresTheProgress(array $settings): void
    {
        $this->startFpm($settings + ['zend_extension' => 'opcache', 'opcache.preload' => __DIR__ . '/../../preload.php']);
        $this->askFpm('mine', 'do=add');
        $this->askFpm('mine', 'do=box');
        foreach (['mine', 'invented'] as $id) {
            $answer = $this->askFpm($id, 'do=all', isUpload: true);
            self::assertSame($id === 'mine' ? ['n', 'box', 'upload_progress_form'] : ['upload_progress_form'], \array_keys($answer));
            self::assertIsArray($answer['upload_progress_form']);
            self::assertTrue($answer['upload_progress_form']['done']);
            self::assertSame($id === 'mine' ? ['content' => 1] : null, $answer['box'] ?? null);
        }
        self::assertSame('', $this->logged());
    }

    /**
     * @param array<string, string> $settings
     */
    #[DataProvider('settingsWithObjects')]
    public function testNoWorkerEnds(array $settings): void
    {
        $this->startFpm($settings);
        $this->askFpm('mine', 'do=add');
        $this->askFpm('mine', 'do=box');
        for ($times = 0; $times < 4; ++$times) {
            self::assertSame(['n' => 1, 'box' => ['content' => 1]], $this->askFpm('mine', 'do=all', isUpload: true));
            $this->askFpm('invented', 'do=all', isUpload: true);
        }
        self::assertStringNotContainsString('exited', (string) $this->fpm?->log());
    }

    /**
     * @param array<string, string> $settings
     */
    private function startFpm(array $settings): void
    {
        $program = Fpm::program();
        if ($program === null) {
            self::markTestSkipped('there is no php-fpm of this PHP; tools/setup brings it');
        }
        $this->fpm = new Fpm($program, $this->folder, $this->settings($settings));
    }

    /**
     * @return array<array-key, mixed>
     */
    private function askFpm(string $id, string $query, bool $isUpload = false): array
    {
        $parameters = ['HTTP_COOKIE' => "PHPSESSID={$id}"] + ($isUpload ? ['CONTENT_TYPE' => WebServer::FORM_TYPE] : []);
        $answer = (string) $this->fpm?->ask(__DIR__ . '/../Support/session-router.php', $query, $parameters, $isUpload ? WebServer::form() : '');
        self::assertJson($answer);
        /** @var array{answer: mixed} $decoded */
        $decoded = \json_decode($answer, true, 512, \JSON_THROW_ON_ERROR);

        return (array) $decoded['answer'];
    }
}
