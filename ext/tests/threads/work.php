<?php

declare(strict_types=1);

use Polypack\BufferUnpacker;
use Polypack\Canonical;
use Polypack\Exception\PolypackException;
use Polypack\MessagePack;
use Polypack\Native\Engine;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Records\SharedRecords;
use Polypack\Snapshot\Serializer;
use Polypack\Stores\MemoryStore;
use Polypack\StreamUnpacker;
use Polypack\UnpackOptions;

// What each thread of threads.c does in a request: whatever keeps state in C. Every value is read back and compared;
// the answer is a hash of all bytes, which depends on the seed alone.

// Not library.inc: it sets a variable of the environment, and PHP frees such a variable of one thread while the others
// read it (php_putenv_destructor() takes no lock).
spl_autoload_register(static function (string $class): void {
	$file = dirname(__DIR__, 3) . '/php/src/' . str_replace('\\', '/', substr($class, 9)) . '.php';
	if (str_starts_with($class, 'Polypack\\') && is_file($file)) {
		require $file;
	}
});

if (!class_exists('ThreadPoint', false)) {
	enum ThreadColour: string
	{
		case Red = 'red';
		case Green = 'green';
	}

	class ThreadPoint
	{
		public ?self $next = null;

		public function __construct(public readonly int $x, protected array $tags, private ?ThreadColour $colour) {}
	}

	final class ThreadHooks
	{
		public function __construct(public array $data = []) {}

		public function __serialize(): array
		{
			// A message inside a message, while the outer one uses the scratch memory.
			return ['data' => MessagePack::pack($this->data)];
		}

		public function __unserialize(array $data): void
		{
			$this->data = MessagePack::unpack($data['data']);
		}
	}

	final class ThreadSessions implements SessionHandlerInterface
	{
		/** @var array<string, string> */
		public static array $stored = [];

		public function open(string $path, string $name): bool
		{
			return true;
		}

		public function close(): bool
		{
			return true;
		}

		public function read(string $id): string
		{
			return self::$stored[$id] ?? '';
		}

		public function write(string $id, string $data): bool
		{
			self::$stored[$id] = $data;

			return true;
		}

		public function destroy(string $id): bool
		{
			return true;
		}

		public function gc(int $max_lifetime): int
		{
			return 0;
		}
	}
}

return static function (int $seed): string {
	Engine::isActive() || throw new LogicException("the extension isn't active");
	$hash = hash_init('sha256');
	$same = static function (mixed $value, mixed $expected, string $what): void {
		// Objects are compared by their values.
		(is_object($expected) ? $value == $expected : $value === $expected) || throw new LogicException("{$what} came back as another value");
	};
	$add = static function (string $bytes) use ($hash): string {
		hash_update($hash, $bytes);

		return $bytes;
	};

	$rows = [];
	for ($i = 0; $i < 40; ++$i) {
		$rows[] = ['id' => $seed * 1000 + $i, "name{$seed}" => str_repeat("ä{$i}", $i), 'rate' => $seed + $i / 8, 'flags' => [$i % 2 === 0, null, -$i]];
	}
	foreach ([0, PackOptions::STRICT, PackOptions::LOSSLESS, PackOptions::RECORDS_INLINE] as $options) {
		$bytes = $add(MessagePack::pack($rows, $options));
		// Lossless values have objects for what PHP can't tell apart, so bytes are compared.
		$same(MessagePack::pack(MessagePack::unpack($bytes, $options), $options), $bytes, "options {$options}");
		foreach ((new StreamUnpacker($options))->decode(str_split($bytes, 7)) as $value) {
			$same(MessagePack::pack($value, $options), $bytes, "a stream, options {$options}");
		}
	}
	$same(polypack_unpack($add(polypack_pack($rows))), $rows, 'polypack_pack');
	$add((new Canonical())->canonicalize(MessagePack::pack(array_reverse($rows[0]))));

	// Records of names, and of none; a dictionary that requests of one thread make and free.
	$records = new SharedRecords(new MemoryStore());
	$packer = new Packer(PackOptions::of(records: $records));
	$unpacker = new BufferUnpacker('', UnpackOptions::of(records: $records));
	for ($i = 0; $i < 3; ++$i) {
		$same($unpacker->reset($add($packer->pack($rows)))->unpack(), $rows, 'shared records');
	}

	// Snapshots: an object graph with a cycle, hooks, dates, rows; signed ones.
	$first = new ThreadPoint($seed, ['a' => [$seed]], ThreadColour::Red);
	$first->next = new ThreadPoint($seed + 1, $rows, null);
	$first->next->next = $first;
	$back = Serializer::unserialize($add(Serializer::serialize([$first, $rows])), ['allowed_classes' => true]);
	$same($back[1], $rows, 'a snapshot of rows');
	$same($back[0]->next->next, $back[0], 'a cycle');
	$same([$back[0]->x, $back[0]->next->x], [$seed, $seed + 1], 'a snapshot of objects');
	foreach ([new ThreadHooks($rows), new DateTimeImmutable("@{$seed}00000"), ThreadColour::Green] as $object) {
		$same(polypack_unserialize($add(polypack_serialize($object))), $object, $object::class);
	}
	$key = str_repeat(chr(65 + $seed), 32);
	$signed = $add(polypack_serialize_signed($rows, $key, ['purpose' => "thread:{$seed}"]));
	$same(polypack_unserialize_signed($signed, $key, ['purpose' => "thread:{$seed}"]), $rows, 'a signed snapshot');

	// Faults have state, too: their paths and offsets.
	$message = MessagePack::pack($rows);
	foreach ([substr($message, 0, -1), "\xc1", substr($signed, 1), "\x91\xd9"] as $faulty) {
		try {
			MessagePack::unpack($faulty);
			throw new LogicException('a faulty message was read');
		} catch (PolypackException $fault) {
			$add($fault->getMessage());
		}
	}
	try {
		polypack_unserialize_signed($signed, str_repeat('?', 32), ['purpose' => "thread:{$seed}"]);
		throw new LogicException('a signature of another key was taken');
	} catch (PolypackException $fault) {
		$add($fault->getMessage());
	}

	// A session, written when it ends and read in the next.
	session_set_save_handler(new ThreadSessions());
	$settings = ['serialize_handler' => 'polypack', 'use_cookies' => '0', 'use_only_cookies' => '0', 'cache_limiter' => '', 'gc_probability' => '0'];
	session_id("thread{$seed}");
	session_start($settings);
	$_SESSION = ['rows' => $rows];
	session_write_close();
	$_SESSION = [];
	session_id("thread{$seed}");
	session_start($settings);
	$same($_SESSION['rows'], $rows, 'a session');
	session_abort();
	$add(ThreadSessions::$stored["thread{$seed}"]);

	return hash_final($hash);
};
