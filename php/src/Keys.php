<?php

declare(strict_types=1);

namespace Polypack;

use Polypack\Type\Bin;
use Polypack\Type\Entries;
use Polypack\Type\Ext;
use Polypack\Type\Timestamp;
use Polypack\Type\UInt64;

/**
 * Decides when two keys of the lossless types are the same key (spec/01-data-model.md#map).
 *
 * Equal keys have equal identities, different keys different ones. Scalars are their own identity; a container is
 * the SHA-256 of its children's identities, so that nested keys cost no memory and hostile input finds no collision.
 * Maps with such keys are remembered while they live: each value is visited at most twice, however deep keys nest.
 *
 * @internal
 */
final class Keys
{
    /** @var \WeakMap<Entries, string> */
    private \WeakMap $known;

    public function __construct()
    {
        $this->known = new \WeakMap();
    }

    public function __clone()
    {
        $this->known = new \WeakMap();
    }

    /**
     * @param mixed $key what lossless mode decodes; an object of a registered extension is only equal to itself
     */
    public function identity(mixed $key): string
    {
        if (\is_array($key)) {
            return $this->ofArray($key);
        }
        if ($key instanceof Entries) {
            return $this->known[$key] ??= $this->ofMap($key->entries);
        }
        if ($key instanceof \stdClass) {
            $entries = [];
            foreach (\get_object_vars($key) as $name => $value) {
                $entries[] = [(string) $name, $value];
            }

            return $this->ofMap($entries);
        }

        return self::ofScalar($key);
    }

    private static function ofScalar(mixed $key): string
    {
        if (\is_object($key)) {
            return match (true) {
                $key instanceof UInt64 => "i{$key->digits}",
                $key instanceof Bin => "b{$key->data}",
                $key instanceof Timestamp => "t{$key->getSeconds()}:{$key->getNanoseconds()}",
                $key instanceof Ext => "e{$key->type}:{$key->data}",
                default => 'o' . \spl_object_id($key),
            };
        }
        if (\is_float($key)) {
            return \is_nan($key) ? 'fNaN' : 'f' . \pack('E', $key);
        }
        if (\is_bool($key)) {
            return $key ? 'T' : 'F';
        }

        return \is_int($key) ? "i{$key}" : (\is_string($key) ? "s{$key}" : 'n');
    }

    /**
     * @param array<array-key, mixed> $array
     */
    private function ofArray(array $array): string
    {
        $hash = \hash_init('sha256');
        foreach ($array as $value) {
            self::add($hash, $this->identity($value));
        }

        return 'a' . \hash_final($hash, true);
    }

    /**
     * @param list<array{mixed, mixed}> $entries
     */
    private function ofMap(array $entries): string
    {
        $digests = [];
        foreach ($entries as [$key, $value]) {
            $hash = \hash_init('sha256');
            self::add($hash, $this->identity($key));
            self::add($hash, $this->identity($value));
            $digests[] = \hash_final($hash, true);
        }
        \sort($digests, \SORT_STRING);

        return 'm' . \hash('sha256', \implode('', $digests), true);
    }

    /**
     * Adds a child, behind its length so that the children cannot be cut in another way.
     */
    private static function add(\HashContext $hash, string $identity): void
    {
        \hash_update($hash, \strlen($identity) . ':' . $identity);
    }
}
