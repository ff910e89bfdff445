<?php

declare(strict_types=1);

namespace Polypack\Stores;

use Polypack\Exception\InvalidOptionException;
use Predis\ClientInterface;
use Predis\Response\ErrorInterface;

/**
 * Keeps a dictionary under a key of Redis. Redis must not expire or evict the key.
 *
 * The key holds the bytes themselves, so that every language can read them. The client and the script exchange them as
 * hexadecimal digits, because clients can be configured to serialize or compress strings. Redis runs a script
 * atomically, so a script can compare and set. The scripts are those of the JavaScript package.
 *
 * @api
 */
final class RedisStore implements DictionaryStore
{
    /** An argument of the script REPLACE: the key is expected to be missing. */
    private const NOTHING = '-';

    private const HEX = <<<'LUA'
        local function hex(bytes)
          return (bytes:gsub('.', function(byte) return string.format('%02x', byte:byte()) end))
        end
        local kept = redis.call('GET', KEYS[1])

        LUA;

    private const LOAD = self::HEX . 'return kept and hex(kept)';

    private const REPLACE = self::HEX . <<<'LUA'
        if (kept and hex(kept) or '-') ~= ARGV[1] then return 0 end
        redis.call('SET', KEYS[1], (ARGV[2]:gsub('..', function(digits) return string.char(tonumber(digits, 16)) end)))
        return 1
        LUA;

    /**
     * @param \Redis|\RedisCluster|ClientInterface|\Closure(string, list<string>, list<string>): mixed $client a
     *     connected client of ext-redis or Predis. For any other client, a function that runs a Lua script with keys
     *     and arguments and returns the reply, or null or false where Redis replied nil. It must throw when Redis
     *     reports an error
     * @param string $key the key of the dictionary; not empty. If the client has a prefix for keys, it adds the prefix
     *
     * @throws InvalidOptionException
     */
    public function __construct(
        private readonly \Redis|\RedisCluster|ClientInterface|\Closure $client,
        private readonly string $key,
    ) {
        if ($key === '') {
            throw InvalidOptionException::emptyName('key of Redis');
        }
    }

    /**
     * @throws \Throwable any error of the client; also if the reply is an error, or isn't what the script returns
     */
    public function load(): ?string
    {
        $reply = $this->run(self::LOAD);
        if ($reply === null || $reply === false) {
            return null;
        }
        // No regular expression, because PCRE has limits that long content would exceed.
        if (!\is_string($reply) || \strlen($reply) % 2 !== 0 || \strspn($reply, '0123456789abcdef') !== \strlen($reply)) {
            throw new \UnexpectedValueException('the client did not return the reply of the script as a string');
        }

        return (string) \hex2bin($reply);
    }

    /**
     * @throws \Throwable any error of the client; also if the reply is an error, or isn't what the script returns
     */
    public function replace(?string $expected, string $next): bool
    {
        $before = $expected === null ? self::NOTHING : \bin2hex($expected);
        $reply = $this->run(self::REPLACE, $before, \bin2hex($next));
        if ($reply !== 0 && $reply !== 1 && $reply !== '0' && $reply !== '1') {
            throw new \UnexpectedValueException('the client did not return the reply of the script as an integer');
        }

        return (int) $reply === 1;
    }

    private function run(string $script, string ...$values): mixed
    {
        $values = \array_values($values);
        if ($this->client instanceof \Closure) {
            return ($this->client)($script, [$this->key], $values);
        }
        if ($this->client instanceof ClientInterface) {
            $reply = $this->client->eval($script, 1, $this->key, ...$values);
            if ($reply instanceof ErrorInterface) { // from a client that is configured not to throw
                throw new \RuntimeException($reply->getMessage());
            }

            return $reply;
        }
        $this->client->clearLastError();
        $reply = $this->client->eval($script, [$this->key, ...$values], 1);
        $error = $reply === false ? $this->client->getLastError() : null; // false without an error stands for nil
        if ($error !== null) {
            throw new \RuntimeException($error);
        }

        return $reply;
    }
}
