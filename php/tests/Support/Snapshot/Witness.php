<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

// PHP deprecates the interface where a class is declared that has nothing newer
\set_error_handler(static fn(): bool => true, \E_DEPRECATED);

/**
 * Objects and a case that tell which of their code ran: one for each way in which native unserialize() makes them.
 */
final class Witness
{
    /** @var list<string> */
    public static array $calls = [];

    /**
     * @return array<string, object>
     */
    public static function all(): array
    {
        return ['waking' => new Waking(), 'filled' => new Filled(), 'parsed' => new Parsed(), 'dying' => new Dying(), 'case' => Rank::Ace];
    }

    /**
     * @return list<string> the calls since the last time
     */
    public static function calls(): array
    {
        \gc_collect_cycles();
        $calls = self::$calls;
        self::$calls = [];

        return $calls;
    }
}

final class Waking
{
    public function __wakeup(): void
    {
        Witness::$calls[] = __METHOD__;
    }
}

final class Filled
{
    /**
     * @param array<array-key, mixed> $data
     */
    public function __unserialize(array $data): void
    {
        Witness::$calls[] = __METHOD__;
    }
}

final class Parsed implements \Serializable // @phpstan-ignore class.serializable, class.serializable
{
    public function serialize(): string
    {
        return 'text';
    }

    public function unserialize(string $data): void
    {
        Witness::$calls[] = __METHOD__;
    }
}

final class Dying
{
    public function __destruct()
    {
        Witness::$calls[] = __METHOD__;
    }
}

enum Rank
{
    case Ace;
}

/**
 * Keeps a value, and gives it to native serialize() itself, as classes of the old interface do.
 */
class Keeping implements \Serializable // @phpstan-ignore class.serializable, class.serializable
{
    public function __construct(public mixed $value = null) {}

    public function serialize(): string
    {
        return \serialize($this->value);
    }

    public function unserialize(string $data): void
    {
        $this->value = \unserialize($data);
    }
}

/**
 * Keeps a value in a form that nobody can look through.
 */
final class Hiding extends Keeping // @phpstan-ignore class.serializable, class.serializable
{
    public function serialize(): string
    {
        return \base64_encode(parent::serialize());
    }

    public function unserialize(string $data): void
    {
        parent::unserialize((string) \base64_decode($data, true));
    }
}

/**
 * Keeps a value as a snapshot.
 */
final class Nesting extends Keeping // @phpstan-ignore class.serializable, class.serializable
{
    public function serialize(): string
    {
        return Codec::serialize($this->value);
    }

    public function unserialize(string $data): void
    {
        $this->value = Codec::unserialize($data);
    }
}

/**
 * Reads a snapshot while PHP calls its hook.
 */
final class Lagging
{
    public static ?\Closure $read = null;

    public function __wakeup(): void
    {
        (self::$read ?? static fn() => null)();
    }
}

\restore_error_handler();
