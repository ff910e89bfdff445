<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

use Polypack\Exception\ErrorCode;

/**
 * Decides what a class name in a snapshot stands for (spec/10-snapshot.md#classes): which class it is now, and whether
 * objects of this class may be made.
 *
 * @internal
 */
final class ClassPolicy
{
    /** @var array<string, ?ClassFacts> by name; null for a class that is missing */
    private array $facts = [];

    /**
     * @param array<string, true>|bool $allowed  names in lower case; true for all classes, false for none
     * @param array<string, string>    $aliases  new names, by old name in lower case
     * @param string                   $unknown  the option `unknown_class`
     * @param array<string, string>    $mismatch the option `on_mismatch`, by class in lower case; '*' for all others
     * @param ?string                  $missing  a class that no autoloader has found
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
     * Returns the class that a name in a snapshot stands for, and loads it if necessary. If the class is missing or not
     * allowed, returns null, or throws with `unknown_class` = `throw`.
     *
     * @throws Failure
     */
    public function find(string $written, int $offset): ?ClassFacts
    {
        $name = $this->renamed($written);
        $this->learner?->learn($name);
        if (!$this->allows($name)) {
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

    /**
     * Tells the learner which class of iterators the data of an ArrayObject or ArrayIterator name. This is for objects
     * whose class isn't allowed, so that the learner still lists all classes that must be allowed. Loads no class.
     *
     * @param array<array-key, mixed> $data
     */
    public function learnIterator(string $written, array $data): void
    {
        $iterator = $data[ClassFacts::ITERATOR] ?? null;
        if ($this->learner === null || !\is_string($iterator)) {
            return;
        }
        $class = $this->renamed($written);
        if (ClassFacts::takesIteratorByName($class, false)) {
            $this->learner->learn($this->renamed($iterator));
        }
    }

    private function renamed(string $written): string
    {
        return $this->aliases[\strtolower($written)] ?? $written;
    }

    /**
     * Checks the data that Serializable::unserialize() of a class will get. Returns the names of the classes whose
     * objects unserialize() may make; null for all. PHP makes these objects without regard to `aliases` and
     * `unknown_class`. So data that name a class that isn't allowed are refused.
     *
     * @return ?list<string>
     *
     * @throws Failure
     */
    public function allowedIn(string $class, string $data, int $offset): ?array
    {
        if ($this->allowed === true && $this->learner === null) {
            return null;
        }
        foreach (LegacyData::classes($data, $this->takesIterator(...)) as $name) {
            $this->learner?->learn($name);
            if (!$this->allows($name)) {
                throw new Failure(ErrorCode::ClassNotAllowed, "the class {$name} in the data of {$class} is not allowed", 'add it to allowed_classes', $offset);
            }
        }
        if (!\is_array($this->allowed)) {
            return null;
        }
        $why = LegacyData::whyUnlimited($data);
        if ($why !== null) {
            throw Failure::unlimited($class, $why, $offset);
        }

        return \array_map(\strval(...), \array_keys($this->allowed));
    }

    /**
     * Tells whether the data of an allowed class's objects may name a class of iterators. Loads the class only if
     * `allowed_classes` is a list.
     */
    private function takesIterator(string $class): bool
    {
        return $this->allows($class) && ClassFacts::takesIteratorByName($class, \is_array($this->allowed));
    }

    private function allows(string $name): bool
    {
        return $this->allowed === true || (\is_array($this->allowed) && isset($this->allowed[\strtolower($name)]));
    }

    public function makesStdClass(): bool
    {
        return $this->unknown === 'stdclass';
    }

    /**
     * Reports that a class is no longer what it was when the snapshot was written. Throws if `on_mismatch` is `throw`
     * or `miss` for this class. If it is `default`, counts the mismatch in the option `mismatches`, and returns.
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
