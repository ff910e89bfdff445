<?php

declare(strict_types=1);

namespace Polypack\Records;

use Polypack\BufferUnpacker;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\Packer;
use Polypack\UnpackOptions;
use Polypack\Utf8;

/**
 * The shapes that writer and reader hold beforehand (spec/05-records.md#shared). Each shape is a list of names, and its
 * number decides its id. Immutable: append() returns a dictionary with more shapes at the end.
 *
 * Pass a dictionary to SharedRecords. A DictionaryStore keeps a dictionary for many processes.
 *
 * @api
 */
final class Dictionary implements \Countable
{
    /** Maximum number of shapes in a dictionary. It leaves some ids free for declarations. */
    public const MAX_SHAPES = 8160;

    /** Number of shapes that have ids of one byte. All later shapes have ids of two bytes, called pairs. */
    private const ONE_BYTE_SHAPES = 32;
    /** Number of ids of one byte, 0x40 to 0x7f, in a dictionary without pairs. */
    private const ONE_BYTE_IDS = 64;

    /** @var list<?list<string>> */
    private array $shapes = [];
    /** The encoded shapes one after the other. Each is the array of its names, or nil for a place without a shape. */
    private string $packedShapes = '';
    /** @var array<string, int> number of a shape by its packed names; the last number if several have the same names */
    private array $numbers = [];
    /** What pack() returns; null until it is needed. */
    private ?string $content = null;
    private ?string $fingerprint = null;
    /** @var ?Declarations<list<string>> */
    private ?Declarations $declared = null;
    /** @var ?Declarations<array{int, int}> */
    private ?Declarations $counted = null;
    /** @var ?array<string, true> fingerprints of this dictionary and of each shorter one that it begins with */
    private ?array $fingerprints = null;

    /**
     * @param list<?list<string>> $shapes the names of each shape, in order; null for a place without a shape
     *
     * @throws InvalidOptionException for more than 8160 shapes, a name that isn't UTF-8, or a shape with a name twice
     */
    public function __construct(array $shapes = [])
    {
        $this->add($shapes);
    }

    /**
     * Returns a dictionary with these shapes after the existing ones.
     *
     * @param ?list<string> ...$shapes
     *
     * @throws InvalidOptionException see the constructor
     */
    public function append(?array ...$shapes): self
    {
        $larger = clone $this;
        $larger->content = $larger->fingerprint = null;
        $larger->declared = $larger->counted = $larger->fingerprints = null;
        $larger->add(\array_values($shapes));

        return $larger;
    }

    /**
     * Returns the names of each shape, in the form that the constructor expects.
     *
     * @return list<?list<string>>
     */
    public function shapes(): array
    {
        return $this->shapes;
    }

    /**
     * Returns the number of shapes, including places without a shape.
     *
     * @return int<0, 8160>
     */
    public function count(): int
    {
        $count = \count($this->shapes);
        \assert($count <= self::MAX_SHAPES);

        return $count;
    }

    /**
     * Says whether another dictionary begins with all shapes of this one.
     */
    public function isStartOf(self $other): bool
    {
        return \str_starts_with($other->packedShapes, $this->packedShapes);
    }

    /**
     * @param list<?list<string>> $shapes
     */
    private function add(array $shapes): void
    {
        $count = \count($this->shapes) + \count($shapes);
        if ($count > self::MAX_SHAPES) {
            throw InvalidOptionException::shapes($count, self::MAX_SHAPES);
        }
        $packer = new Packer();
        foreach ($shapes as $names) {
            $number = \count($this->shapes);
            if ($names === null) {
                $this->shapes[] = null;
                $this->packedShapes .= "\xc0";
                continue;
            }
            self::check($names, $number);
            $packed = $packer->packArray($names);
            $this->shapes[] = $names;
            $this->packedShapes .= $packed;
            $this->numbers[$packed] = $number;
        }
    }

    /**
     * @param array<mixed> $names
     */
    private static function check(array $names, int $number): void
    {
        $seen = [];
        foreach ($names as $name) {
            if (!\is_string($name) || !Utf8::isValid($name)) {
                throw InvalidOptionException::shape($number, 'has a name that is not a UTF-8 string');
            }
            if (isset($seen[$name])) {
                throw InvalidOptionException::shape($number, 'has the same name twice');
            }
            $seen[$name] = true;
        }
        if (!\array_is_list($names)) {
            throw InvalidOptionException::shape($number, 'is not a list of names');
        }
    }

    // Packing and unpacking the content of a store

    /**
     * Returns the content that stores keep, which is the same bytes in every language (spec/05-records.md#stores).
     */
    public function pack(): string
    {
        // All calls return the same string, because the extension caches dictionaries by the address of this string.
        return $this->content ??= (new Packer())->packArrayHeader(\count($this->shapes)) . $this->packedShapes;
    }

    /**
     * Reads the content of a store, which pack() or another language has written.
     *
     * @throws UnpackingFailedException `invalid_record` for bytes that aren't a dictionary
     */
    public static function unpack(string $content): self
    {
        try {
            $shapes = self::quickly($content) ?? self::carefully($content);

            return new self($shapes);
        } catch (UnpackingFailedException | InvalidOptionException $cause) {
            throw UnpackingFailedException::noDictionary($cause);
        }
    }

    /**
     * @return ?list<?list<string>> null when it isn't certain that all names are str
     *
     * @throws UnpackingFailedException
     */
    private static function quickly(string $content): ?array
    {
        $unpacker = self::unpacker($content);
        $shapes = $unpacker->unpackArray();
        $unpacker->expectEnd();
        if ((new Packer())->pack($shapes) !== $content) { // perhaps a name is a bin, or a head isn't the shortest
            return null;
        }
        $names = [];
        foreach ($shapes as $shape) {
            if ($shape !== null && !\is_array($shape)) {
                return null;
            }
            $names[] = $shape;
        }

        return $names; // @phpstan-ignore return.type (the constructor checks each shape)
    }

    /**
     * Returns an unpacker for a content of any size, because pack() has no limit either. The depth that a dictionary
     * has keeps the memory in proportion to the content.
     */
    private static function unpacker(string $content): BufferUnpacker
    {
        return new BufferUnpacker($content, UnpackOptions::STRICT, limits: new Limits(maxDepth: 2, maxMemory: \PHP_INT_MAX));
    }

    /**
     * @return list<?list<string>>
     *
     * @throws UnpackingFailedException
     */
    private static function carefully(string $content): array
    {
        $unpacker = self::unpacker($content);
        $shapes = [];
        for ($left = $unpacker->unpackArrayHeader(); $left > 0; --$left) {
            if (\substr($content, \strlen($content) - $unpacker->getRemainingCount(), 1) === "\xc0") {
                $unpacker->unpackNil();
                $shapes[] = null;
                continue;
            }
            $names = [];
            for ($more = $unpacker->unpackArrayHeader(); $more > 0; --$more) {
                $names[] = $unpacker->unpackStr();
            }
            $shapes[] = $names;
        }
        $unpacker->expectEnd();

        return $shapes;
    }

    // Ids

    /**
     * Returns the number of the shape with these names; null if there is none.
     *
     * @internal
     *
     * @param string $packed the packed array of names
     */
    public function numberOf(string $packed): ?int
    {
        return $this->numbers[$packed] ?? null;
    }

    /**
     * Returns a name of a shape; '' when there is none.
     *
     * @internal
     */
    public function name(int $number, int $index): string
    {
        return $this->shapes[$number][$index] ?? '';
    }

    /**
     * Returns the bytes of the id with this number.
     *
     * @internal
     *
     * @param bool $hasPairs whether the ids from number 32 on are pairs; otherwise they have one byte, too
     */
    public static function id(int $number, bool $hasPairs = true): string
    {
        return $number < self::ONE_BYTE_SHAPES || !$hasPairs
            ? \chr(0x40 + $number)
            : \chr(0x60 | ($number & 0x1f)) . \chr(($number >> 5) - 1);
    }

    /**
     * Returns the numbers of the ids that a dictionary of this many shapes leaves to declarations.
     *
     * @internal
     *
     * @return array{int, int, bool} the first number, how many there are, and whether the ids are pairs
     */
    public static function ownIds(int $shapes): array
    {
        if ($shapes <= self::ONE_BYTE_SHAPES) {
            return [$shapes, self::ONE_BYTE_IDS - $shapes, false];
        }

        // Use only pairs whose first byte also starts a pair of the dictionary, because msgpackr always reads a second
        // byte after these first bytes. Use no number below 64, because msgpackr 1.11 can't read declared pairs that
        // end in 00.
        return [\max($shapes, self::ONE_BYTE_IDS), \min($shapes - self::ONE_BYTE_SHAPES, self::ONE_BYTE_SHAPES), true];
    }

    /**
     * Returns the shapes for the decoder, as if a message had just declared them.
     *
     * @internal
     *
     * @return Declarations<list<string>>
     */
    public function declared(): Declarations
    {
        return $this->declared ??= $this->asDeclarations(static fn(array $names): array => $names);
    }

    /**
     * Returns the shapes for the scanner of streams, as if a message had just declared them. Each shape has the count
     * of its names and, in place of their position in the message, -1 minus the number of the shape.
     *
     * @internal
     *
     * @return Declarations<array{int, int}>
     */
    public function counted(): Declarations
    {
        return $this->counted ??= $this->asDeclarations(
            static fn(array $names, int $number): array => [\count($names), -1 - $number],
        );
    }

    /**
     * @template T
     *
     * @param \Closure(list<string>, int): T $kept
     *
     * @return Declarations<T>
     */
    private function asDeclarations(\Closure $kept): Declarations
    {
        /** @var Declarations<T> $declarations */
        $declarations = new Declarations();
        foreach ($this->shapes as $number => $names) {
            $record = $names === null ? null : $kept($names, $number);
            if ($names !== null && \array_sum(\array_map(\strlen(...), $names)) > Declarations::LONG_NAMES) {
                $declarations->hasLongNames = true;
            }
            if ($number >= self::ONE_BYTE_SHAPES) {
                $low = 0x60 | ($number & 0x1f);
                if ($record === null) {
                    $declarations->usePairs($low);
                } else {
                    $declarations->declarePair($low, ($number >> 5) - 1, $record);
                }
            } elseif ($record !== null) {
                $declarations->declare(0x40 + $number, $record);
            }
        }

        return $declarations;
    }

    // Methods for the fingerprint (spec/05-records.md#header)

    /**
     * Returns the fingerprint of the dictionary, eight bytes.
     */
    public function fingerprint(): string
    {
        return $this->fingerprint ??= \hash('fnv1a64', $this->packedShapes, true);
    }

    /**
     * Says whether a fingerprint belongs to this dictionary, or to a dictionary of its first shapes.
     *
     * @internal
     */
    public function hasFingerprint(string $fingerprint): bool
    {
        if ($this->fingerprints === null) {
            $hash = \hash_init('fnv1a64');
            $this->fingerprints = [\hash_final(\hash_copy($hash), true) => true];
            $packer = new Packer();
            foreach ($this->shapes as $names) {
                \hash_update($hash, $names === null ? "\xc0" : $packer->packArray($names));
                $this->fingerprints[\hash_final(\hash_copy($hash), true)] = true;
            }
        }

        return isset($this->fingerprints[$fingerprint]);
    }
}
