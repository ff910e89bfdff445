<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

use Polypack\Exception\ErrorCode;

/**
 * Carries a fault up to the public method, which throws a SnapshotFailedException or SnapshotMissedException with the
 * same facts. Each container on the way adds the key of the child that failed, so no path has to be kept before a
 * fault occurs.
 *
 * @internal
 */
final class Failure extends \Exception
{
    /** @var list<int|string> keys of the path, from the innermost to the outermost */
    private array $steps = [];

    /**
     * @param non-empty-string $what
     */
    public function __construct(
        public readonly ErrorCode $errorCode,
        public readonly string $what,
        public readonly string $mend = '',
        public ?int $offset = null,
        public readonly bool $isMiss = false,
        ?\Throwable $cause = null,
    ) {
        parent::__construct($what, 0, $cause);
    }

    public function in(int|string $key): self
    {
        $this->steps[] = $key;

        return $this;
    }

    /**
     * Adds the number of bytes in front of the snapshot to the offset, which then counts from the start of the input.
     */
    public function shifted(int $by): self
    {
        $this->offset = $this->offset === null ? null : $this->offset + $by;

        return $this;
    }

    /**
     * @return list<int|string>
     */
    public function trail(): array
    {
        return \array_reverse($this->steps);
    }

    /**
     * @param non-empty-string $what
     */
    public static function end(int $offset, string $what = 'a value should start here'): self
    {
        return new self(ErrorCode::UnexpectedEnd, $what, 'the input is truncated', $offset);
    }

    /**
     * @param non-empty-string $what
     */
    public static function invalid(string $what, int $offset): self
    {
        return new self(ErrorCode::InvalidSnapshot, $what, 'the input is damaged, or was not written by Polypack', $offset);
    }

    /**
     * Returns the failure for an object whose unserialize() can't be limited to the allowed classes.
     *
     * @param non-empty-string $why
     */
    public static function unlimited(string $class, string $why, int $offset): self
    {
        $mend = "pass 'allowed_classes' => true if the source is trusted";

        return new self(ErrorCode::ClassNotAllowed, "the classes in the data of {$class} {$why}", $mend, $offset);
    }

    public static function depth(int $maxDepth, ?int $offset = null): self
    {
        $mend = $offset === null ? 'raise max_depth' : 'raise max_depth if the source is trusted';

        return new self(ErrorCode::LimitExceeded, 'depth ' . ($maxDepth + 1) . " exceeds the limit {$maxDepth}", $mend, $offset);
    }

    public static function elements(int $maxElements, int $offset): self
    {
        $what = "values that take no bytes are more than the limit {$maxElements}";

        return new self(ErrorCode::LimitExceeded, $what, 'raise max_elements if the source is trusted', $offset);
    }

    public static function collisions(int $maxCollisions, int $offset): self
    {
        $what = "the keys of maps cost more than the limit {$maxCollisions} comparisons, because many share a bucket";

        return new self(ErrorCode::LimitExceeded, $what, 'raise max_collisions if the source is trusted', $offset);
    }
}
