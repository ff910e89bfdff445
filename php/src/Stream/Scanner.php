<?php

declare(strict_types=1);

namespace Polypack\Stream;

use Polypack\BufferUnpacker;
use Polypack\Decoder\Loops;
use Polypack\Exception\Path;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Format;
use Polypack\Records\Declarations;
use Polypack\Records\SharedRecords;
use Polypack\Type\Bin;
use Polypack\Type\UInt64;

/**
 * Finds the end of a message whose bytes arrive in pieces (spec/06-limits.md#streams).
 *
 * It jumps over bodies. Between calls it keeps the position of the next head, and one number for each open container.
 * So the work is linear in the bytes, however they are cut. While the message is incomplete, it reports reserved bytes,
 * messages that are too deep or too long, and records that are unknown or whose declaration is faulty. The decoder
 * finds all other faults, and equal names in a declaration.
 *
 * At a possible fault, the scanner reads the message again, now with a frame for each open container. Frames tell the
 * path of the fault. Without the extension, messages with records need frames from the start. If the extension is
 * active, its polypack_scan() scans the messages that need no frames.
 *
 * The scanner also estimates how much memory the message will take (spec/06-limits.md#memory), because maxMemory limits
 * lists of messages.
 *
 * A frame is [left, count, kind, mark]: how many children are still incomplete, how many there are, the kind, and a
 * mark. In a map, the mark is the position of the latest key, or -1 if the key is an instance of a record. In a record,
 * it is the position of the first name, or -1 minus the number of the shape in the dictionary. Positions count from the
 * start of the message.
 *
 * @internal
 */
final class Scanner
{
    private const TOP = 0;
    private const ARRAY = 1;
    private const MAP = 2;
    /** A record with its declaration. Its children are the names and then the values. */
    private const DECLARATION = 3;
    /** A later use of a declared shape. Its children are the values. */
    private const INSTANCE = 4;

    /** Result of polypack_scan() for a message that may have a fault, or may use a record id that isn't known yet. */
    private const NEEDS_FRAMES = -2;

    /**
     * Length of the head for each head byte from c0 to df. The head includes the type of an ext, and all of a number.
     */
    private const HEAD_LENGTHS = "\x01\x01\x01\x01\x02\x03\x05\x03\x04\x06\x05\x09\x02\x03\x05\x09"
        . "\x02\x03\x05\x09\x02\x02\x02\x02\x02\x02\x03\x05\x03\x05\x03\x05";

    /** Estimated bytes of memory that the message takes, as far as it has been read. */
    public int $weight = 0;

    /** How many bytes of the stream were released before the first byte of the buffer. */
    public int $released = 0;

    /** @var int where the message starts, counted from the start of the stream; -1 for none */
    private $start = -1;
    /** @var string state that polypack_scan() keeps between two calls */
    private $state = '';
    /** @var bool whether the next polypack_scan() starts a message */
    private $begins = true;
    /** @var int position of the next head; the end of the message if it is complete */
    private $position = 0;
    /** @var int values not read yet, including the one at the position */
    private $owed = 1;
    /** @var bool whether frames are in use: after a possible fault, and for records without the extension */
    private $isFramed = false;
    /** @var array<int, int> without frames: for each open container, what $owed will be after it */
    private $ends = [];
    /** @var int how many entries of $ends are in use */
    private $open = 0;
    /** @var array{int, int, int, int} the innermost frame */
    private $frame = [1, 1, self::TOP, 0];
    /** @var list<array{int, int, int, int}> the frames around $frame, the outermost first */
    private $stack = [];
    /** @var Declarations<array{int, int}> by record id: the number of names, and the mark for a frame */
    private $declarations;
    /** @var ?string for the extension: the packed dictionary, as it was when the message began */
    private $dictionary;
    /** @var bool whether load() may still load the dictionary for this message */
    private $mayLoad = false;
    /** @var bool whether ints above 2⁶³−1 become objects */
    private $bigIntObjects;

    public function __construct(
        private readonly int $maxDepth,
        private readonly int $maxBytes,
        private readonly bool $records,
        private readonly ?SharedRecords $shared = null,
        private readonly bool $lossless = false,
        private readonly bool $native = false,
        bool $bigIntObjects = false,
    ) {
        $this->bigIntObjects = $lossless || $bigIntObjects;
        $this->declarations = new Declarations();
    }

    public function __clone()
    {
        $this->declarations = clone $this->declarations;
    }

    /**
     * Begins or continues to scan the message at an offset of the buffer. Returns whether the message is complete.
     *
     * @throws UnpackingFailedException
     */
    public function scan(string $buffer, int $offset): bool
    {
        $start = $this->released + $offset;
        if ($this->start !== $start) {
            $this->begin($this->records && !$this->native);
        }
        $this->start = -1; // stays -1 after a fault, so that the next call scans the message from its start
        if ($this->native && !$this->isFramed) {
            $end = \polypack_scan(
                $buffer,
                $offset,
                $this->state,
                $this->weight,
                $this->begins,
                $this->maxDepth,
                $this->maxBytes,
                $this->records,
                $this->dictionary,
                $this->lossless,
                $this->bigIntObjects,
            );
            if ($end > self::NEEDS_FRAMES) {
                $this->begins = false;
                $this->start = $start;

                return $end > 0;
            }
            $this->begin(true);
        }
        if (!$this->isFramed && !$this->skim($buffer, $offset)) {
            $this->begin(true);
        }
        if ($this->isFramed) {
            $this->scanFrames($buffer, $offset);
        }
        $this->start = $start;

        return $this->owed === 0 && $offset + $this->position <= \strlen($buffer);
    }

    /**
     * Returns the offset after the message that starts at $offset; null if the buffer ends before the message does.
     *
     * @throws UnpackingFailedException
     */
    public function end(string $buffer, int $offset): ?int
    {
        return $this->scan($buffer, $offset) ? $offset + $this->position : null;
    }

    /**
     * Scans without frames, if records are off. Returns false at a fault, which scanFrames() then reports.
     *
     * For each open container, $ends holds how many values will be owed after the container. So at the head of a
     * container, the number of entries in use is the depth.
     */
    private function skim(string $buffer, int $offset): bool
    {
        $end = \strlen($buffer);
        $most = $offset + $this->maxBytes;
        $at = $offset + $this->position;
        $owed = $this->owed;
        $ends = $this->ends;
        $this->ends = []; // otherwise the first write would copy the array, once per chunk
        $open = $this->open;
        $weight = $this->weight;
        // A child of a map is a key or a value, so it weighs half an entry.
        $weightOfChild = $this->lossless ? (Loops::ENTRY_WEIGHT + Loops::PAIR_WEIGHT) >> 1 : Loops::ENTRY_WEIGHT >> 1;
        while ($owed > 0 && $at < $end) {
            $byte = \ord($buffer[$at]);
            if ($byte < 0x80 || $byte >= 0xe0) { // positive and negative fixint
                ++$at;
                --$owed;
                continue;
            }
            if (($length = $byte ^ 0xa0) < 0x20) { // fixstr
                $at += $length + 1;
                --$owed;
            } elseif ($byte < 0xa0 || $byte >= 0xdc) { // arrays, maps
                if ($byte < 0xa0) {
                    $children = $byte < 0x90 ? ($byte & 0x0f) << 1 : $byte & 0x0f;
                    $length = 1;
                } else {
                    $length = ($byte & 1) === 0 ? 3 : 5;
                    if ($at + $length > $end) {
                        break;
                    }
                    $children = $length === 3
                        ? \ord($buffer[$at + 1]) << 8 | \ord($buffer[$at + 2])
                        : \unpack('Na', $buffer, $at + 1)['a'];
                    if ($byte >= 0xde) {
                        $children <<= 1;
                    }
                }
                --$owed;
                while ($open > 0 && $ends[$open - 1] > $owed) {
                    --$open;
                }
                if ($open >= $this->maxDepth) {
                    return false;
                }
                $ends[$open] = $owed;
                ++$open;
                $owed += $children;
                $at += $length;
                if ($children > 0) {
                    $weight += $byte < 0x90 || $byte > 0xdd
                        ? Loops::MAP_WEIGHT + $weightOfChild * $children
                        : Loops::ARRAY_WEIGHT + Loops::ELEMENT_WEIGHT * $children;
                }
            } elseif ($byte < 0xc4) { // nil, false, true
                if ($byte === 0xc1) {
                    return false;
                }
                ++$at;
                --$owed;
                continue;
            } elseif ($byte === 0xd9) { // str 8
                if ($at + 1 >= $end) {
                    break;
                }
                $at += \ord($buffer[$at + 1]) + 2;
                --$owed;
            } else { // numbers, str, bin, ext
                $length = \ord(self::HEAD_LENGTHS[$byte - 0xc0]);
                if ($at + $length > $end) {
                    break;
                }
                if ($byte < 0xd9 && $byte !== 0xcb) { // str and float 64 never add weight
                    $weight += $this->objectWeight($buffer, $at, $byte);
                }
                $at += $byte < 0xca || $byte > 0xd3 ? $length + self::bodyLength($buffer, $at, $byte) : $length;
                --$owed;
            }
            if ($at + $owed > $most) {
                return false;
            }
        }
        $this->position = $at - $offset;
        $this->owed = $owed;
        $this->ends = $ends;
        $this->open = $open;
        $this->weight = $weight;

        return true;
    }

    /**
     * Returns OBJECT_WEIGHT for a value that may become an object, else 0. These are ext values, bins in lossless mode,
     * and ints above 2⁶³−1 if the options make them objects. Such an int counts also as a map key, although it becomes
     * a string there (spec/06-limits.md#memory).
     */
    private function objectWeight(string $buffer, int $head, int $byte): int
    {
        $isExt = ($byte >= 0xc7 && $byte <= 0xc9) || ($byte >= 0xd4 && $byte <= 0xd8);
        $isBin = $byte < 0xc7;
        $isBigInt = $byte === 0xcf && $buffer[$head + 1] > "\x7f";

        return $isExt || ($isBin && $this->lossless) || ($isBigInt && $this->bigIntObjects) ? Loops::OBJECT_WEIGHT : 0;
    }

    /**
     * Scans with frames, which tell the path of a fault and where the names of a record are.
     *
     * @throws UnpackingFailedException
     */
    private function scanFrames(string $buffer, int $offset): void
    {
        $base = $this->released;
        $end = \strlen($buffer) - $offset;
        $records = $this->records;
        $maxBytes = $this->maxBytes;
        $position = $this->position;
        $owed = $this->owed;
        $stack = $this->stack;
        $this->stack = []; // otherwise the first write would copy the stack, once per chunk
        [$left, $count, $kind, $mark] = $this->frame;

        while ($owed > 0 && $position < $end) {
            if ($kind === self::MAP && ($left & 1) === 0) {
                $mark = $position;
            }
            $head = $offset + $position;
            $byte = \ord($buffer[$head]);
            $children = 0;
            $childKind = self::TOP;
            $childMark = 0;
            if ($kind === self::DECLARATION && 2 * $left > $count && !self::startsName($byte)) {
                throw UnpackingFailedException::invalidRecord(
                    'has a name that is not a str',
                    $base + $head,
                    $this->path($buffer, $offset, $stack, [$left, $count, $kind, $mark]),
                );
            }

            // Each branch sets $length, the number of bytes up to the next head. An incomplete head ends the loop.
            if ($byte < 0x80 || $byte >= 0xe0) {
                $length = 1; // positive and negative fixint
                if (
                    $records && $byte >= 0x40 && $byte < 0x80
                    && ($this->declarations->startsInstance($byte) || $this->shared !== null)
                ) {
                    if ($this->shared !== null && !$this->declarations->knows($byte, $buffer, $head)) {
                        $frame = [$left, $count, $kind, $mark];
                        $this->load($this->shared, $base + $head, $byte, $buffer, $offset, $stack, $frame);
                    }
                    $record = $this->declarations;
                    if ($record->isPair($byte)) {
                        if ($position + 1 >= $end) {
                            break;
                        }
                        $length = 2;
                        $found = $record->getPair($byte, \ord($buffer[$head + 1]));
                        if ($found === null) {
                            $id = \sprintf('0x%02x 0x%02x', $byte, \ord($buffer[$head + 1]));
                            throw UnpackingFailedException::unknownRecord(
                                $id,
                                $this->shared !== null,
                                $base + $head,
                                $this->path($buffer, $offset, $stack, [$left, $count, $kind, $mark]),
                            );
                        }
                    } else {
                        $found = $record->get($byte);
                    }
                    [$children, $childMark] = $found;
                    $childKind = self::INSTANCE;
                    if ($kind === self::MAP && ($left & 1) === 0) {
                        $mark = -1; // the names of a record as key can't be found later: its id may be declared again
                    }
                }
            } elseif ($byte < 0xa0) { // fixmap, fixarray
                $length = 1;
                $children = $byte < 0x90 ? 2 * ($byte & 0x0f) : $byte & 0x0f;
                $childKind = $byte < 0x90 ? self::MAP : self::ARRAY;
            } elseif ($byte < 0xc0) { // fixstr
                $length = 1 + ($byte & 0x1f);
            } elseif ($byte === 0xc1) {
                throw UnpackingFailedException::reservedByte(
                    $base + $head,
                    $this->path($buffer, $offset, $stack, [$left, $count, $kind, $mark]),
                );
            } else {
                $headLength = self::headLength($byte);
                if ($position + $headLength > $end) {
                    break;
                }
                $length = $headLength + self::bodyLength($buffer, $head, $byte);
                if ($byte >= 0xdc) { // array 16, array 32, map 16, map 32
                    $isMap = $byte >= 0xde;
                    $elements = ($byte & 1) === 0
                        ? \ord($buffer[$head + 1]) << 8 | \ord($buffer[$head + 2])
                        : self::uint32($buffer, $head + 1);
                    $children = $isMap ? 2 * $elements : $elements;
                    $childKind = $isMap ? self::MAP : self::ARRAY;
                } elseif ($records && self::isDeclaration($buffer, $head, $headLength, $length)) {
                    if ($position + $length > $end) {
                        break;
                    }
                    $frame = [$left, $count, $kind, $mark];
                    $namesLength = $this->declaration($buffer, $offset, $base, $position, $length, $owed, $stack, $frame);
                    if ($namesLength === null) {
                        break;
                    }
                    $names = self::arrayCount($buffer, $head + $length);
                    $least = $position + $length + $namesLength + $owed - 1 + 2 * $names;
                    if ($least > $maxBytes) {
                        throw UnpackingFailedException::bytes(
                            $least,
                            $maxBytes,
                            $base + $head + $length,
                            $this->path($buffer, $offset, $stack, $frame),
                        );
                    }
                    $length += $namesLength;
                    $children = 2 * $names;
                    $childKind = self::DECLARATION;
                    $childMark = $position + $length;
                    $this->declare($buffer, $head, $names, $childMark);
                } elseif ($byte > 0xc3 && $byte < 0xd9) {
                    $this->weight += $this->objectWeight($buffer, $head, $byte);
                }
            }

            if ($childKind !== self::TOP && \count($stack) >= $this->maxDepth) {
                throw UnpackingFailedException::depth(
                    $this->maxDepth,
                    $base + $head,
                    $this->path($buffer, $offset, $stack, [$left, $count, $kind, $mark]),
                );
            }
            if ($position + $length + $owed - 1 + $children > $maxBytes) {
                throw UnpackingFailedException::bytes(
                    $position + $length + $owed - 1 + $children,
                    $maxBytes,
                    $base + $head,
                    $this->path($buffer, $offset, $stack, [$left, $count, $kind, $mark]),
                );
            }
            $position += $length;
            $owed += $children - 1;
            if ($children > 0) {
                $this->weight += $this->containerWeight($childKind, $children);
                $stack[] = [$left, $count, $kind, $mark];
                $left = $children;
                $count = $children;
                $kind = $childKind;
                $mark = $childMark;
            } else {
                --$left;
                while ($left === 0 && $stack !== []) {
                    [$left, $count, $kind, $mark] = \array_pop($stack);
                    --$left;
                }
            }
        }

        $this->position = $position;
        $this->owed = $owed;
        $this->stack = $stack;
        $this->frame = [$left, $count, $kind, $mark];
    }

    /**
     * @param int $children more than 0
     */
    private function containerWeight(int $kind, int $children): int
    {
        if ($kind === self::ARRAY) {
            return Loops::ARRAY_WEIGHT + Loops::ELEMENT_WEIGHT * $children;
        }
        $entries = $kind === self::INSTANCE ? $children : $children >> 1;
        $map = Loops::MAP_WEIGHT + ($this->lossless ? Loops::ENTRY_WEIGHT + Loops::PAIR_WEIGHT : Loops::ENTRY_WEIGHT) * $entries;

        return $kind === self::DECLARATION ? Loops::ARRAY_WEIGHT + Loops::ELEMENT_WEIGHT * $entries + $map : $map;
    }

    private function begin(bool $isFramed): void
    {
        $this->position = 0;
        $this->weight = 0;
        $this->owed = 1;
        $this->begins = true;
        $this->isFramed = $isFramed;
        $this->ends = [];
        $this->open = 0;
        $this->frame = [1, 1, self::TOP, 0];
        $this->stack = [];
        $this->declarations->clear();
        if ($this->shared !== null) {
            if ($isFramed) {
                $this->mayLoad = true;
                $this->declarations->startWith($this->shared->known()->counted());
            } else {
                $this->dictionary = $this->shared->known()->pack();
            }
        }
    }

    private static function headLength(int $byte): int
    {
        return \ord(self::HEAD_LENGTHS[$byte - 0xc0]);
    }

    /**
     * Returns the length of the body after a complete head with a head byte from c0 to df.
     */
    private static function bodyLength(string $buffer, int $head, int $byte): int
    {
        return match ($byte) {
            0xc4, 0xc7, 0xd9 => \ord($buffer[$head + 1]), // bin 8, ext 8, str 8
            0xc5, 0xc8, 0xda => \ord($buffer[$head + 1]) << 8 | \ord($buffer[$head + 2]), // bin 16, ext 16, str 16
            0xc6, 0xc9, 0xdb => self::uint32($buffer, $head + 1), // bin 32, ext 32, str 32
            0xd4, 0xd5, 0xd6, 0xd7, 0xd8 => 1 << $byte - 0xd4, // fixext
            default => 0,
        };
    }

    private static function uint32(string $buffer, int $offset): int
    {
        return \unpack('Na', $buffer, $offset)['a'];
    }

    /**
     * Tells whether a value is an ext value, in any ext format, with the type of declarations and a body of 1 or 2
     * bytes. The head must be complete.
     *
     * @param int $length length of head and body
     */
    private static function isDeclaration(string $buffer, int $head, int $headLength, int $length): bool
    {
        $byte = \ord($buffer[$head]);
        $isExt = $byte === 0xd4 || $byte === 0xd5 || ($byte >= 0xc7 && $byte <= 0xc9);
        $body = $length - $headLength;

        return $isExt && ($body === 1 || $body === 2) && $buffer[$head + $headLength - 1] === "\x72";
    }

    /**
     * Tells whether a byte is the head byte of a str, or the reserved byte c1, which scanFrames() refuses.
     */
    private static function startsName(int $byte): bool
    {
        return ($byte >= 0xa0 && $byte <= 0xbf) || ($byte >= 0xd9 && $byte <= 0xdb) || $byte === 0xc1;
    }

    /**
     * Checks the declaration at $position, whose id has arrived. Returns the length of the head of its array of names,
     * or null if this head is incomplete.
     *
     * It throws immediately at a fault, because a faulty declaration doesn't tell how many values follow.
     *
     * @param int                             $length bytes of the declaration up to the array of names
     * @param list<array{int, int, int, int}> $stack
     * @param array{int, int, int, int}       $frame
     */
    private function declaration(
        string $buffer,
        int $offset,
        int $base,
        int $position,
        int $length,
        int $owed,
        array $stack,
        array $frame,
    ): ?int {
        $head = $offset + $position;
        $isPair = $buffer[$head] === "\xd5";
        if (!$isPair && $buffer[$head] !== "\xd4") {
            throw UnpackingFailedException::invalidRecord(
                'must have the head byte 0xd4 or 0xd5',
                $base + $head,
                $this->path($buffer, $offset, $stack, $frame),
            );
        }
        $id = \ord($buffer[$head + 2]);
        if ($id < ($isPair ? 0x60 : 0x40) || $id > 0x7f) {
            throw UnpackingFailedException::invalidRecord(
                \sprintf('has the id 0x%02x, outside 0x%s to 0x7f', $id, $isPair ? '60' : '40'),
                $base + $head,
                $this->path($buffer, $offset, $stack, $frame),
            );
        }
        if (\count($stack) >= $this->maxDepth) {
            throw UnpackingFailedException::depth($this->maxDepth, $base + $head, $this->path($buffer, $offset, $stack, $frame));
        }
        if ($position + $length + $owed > $this->maxBytes) { // $owed counts the array of names as 1
            throw UnpackingFailedException::bytes(
                $position + $length + $owed,
                $this->maxBytes,
                $base + $head,
                $this->path($buffer, $offset, $stack, $frame),
            );
        }
        $names = $head + $length;
        if (!isset($buffer[$names])) {
            return null;
        }
        $byte = \ord($buffer[$names]);
        if ($byte === 0xc1) {
            throw UnpackingFailedException::reservedByte($base + $names, $this->path($buffer, $offset, $stack, $frame));
        }
        if ($byte >= 0x90 && $byte < 0xa0) {
            return 1;
        }
        if ($byte !== 0xdc && $byte !== 0xdd) {
            throw UnpackingFailedException::invalidRecord(
                'is not followed by an array of names',
                $base + $names,
                $this->path($buffer, $offset, $stack, $frame),
            );
        }
        $length = self::headLength($byte);

        return isset($buffer[$names + $length - 1]) ? $length : null;
    }

    /**
     * Returns the count in a complete head of an array.
     */
    private static function arrayCount(string $buffer, int $head): int
    {
        $byte = \ord($buffer[$head]);
        if ($byte < 0xa0) {
            return $byte & 0x0f;
        }

        return $byte === 0xdc
            ? \ord($buffer[$head + 1]) << 8 | \ord($buffer[$head + 2])
            : self::uint32($buffer, $head + 1);
    }

    /**
     * Loads the dictionary for an unknown id, once per message. If still no known id begins with the byte, throws,
     * because nothing tells how many values follow.
     *
     * @param list<array{int, int, int, int}> $stack
     * @param array{int, int, int, int}       $frame
     */
    private function load(
        SharedRecords $shared,
        int $at,
        int $byte,
        string $buffer,
        int $offset,
        array $stack,
        array $frame,
    ): void {
        if ($this->mayLoad) {
            $this->mayLoad = false;
            try {
                $shared->refresh();
            } catch (\Throwable $cause) {
                $path = $this->path($buffer, $offset, $stack, $frame);
                throw UnpackingFailedException::dictionary($cause, $shared->isLostBy($cause), $at, $path);
            }
            // Even if refresh() found nothing new, another unpacker may have loaded shapes since the message began.
            $this->declarations->addFrom($shared->known()->counted());
        }
        if (!$this->declarations->startsInstance($byte)) {
            $id = \sprintf('0x%02x', $byte);
            throw UnpackingFailedException::unknownRecord($id, true, $at, $this->path($buffer, $offset, $stack, $frame));
        }
    }

    private function declare(string $buffer, int $head, int $names, int $mark): void
    {
        $id = \ord($buffer[$head + 2]);
        if ($buffer[$head] === "\xd4") {
            $this->declarations->declare($id, [$names, $mark]);
        } else {
            $this->declarations->declarePair($id, \ord($buffer[$head + 3]), [$names, $mark]);
        }
    }

    /**
     * @param list<array{int, int, int, int}> $stack
     * @param array{int, int, int, int}       $frame
     */
    private function path(string $buffer, int $offset, array $stack, array $frame): string
    {
        $trail = [];
        foreach ([...$stack, $frame] as [$left, $count, $kind, $mark]) {
            $child = $count - $left;
            if ($kind === self::ARRAY) {
                $trail[] = $child;
            } elseif ($kind === self::MAP) {
                if (($child & 1) === 0) {
                    break; // a fault inside a key has the path of the map
                }
                $trail[] = $mark < 0 ? [$child >> 1] : self::key($buffer, $offset + $mark, $child >> 1);
            } elseif ($kind === self::INSTANCE) {
                $trail[] = $mark < 0
                    ? $this->shared?->known()->name(-1 - $mark, $child) ?? ''
                    : self::name($buffer, $offset + $mark, $child);
            } elseif ($kind === self::DECLARATION) {
                $names = \intdiv($count, 2);
                if ($child < $names) {
                    break; // a fault in the declaration has the path of the record
                }
                $trail[] = self::name($buffer, $offset + $mark, $child - $names);
            }
        }

        return Path::of($trail, 0, \count($trail));
    }

    /**
     * @return int|string|Bin|UInt64|array{int}
     */
    private static function key(string $buffer, int $head, int $entry): int|string|Bin|UInt64|array
    {
        $family = Format::family(\ord($buffer[$head]));
        if ($family !== 'int' && $family !== 'str' && $family !== 'bin') {
            return [$entry];
        }
        $key = (new BufferUnpacker($buffer))->seek($head)->unpack();

        return $family === 'bin' && \is_string($key) ? new Bin($key) : Path::step($key, $entry);
    }

    /**
     * Returns the name at $index of a declaration, whose names have all been checked to be str.
     */
    private static function name(string $buffer, int $first, int $index): string
    {
        $unpacker = (new BufferUnpacker($buffer))->seek($first);
        for ($i = 0; $i < $index; ++$i) {
            $unpacker->unpackStr();
        }

        return $unpacker->unpackStr();
    }
}
