<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

/**
 * A contestant as the coordinator knows it: how its process is started, and what stands in tables. Its code is never
 * loaded here.
 */
final class Entry
{
    /**
     * @param list<string>          $command   that starts its worker; the coordinator adds the token
     * @param array<string, mixed>  $prepare   what its worker has to be told beside the data
     * @param list<string>          $scenarios
     * @param string|null           $missing   why it can't run here
     * @param array<string, string> $cannot    by operation, why it doesn't do it
     */
    public function __construct(
        public readonly string $slug,
        public readonly string $name,
        public readonly string $language,
        public readonly string $format,
        public readonly array $scenarios,
        public readonly string $state,
        public readonly string $kind,
        public readonly string $version,
        public readonly array $command,
        public readonly array $prepare,
        public readonly string $source,
        public readonly ?string $missing = null,
        public readonly array $cannot = [],
        public readonly string $note = '',
        public readonly ?string $vendor = null,
    ) {}

    public function canDo(string $scenario, string $operation): bool
    {
        return \in_array($scenario, $this->scenarios, true) && !isset($this->cannot[$operation]);
    }
}
