<?php

declare(strict_types=1);

namespace Polypack\Records;

use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Stores\DictionaryStore;
use Polypack\Utf8;

/**
 * Gives packers and unpackers a dictionary of records (spec/05-records.md#shared). Rows then carry an id instead of
 * their names or a declaration:
 *
 *     $shared = new SharedRecords(new FileStore('/var/lib/app/shapes.mp'));
 *     $packer = new Packer(PackOptions::of(records: $shared));
 *     $unpacker = new BufferUnpacker($packed, UnpackOptions::of(records: $shared));
 *
 * One object serves any number of packers and unpackers. It loads the dictionary when a packer first needs it, and
 * whenever a message has an unknown id or fingerprint. So an untrusted message can make the unpacker ask the store, but
 * at most once for its fingerprint and once for its ids.
 *
 * A packer publishes a new shape before it writes the shape's id; $maxShapes and $shouldShare limit this. If another
 * writer was faster, the packer takes over the shapes published by that writer, and tries again. If the store throws
 * an exception, the message declares the shape itself, which costs bytes but loses no data. failure() returns the
 * exception.
 *
 * @api
 */
final class SharedRecords
{
    /** Default of $maxShapes: the number of shapes that have ids of one byte. */
    public const DEFAULT_SHAPES = 32;

    /** How often publish() tries to add a shape while other writers are faster. Each time, one of them succeeds. */
    private const MAX_LOST_RACES = 1000;
    /** After the first, second, third, … failure in a row, packers skip 2, 4, 8, … attempts, but at most this many. */
    private const LONGEST_PAUSE = 1024;

    private Dictionary $dictionary;
    private readonly ?DictionaryStore $store;
    /** Whether the dictionary was given, or the store was read. */
    private bool $isLoaded;
    /** The content of the store when it was last read or written; null if there was none. */
    private ?string $saved = null;
    /** Whether sharing has stopped, because the store held invalid content or contradicted what was loaded before. */
    private bool $isLost = false;
    private ?\Throwable $failure = null;
    /** Number of attempts that packers still skip. */
    private int $pause = 0;
    /** Number of attempts that packers skip after the next failure. */
    private int $nextPause = 2;

    /**
     * @param Dictionary|DictionaryStore         $source      a fixed dictionary, or the store of a dictionary that
     *     packers may extend
     * @param int                                $maxShapes   packers extend the dictionary up to this many shapes, 0
     *     (never) to 8160. All further shapes are declared in each message. All writers should use the same number
     * @param bool                               $fingerprint whether packers put a header with the dictionary's
     *     fingerprint (spec/05-records.md#header) before each message that is an array or an object. An unpacker
     *     without that dictionary then refuses the message, instead of reading values under wrong names. Unpackers with
     *     this option also accept messages without a header. Unpackers without it refuse the header as `reserved_byte`
     * @param ?\Closure(list<string> $names): bool $shouldShare decides whether to publish a shape, whenever a message
     *     would have to declare it; null publishes all shapes. An exception that it throws becomes the cause of an
     *     `unsupported_value`
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
     * Returns the dictionary that this object knows. Loads it first if that hasn't happened yet.
     *
     * @throws UnpackingFailedException `invalid_record` when the store holds anything but a dictionary
     * @throws \Throwable               any exception of the store
     */
    public function dictionary(): Dictionary
    {
        if (!$this->isLoaded) {
            $this->refresh();
        }

        return $this->dictionary;
    }

    /**
     * Loads shapes that other processes have published. Returns whether the dictionary has grown.
     *
     * @throws UnpackingFailedException `invalid_record` when the store contradicts what was loaded before, or holds
     *                                  anything but a dictionary; from then on nothing is shared
     * @throws \Throwable               any exception of the store
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
        if ($hasGrown) { // otherwise the store may have lost shapes; the next packer that publishes restores them
            $this->dictionary = $loaded;
        }

        return $hasGrown;
    }

    /**
     * Returns the last exception that the store threw to a packer; null if an attempt has succeeded since, or none
     * failed.
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

    /**
     * Tells whether sharing has stopped because of an exception of refresh(). If not, the exception is the store's own,
     * which may also be an UnpackingFailedException.
     *
     * @internal
     *
     * @phpstan-assert-if-true UnpackingFailedException $error
     */
    public function isLostBy(\Throwable $error): bool
    {
        return $this->isLost && $error instanceof UnpackingFailedException;
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
     * Says whether a fingerprint belongs to the dictionary, or to a dictionary of its first shapes. Before it returns
     * false, it loads the dictionary and looks again.
     *
     * @internal
     *
     * @throws \Throwable see refresh()
     */
    public function recognizes(string $fingerprint): bool
    {
        return $this->dictionary->hasFingerprint($fingerprint)
            || ($this->refresh() && $this->dictionary->hasFingerprint($fingerprint));
    }

    // For packers

    /**
     * Returns the dictionary for the next message. It is empty as long as the store couldn't be read.
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
            } catch (\Throwable $error) {
                $this->failed($error);
            }
        }

        return $this->dictionary;
    }

    /**
     * Returns the dictionary for a message that the engine packs; null if it isn't loaded yet, or sharing has stopped.
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
     * Returns how many shapes the dictionary has or may get. Declarations use ids that this many shapes leave free.
     *
     * @internal
     */
    public function reach(): int
    {
        $size = \count($this->dictionary);

        return $this->store === null || $this->isLost ? $size : \max($size, $this->maxShapes);
    }

    /**
     * Adds a shape to the dictionary, or finds that another writer has added it meanwhile. Returns the number of the
     * shape, or null if the message has to declare the shape.
     *
     * @internal
     *
     * @param list<string> $names
     * @param string       $packed the packed array of the names
     *
     * @throws UnpackingFailedException `invalid_record`
     * @throws PackingFailedException   when shouldShare fails
     */
    public function publish(array $names, string $packed): ?int
    {
        if (!$this->wants($names)) {
            return null;
        }
        \assert($this->store !== null);
        try {
            // Call publishes() each time, because shouldShare and refresh() may change the dictionary or stop sharing.
            for ($lost = 0; $lost < self::MAX_LOST_RACES && $this->publishes(); ++$lost) {
                $next = $this->dictionary->append($names);
                $content = $next->pack();
                if ($this->store->replace($this->saved, $content)) {
                    $this->saved = $content;
                    $this->dictionary = $next;
                    $this->succeeded();

                    return \count($next) - 1;
                }
                $this->refresh();
                $this->succeeded();
                $number = $this->dictionary->numberOf($packed);
                if ($number !== null) {
                    return $number;
                }
            }
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
        if (!$this->publishes() || !$this->shouldShare($names)) {
            return false;
        }
        foreach ($names as $name) {
            if (!Utf8::isValid($name)) { // default mode packs such names, but readers would refuse the dictionary
                return false;
            }
        }

        return !$this->pauses();
    }

    /**
     * @param list<string> $names
     */
    private function shouldShare(array $names): bool
    {
        if ($this->shouldShare === null) {
            return true;
        }
        try {
            return ($this->shouldShare)($names);
        } catch (\Throwable $cause) {
            throw PackingFailedException::shouldShare($cause);
        }
    }

    // After a failure of the store, packers skip some attempts, so that not every message waits for the store.

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

    /**
     * @throws UnpackingFailedException $error, if sharing has stopped because of it
     */
    private function failed(\Throwable $error): void
    {
        if ($this->isLostBy($error)) {
            throw $error;
        }
        $this->failure = $error;
        $this->pause = $this->nextPause;
        $this->nextPause = \min(2 * $this->nextPause, self::LONGEST_PAUSE);
    }
}
