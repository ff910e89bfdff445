<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\BufferUnpacker;
use Polypack\Decoder\Loops\DefaultLoops;

/**
 * Decodes one message, an array or a map, with default options. It runs the same loops as BufferUnpacker, and makes a
 * BufferUnpacker for everything else, including faults. So a request that unpacks only valid, common values loads few
 * files.
 *
 * @internal
 */
final class DefaultDecoder extends DefaultLoops
{
    /** Equals Format::MAX_DEPTH. Naming that constant would load its class. */
    private const MAX_DEPTH = 512;

    /**
     * @var ?BufferUnpacker null until a loop leaves something to the unpacker, which then keeps the state of the
     *     message
     */
    private $unpacker;

    public function __construct(string $buffer)
    {
        $this->buffer = $buffer;
    }

    /**
     * @param int $byte the first byte of the message
     *
     * @return array<array-key, mixed>
     */
    public function decode(int $byte): array
    {
        $buffer = $this->buffer;
        $value = $byte >= 0x90 && $byte < 0xde
            ? $this->defaultArray($byte, 0, self::MAX_DEPTH, \strlen($buffer))
            : $this->defaultMap($byte, 0, self::MAX_DEPTH, \strlen($buffer));
        if ($this->unpacker !== null || isset($buffer[$this->offset])) {
            $this->unpacker()->finish($this->offset);
        }

        return $value;
    }

    private function unpacker(): BufferUnpacker
    {
        return $this->unpacker ??= new BufferUnpacker($this->buffer);
    }

    // Methods that the loops call. Only decodeUncommon() does some of its work itself. Everything else is left to the
    // unpacker, whose read position is copied if it may have moved.

    protected function decodeUncommon(int $depthLeft, int $limit): mixed
    {
        $head = $this->offset;
        $buffer = $this->buffer;
        $byte = \ord($buffer[$head]);
        if (($byte > 0xc6 && $byte < 0xca) || ($byte > 0xd3 && $byte < 0xd9)) {
            $ext = $this->plainExt($byte, $head, []);
            if ($ext !== null) {
                return $ext;
            }
        } elseif ($byte === 0xca && isset($buffer[$head + 4])) { // float 32
            $this->offset = $head + 5;

            return \unpack('Ga', $buffer, $head + 1)['a'];
        }
        $unpacker = $this->unpacker();
        $unpacker->offset = $head;
        $value = $unpacker->decodeUncommon($depthLeft, $limit);
        $this->offset = $unpacker->offset;

        return $value;
    }

    protected function refuse(int $byte, int $head, int $depthLeft, int $limit): void
    {
        $unpacker = $this->unpacker();
        $unpacker->refuse($byte, $head, $depthLeft, $limit);
        $this->offset = $unpacker->offset;
    }

    protected function collides(int $entries, int $head): bool
    {
        return $this->unpacker()->collides($entries, $head);
    }

    protected function reserveCapacity(array $map, int $total, int $depthLeft): bool
    {
        return $this->unpacker()->reserveCapacity($map, $total, $depthLeft);
    }

    protected function withCapacity(array $map, int $total): array
    {
        return $this->unpacker()->withCapacity($map, $total);
    }

    protected function leftArray(array $array, int $after, int $offset, int $depthLeft, int $limit): array
    {
        $unpacker = $this->unpacker();
        $unpacker->offset = $this->offset;
        $array = $unpacker->leftArray($array, $after, $offset, $depthLeft, $limit);
        $this->offset = $unpacker->offset;

        return $array;
    }

    protected function leftMap(array $map, int $after, int $entry, int $depthLeft, int $limit): array
    {
        $unpacker = $this->unpacker();
        $unpacker->offset = $this->offset;
        $map = $unpacker->leftMap($map, $after, $entry, $depthLeft, $limit);
        $this->offset = $unpacker->offset;

        return $map;
    }
}
