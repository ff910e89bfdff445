<?php

declare(strict_types=1);

namespace Polypack\Records;

/**
 * The names of a record, for encoding. The id of a shape is valid only in the message that declared it last.
 *
 * Properties have no types: PHP would check them on each assignment.
 *
 * @internal
 */
final class Shape
{
    /** @var int the number of the message in which the id is valid; 0 for none */
    public $message = 0;
    /** @var string the id, as it is written */
    public $id = '';
    /** @var string the id in the dictionary, which all messages may use; '' for none */
    public $sharedId = '';

    /**
     * @param list<string> $names  different from each other
     * @param string       $packed the names as array
     */
    public function __construct(
        public readonly array $names,
        public readonly string $packed,
    ) {}
}
