<?php

declare(strict_types=1);

namespace Polypack\Exception;

/**
 * Holds what every error about data has (spec/07-errors.md).
 *
 * @internal
 */
trait Fault
{
    /**
     * @param non-empty-string $what what happened, without the place
     * @param string           $mend how to mend it; '' when there is nothing to say
     * @param ?int             $offset byte offset of the head byte of the faulty value, counted from the start of the
     *                                 input (of the stream, for streams); null when encoding
     * @param string           $path RFC 6901 pointer to the faulty value; '' is the top value
     */
    final protected function __construct(
        public readonly ErrorCode $errorCode,
        private readonly string $what,
        private readonly string $mend,
        public readonly ?int $offset,
        public readonly string $path,
        ?\Throwable $cause = null,
    ) {
        $place = ($offset === null ? '' : ", at byte {$offset}")
            . ($path === '' ? '' : ' (path "' . Text::short($path) . '")');

        parent::__construct($what . $place . ($mend === '' ? '' : "; {$mend}"), 0, $cause);
    }

    /**
     * Returns the same error with a path in front of its own.
     *
     * @internal
     */
    final public function below(string $path): static
    {
        return new static($this->errorCode, $this->what, $this->mend, $this->offset, $path . $this->path, $this->getPrevious());
    }
}
