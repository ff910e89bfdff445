<?php

declare(strict_types=1);

namespace Polypack\Stores;

/**
 * Keeps a dictionary for many processes, as one string of bytes (spec/05-records.md#stores). The bytes are the same in
 * all languages.
 *
 * If a method throws while a message is unpacked, unpacking fails with `unsupported_value`, and the exception is the
 * cause. If a method throws while a message is packed, the message declares its shapes itself.
 *
 * @api
 */
interface DictionaryStore
{
    /**
     * Returns the content, or null if there is none yet.
     */
    public function load(): ?string;

    /**
     * Replaces the content with $next if it is exactly $expected; null stands for no content. This must be one atomic
     * step, even if the process crashes. Returns whether the content was replaced. If it throws, the content may have
     * been replaced.
     */
    public function replace(?string $expected, string $next): bool;
}
