<?php

declare(strict_types=1);

namespace Polypack\Snapshot\V1;

use Polypack\Decoder\Buckets;
use Polypack\Decoder\Collisions;
use Polypack\Exception\ErrorCode;
use Polypack\Snapshot\ClassFacts;
use Polypack\Snapshot\ClassPolicy;
use Polypack\Snapshot\Failure;
use Polypack\Snapshot\Format;
use Polypack\Snapshot\Hook;
use Polypack\Snapshot\Plan;
use Polypack\Snapshot\Source;
use Polypack\Snapshot\Unfinished;

/**
 * Reads V1 of phpser (spec/10-snapshot.md#v1), with the classes, limits and errors of snapshots.
 *
 * @internal
 */
final class V1Reader extends Source
{
    /** @var list<string> */
    private array $dictionary = [];

    /** @var array<int, mixed> objects, cases and references by number; elements for references are PHP references */
    private array $numbered = [];

    /** @var array<int, true> the numbers of references, as keys */
    private array $references = [];

    /** @var array<int, Plan> by the number of the object: plans of ArrayObjects that haven't been made yet */
    private array $late = [];

    private int $next = 0;

    /** @var array<string, Plan> by class and names */
    private array $plans = [];

    /** @var list<Hook> */
    private array $hooks = [];

    /** Key comparisons that pay() has counted so far. */
    private int $comparisons = 0;

    public function __construct(
        string $bytes,
        private readonly ClassPolicy $policy,
        int $maxDepth,
        private readonly int $maxCollisions,
    ) {
        parent::__construct($bytes, $maxDepth, 0);
    }

    /**
     * @throws Failure
     */
    public function read(): mixed
    {
        $version = $this->byte(0);
        if ($version !== V1::VERSION) {
            throw new Failure(ErrorCode::InvalidSnapshot, "version {$version} of phpser is not read", 'write it with version 1, or as a snapshot', 0);
        }
        try {
            $count = $this->uint($this->at);
            $this->open($count, 0, -1, 1);
            for ($i = 0; $i < $count; ++$i) {
                $at = $this->at;
                $this->dictionary[] = $this->take($this->uint($at), $at);
            }
            $top = $this->children(1, 0, -1)[0] ?? null;
            if ($this->at !== $this->end) {
                $length = $this->end - $this->at;

                throw new Failure(ErrorCode::TrailingData, "{$length} bytes follow the value", 'the input is damaged', $this->at);
            }
            $objects = $this->numbered;
            $this->numbered = [];
            foreach ($this->hooks as $hook) {
                $hook->run();
            }
        } catch (\Throwable $failure) {
            Unfinished::keep(\array_filter($objects ?? $this->numbered, \is_object(...)));

            throw $failure;
        }

        return $top;
    }

    /**
     * Reads values that follow one another. The path of an error gets the index of the faulty value. For the top value,
     * which is read with $depth -1, the path gets no index.
     *
     * @param int $depth depth of the container around the values; -1 if there is none
     *
     * @return array<int, mixed>
     */
    private function children(int $count, int $owed, int $depth): array
    {
        $children = [];
        $owed += $count;
        $i = 0;
        try {
            for (; $i < $count; ++$i) {
                $this->child($children, $i, --$owed, $depth + 1);
            }
        } catch (Failure $failure) {
            throw $depth < 0 ? $failure : $failure->in($i);
        }

        return $children;
    }

    /**
     * Reads one value into an element of an array. The element becomes a PHP reference if the bytes say so.
     *
     * @template K of int|string
     *
     * @param array<K, mixed> $array
     * @param K               $key
     *
     * @param-out array<K, mixed> $array
     */
    private function child(array &$array, int|string $key, int $owed, int $depth): void
    {
        $at = $this->at;
        $tag = $this->bytes[$at] ?? '';
        if ($tag === "\x11") {
            ++$this->at;
            $number = $this->next++;
            $this->references[$number] = true;
            $this->numbered[$number] = null;
            $array[$key] = &$this->numbered[$number];
            if (($this->bytes[$this->at] ?? '') === "\x11" || ($this->bytes[$this->at] ?? '') === "\x10") {
                throw Failure::invalid('a reference stands where none may', $this->at);
            }
            $array[$key] = $this->value($owed, $depth);

            return;
        }
        if ($tag === "\x10") {
            ++$this->at;
            $number = $this->uint($at);
            if (!\array_key_exists($number, $this->numbered)) {
                throw Failure::invalid("nothing has the number {$number}", $at);
            }
            if (isset($this->references[$number])) {
                $array[$key] = &$this->numbered[$number];
            } else {
                if (isset($this->late[$number])) {
                    $this->numbered[$number] ??= $this->late[$number]->make($at);
                }
                $array[$key] = $this->numbered[$number];
            }

            return;
        }
        $array[$key] = $this->value($owed, $depth);
    }

    private function value(int $owed, int $depth): mixed
    {
        $at = $this->at;
        if ($at >= $this->end) {
            throw Failure::end($at);
        }
        $tag = $this->byte($at);

        switch ($tag) {
            case V1::NIL:
                return null;
            case V1::FALSE:
                return false;
            case V1::TRUE:
                return true;
            case V1::INT:
                return $this->sint($at);
            case V1::DOUBLE:
                return self::double($this->take(8, $at));
            case V1::DICTIONARY_STRING:
                return $this->entry($at);
            case V1::STRING:
                return $this->take($this->uint($at), $at);
            case V1::MAP:
                return $this->map($owed, $depth, $at);
            case V1::LIST:
                $count = $this->uint($at);
                $this->open($count, $owed, $depth, $at);

                return $this->children($count, $owed, $depth);
            case V1::INTS:
            case V1::STRINGS:
                $count = $this->uint($at);
                $this->open($count, $owed, $depth, $at);
                $cells = [];
                for ($i = 0; $i < $count; ++$i) {
                    $cells[] = $tag === V1::INTS ? $this->sint($at) : $this->entry($at);
                }

                return $cells;
            case V1::DOUBLES:
                $count = $this->uint($at);
                $this->open($count, $owed, $depth, $at);
                $numbers = \unpack('e*', $this->take(8 * $count, $at));

                return $numbers === false ? [] : \array_values($numbers);
            case V1::OBJECT:
                return $this->object($owed, $depth, $at);
            case V1::CASE:
                $class = $this->entry($at);

                return $this->numbered[$this->next++] = Plan::case($this->policy, $class, $this->entry($at), $at);
            case V1::DATA:
            case V1::LEGACY:
                return $this->hooked($tag, $owed, $depth, $at);
            case V1::AGAIN:
            case V1::REFERENCE:
                throw Failure::invalid('a reference stands where none may', $at);
            default:
                throw Failure::invalid(\sprintf('the tag 0x%02x is of a later version of phpser, or none', $tag), $at);
        }
    }

    private function entry(int $at): string
    {
        $number = $this->uint($at);

        return $this->dictionary[$number] ?? throw Failure::invalid("string {$number} is not in the dictionary", $at);
    }

    /**
     * Reads a map. As in PHP, a key of digits becomes an int, and the last of equal keys wins.
     *
     * @return array<array-key, mixed>
     */
    private function map(int $owed, int $depth, int $at): array
    {
        $count = $this->uint($at);
        $this->open(2 * $count, $owed, $depth, $at);
        $buckets = $count > Collisions::FREE ? new Buckets() : null;
        $bytes = 0;
        $map = [];
        for ($i = 0; $i < $count; ++$i) {
            $start = $this->at;
            $key = match ($this->byte($start)) {
                V1::INT_KEY => $this->sint($start),
                V1::DICTIONARY_KEY => $this->entry($start),
                V1::STRING_KEY => $this->take($this->uint($start), $start),
                default => throw new Failure(ErrorCode::InvalidKey, 'a key of a map is neither int nor string', 'the input is damaged', $start),
            };
            $this->pay($key, $map, $buckets, $bytes, $at);
            unset($map[$key]); // otherwise assigning would change the value of a reference at an earlier equal key
            try {
                $this->child($map, $key, $owed + 2 * ($count - $i) - 2, $depth + 1);
            } catch (Failure $failure) {
                throw $failure->in($key);
            }
        }

        return $map;
    }

    /**
     * Counts the comparisons of a key with the keys before it. Throws if the sum so far exceeds `max_collisions`. In a
     * map or object of up to 256 keys, no comparison counts until the keys exceed 1024 bytes in total. Long keys count
     * more, because the input can repeat them cheaply: the dictionary has each of them only once.
     *
     * @param array<array-key, mixed> $before  has the keys before this one
     * @param ?Buckets                $buckets of the keys before this one; null for up to 256 keys
     * @param int                     $bytes   bytes of the keys so far; updated
     */
    private function pay(int|string $key, array $before, ?Buckets $buckets, int &$bytes, int $at): void
    {
        $length = \is_int($key) ? 0 : \strlen($key);
        $bytes += $length;
        if ($buckets !== null) {
            $comparisons = $buckets->add(\array_key_first([$key => null])); // a key of digits is an int in the map
            if ($bytes > Format::LONG_NAMES) { // hashing reads the whole key, so its length counts
                $comparisons = $comparisons * (1 + ($length >> 6)) + $length;
            }
        } else {
            $comparisons = $bytes > Format::LONG_NAMES ? \count($before) * (1 + ($length >> 6)) : 0;
        }
        $this->comparisons += $comparisons;
        if ($this->comparisons > $this->maxCollisions) {
            throw Failure::collisions($this->maxCollisions, $at);
        }
    }

    private function object(int $owed, int $depth, int $at): object
    {
        $class = $this->entry($at);
        $count = $this->uint($at);
        $this->open(2 * $count, $owed, $depth, $at);
        $number = $this->next++;
        $names = $values = $seen = [];
        $buckets = $count > Collisions::FREE ? new Buckets() : null;
        $bytes = 0;
        // the class is looked up first, so that a refused class throws before any value is read
        $made = Plan::data($this->policy, $class, Format::NEW_OBJECT, 0, $at);
        $this->numbered[$number] = $object = $made->make($at);
        for ($i = 0; $i < $count; ++$i) {
            $start = $this->at;
            $name = Plan::wireName($this->entry($start), $class);
            $this->pay($name, $seen, $buckets, $bytes, $at);
            if (isset($seen[$name])) {
                throw new Failure(ErrorCode::DuplicateKey, 'a property occurs twice', 'the input is damaged', $start);
            }
            $seen[$name] = true;
            $names[] = $name;
            try {
                $this->child($values, $i, $owed + 2 * ($count - $i) - 2, $depth + 1);
            } catch (Failure $failure) {
                throw $failure->in(ClassFacts::plainName($name));
            }
        }
        $references = [];
        foreach ($names as $i => $_) {
            if (\ReflectionReference::fromArrayElement($values, $i) !== null) {
                $references[$i] = true;
            }
        }
        $shape = \serialize($names) . $class;
        // V1 doesn't say why a property is left out, so the flag CHOSEN lets it keep its default, without a mismatch.
        // V1 also doesn't say which properties are dynamic, so none counts as declared.
        $plan = $this->plans[$shape] ??= Plan::properties($this->policy, $class, Format::CHOSEN, $names, 0, [], $at);
        $hook = $plan->fill($object, $values, $references, $at);
        if ($hook !== null) {
            $this->hooks[] = $hook;
        }

        return $object;
    }

    private function hooked(int $tag, int $owed, int $depth, int $at): object
    {
        $class = $this->entry($at);
        $number = $this->next++;
        $head = $tag === V1::DATA ? Format::NEW_DATA : Format::NEW_LEGACY;
        $this->open(1, $owed, $depth, $at);
        $plan = Plan::data($this->policy, $class, $head, Format::DATA, $at);
        if ($tag === V1::DATA) {
            if ($plan->takesIterator) {
                $this->numbered[$number] = null;
                $this->late[$number] = $plan;
            } else {
                $this->numbered[$number] = $plan->make($at);
            }
            $start = $this->at;
            $data = $this->value($owed, $depth + 1);
            if (!\is_array($data)) {
                throw Failure::invalid('the data of an object are no array', $start);
            }
            $plan = $plan->withIterator($data, $this->numbered[$number] !== null, $start);
            $object = $this->numbered[$number] ?? $plan->make($at);
            $this->numbered[$number] = $object;
            unset($this->late[$number]);
            $hook = $plan->fillData($object, $data, $at);
        } else {
            $this->numbered[$number] = $object = $plan->make($at);
            $hook = $plan->fillLegacy($object, $this->take($this->uint($at), $at), $at);
        }
        if ($hook !== null) {
            $this->hooks[] = $hook;
        }

        return $object;
    }
}
