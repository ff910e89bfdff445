<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Scenario;

/**
 * A contestant that serializes objects whose classes or transformers know its library, as the scenarios of the group
 * "objects" have them.
 */
interface OfOwnObjects extends Contestant
{
    /**
     * Makes an object of each row, before the clock starts.
     *
     * @param list<mixed> $plain
     *
     * @return list<object>
     */
    public static function objects(Scenario $scenario, array $plain): array;
}
