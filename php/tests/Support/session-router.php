<?php

declare(strict_types=1);

// Answers the requests of SessionsTest: each says in `do` what happens to the session.

use Polypack\Snapshot\Sessions;
use Polypack\Tests\Support\Snapshot\Hooked;

require __DIR__ . '/../../vendor/autoload.php';

$warnings = [];
set_error_handler(static function (int $type, string $text) use (&$warnings): bool {
    $warnings[] = $text;

    return true;
});
$answer = null;
try {
    session_start(['use_strict_mode' => 0]);
    $answer = match ($_GET['do'] ?? '') {
        'add' => $_SESSION['n'] = (is_int($_SESSION['n'] ?? null) ? $_SESSION['n'] : 0) + 1,
        'all' => $_SESSION,
        'date' => $_SESSION['since'] = new DateTimeImmutable('2026-01-02 UTC'),
        'closure' => $_SESSION = ['n' => 99, 'run' => static fn(): int => 1],
        'throw' => $_SESSION['hooked'] = new Hooked('a'),
        'regenerate' => [session_regenerate_id((bool) ($_GET['delete'] ?? false)), session_id()],
        'encode' => bin2hex((string) session_encode()),
        'decode' => [session_decode((string) hex2bin(is_string($_GET['bytes'] ?? null) ? $_GET['bytes'] : '')), $_SESSION],
        'unsigned' => Sessions::unsigned(),
        default => null,
    };
    if (($_GET['do'] ?? '') === 'throw') {
        Hooked::$then = static fn(string $call) => str_starts_with($call, 'write') ? throw new DomainException('no') : null;
    }
    session_write_close();
} catch (Throwable $error) {
    $answer = $error::class;
}
echo json_encode(['answer' => $answer, 'warnings' => $warnings, 'id' => session_id()], JSON_THROW_ON_ERROR);
