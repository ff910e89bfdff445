<?php

declare(strict_types=1);

namespace Polypack\Tests\Native;

use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\Tests\Support\Fpm;

/**
 * The extension in processes that serve many requests, with a preloaded library: what it keeps for a request (keys,
 * classes, how deep it is) must not reach the next.
 */
#[RequiresPhpExtension('polypack')]
#[RequiresPhpExtension('posix')]
#[RequiresPhpExtension('Zend OPcache')]
#[Group('once')]
#[Group('slow')]
final class FpmTest extends TestCase
{
    private const ROUTER = __DIR__ . '/../Support/fpm-router.php';

    private string $folder;
    private ?Fpm $fpm = null;

    protected function setUp(): void
    {
        $program = Fpm::program();
        if ($program === null) {
            self::markTestSkipped('there is no php-fpm of this PHP; tools/setup brings it');
        }
        $this->folder = \sys_get_temp_dir() . '/polypack-fpm-' . \bin2hex(\random_bytes(8));
        \mkdir($this->folder);
        $this->fpm = new Fpm($program, $this->folder, [
            'zend_extension' => 'opcache',
            'opcache.preload' => __DIR__ . '/../Support/fpm-preload.php',
            'opcache.validate_timestamps' => '1',
            'opcache.revalidate_freq' => '0',
            'opcache.file_update_protection' => '0',
            'output_buffering' => '0', // what a request has said before a fatal error is sent
        ]);
    }

    protected function tearDown(): void
    {
        $this->fpm?->stop();
        if ($this->fpm !== null) {
            foreach ((array) \glob("{$this->folder}/*") as $file) {
                \unlink((string) $file);
            }
            \rmdir($this->folder);
        }
    }

    public function testKeysEndWithTheirRequest(): void
    {
        $counts = [];
        for ($number = 1; $number <= 40; ++$number) {
            ['pid' => $pid, 'answer' => $answer, 'counts' => $count] = $this->ask("do=names&number={$number}");
            self::assertTrue($answer, "request {$number} has its own keys");
            $counts[$pid] = $count;
        }
        self::assertLessThanOrEqual(2, \count($counts), 'no worker ended');
        self::assertSame([], \array_filter($counts, static fn(array $count): bool => $count['decoded'] < 1), 'the extension did it');
    }

    public function testARequestThatEndsInsideAMessageLeavesNothing(): void
    {
        foreach (['exit' => 0, 'fatal error' => 1] as $how => $number) {
            // more often than containers may be open: each leaves some behind if they are not forgotten
            for ($times = 0; $times < 12; ++$times) {
                foreach (['pack', 'unpack'] as $operation) {
                    self::assertSame('ended', $this->fpm?->ask(self::ROUTER, "do={$operation}&number={$number}"), "{$operation}, {$how}");
                }
                self::assertTrue($this->ask("do=names&number={$times}")['answer'], $how);
            }
        }
    }

    public function testAScriptThatChangesGetsItsNewClass(): void
    {
        $file = "{$this->folder}/item.php";
        foreach (['public int $id = 1;', 'public string $name = "n"; public ?float $price = 1.5;', 'public readonly array $list; public function __construct() { $this->list = [1, 2]; }'] as $version => $members) {
            \file_put_contents($file, "<?php final class Item { {$members} } return new Item();");
            \touch($file, 1_700_000_000 + $version); // a time of its own for each
            $expected = [['id' => 1], ['name' => 'n', 'price' => 1.5], ['list' => [1, 2]]][$version];
            for ($times = 0; $times < 4; ++$times) {
                self::assertSame($expected, $this->ask('do=class&file=' . \rawurlencode($file))['answer']);
            }
        }
    }

    /**
     * @return array{pid: int, answer: mixed, counts: array<string, int>}
     */
    private function ask(string $query): array
    {
        $body = (string) $this->fpm?->ask(self::ROUTER, $query);
        self::assertJson($body, (string) $this->fpm?->log());
        /** @var array{pid: int, engine: string, answer: mixed, preloaded: bool, counts: array<string, int>} $answer */
        $answer = \json_decode($body, true, 512, \JSON_THROW_ON_ERROR);
        self::assertSame(['ext', true], [$answer['engine'], $answer['preloaded']]);

        return $answer;
    }
}
