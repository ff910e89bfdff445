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
     */
    private function __construct(
        private readonly object $object,
        private readonly array|string|null $argument,
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

    public static function legacy(object $object, string $bytes): self
    {
        return new self($object, $bytes);
    }

    public function run(): void
    {
        $object = $this->object;
        if (\is_array($this->argument)) {
            $object->__unserialize($this->argument); // @phpstan-ignore method.notFound
        } elseif (\is_string($this->argument)) {
            $object->unserialize($this->argument); // @phpstan-ignore method.notFound
        } else {
            $object->__wakeup(); // @phpstan-ignore method.notFound
        }
    }
}
