<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

/**
 * A contestant that also takes single values of any kind, as the scenarios of the group "values" have them.
 */
interface OfValues extends Contestant
{
    public function serializeValue(mixed $value): string;

    public function deserializeValue(string $bytes): mixed;
}
