<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

use Polypack\Decoder\Buckets;
use Polypack\Decoder\Collisions;
use Polypack\Exception\ErrorCode;

/**
 * Reads the shapes of a snapshot (spec/10-snapshot.md#shapes), and the keys of its maps.
 *
 * @internal
 */
abstract class ShapeReader extends ColumnReader
{
    /** @var list<Shape> */
    protected array $shapes = [];

    /**
     * @var array<string, Plan> plans of NEW_OBJECT shapes, by their content. Hostile input may repeat a shape often
     */
    private array $known = [];

    /** @var array<int, true> objects that stand for cases of unknown enums, by object id */
    private array $cases = [];

    /** Key comparisons counted so far, in maps of more than 256 entries and for shapes with long names. */
    private int $comparisons = 0;

    public function __construct(
        string $bytes,
        private readonly ClassPolicy $policy,
        int $maxDepth,
        int $maxElements,
        private readonly int $maxCollisions,
    ) {
        parent::__construct($bytes, $maxDepth, $maxElements);
    }

    /**
     * Reads a new shape, whose head byte has been read, and returns the number of the shape.
     */
    protected function newShape(int $head, int $at): int
    {
        if ($head === Format::NEW_ARRAY) {
            $count = $this->byte($at);
            if ($count === 0 || $count > Format::MOST_KEYS) {
                throw Failure::invalid("a shape of an array has {$count} keys", $at);
            }
            $names = $this->names($count, true);
            $this->shapes[] = new Shape($head, $names, null, self::costOf($names));

            return \count($this->shapes) - 1;
        }
        $class = $this->text();
        if ($head === Format::NEW_OBJECT) {
            $flags = $this->byte($at);
            $count = $this->byte($at);
            $declared = $this->byte($at);
            $missing = $this->byte($at);
            if ($flags > Format::CHOSEN || $declared > $count) {
                throw Failure::invalid('a shape of an object has no valid head', $at);
            }
            $all = $this->names($count + $missing, false);
            $names = \array_slice($all, 0, $count);
            $content = "{$flags},{$count},{$declared}," . \strlen($class) . ",{$class}" . ObjectForm::joined($all);
            $plan = $this->known[$content] ??= Plan::properties($this->policy, $class, $flags, $names, $declared, \array_slice($all, $count), $at);
            $this->shapes[] = new Shape($head, $names, $plan, self::costOf($names));
        } elseif ($head === Format::NEW_CASE) {
            $shape = new Shape($head, []);
            $shape->case = $case = Plan::case($this->policy, $class, $this->text(), $at);
            if (\is_object($case) && !$case instanceof \UnitEnum) {
                $this->cases[\spl_object_id($case)] = true;
            }
            $this->shapes[] = $shape;
        } else {
            $flags = $head === Format::NEW_DATA ? $this->byte($at) : 0;
            if ($flags > Format::PROPERTIES) {
                throw Failure::invalid('a shape of an object has flags that this version does not know', $at);
            }
            $this->shapes[] = new Shape($head, [], Plan::data($this->policy, $class, $head, $flags, $at));
        }

        return \count($this->shapes) - 1;
    }

    /**
     * Reads the names of a shape. Refuses equal names and, for an array, names that PHP would turn into ints.
     *
     * @return list<string>
     */
    private function names(int $count, bool $isArray): array
    {
        $names = [];
        /** @var array<array-key, true> $seen */
        $seen = [];
        for ($i = 0; $i < $count; ++$i) {
            $at = $this->at;
            $name = $this->text();
            if (isset($seen[$name])) {
                throw new Failure(ErrorCode::DuplicateKey, 'a name occurs twice in a shape', 'the input is damaged', $at);
            }
            $seen[$name] = true;
            if ($isArray && \is_int(\array_key_last($seen))) {
                throw new Failure(ErrorCode::InvalidKey, 'a key of a shape should be an int', 'the input is damaged', $at);
            }
            $names[] = $name;
        }

        return $names;
    }

    /**
     * Tells whether an object stands for the case of an unknown enum.
     */
    protected function isCase(object $value): bool
    {
        return isset($this->cases[\spl_object_id($value)]);
    }

    /**
     * Returns how many key comparisons each array or object with these names counts as; 0 if the names are short
     * (spec/10-snapshot.md#limits).
     *
     * @param list<string> $names
     */
    private static function costOf(array $names): int
    {
        if (\array_sum(\array_map(\strlen(...), $names)) <= Format::LONG_NAMES) {
            return 0;
        }
        $buckets = new Buckets();
        $cost = 0;
        foreach ($names as $name) {
            $cost += $buckets->add($name) * (1 + (\strlen($name) >> 6));
        }

        return $cost;
    }

    /**
     * Adds $comparisons · $times to the key comparisons counted so far. Throws if the sum exceeds `max_collisions`.
     */
    protected function pay(int $comparisons, int $times, int $at): void
    {
        if ($times > 0 && $comparisons > \intdiv($this->maxCollisions - $this->comparisons, $times)) {
            throw Failure::collisions($this->maxCollisions, $at);
        }
        $this->comparisons += $comparisons * $times;
    }

    /**
     * @param list<int|string> $keys
     * @param list<mixed>      $values
     *
     * @return array<array-key, mixed>
     */
    protected function combined(array $keys, array $values, int $at): array
    {
        if (\count($keys) > Collisions::FREE) {
            $buckets = new Buckets();
            foreach ($keys as $key) {
                $buckets->add(\array_key_first([$key => null])); // a key of digits is an int in the map
            }
            $this->pay($buckets->comparisons, 1, $at);
        }
        $map = \array_combine($keys, $values);
        if (\array_keys($map) !== $keys) {
            throw self::badKey($keys, $at);
        }

        return $map;
    }

    /**
     * @param list<int|string> $keys
     */
    private static function badKey(array $keys, int $at): Failure
    {
        $seen = [];
        foreach ($keys as $key) {
            if (\array_key_exists($key, $seen)) {
                break;
            }
            $seen[$key] = true;
            if (\array_key_last($seen) !== $key) {
                return new Failure(ErrorCode::InvalidKey, 'a key of a map should be an int', 'the input is damaged', $at);
            }
        }

        return new Failure(ErrorCode::DuplicateKey, 'a key occurs twice in a map', 'the input is damaged', $at);
    }

    /**
     * @return list<int|string>
     */
    protected function keys(int $count): array
    {
        $at = $this->at;
        $kind = \ord($this->bytes[$at] ?? "\x00");
        if ($at < $this->end && $kind !== Format::MIXED && $kind !== Format::INTS && $kind !== Format::DELTAS && $kind !== Format::STRINGS) {
            throw Failure::invalid(\sprintf('keys have the kind 0x%02x', $kind), $at);
        }
        [$cells] = $this->column($count, 0, $at, true);
        if ($cells === null) {
            if ($count > $this->end - $this->at) {
                throw Failure::end($at, "a map promises {$count} keys but fewer bytes remain");
            }
            $cells = [];
            for ($i = 0; $i < $count; ++$i) {
                $start = $this->at;
                $head = \ord($this->bytes[$start] ?? "\0");
                if (($head >= 0x60 && $head < Format::EARLIER) || ($head >= 0xc0 && $head < Format::INT8) || $head === Format::DOUBLE || ($head > Format::ANY_EARLIER && $head < Format::NEGATIVE)) {
                    throw new Failure(ErrorCode::InvalidKey, 'a key of a map is neither int nor string', 'the input is damaged', $start);
                }
                $cells[] = $this->value(0, 0);
            }
        }

        /** @var list<int|string> $cells */
        return $cells;
    }
}
