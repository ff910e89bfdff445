<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

use Polypack\Exception\ErrorCode;

/**
 * Decides what becomes of a class that a snapshot names (spec/10-snapshot.md#classes): which class it is now, whether
 * objects of it may be made, and what is made otherwise.
 *
 * @internal
 */
final class ClassPolicy
{
    /** @var array<string, ?ClassFacts> by name; null for a class that is missing */
    private array $facts = [];

    /**
     * @param array<string, true>|bool $allowed  names in lower case, or all or none
     * @param array<string, string>    $aliases  new names by the old ones in lower case
     * @param string                   $unknown  the option `unknown_class`
     * @param array<string, string>    $mismatch the option `on_mismatch`, by class in lower case, '*' for all others
     * @param ?string                  $missing  a class that no autoloader has
     */
    public function __construct(
        private readonly array|bool $allowed,
        private readonly array $aliases,
        private readonly string $unknown,
        private readonly array $mismatch,
        private readonly ?Learner $learner,
        private readonly ?Mismatches $mismatches,
        ?string $missing = null,
    ) {
        if ($missing !== null) {
            $this->facts[$missing] = null;
        }
    }

    /**
     * Returns the class, which may have to be loaded. Returns null if something else takes its place.
     *
     * @throws Failure
     */
    public function find(string $written, int $offset): ?ClassFacts
    {
        $name = $this->aliases[\strtolower($written)] ?? $written;
        $this->learner?->learn($name);
        if (!($this->allowed === true || (\is_array($this->allowed) && isset($this->allowed[\strtolower($name)])))) {
            $this->refuseUnknown(ErrorCode::ClassNotAllowed, "the class {$name} is not allowed", 'add it to allowed_classes', $offset);

            return null;
        }
        if (!\array_key_exists($name, $this->facts)) {
            $isThere = \preg_match('/^[a-zA-Z_\x80-\xff][\\\\a-zA-Z0-9_\x80-\xff]*$/D', $name) === 1
                && (\class_exists($name) || \interface_exists($name, false) || \trait_exists($name, false));
            $this->facts[$name] = $isThere ? new ClassFacts($name) : null;
        }
        if ($this->facts[$name] !== null) {
            return $this->facts[$name];
        }
        $this->refuseUnknown(ErrorCode::ClassNotFound, "the class {$name} does not exist", 'restore it, or name its successor in aliases', $offset);

        return null;
    }

    public function makesStdClass(): bool
    {
        return $this->unknown === 'stdclass';
    }

    /**
     * Reports that a class is no longer what it was when the snapshot was written; returns if the options accept that.
     *
     * @param non-empty-string $what
     *
     * @throws Failure
     */
    public function mismatch(ClassFacts $class, string $what, int $offset, ?string $property = null): void
    {
        $mode = $this->mismatch[\strtolower($class->name)] ?? $this->mismatch['*'];
        if ($mode === 'default') {
            $this->mismatches?->add($class->name, $property, $what);

            return;
        }
        $mend = "pass 'on_mismatch' => 'miss' or 'default', or keep the class as it was";
        $failure = new Failure(ErrorCode::ClassMismatch, $what, $mend, $offset, $mode === 'miss');

        throw $property === null ? $failure : $failure->in($property);
    }

    /**
     * @param non-empty-string $what
     *
     * @throws Failure
     */
    private function refuseUnknown(ErrorCode $code, string $what, string $mend, int $offset): void
    {
        if ($this->unknown === 'throw') {
            throw new Failure($code, $what, $mend, $offset);
        }
    }
}
