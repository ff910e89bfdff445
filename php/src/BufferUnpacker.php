<?php

declare(strict_types=1);

namespace Polypack;

use Polypack\Decoder\Containers;
use Polypack\Decoder\ExtensionCall;
use Polypack\Decoder\ExtValues;
use Polypack\Decoder\Faults;
use Polypack\Decoder\General;
use Polypack\Decoder\Handover;
use Polypack\Decoder\Identities;
use Polypack\Decoder\Kinds;
use Polypack\Decoder\LazyReads;
use Polypack\Decoder\Loops\LosslessLoops;
use Polypack\Decoder\LosslessMaps;
use Polypack\Decoder\Stepping;
use Polypack\Decoder\Unwind;
use Polypack\Decoder\WideMaps;
use Polypack\Exception\InsufficientDataException;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Extension\TimestampExtension;
use Polypack\Native\Decoding;
use Polypack\Native\Engine;
use Polypack\Options\BigInts;
use Polypack\Records\Declarations;
use Polypack\Records\InlineReading;
use Polypack\Records\PlainCopying;
use Polypack\Records\SharedReading;
use Polypack\Stream\Scanner;
use Polypack\Stream\Streams;
use Polypack\Type\Ext;

/**
 * Unpacks MessagePack values, one after the other, from a buffer that may grow.
 *
 * Plan: this file has the buffer, and the methods that read values of any kind. Decoder/Kinds.php has a method for each
 * kind of value. Decoder/LazyReads.php reads a single value by its path. Stream/Streams.php reads the part of a stream
 * that has arrived. Decoder/General.php and the traits beside it can decode everything. Decoder/Handover.php calls the
 * generated loops, which decode the most common values faster. Native/Decoding.php calls the PHP extension, if it is
 * active. This file is long because unpack() decodes most scalars itself: calling a method for a scalar would take
 * longer than decoding it.
 *
 * After a decoding error the unpacker is usable, and its position is the start of the message that failed. Offsets in
 * errors count from the first byte given to reset() or to the constructor, including the bytes that release() has
 * removed. Fibers must not share an unpacker; give each a clone.
 *
 * @api
 */
class BufferUnpacker extends LosslessLoops
{
    use Containers;
    use Decoding;
    use ExtValues;
    use Faults;
    use Handover;
    use InlineReading;
    use Kinds;
    use LazyReads;
    use LosslessMaps;
    use PlainCopying;
    use SharedReading;
    use Stepping;
    use Streams;
    use General;
    use WideMaps;

    // Values of $loops, which chooses the PHP code for containers: the loops of one mode, or the general decoder. The
    // general decoder is needed for records, for maxValues, for maxMemory outside of strict mode, and for strict and
    // lossless mode without mbstring.
    private const DEFAULT = 0;
    private const STRICT = 1;
    private const LOSSLESS = 2;
    private const GENERAL = 3;

    /**
     * The read position after a fault in a loop. It is past the end of any buffer, and adding a length to it can't
     * overflow.
     */
    private const FAILED_OFFSET = 1 << 62;

    // Settings from the options and limits. The initial values are the defaults, so making an unpacker with default
    // options costs almost nothing.

    /** @var int the PHP code that decodes containers: DEFAULT, STRICT, LOSSLESS or GENERAL */
    private $loops = self::DEFAULT;
    /**
     * @var bool whether unpack() calls the default loops itself. False if $loops isn't DEFAULT, if the PHP extension is
     *     active, or if the buffer is the data of an ext value
     */
    private $direct = true;
    /** @var bool */
    private $strict = false;
    /** @var bool */
    private $lossless = false;
    /** @var bool whether a str must be UTF-8, as in strict and lossless mode */
    private $checkUtf8 = false;
    /** @var bool whether records are read (spec/05-records.md) */
    private $records = false;
    /** @var int each head byte below this is a positive fixint: 0x40 if records are read, else 0x80 */
    private $fixintEnd = 0x80;
    /** @var BigInts */
    private $bigInts = BigInts::Str;
    /** @var int */
    private $maxDepth = Format::MAX_DEPTH;
    /** @var int how many containers may be nested: maxDepth, or fewer in the data of an extension */
    private $depthLeft = Format::MAX_DEPTH;
    /** @var ?int */
    private $maxValues;
    /** @var int */
    private $maxBytes = Format::MAX_STREAM_BYTES;
    /** @var int */
    private $maxCollisions = Format::MAX_COLLISIONS;
    /** @var int PHP_INT_MAX for no limit */
    private $maxMemory = \PHP_INT_MAX;
    /**
     * @var bool whether unpack() leaves ext values to the general decoder, which counts their memory. True in the data
     *     of an extension, where all messages share one maxMemory. Also true if maxMemory is too small for an ext value
     */
    private $weighsExt = false;
    /** @var array<int, Extension> by type */
    private $extensions = [];
    /** @var bool whether records are off, and an extension is registered for the type of declarations (0x72) */
    private $ownsRecordType = false;
    /** @var ?Scanner the state of a stream; null until scanner() makes it */
    private $scanner;

    // State of the message that is being decoded. begin() starts a new message.

    /** @var int where the message starts in the buffer */
    private $start = 0;
    /** @var int values that containers may still declare */
    private $budget = \PHP_INT_MAX;
    /** @var int the depth of the outermost values in the data of an extension; 0 for other input */
    private $ground = 0;
    /**
     * @var int bytes of extension data that this unpacker and the unpackers around it hold, not counting the data of
     *     the outermost extension
     */
    private $held = 0;
    /** @var ?ExtensionCall tells whether the outermost extension around this data still runs; null for other input */
    private $call;
    /** @var int the greatest length of a fault's path: the depth of the map while its key is read, else unlimited */
    private $pathEnd = \PHP_INT_MAX;
    /**
     * @var array<int, int|string|Type\Bin|Type\UInt64|array{int}> entry d is the key or index that leads from the
     *     container at depth d to its child
     */
    private $trail = [];
    /** @var ?\Closure(int, string): UnpackingFailedException */
    private $fault;
    /** @var int */
    private $faultOffset = 0;
    /** @var int */
    private $faultDepth = 0;
    /** @var ?Declarations<list<string>> null until declarations() is called */
    private $declarations;
    /** @var ?Identities null until identities() is called */
    private $identities;
    /** @var bool whether a float and an equal int are the same key; used in lossless mode only */
    private $foldsFloats = false;
    /** @var bool whether the names of records are limited to maxBytes, because the records will be written as maps */
    private $namesLimited = false;
    /** @var int bytes that the names of records may still take */
    private $namesLeft = 0;
    /** @var ?self a copy with an empty buffer, for decoding the Raw values that this unpacker makes */
    private $blank;

    /**
     * @param UnpackOptions|int|null $options    constants of UnpackOptions, combined with |
     * @param iterable<Extension>    $extensions if two have the same type, the later one counts
     *
     * @throws InvalidOptionException
     */
    public function __construct(
        string $buffer = '',
        UnpackOptions|int|null $options = null,
        iterable $extensions = [],
        ?Limits $limits = null,
    ) {
        $this->buffer = $buffer;
        if ($options !== null && $options !== 0) {
            $this->choose($options instanceof UnpackOptions ? $options : UnpackOptions::fromBitmask($options));
        }
        if (Engine::$isActive !== false) {
            $this->native = Engine::isActive();
            $this->direct = $this->direct && !$this->native;
        }
        if ($limits !== null) {
            $this->maxDepth = $limits->maxDepth;
            $this->depthLeft = $limits->maxDepth;
            $this->maxValues = $limits->maxValues;
            $this->maxBytes = $limits->maxBytes;
            $this->maxCollisions = $limits->maxCollisions;
            $this->maxMemory = $limits->maxMemory ?? $this->maxMemory;
            $this->weighsExt = $this->maxMemory < self::OBJECT_WEIGHT;
            // Only the strict loops count memory, and no loop counts values.
            if ($limits->maxValues !== null || ($limits->maxMemory !== null && $this->loops !== self::STRICT)) {
                $this->loops = self::GENERAL;
                $this->direct = false;
            }
        }
        if ($extensions !== []) {
            foreach ($extensions as $extension) {
                $this->register($extension);
            }
        }
    }

    private function choose(UnpackOptions $options): void
    {
        $this->options = $options->bits;
        $this->strict = $options->isStrictMode();
        $this->lossless = $options->isLosslessMode();
        $this->checkUtf8 = $this->strict || $this->lossless;
        $this->maxMemory = $this->strict ? Format::MAX_MEMORY : \PHP_INT_MAX;
        $this->shared = $options->getSharedRecords();
        $this->records = $options->isRecordsInlineMode() || $this->shared !== null;
        $this->fixintEnd = $this->records ? 0x40 : 0x80;
        $this->bigInts = $options->getBigInts();
        if ($this->records || ($this->checkUtf8 && !\function_exists('mb_check_encoding'))) {
            $this->loops = self::GENERAL;
        } elseif ($this->checkUtf8) {
            $this->loops = $this->strict ? self::STRICT : self::LOSSLESS;
        }
        $this->direct = $this->loops === self::DEFAULT;
    }

    public function __clone()
    {
        if ($this->scanner !== null) {
            $this->scanner = clone $this->scanner;
        }
        $this->declarations = null;
        $this->identities = null;
        $this->blank = null; // otherwise the copy's Raw values would use the original's extensions
    }

    /**
     * Returns a copy that also decodes these extension types.
     *
     * @throws InvalidOptionException when a type is outside -128 to 127
     */
    public function extendWith(Extension $extension, Extension ...$extensions): static
    {
        $unpacker = clone $this;
        $unpacker->register($extension);
        foreach ($extensions as $another) {
            $unpacker->register($another);
        }

        return $unpacker;
    }

    /**
     * Replaces the buffer and starts at its first byte.
     *
     * @return $this
     */
    public function reset(string $buffer = '') // no native return type, because PHP would check it on each call
    {
        $this->buffer = $buffer;
        $this->offset = 0;
        $this->scanner = null;

        return $this;
    }

    /**
     * Returns a copy that reads another buffer from its first byte.
     */
    public function withBuffer(string $buffer): static
    {
        return (clone $this)->reset($buffer);
    }

    /**
     * Adds bytes to the end of the buffer.
     */
    public function append(string $data): static
    {
        $this->buffer .= $data;

        return $this;
    }

    /**
     * Moves to an offset in the buffer. A negative offset counts from the end. The end itself is allowed.
     *
     * @throws InsufficientDataException when the offset is outside the buffer
     */
    public function seek(int $offset): static
    {
        $length = \strlen($this->buffer);
        $target = $offset < 0 ? $length + $offset : $offset;
        if ($target < 0 || $target > $length) {
            throw InsufficientDataException::move($target, $length);
        }
        $this->offset = $target;

        return $this;
    }

    /**
     * Moves by a number of bytes, backwards if it's negative.
     *
     * @throws InsufficientDataException when the target is outside the buffer
     */
    public function skip(int $length): static
    {
        $end = \strlen($this->buffer);
        if ($length > $end - $this->offset || $length < -$this->offset) {
            throw InsufficientDataException::step($length, $this->offset, $end);
        }
        $this->offset += $length;

        return $this;
    }

    /**
     * Reads bytes without decoding them.
     *
     * @throws InsufficientDataException when fewer bytes remain
     * @throws InvalidOptionException    when the length is negative
     */
    public function read(int $length): string
    {
        if ($length < 0) {
            throw InvalidOptionException::negativeLength($length);
        }
        $remaining = \strlen($this->buffer) - $this->offset;
        if ($length > $remaining) {
            throw InsufficientDataException::rest($length, $remaining, $this->base() + $this->offset);
        }
        $bytes = \substr($this->buffer, $this->offset, $length);
        $this->offset += $length;

        return $bytes;
    }

    /**
     * Removes from the buffer all bytes before the read position, and returns their number. It copies the bytes that
     * remain, so call it once per chunk rather than once per small value.
     */
    public function release(): int
    {
        $released = $this->offset;
        if ($released > 0) {
            $this->buffer = \substr($this->buffer, $released);
            $this->offset = 0;
            $this->scanner()->released += $released;
        }

        return $released;
    }

    /**
     * Reports whether bytes of the buffer are left to read.
     */
    public function hasRemaining(): bool
    {
        return isset($this->buffer[$this->offset]);
    }

    /**
     * Checks that no bytes are left.
     *
     * @throws UnpackingFailedException `trailing_data`
     */
    public function expectEnd(): void
    {
        if (isset($this->buffer[$this->offset])) {
            $offset = $this->base() + $this->offset;
            throw UnpackingFailedException::trailingData($offset, $this->getRemainingCount(), $offset === 1 ? $this->buffer : '');
        }
    }

    /**
     * Returns how many bytes of the buffer are left to read.
     *
     * @return int<0, max>
     */
    public function getRemainingCount(): int
    {
        return \max(0, \strlen($this->buffer) - $this->offset);
    }

    /**
     * Unpacks one value of any kind, and leaves the bytes after it unread.
     *
     * @throws InsufficientDataException when the value doesn't end within the buffer
     * @throws UnpackingFailedException  when the value isn't valid; see ErrorCode
     */
    public function unpack(): mixed
    {
        $offset = $this->offset;
        $buffer = $this->buffer;
        if (!isset($buffer[$offset])) {
            return $this->unpackAny();
        }
        $byte = \ord($buffer[$offset]);
        if ($byte < $this->fixintEnd) { // positive fixint
            $this->offset = $offset + 1;

            return $byte;
        }
        if ($byte >= 0xe0) { // negative fixint
            $this->offset = $offset + 1;

            return $byte - 0x100;
        }
        if ($byte >= 0xc0) {
            if ($byte < 0xc4) {
                if ($byte === 0xc0) { // nil
                    $this->offset = $offset + 1;

                    return null;
                }
                if ($byte === 0xc1) { // reserved
                    return $this->unpackAny();
                }
                $this->offset = $offset + 1;

                return $byte === 0xc3; // false, true
            }
            $body = $offset + 1;
            switch ($byte) {
                case 0xc4: // bin 8
                case 0xd9: // str 8
                    if (!isset($buffer[$body])) {
                        return $this->unpackAny();
                    }
                    $length = \ord($buffer[$body]);
                    $body = $offset + 2;
                    break;
                case 0xc5: // bin 16
                case 0xda: // str 16
                    if (!isset($buffer[$offset + 2])) {
                        return $this->unpackAny();
                    }
                    $length = \ord($buffer[$body]) << 8 | \ord($buffer[$offset + 2]);
                    $body = $offset + 3;
                    break;
                case 0xc6: // bin 32
                case 0xdb: // str 32
                    if (!isset($buffer[$offset + 4])) {
                        return $this->unpackAny();
                    }
                    $length = \ord($buffer[$body]) << 24 | \ord($buffer[$offset + 2]) << 16
                        | \ord($buffer[$offset + 3]) << 8 | \ord($buffer[$offset + 4]);
                    $body = $offset + 5;
                    break;
                case 0xd4: // fixext 1 to fixext 16
                case 0xd5:
                case 0xd6:
                case 0xd7:
                case 0xd8:
                    $length = 1 << $byte - 0xd4;
                    if (isset($buffer[$body + $length]) && !$this->weighsExt) {
                        $value = \ord($buffer[$body]); // the type
                        if ($value > 0 && $value < Format::EXT_RECORD && !isset($this->extensions[$value])) {
                            $this->offset = $body + 1 + $length;

                            return new Ext($value, \substr($buffer, $body + 1, $length));
                        }
                        if ($value === 0xff) {
                            return $this->plainTimestamp($length, $body + 1, $this->extensions) ?? $this->unpackAny();
                        }
                    }

                    return $this->unpackAny();
                case 0xca: // float 32
                    if (!isset($buffer[$offset + 4])) {
                        return $this->unpackAny();
                    }
                    $this->offset = $offset + 5;

                    return \unpack('Ga', $buffer, $body)['a'];
                case 0xcb: // float 64
                    if (!isset($buffer[$offset + 8])) {
                        return $this->unpackAny();
                    }
                    $this->offset = $offset + 9;

                    return \unpack('Ea', $buffer, $body)['a'];
                case 0xcc: // uint 8
                    if (!isset($buffer[$body])) {
                        return $this->unpackAny();
                    }
                    $this->offset = $offset + 2;

                    return \ord($buffer[$body]);
                case 0xcd: // uint 16
                    if (!isset($buffer[$offset + 2])) {
                        return $this->unpackAny();
                    }
                    $this->offset = $offset + 3;

                    return \ord($buffer[$body]) << 8 | \ord($buffer[$offset + 2]);
                case 0xce: // uint 32
                    if (!isset($buffer[$offset + 4])) {
                        return $this->unpackAny();
                    }
                    $this->offset = $offset + 5;

                    return \ord($buffer[$body]) << 24 | \ord($buffer[$offset + 2]) << 16
                        | \ord($buffer[$offset + 3]) << 8 | \ord($buffer[$offset + 4]);
                case 0xcf: // uint 64
                    if (!isset($buffer[$offset + 8])) {
                        return $this->unpackAny();
                    }
                    $value = \unpack('Ja', $buffer, $body)['a'];
                    if ($value < 0) { // 2⁶³ or more
                        return $this->unpackAny();
                    }
                    $this->offset = $offset + 9;

                    return $value;
                case 0xd0: // int 8
                    if (!isset($buffer[$body])) {
                        return $this->unpackAny();
                    }
                    $this->offset = $offset + 2;
                    $value = \ord($buffer[$body]);

                    return $value < 0x80 ? $value : $value - 0x100;
                case 0xd1: // int 16
                    if (!isset($buffer[$offset + 2])) {
                        return $this->unpackAny();
                    }
                    $this->offset = $offset + 3;
                    $value = \ord($buffer[$body]) << 8 | \ord($buffer[$offset + 2]);

                    return $value < 0x8000 ? $value : $value - 0x10000;
                case 0xd2: // int 32
                    if (!isset($buffer[$offset + 4])) {
                        return $this->unpackAny();
                    }
                    $this->offset = $offset + 5;
                    $value = \ord($buffer[$body]) << 24 | \ord($buffer[$offset + 2]) << 16
                        | \ord($buffer[$offset + 3]) << 8 | \ord($buffer[$offset + 4]);

                    return $value < 0x80000000 ? $value : $value - 0x100000000;
                case 0xd3: // int 64
                    if (!isset($buffer[$offset + 8])) {
                        return $this->unpackAny();
                    }
                    $this->offset = $offset + 9;

                    return \unpack('Ja', $buffer, $body)['a'];
                case 0xdc: // array 16, array 32, map 16, map 32
                case 0xdd:
                case 0xde:
                case 0xdf:
                    if (!$this->direct) {
                        return $this->native && !$this->namesLimited ? $this->unpackNatively($offset) : $this->unpackAny();
                    }
                    $this->start = $offset;
                    $this->account = null;
                    $value = $byte < 0xde
                        ? $this->defaultArray($byte, $offset, $this->depthLeft, \strlen($buffer))
                        : $this->defaultMap($byte, $offset, $this->depthLeft, \strlen($buffer));
                    if ($this->fault !== null) {
                        throw $this->failure();
                    }

                    return $value;
                default: // ext 8 to ext 32
                    if (isset($buffer[$offset + 5])) {
                        if ($byte === 0xc7) {
                            $length = \ord($buffer[$body]);
                            $body = $offset + 2;
                        } elseif ($byte === 0xc8) {
                            $length = \ord($buffer[$body]) << 8 | \ord($buffer[$offset + 2]);
                            $body = $offset + 3;
                        } else {
                            $length = \ord($buffer[$body]) << 24 | \ord($buffer[$offset + 2]) << 16
                                | \ord($buffer[$offset + 3]) << 8 | \ord($buffer[$offset + 4]);
                            $body = $offset + 5;
                        }
                        if ($length > 0 && isset($buffer[$body + $length]) && !$this->weighsExt) {
                            $value = \ord($buffer[$body]); // the type
                            if ($value > 0 && $value < Format::EXT_RECORD && !isset($this->extensions[$value])) {
                                $this->offset = $body + 1 + $length;

                                return new Ext($value, \substr($buffer, $body + 1, $length));
                            }
                            if ($value === 0xff) {
                                return $this->plainTimestamp($length, $body + 1, $this->extensions) ?? $this->unpackAny();
                            }
                        }
                    }

                    return $this->unpackAny();
            }
        } elseif ($byte < 0xa0) {
            if ($byte === 0x90 && $this->depthLeft > 0) { // empty array
                $this->offset = $offset + 1;

                return [];
            }
            if (!$this->direct) { // if records are read, the byte may also be 0x40 to 0x7f, the id of a record
                return $this->native && !$this->namesLimited ? $this->unpackNatively($offset) : $this->unpackAny();
            }
            $this->start = $offset;
            $this->account = null;
            $value = $byte < 0x90 // fixmap, fixarray
                ? $this->defaultMap($byte, $offset, $this->depthLeft, \strlen($buffer))
                : $this->defaultArray($byte, $offset, $this->depthLeft, \strlen($buffer));
            if ($this->fault !== null) {
                throw $this->failure();
            }

            return $value;
        } elseif ($byte === 0xa0) { // empty str
            $this->offset = $offset + 1;

            return '';
        } else { // fixstr
            $body = $offset + 1;
            $length = $byte & 0x1f;
        }

        $value = \substr($buffer, $body, $length);
        if (\strlen($value) < $length || $this->checkUtf8) {
            return $this->unpackAny();
        }
        $this->offset = $body + $length;

        return $value;
    }

    /**
     * Ends a message that DefaultDecoder has decoded from the start of the buffer. Nothing may follow the message.
     *
     * @internal
     *
     * @throws UnpackingFailedException `trailing_data`, or the fault that the loops have noted
     */
    final public function finish(int $offset): void
    {
        if ($this->fault !== null) {
            throw $this->failure();
        }
        $this->offset = $offset;
        $this->expectEnd();
    }

    /**
     * Unpacks a value that unpack() has no fast path for, or throws the error of a faulty value.
     */
    private function unpackAny(): mixed
    {
        $this->beginMessage();

        return $this->decode();
    }

    /**
     * Prepares to decode a message, and skips its dictionary header if it has one.
     */
    private function beginMessage(): void
    {
        $this->begin();
        if ($this->shared !== null && $this->shared->fingerprint) {
            $this->skipHeader($this->shared);
        }
    }

    /**
     * Prepares to decode a message at the read position, without skipping a header.
     */
    private function begin(): void
    {
        $this->start = $this->offset;
        if ($this->call === null || !$this->isInside()) {
            $this->account = null;
            $this->memory = $this->maxMemory;
        } else { // in the data of an extension, memory and comparisons count toward the enclosing message
            $this->account = $this->account?->inside();
        }
        $this->budget = $this->maxValues === null ? \PHP_INT_MAX : $this->maxValues - 1; // the top value counts as one
        $this->pathEnd = \PHP_INT_MAX;
        if ($this->records) {
            $this->declarations?->clear();
            $this->identities?->clear();
            $this->namesLeft = $this->maxBytes;
            if ($this->shared !== null) {
                $this->startShared($this->shared);
            }
        }
    }

    /**
     * Tells whether this unpacker reads the data of an extension that is still running. After the extension has
     * returned, this method turns the unpacker into an ordinary one.
     */
    private function isInside(): bool
    {
        if ($this->call === null || $this->call->isRunning) {
            return $this->call !== null;
        }
        $this->call = null;
        unset($this->memory, $this->account); // other copies have references to the same variables
        $this->memory = $this->maxMemory;
        $this->account = null;
        $this->ground = 0;
        $this->held = 0;
        $this->depthLeft = $this->maxDepth;
        $this->direct = $this->loops === self::DEFAULT && !$this->native;
        $this->weighsExt = $this->maxMemory < self::OBJECT_WEIGHT;
        $this->trail = [];

        return false;
    }

    private function decode(): mixed
    {
        return $this->native && $this->startsContainer() && !$this->namesLimited
            ? $this->unpackNatively($this->start)
            : $this->decodeInPhp();
    }

    private function decodeInPhp(): mixed
    {
        try {
            return $this->value($this->ground, 0);
        } catch (Unwind) {
            throw $this->failure();
        }
    }

    private function register(Extension $extension): void
    {
        $type = $extension->getType();
        if ($type < -0x80 || $type > 0x7f) {
            throw InvalidOptionException::extensionType($type);
        }
        if ($extension instanceof TimestampExtension) { // timestamps are built in
            unset($this->extensions[$type]);
        } else {
            $this->extensions[$type] = $extension;
            $this->ownsRecordType = $this->ownsRecordType || ($type === Format::EXT_RECORD && !$this->records);
        }
    }
}
