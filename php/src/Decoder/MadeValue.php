<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\Type\Entries;
use Polypack\Type\Ext;
use Polypack\Type\Timestamp;

/**
 * Stands for a value that an extension made in a key, until the key has been compared. Keys are compared as they are
 * written, so it is equal to another one if their ext values are, and never to a value that no extension made.
 *
 * @internal
 */
final class MadeValue
{
    public function __construct(public readonly mixed $value, public readonly Timestamp|Ext $ext) {}

    /**
     * Returns the key with what the extensions made. Changes the objects of class stdClass in it.
     */
    public static function unwrapped(mixed $key): mixed
    {
        if ($key instanceof self) {
            return $key->value;
        }
        if (\is_array($key)) { // loops, as calls from array_map() would take the C stack, of which a fiber has little
            foreach ($key as $i => $value) {
                $key[$i] = self::unwrapped($value);
            }
        } elseif ($key instanceof \stdClass) {
            foreach (\get_object_vars($key) as $name => $value) {
                $key->{$name} = self::unwrapped($value);
            }
        } elseif ($key instanceof Entries) {
            $entries = [];
            foreach ($key->entries as [$inner, $value]) {
                $entries[] = [self::unwrapped($inner), self::unwrapped($value)];
            }

            return new Entries($entries);
        }

        return $key;
    }
}
