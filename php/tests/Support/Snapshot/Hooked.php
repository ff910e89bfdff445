<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

/**
 * Notes when its hooks are called, and does what a test asks of it.
 */
final class Hooked
{
    /** @var list<string> */
    public static array $calls = [];

    /** @var ?\Closure(string): void */
    public static ?\Closure $then = null;

    public function __construct(public string $name, public mixed $value = null) {}

    /**
     * @return array<string, mixed>
     */
    public function __serialize(): array
    {
        self::note("write {$this->name}");

        return ['name' => $this->name, 'value' => $this->value];
    }

    /**
     * @param array<string, mixed> $data
     */
    public function __unserialize(array $data): void
    {
        \assert(\is_string($data['name']));
        $this->name = $data['name'];
        $this->value = $data['value'];
        self::note("read {$this->name}");
    }

    public function __destruct()
    {
        if (isset($this->name)) {
            self::note("free {$this->name}");
        } else {
            self::note('free half built');
        }
    }

    private static function note(string $call): void
    {
        self::$calls[] = $call;
        \gc_collect_cycles();
        if (self::$then !== null) {
            (self::$then)($call);
        }
    }

    /**
     * @return list<string> the calls since the last time
     */
    public static function calls(): array
    {
        $calls = self::$calls;
        self::$calls = [];

        return $calls;
    }
}
