<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Scenario;

/**
 * A library that is measured. A class that implements this and has the attribute About is all that the lab needs.
 */
interface Contestant
{
    /**
     * Sets the library up, as an application does once per process.
     *
     * @param string $cache a folder for generated code and metadata that outlives the process
     */
    public function __construct(Scenario $scenario, string $cache);

    /** @param array<mixed> $values a list, but in scenarios of one value, which may be a map */
    public function serialize(array $values): string;

    /** @return array<mixed> */
    public function deserialize(string $bytes): array;
}
