<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\Snapshot\KeyRing;
use Polypack\Snapshot\Serializer;
use Polypack\Tests\Support\RedisServer;
use Polypack\Tests\Support\SessionFolder;
use Polypack\Tests\Support\WebServer;

/**
 * What stores of sessions do with snapshots: files and Redis, with locks, requests at the same time and new ids.
 */
#[RequiresPhpExtension('polypack')]
#[RequiresPhpExtension('posix')]
#[RequiresPhpExtension('redis')]
#[Group('slow')]
final class SessionStoresTest extends TestCase
{
    use SessionFolder;

    private ?WebServer $server = null;
    private ?RedisServer $redis = null;

    protected function setUp(): void
    {
        $this->makeFolderWithKeys();
    }

    protected function tearDown(): void
    {
        $this->server?->stop();
        $this->redis?->stop();
        $this->removeFolder();
    }

    /**
     * @return iterable<string, array{bool, bool}>
     */
    public static function stores(): iterable
    {
        yield 'files' => [false, false];
        yield 'files, signed' => [false, true];
        yield 'Redis' => [true, false];
        yield 'Redis, signed' => [true, true];
    }

    /**
     * @param array<string, string> $settings
     */
    private function serve(bool $isRedis, bool $isSigned, array $settings = []): WebServer
    {
        $settings += ['session.serialize_handler' => 'polypack', 'session.save_handler' => 'files', 'session.save_path' => $this->folder, 'display_errors' => '0'];
        if ($isRedis) {
            $this->redis ??= new RedisServer();
            $settings = ['session.save_handler' => 'redis', 'session.save_path' => "unix://{$this->redis->socket}", 'redis.session.locking_enabled' => '1', 'redis.session.lock_wait_time' => '5000', 'redis.session.lock_retries' => '4000'] + $settings;
        }
        if ($isSigned) {
            $settings += ['polypack.session_key_file' => "{$this->folder}/keys", 'polypack.session_bind_id' => '1'];
        }
        $this->server?->stop();

        return $this->server = new WebServer('session-router.php', $settings);
    }

    private function client(): \Redis
    {
        $client = new \Redis();
        \assert($this->redis !== null);
        $client->connect($this->redis->socket);

        return $client;
    }

    private function stored(string $id): string
    {
        if ($this->redis === null) {
            return (string) @\file_get_contents("{$this->folder}/sess_{$id}");
        }
        $bytes = $this->client()->get("PHPREDIS_SESSION:{$id}");

        return \is_string($bytes) ? $bytes : '';
    }

    private function store(string $id, string $bytes): void
    {
        $this->redis === null ? \file_put_contents("{$this->folder}/sess_{$id}", $bytes) : $this->client()->set("PHPREDIS_SESSION:{$id}", $bytes);
    }

    /**
     * Waits until a request holds its session.
     */
    private function waitFor(string $gate): void
    {
        for ($tries = 0; !\file_exists("{$gate}.in"); ++$tries) {
            self::assertLessThan(4000, $tries, 'the request never opened its session');
            \usleep(5_000);
            \clearstatcache();
        }
    }

    /**
     * What a request leaves as it was isn't written: what another program stores meanwhile stays.
     */
    #[DataProvider('stores')]
    public function testLazyWriteStoresOnlyWhatHasChanged(bool $isRedis, bool $isSigned): void
    {
        foreach (['1', '0'] as $isLazy) {
            $server = $this->serve($isRedis, $isSigned, ['session.lazy_write' => $isLazy]);
            $server->ask('mine', 'do=date');
            $server->ask('mine', 'do=add');
            $before = $this->stored('mine');
            $gate = "{$this->folder}/lazy{$isLazy}";
            $reading = $server->send('mine', 'do=hold&gate=' . \urlencode($gate));
            $this->waitFor($gate);
            $this->store('mine', 'a mark');
            \touch("{$gate}.go");
            self::assertSame($isLazy === '1' ? 1 : 2, WebServer::answerOf($reading));
            self::assertSame($isLazy === '1' ? 'a mark' : \bin2hex($before), $isLazy === '1' ? $this->stored('mine') : \bin2hex($this->stored('mine')));
            $this->store('mine', $before);
        }
    }

    #[DataProvider('stores')]
    public function testASecondRequestWaitsForTheFirst(bool $isRedis, bool $isSigned): void
    {
        $server = $this->serve($isRedis, $isSigned);
        $server->ask('mine', 'do=add');
        $gate = "{$this->folder}/gate";
        $first = $server->send('mine', 'do=hold&gate=' . \urlencode($gate));
        $this->waitFor($gate);
        self::assertSame(1, $server->ask('other', 'do=add')['answer'], 'another session has a lock of its own');
        $second = $server->send('mine', 'do=add');
        self::assertFalse(WebServer::hasAnswered($second, 0.2), 'the second request did not wait');
        \touch("{$gate}.go");
        self::assertSame(1, WebServer::answerOf($first));
        self::assertSame(2, WebServer::answerOf($second));

        $many = \array_map(static fn() => $server->send('mine', 'do=add'), \range(1, 8));
        $answers = \array_map(WebServer::answerOf(...), $many);
        \sort($answers);
        self::assertSame(\range(3, 10), $answers, 'none is lost');
    }

    /**
     * A hook that throws when PHP itself saves the session, at the end of the request.
     */
    #[DataProvider('stores')]
    public function testAHookThatThrowsAtTheEndOfARequestReleasesTheLock(bool $isRedis, bool $isSigned): void
    {
        $server = $this->serve($isRedis, $isSigned);
        $server->ask('mine', 'do=add');
        $before = $this->stored('mine');
        $gate = "{$this->folder}/gate";
        $throwing = $server->send('mine', 'do=throw&close=0&gate=' . \urlencode($gate));
        $this->waitFor($gate);
        $next = $server->send('mine', 'do=add');
        self::assertFalse(WebServer::hasAnswered($next, 0.1));
        self::assertSame(\bin2hex($before), \bin2hex($this->stored('mine')));
        $start = \microtime(true);
        \touch("{$gate}.go");
        self::assertSame(1, WebServer::answerOf($throwing));
        self::assertSame(2, WebServer::answerOf($next), 'what was stored has stayed');
        self::assertLessThan(10, \microtime(true) - $start, 'the lock ran out');
        if ($this->redis !== null) {
            self::assertSame([], $this->client()->keys('*_LOCK'));
        }
    }

    #[DataProvider('stores')]
    public function testIdsAreRegenerated(bool $isRedis, bool $isSigned): void
    {
        $server = $this->serve($isRedis, $isSigned);
        $server->ask('old', 'do=add');
        foreach (['0' => ['n' => 1], '1' => []] as $delete => $left) {
            $answer = $server->ask('old', "do=regenerate&delete={$delete}")['answer'];
            self::assertIsArray($answer);
            self::assertTrue($answer[0]);
            self::assertIsString($answer[1]);
            self::assertSame(2, $server->ask($answer[1], 'do=add')['answer']);
            self::assertSame(['n' => 2], $server->ask($answer[1], 'do=all')['answer']);
            self::assertSame($left, $server->ask('old', 'do=all')['answer']);
        }
    }

    /**
     * What was read under the old id must not be stored under the new one, where its signature doesn't hold.
     */
    #[DataProvider('stores')]
    public function testANewIdWhoseSessionCannotBeEncodedStaysReadable(bool $isRedis, bool $isSigned): void
    {
        $server = $this->serve($isRedis, $isSigned);
        $server->ask('old', 'do=add');
        $result = $server->ask('old', 'do=regenerate-throw');
        self::assertStringContainsString('The session was not saved', $result['warnings'][0] ?? '');
        self::assertNotSame('old', $result['id']);
        self::assertSame($isSigned ? [] : ['n' => 1], $server->ask($result['id'], 'do=all')['answer']);
        self::assertSame($isSigned ? 1 : 2, $server->ask($result['id'], 'do=add')['answer']);
    }

    #[DataProvider('stores')]
    public function testSessionsAreEncodedAndDecodedByHand(bool $isRedis, bool $isSigned): void
    {
        $server = $this->serve($isRedis, $isSigned);
        $server->ask('mine', 'do=add');
        $encoded = $server->ask('mine', 'do=encode')['answer'];
        self::assertSame(\bin2hex($this->stored('mine')), $encoded);
        $value = ['x' => [1.5, 'y'], 'n' => 7];
        $handler = $isRedis ? 'redis' : 'files';
        $bytes = $isSigned
            ? Serializer::serializeSigned($value, KeyRing::fromFile("{$this->folder}/keys"), ['purpose' => "session:{$handler}:PHPSESSID:mine"])
            : Serializer::serialize($value);
        self::assertSame([true, $value], $server->ask('mine', 'do=decode&bytes=' . \bin2hex($bytes))['answer']);
        self::assertSame(\bin2hex($bytes), \bin2hex($this->stored('mine')), 'what was decoded is saved');
        self::assertSame(\Polypack\Exception\SnapshotFailedException::class, $server->ask('mine', 'do=decode&bytes=c15301')['answer']);
        self::assertSame(8, $server->ask('mine', 'do=add')['answer'], 'a failed decode loses nothing');
    }
}
