<?php

declare(strict_types=1);

// Answers the requests of ApcuTest: each says in `do` what happens to the shared memory.

use Polypack\Tests\Support\Snapshot\Hooked;
use Polypack\Tests\Support\Snapshot\Point;
use Polypack\Tests\Support\Suit;

require __DIR__ . '/../../vendor/autoload.php';

$point = new Point(1, new Point(2));
$value = [
    'rows' => array_map(static fn(int $i): array => ['id' => $i, 'name' => "row {$i}", 'price' => $i / 4], range(1, 50)),
    'point' => $point, 'same' => $point, 'suit' => Suit::Hearts, 'date' => new DateTimeImmutable('2026-01-02 UTC'), "\xff" => [],
];
$value['list'] = &$value['rows'];

// A class that only some requests have.
if (isset($_GET['class'])) {
    eval('final class Passing { public int $n = 7; }');
}

/** What the hooks do, also to the entry that is being written or read. */
$interfere = static function () use ($point): void {
    apcu_store('inside', [$point, array_fill(0, 500, 'x')]);
    apcu_fetch('value');
    apcu_delete('hooked');
    apcu_store('hooked', [str_repeat('x', 3000)]);
};

try {
    $answer = match ($_GET['do'] ?? '') {
        'settings' => [ini_get('apc.serializer'), getmypid()],
        'store' => apcu_store(['value' => $value, 'text' => 'text', 'number' => 5]),
        'fetch' => [serialize((array) apcu_fetch('value')) === serialize($value), apcu_fetch(['text', 'number']), polypack_stats()['snapshotsRead']],
        'hooks' => (static function () use ($interfere): array {
            Hooked::$then = $interfere;
            apcu_store('hooked', [new Hooked('a'), new Hooked('b')]);
            $overwritten = apcu_fetch('hooked');
            apcu_store('other', ['one' => new Hooked('c', [1]), 'two' => new Hooked('d')]);
            $other = apcu_fetch('other');
            Hooked::$then = null;

            return [is_array($overwritten), is_array($other) ? array_map(static fn(mixed $hooked): mixed => $hooked instanceof Hooked ? $hooked->value : null, $other) : null, Hooked::calls(), is_array(apcu_fetch('inside'))];
        })(),
        'closure' => apcu_store('value', [static fn(): int => 1]),
        'store passing' => apcu_store('passing', [unserialize('O:7:"Passing":0:{}'), 'beside']),
        'fetch passing' => array_map(get_debug_type(...), (array) apcu_fetch('passing')),
        default => null,
    };
} catch (Throwable $error) {
    $answer = [$error::class, $error->getMessage()];
}
echo json_encode($answer, JSON_THROW_ON_ERROR);
