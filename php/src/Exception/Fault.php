<?php

declare(strict_types=1);

namespace Polypack\Exception;

/**
 * The common members of all errors about data (spec/07-errors.md).
 *
 * @internal
 */
trait Fault
{
    public readonly ErrorCode $errorCode;

    /** What happened, without the place. */
    private readonly string $what;

    /**
     * Extensions and transformers throw this to fail with a message and a code of their own. The packer or unpacker
     * then adds the place. The other parameters are for the library.
     *
     * @param ErrorCode|int $code   an int is the code of \Exception, and leaves errorCode `unsupported_value`
     * @param string        $mend   how to mend it; '' when there is nothing to say
     * @param ?int          $offset byte offset of the head byte of the faulty value, counted from the start of the
     *                              input (of the stream, for streams); null when encoding
     * @param string        $path   RFC 6901 pointer to the faulty value; '' is the top value
     */
    final public function __construct(
        string $message = '',
        ErrorCode|int $code = ErrorCode::UnsupportedValue,
        ?\Throwable $previous = null,
        private readonly string $mend = '',
        public readonly ?int $offset = null,
        public readonly string $path = '',
    ) {
        $this->what = $message;
        $this->errorCode = \is_int($code) ? ErrorCode::UnsupportedValue : $code;
        $place = ($offset === null ? '' : ", at byte {$offset}")
            . ($path === '' ? '' : ' (path "' . Text::short($path) . '")');

        parent::__construct($message . $place . ($mend === '' ? '' : "; {$mend}"), \is_int($code) ? $code : 0, $previous);
    }

    /**
     * Returns the same error with a path in front of its own.
     *
     * @internal
     */
    final public function below(string $path): static
    {
        return $this->placed($this->offset, $path . $this->path);
    }

    /**
     * Returns the same error with an offset and a path.
     *
     * @internal
     */
    final public function placed(?int $offset, string $path): static
    {
        $code = $this->getCode() === 0 ? $this->errorCode : $this->getCode();

        return new static($this->what, $code, $this->getPrevious(), $this->mend, $offset, $path);
    }

    final protected static function fail(ErrorCode $code, string $what, string $mend, ?int $offset, string $path, ?\Throwable $cause = null): static
    {
        return new static($what, $code, $cause, $mend, $offset, $path);
    }
}
