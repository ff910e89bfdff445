<?php

declare(strict_types=1);

// Answers the requests of SessionsTest: each says in `do` what happens to the session.

use Polypack\Exception\SnapshotFailedException;
use Polypack\Snapshot\Sessions;
use Polypack\Tests\Support\Box;
use Polypack\Tests\Support\Snapshot\Hooked;

require __DIR__ . '/count-lines.php';
require __DIR__ . '/../../vendor/autoload.php';

/**
 * Counts in the session, says that it is open, and waits for the test.
 */
function hold(string $gate): int
{
    $n = $_SESSION['n'] ?? 0;
    assert(is_int($n));
    if ($gate !== '') {
        touch("{$gate}.in");
        for ($tries = 0; !file_exists("{$gate}.go") && $tries < 4000; ++$tries) {
            usleep(5_000);
            clearstatcache();
        }
    }

    return $n;
}

$warnings = [];
set_error_handler(static function (int $type, string $text) use (&$warnings): bool {
    if (($_GET['handler'] ?? '') === 'throws') {
        throw new ErrorException($text);
    }
    $warnings[] = $text;

    return true;
});
$answer = null;
$asked = []; // of the autoloaders
spl_autoload_register(static function (string $class) use (&$asked): void {
    $asked[] = $class;
});
if (($_GET['do'] ?? '') === 'fatal') {
    restore_error_handler(); // so that warnings are logged
    // as a broken file of a class, which an autoloader loads
    Hooked::$then = static function (string $call): void {
        if (str_starts_with($call, 'read')) {
            eval('final class Last {} class Next extends Last {}');
        }
    };
}
try {
    try {
        session_start([]); // PHPStan thinks that it throws nothing without an argument
    } catch (SnapshotFailedException $error) {
        // Programs that go on.
        match ($_GET['do'] ?? '') {
            'go-on' => $_SESSION['n'] = 99,
            'give-up' => session_destroy(),
            'calls' => $answer = [$error->getMessage(), Hooked::calls()],
            'unsigned' => null,
            default => throw $error,
        };
    }
    $answer = match ($_GET['do'] ?? '') {
        'add' => $_SESSION['n'] = (is_int($_SESSION['n'] ?? null) ? $_SESSION['n'] : 0) + 1,
        'all' => $_SESSION,
        'date' => $_SESSION['since'] = new DateTimeImmutable('2026-01-02 UTC'),
        'box' => $_SESSION['box'] = new Box(1),
        'closure' => $_SESSION = ['n' => 99, 'run' => static fn(): int => 1],
        'exit', 'hooked' => $_SESSION['hooked'] = new Hooked('a'),
        'lose-keys' => unlink((string) ini_get('polypack.session_key_file')),
        'throw' => [hold(is_string($_GET['gate'] ?? null) ? $_GET['gate'] : ''), $_SESSION['hooked'] = new Hooked('a')][0],
        'regenerate-throw' => [session_regenerate_id(true), session_id(), $_SESSION['hooked'] = new Hooked('a')],
        'regenerate' => [session_regenerate_id((bool) ($_GET['delete'] ?? false)), session_id()],
        'encode' => bin2hex((string) session_encode()),
        'decode' => [session_decode((string) hex2bin(is_string($_GET['bytes'] ?? null) ? $_GET['bytes'] : '')), $_SESSION],
        'hold' => hold(is_string($_GET['gate'] ?? null) ? $_GET['gate'] : ''),
        'unsigned' => Sessions::unsigned(),
        'asked' => array_values(array_filter($asked, static fn(string $class): bool => !str_starts_with($class, 'Polypack\\'))),
        'calls' => $answer,
        default => null,
    };
    $then = match ($_GET['do'] ?? '') {
        'throw', 'regenerate-throw' => static fn() => throw new DomainException('no'),
        'exit' => static fn() => exit,
        default => null,
    };
    if ($then !== null) {
        Hooked::$then = static fn(string $call) => str_starts_with($call, 'write') ? $then() : null;
    }
    if (($_GET['close'] ?? '1') === '1') {
        session_write_close();
    }
} catch (Throwable $error) {
    $answer = $error::class;
}
echo json_encode(['answer' => $answer, 'warnings' => $warnings, 'id' => session_id()], JSON_THROW_ON_ERROR);
if (($_GET['handler'] ?? '') !== 'throws') {
    restore_error_handler(); // what comes now is logged
}
