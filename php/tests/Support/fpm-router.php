<?php

declare(strict_types=1);

// Answers the requests of FpmTest: each says in `do` what happens.

use Polypack\BufferUnpacker;
use Polypack\CanBePacked;
use Polypack\Engine;
use Polypack\Extension;
use Polypack\MessagePack;
use Polypack\Packer;

require_once __DIR__ . '/../../vendor/autoload.php';

$number = is_string($_GET['number'] ?? null) ? (int) $_GET['number'] : 0;
$during = new class ($number) implements CanBePacked, Extension {
    public function __construct(private readonly int $number) {}

    public function pack(Packer $packer, mixed $value = null): string
    {
        return $this->end();
    }

    public function getType(): int
    {
        return 7;
    }

    public function unpackExt(BufferUnpacker $unpacker, int $extLength): never
    {
        $this->end();
    }

    /** Ends the request in the middle of a message. */
    private function end(): never
    {
        echo 'ended';
        if ($this->number === 0) {
            exit;
        }
        ini_set('display_errors', '0');
        ini_set('memory_limit', '2M');
        exit(strlen(str_repeat('x', 1 << 30)) . ' bytes fitted in');
    }
};
$answer = match ($_GET['do'] ?? '') {
    // 700 keys that only this request has, more than are kept or interned
    'names' => (static function () use ($number): bool {
        $names = array_map(static fn(int $i): string => sprintf('%d of %d', $i, $number), range(1, 700));
        $rows = array_fill(0, 3, array_flip($names));

        return MessagePack::unpack(MessagePack::pack($rows)) === $rows;
    })(),
    'class' => (static function (): mixed {
        $item = require is_string($_GET['file'] ?? null) ? $_GET['file'] : '';
        assert(is_object($item));
        $again = polypack_unserialize(polypack_serialize([$item, $item]), ['allowed_classes' => [$item::class]]);

        return serialize($again) === serialize([$item, $item]) ? get_object_vars($item) : $again;
    })(),
    'pack' => (new Packer())->pack([['before' => 1], ['list' => [[[$during]]]]]),
    'unpack' => (new BufferUnpacker("\x82\xa6before\x01\xa4list\x91\x91\x91\xd4\x07\x00", extensions: [$during]))->unpack(),
    default => null,
};
echo json_encode(['pid' => getmypid(), 'engine' => Engine::active()['engine'], 'answer' => $answer, 'preloaded' => isset(opcache_get_status()['preload_statistics']), 'counts' => polypack_stats()], \JSON_THROW_ON_ERROR);
