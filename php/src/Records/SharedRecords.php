<?php

declare(strict_types=1);

namespace Polypack\Records;

use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Stores\DictionaryStore;
use Polypack\Utf8;

/**
 * A dictionary of records for packers and unpackers (spec/05-records.md#shared). Rows then carry neither their names
 * nor a declaration, only an id:
 *
 *     $shared = new SharedRecords(new FileStore('/var/lib/app/shapes.mp'));
 *     $packer = new Packer(PackOptions::of(records: $shared));
 *     $unpacker = new BufferUnpacker($packed, UnpackOptions::of(records: $shared));
 *
 * One object serves any number of packers and unpackers. It loads the dictionary when a packer or an unknown id first
 * asks for it, and again when a message has an id that it doesn't know. So each message of a stranger can make the
 * unpacker ask the store once.
 *
 * A packer publishes a new shape before it writes its id. If others were faster, it takes over what they have published
 * and tries again. If the store fails, the message declares the shape itself: that costs bytes but loses no data, and
 * failure() tells why.
 *
 * @api
 */
final class SharedRecords
{
    /** How many shapes have ids of one byte: the default of $maxShapes. */
    public const DEFAULT_SHAPES = 32;

    /** How often in a row another writer may win. Some writer always wins, so there is progress. */
    private const MAX_LOST_RACES = 1000;
    /** After a failure the store is left alone for 2, 4, 8, … attempts, at most this many. */
    private const LONGEST_PAUSE = 1024;

    private Dictionary $dictionary;
    private readonly ?DictionaryStore $store;
    /** Whether the store was read. */
    private bool $isLoaded;
    /** The content of the store when it was last read or written; null for none. */
    private ?string $saved = null;
    /** Whether the store contradicted what was loaded before. From then on nothing is shared. */
    private bool $isLost = false;
    private ?\Throwable $failure = null;
    /** How many attempts are skipped now, and how many will be after the next failure. */
    private int $pause = 0;
    private int $nextPause = 2;

    /**
     * @param Dictionary|DictionaryStore         $source      a dictionary that stays as it is, or the store of one that
     *     packers may extend
     * @param int                                $maxShapes   up to which size packers extend the dictionary: 0 (never)
     *     to 8160. Shapes beyond it are declared in each message. All writers should have the same number
     * @param bool                               $fingerprint each message starts with the fingerprint of the dictionary
     *     (spec/05-records.md#header), and an unpacker without that dictionary refuses the message instead of reading
     *     values under wrong names. Unpackers also accept messages without it. Unpackers without this option refuse the
     *     fingerprint as `reserved_byte`
     * @param ?\Closure(list<string> $names): bool $shouldShare whether to publish a shape; asked whenever a message
     *     would have to declare it. null for all shapes. What it throws is the cause of `unsupported_value`
     *
     * @throws InvalidOptionException when $maxShapes is out of range
     */
    public function __construct(
        Dictionary|DictionaryStore $source,
        public readonly int $maxShapes = self::DEFAULT_SHAPES,
        public readonly bool $fingerprint = false,
        private readonly ?\Closure $shouldShare = null,
    ) {
        if ($maxShapes < 0 || $maxShapes > Dictionary::MAX_SHAPES) {
            throw InvalidOptionException::limit('maxShapes', $maxShapes, 0, Dictionary::MAX_SHAPES);
        }
        $this->isLoaded = $source instanceof Dictionary;
        $this->dictionary = $source instanceof Dictionary ? $source : new Dictionary();
        $this->store = $source instanceof Dictionary ? null : $source;
    }

    /**
     * Returns the dictionary as far as it is known here, and loads it first if nobody has.
     *
     * @throws UnpackingFailedException `invalid_record` when the store keeps something else
     * @throws \Throwable               what the store throws
     */
    public function dictionary(): Dictionary
    {
        if (!$this->isLoaded) {
            $this->refresh();
        }

        return $this->dictionary;
    }

    /**
     * Loads what others have published. Returns whether the dictionary has grown.
     *
     * @throws UnpackingFailedException `invalid_record` when the store contradicts what was loaded before, or keeps
     *                                  something else; from then on nothing is shared
     * @throws \Throwable               what the store throws
     *
     * @phpstan-impure
     */
    public function refresh(): bool
    {
        if ($this->store === null || $this->isLost) {
            return false;
        }
        $content = $this->store->load();
        if ($this->isLoaded && $content === $this->saved) {
            return false;
        }
        try {
            $loaded = $content === null ? new Dictionary() : Dictionary::unpack($content);
        } catch (UnpackingFailedException $error) {
            $this->lose();
            throw $error;
        }
        $known = $this->dictionary;
        $hasGrown = \count($loaded) > \count($known);
        if (!($hasGrown ? $known->isStartOf($loaded) : $loaded->isStartOf($known))) {
            $this->lose();
            throw UnpackingFailedException::otherShapes();
        }
        $this->isLoaded = true;
        $this->saved = $content;
        if ($hasGrown) { // otherwise shapes were lost, and the next packer that publishes one restores them
            $this->dictionary = $loaded;
        }

        return $hasGrown;
    }

    /**
     * Returns what the store threw when a packer last asked it; null when it succeeded.
     */
    public function failure(): ?\Throwable
    {
        return $this->failure;
    }

    /**
     * Stops sharing, because the meaning of ids is unknown from now on.
     */
    private function lose(): void
    {
        $this->isLost = true;
        $this->dictionary = new Dictionary();
    }

    // For unpackers

    /**
     * Returns the dictionary without loading it.
     *
     * @internal
     */
    public function known(): Dictionary
    {
        return $this->dictionary;
    }

    /**
     * Says whether a fingerprint is that of the dictionary, or of one that it has grown from. If not, it loads the
     * dictionary and looks again.
     *
     * @internal
     *
     * @throws \Throwable as refresh()
     */
    public function recognizes(string $fingerprint): bool
    {
        return $this->dictionary->hasFingerprint($fingerprint)
            || ($this->refresh() && $this->dictionary->hasFingerprint($fingerprint));
    }

    // For packers

    /**
     * Returns the dictionary for the next message. If the store can't be read, it is an empty one.
     *
     * @internal
     *
     * @throws UnpackingFailedException `invalid_record`
     */
    public function forPacking(): Dictionary
    {
        if (!$this->isLoaded && !$this->isLost && !$this->pauses()) {
            try {
                $this->refresh();
                $this->succeeded();
            } catch (UnpackingFailedException $error) {
                throw $error;
            } catch (\Throwable $error) {
                $this->failed($error);
            }
        }

        return $this->dictionary;
    }

    /**
     * Returns the dictionary for a message that an engine packs; null if it isn't loaded yet, or was lost.
     *
     * @internal
     */
    public function forEngine(): ?Dictionary
    {
        return $this->isLoaded && !$this->isLost ? $this->dictionary : null;
    }

    /**
     * Tells whether a shape that the dictionary lacks may be published. If not, the message declares it.
     *
     * @internal
     */
    public function publishes(): bool
    {
        return $this->store !== null && !$this->isLost && $this->isLoaded && \count($this->dictionary) < $this->maxShapes;
    }

    /**
     * Returns how many shapes the dictionary has or may get. Declarations use the ids that are left.
     *
     * @internal
     */
    public function reach(): int
    {
        $size = \count($this->dictionary);

        return $this->store === null || $this->isLost ? $size : \max($size, $this->maxShapes);
    }

    /**
     * Adds a shape to the dictionary, unless it is there by now. Returns its number, or null if it can't be used: the
     * message has to declare it.
     *
     * @internal
     *
     * @param list<string> $names
     * @param string       $packed the names as array
     *
     * @throws UnpackingFailedException `invalid_record`
     */
    public function publish(array $names, string $packed): ?int
    {
        if (!$this->wants($names)) {
            return null;
        }
        \assert($this->store !== null);
        try {
            for ($lost = 0; $lost < self::MAX_LOST_RACES && \count($this->dictionary) < $this->maxShapes; ++$lost) {
                $next = $this->dictionary->append($names);
                $content = $next->pack();
                if ($this->store->replace($this->saved, $content)) {
                    $this->saved = $content;
                    $this->dictionary = $next;
                    $this->succeeded();

                    return \count($next) - 1;
                }
                $this->refresh();
                $number = $this->dictionary->numberOf($packed);
                if ($number !== null) {
                    return $number;
                }
            }
        } catch (UnpackingFailedException $error) {
            throw $error;
        } catch (\Throwable $error) {
            $this->failed($error);
        }

        return null;
    }

    /**
     * @param list<string> $names
     */
    private function wants(array $names): bool
    {
        if (!$this->publishes() || ($this->shouldShare !== null && !($this->shouldShare)($names))) {
            return false;
        }
        foreach ($names as $name) {
            if (!Utf8::isValid($name)) { // default mode packs it, but other readers would refuse the dictionary
                return false;
            }
        }

        return !$this->pauses();
    }

    // Failures of the store: without a pause, each message would wait for a store that doesn't answer

    private function pauses(): bool
    {
        if ($this->pause === 0) {
            return false;
        }
        --$this->pause;

        return true;
    }

    private function succeeded(): void
    {
        $this->failure = null;
        $this->nextPause = 2;
    }

    private function failed(\Throwable $error): void
    {
        $this->failure = $error;
        $this->pause = $this->nextPause;
        $this->nextPause = \min(2 * $this->nextPause, self::LONGEST_PAUSE);
    }
}
