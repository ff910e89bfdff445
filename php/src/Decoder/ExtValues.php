<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\Exception\ErrorCode;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Format;
use Polypack\Type\Ext;
use Polypack\Type\Timestamp;

/**
 * Decodes ext values: those of registered extensions, timestamps, and all others; see General for the parameters.
 *
 * @internal
 */
trait ExtValues
{
    /** Longest chain of causes that an error keeps when extensions fail inside one another. */
    private const MAX_CAUSES = 2;

    /**
     * Decodes an ext value (spec/03-extensions.md) or a record that it declares. The type byte is at $offset.
     */
    private function ext(int $length, int $head, int $offset, int $depth, int $owed): mixed
    {
        if (!isset($this->buffer[$offset])) {
            throw $this->noHead($head, $depth);
        }
        $type = \ord($this->buffer[$offset]);
        ++$offset;
        if ($length > \strlen($this->buffer) - $offset) {
            throw $this->noBody($length, $head, $offset, $depth);
        }
        if ($type === Format::EXT_RECORD && ($length === 1 || $length === 2) && !$this->ownsRecordType) {
            return $this->declaration($length, $head, $offset, $depth, $owed);
        }
        $this->weigh(self::OBJECT_WEIGHT, $head, $depth);
        $type = $type < 0x80 ? $type : $type - 0x100;
        $data = \substr($this->buffer, $offset, $length);
        $end = $offset + $length;
        $timestamp = $type === Format::EXT_TIMESTAMP ? $this->timestamp($data, $head, $depth) : null;
        if (isset($this->extensions[$type])) {
            $value = $this->extended($type, $data, $head, $depth);
            if ($this->lossless && $this->pathEnd <= $depth) { // in a key
                $value = $this->identities()->made($value, $timestamp ?? new Ext($type, $data));
            }
        } elseif ($type === Format::EXT_UNDEFINED && $data === "\x00" && !$this->lossless) {
            $value = null;
        } else {
            $value = $timestamp ?? new Ext($type, $data);
        }
        $this->offset = $end;

        return $value;
    }

    private function timestamp(string $data, int $head, int $depth): Timestamp
    {
        $length = \strlen($data);
        if ($length !== 4 && $length !== 8 && $length !== 12) {
            throw $this->invalidTimestamp("has {$length} bytes, not 4, 8 or 12", $head, $depth);
        }
        [$seconds, $nanoseconds] = Timestamp::split($data);
        if ($nanoseconds > 999_999_999) {
            throw $this->invalidTimestamp("has {$nanoseconds} nanoseconds, more than 999999999", $head, $depth);
        }

        return new Timestamp($seconds, $nanoseconds);
    }

    /**
     * Lets a registered extension decode the data with a separate unpacker.
     */
    private function extended(int $type, string $data, int $head, int $depth): mixed
    {
        // An ext value isn't a container, but extensions that unpack values in their data recurse. maxDepth also bounds
        // that recursion.
        if ($depth > $this->maxDepth) {
            throw $this->tooDeep($head, $depth);
        }
        $inside = clone $this;
        $inside->reset($data);
        $inside->ground = $depth + 1;
        $call = $this->ground === 0 ? $inside->call = new ExtensionCall() : null;
        $inside->depthLeft = $this->maxDepth - $inside->ground;
        // Messages in the data count toward the memory and comparisons of this message, also if a copy of $inside reads
        // them. The direct path of unpack() is off, because it would reset the account.
        $inside->direct = false;
        $inside->weighsExt = true;
        $memory = $this->memory;
        $inside->memory = &$memory;
        $inner = $this->account?->inside();
        $inside->account = &$inner;
        // Each nested unpacker holds a copy of its data, so 1 MB of data nested 500 times would take 500 MB.
        $inside->held = $this->ground === 0 ? 0 : $this->held + \strlen($data);
        if ($inside->held > $this->maxBytes) {
            throw $this->fault($head, $depth, fn(int $at, string $path): UnpackingFailedException
                => UnpackingFailedException::held($this->maxBytes, $at, $path));
        }
        $extension = $this->extensions[$type];
        // The extension may call this unpacker too, for example through a shared service. The unpacker is empty then,
        // and its state is restored afterwards. Local variables keep the state, because an array would be slower.
        $buffer = $this->buffer;
        $position = $this->offset;
        $scanner = $this->scanner;
        $start = $this->start;
        $budget = $this->budget;
        $pathEnd = $this->pathEnd;
        $trail = $this->trail;
        $account = $this->account;
        $declarations = $this->declarations;
        $identities = $this->identities;
        $namesLeft = $this->namesLeft;
        $mayLoad = $this->mayLoad;
        $this->buffer = '';
        $this->offset = 0;
        $this->scanner = null;
        $this->start = -1;
        if ($this->records) {
            $this->declarations = $this->identities = null;
        }
        $cause = null;
        try {
            $value = $extension->unpackExt($inside, \strlen($data));
        } catch (\Throwable $cause) { // reported below, after the state is restored
        }
        if ($call !== null) {
            $call->isRunning = false;
        }
        $this->buffer = $buffer;
        $this->offset = $position;
        $this->scanner = $scanner;
        $this->account = $account;
        $this->memory = $memory;
        if ($this->start >= 0) { // @phpstan-ignore greaterOrEqual.alwaysFalse (the extension began a message)
            $this->budget = $budget;
            $this->pathEnd = $pathEnd;
            $this->trail = $trail;
            $this->namesLeft = $namesLeft;
            $this->mayLoad = $mayLoad;
        }
        $this->start = $start;
        if ($this->records) {
            $this->declarations = $declarations;
            $this->identities = $identities;
        }
        if ($inner !== null) {
            $this->account()->takeBack($inner);
        }
        if ($cause === null) {
            return $value;
        }
        // The extension has made the error. Another code would say something of the bytes at this place.
        if ($cause::class === UnpackingFailedException::class && $cause->offset === null
            && $cause->errorCode === ErrorCode::UnsupportedValue
        ) {
            throw $this->fault($head, $depth, $cause->placed(...));
        }
        $cause = self::brief($cause);

        throw $this->fault($head, $depth, static fn(int $at, string $path): UnpackingFailedException
            => UnpackingFailedException::extensionFailed($extension, $cause, $at, $path));
    }

    /**
     * Returns the cause. If its chain of previous errors is longer than MAX_CAUSES, returns the first error of the
     * chain. Each error has a trace as long as the stack is deep, and a message of 1 KB can cause 256 errors.
     */
    private static function brief(\Throwable $cause): \Throwable
    {
        $first = $cause;
        $length = 1;
        while (($previous = $first->getPrevious()) !== null) {
            $first = $previous;
            ++$length;
        }

        return $length > self::MAX_CAUSES ? $first : $cause;
    }
}
