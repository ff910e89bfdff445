<?php

declare(strict_types=1);

namespace Polypack\Lab;

use Symfony\Component\Console\Output\ConsoleOutput;

/** The output of the process. Knows whether all of it was written, of which Symfony says nothing. */
final class Output extends ConsoleOutput
{
    /** Why text was lost; null if none was, or only text that nobody reads, as behind a closed pipe. */
    public ?string $fault = null;

    protected function doWrite(string $message, bool $newline): void
    {
        $bytes = $message . ($newline ? \PHP_EOL : '');
        \error_clear_last();
        $isWritten = @\fwrite($this->getStream(), $bytes) === \strlen($bytes) && @\fflush($this->getStream());
        $reason = \error_get_last()['message'] ?? 'not all of it was taken';
        if (!$isWritten && !\str_contains($reason, 'Broken pipe')) {
            $this->fault ??= (string) \preg_replace('/^.*errno=\d+ /', '', $reason);
        }
    }
}
