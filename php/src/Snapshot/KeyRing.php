<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

use Polypack\Exception\InvalidOptionException;

/**
 * Holds keys that sign snapshots, by their ids. The first key signs. An envelope has the id of the key that verifies
 * it. A plain frame has no id, so all keys are tried. To rotate, put a new key with a new id in front, and remove the
 * old key when nothing signed with it is left.
 *
 * @api
 */
final class KeyRing
{
    public const SHORTEST = 16;
    public const LONGEST_ID = 32;

    /** Holds an array of keys by their ids. Neither var_export() nor a cast to an array shows it. */
    private readonly \SensitiveParameterValue $keys;

    private readonly string $id;

    /**
     * @param array<array-key, string> $keys by id. An id has 1 to 32 letters, digits, `.`, `_` or `-`. A key has at
     *                                       least 16 bytes, better 32 from random_bytes()
     */
    public function __construct(#[\SensitiveParameter] array $keys)
    {
        /** @var array<array-key, string> $named */
        $named = [];
        foreach ($keys as $id => $key) {
            $id = (string) $id;
            if (\preg_match('/^[A-Za-z0-9._-]{1,32}$/D', $id) !== 1) {
                throw InvalidOptionException::key('has an id that is not 1 to 32 letters, digits, dots, underscores or hyphens');
            }
            $named[$id] = self::checked($key);
        }
        if ($named === []) {
            throw InvalidOptionException::key('ring is empty; give it at least one key');
        }
        $this->keys = new \SensitiveParameterValue($named);
        $this->id = (string) \array_key_first($named);
    }

    /**
     * Reads keys from a file: in each line an id, `=` and the key in base64. Empty lines and lines that begin with `#`
     * are ignored. A later change of the file doesn't change the ring.
     */
    public static function fromFile(string $path): self
    {
        $hasFailed = false;
        \set_error_handler(static function () use (&$hasFailed): bool {
            return $hasFailed = true;
        });
        try {
            $text = \file_get_contents($path);
        } finally {
            \restore_error_handler();
        }
        // PHP returns what it has read so far if reading fails, and '' for a folder
        if ($text === false || $hasFailed) {
            throw InvalidOptionException::key("file can't be read: {$path}");
        }

        return self::fromText($text, $path);
    }

    /**
     * @internal
     *
     * @param string $source where the text comes from, for errors
     */
    public static function fromText(#[\SensitiveParameter] string $text, string $source): self
    {
        $keys = [];
        foreach (\explode("\n", \str_replace("\r", '', $text)) as $number => $line) {
            if (\trim($line) === '' || \str_starts_with($line, '#')) {
                continue;
            }
            [$id, $encoded] = [...\explode('=', $line, 2), ''];
            $key = \base64_decode(\trim($encoded), true);
            if ($key === false || isset($keys[\trim($id)])) {
                $line = $number + 1;
                throw InvalidOptionException::key("file has no line `id=base64` with a new id at line {$line}: {$source}");
            }
            $keys[\trim($id)] = $key;
        }

        return new self($keys);
    }

    /**
     * @internal
     */
    public static function from(#[\SensitiveParameter] string|self $key): self|string
    {
        return \is_string($key) ? self::checked($key) : $key;
    }

    /**
     * @internal
     *
     * @return array{string, string} id and key
     */
    public function signing(): array
    {
        return [$this->id, $this->all()[$this->id] ?? ''];
    }

    /**
     * @internal
     */
    public function key(string $id): ?string
    {
        return $this->all()[$id] ?? null;
    }

    /**
     * @internal
     *
     * @return non-empty-array<array-key, string>
     */
    public function all(): array
    {
        return $this->keys->getValue(); // @phpstan-ignore return.type
    }

    /**
     * @return array{ids: list<string>} only the ids, so that no key is shown
     */
    public function __debugInfo(): array
    {
        return ['ids' => \array_map(\strval(...), \array_keys($this->all()))];
    }

    /**
     * Throws, because keys must not get into a cache.
     */
    public function __serialize(): never
    {
        throw new \LogicException('a key ring is not serialized');
    }

    /**
     * Throws, because no bytes can hold a ring: __serialize() throws, too.
     *
     * @param array<array-key, mixed> $data
     */
    public function __unserialize(array $data): never
    {
        throw new \LogicException('a key ring is not unserialized');
    }

    private static function checked(#[\SensitiveParameter] string $key): string
    {
        return \strlen($key) >= self::SHORTEST ? $key : throw InvalidOptionException::key('has ' . \strlen($key) . ' bytes; take at least 16, better random_bytes(32)');
    }
}
