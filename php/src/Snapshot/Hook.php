<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Holds a hook and its argument until all values of the snapshot have been read. Then run() calls the hook.
 *
 * @internal
 */
final class Hook
{
    /**
     * @param array<array-key, mixed>|string|null $argument
     * @param ?list<string>                       $allowed  classes that unserialize() may make of bytes; null for all
     */
    private function __construct(
        private readonly object $object,
        private readonly array|string|null $argument,
        private readonly ?array $allowed = null,
        private readonly int $offset = 0,
    ) {}

    public static function wakeup(object $object): self
    {
        return new self($object, null);
    }

    /**
     * @param array<array-key, mixed> $data
     */
    public static function unserialize(object $object, array $data): self
    {
        return new self($object, $data);
    }

    /**
     * @param ?list<string> $allowed classes that unserialize() may make of the bytes; null for all
     */
    public static function legacy(object $object, string $bytes, ?array $allowed, int $offset): self
    {
        return new self($object, $bytes, $allowed, $offset);
    }

    public function run(): void
    {
        $object = $this->object;
        if (\is_array($this->argument)) {
            $object->__unserialize($this->argument); // @phpstan-ignore method.notFound
        } elseif (\is_string($this->argument)) {
            $this->allowed === null ? $object->unserialize($this->argument) : $this->runLimited($this->argument, $this->allowed); // @phpstan-ignore method.notFound
        } else {
            $object->__wakeup(); // @phpstan-ignore method.notFound
        }
    }

    /**
     * @param list<string> $allowed
     */
    private function runLimited(string $bytes, array $allowed): void
    {
        $object = $this->object;
        $hasRun = AllowedClasses::hold($allowed, static function () use ($object, $bytes): void {
            $object->unserialize($bytes); // @phpstan-ignore method.notFound
        });
        if (!$hasRun) {
            throw Failure::unlimited($object::class, 'cannot be limited while PHP calls a hook of another object', $this->offset);
        }
    }
}
