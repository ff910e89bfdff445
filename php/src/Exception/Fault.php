<?php

declare(strict_types=1);

namespace Polypack\Exception;

/**
 * Holds the members that all errors about data have in common (spec/07-errors.md).
 *
 * @internal
 */
trait Fault
{
    public readonly ErrorCode $errorCode;

    /** The message without offset, path and advice. */
    private readonly string $what;

    /**
     * Makes an error. An extension or a transformer may throw an error with its own message, and while packing with its
     * own code. The packer then adds the path, and the unpacker adds the offset and path. The parameters from $mend on
     * are for the library.
     *
     * @param ErrorCode|int $code   an int becomes the code of \Exception, and errorCode is then `unsupported_value`
     * @param string        $mend   how to mend the fault; '' for no advice
     * @param ?int          $offset byte offset of the head byte of the faulty value, counted from the start of the
     *                              input (of the stream, for streams); null for none, as in all encoding errors
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
     * Returns a copy of the error, with the given path in front of its own path.
     *
     * @internal
     */
    final public function below(string $path): static
    {
        return $this->placed($this->offset, $path . $this->path);
    }

    /**
     * Returns a copy of the error, with the given offset and path instead of its own.
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
