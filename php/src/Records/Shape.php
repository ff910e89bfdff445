<?php

declare(strict_types=1);

namespace Polypack\Records;

/**
 * Holds the names of a record, for encoding. The id is valid only in the message with the number $message.
 *
 * The properties that change have no native types, because PHP would check them on each assignment.
 *
 * @internal
 */
final class Shape
{
    /** @var int the number of the message in which the id is valid; 0 for none */
    public $message = 0;
    /** @var string the id, as it is written */
    public $id = '';
    /** @var string the id of the shape in the dictionary, which all messages may use; '' for none */
    public $sharedId = '';

    /**
     * @param list<string> $names  all different
     * @param string       $packed the packed array of the names
     */
    public function __construct(
        public readonly array $names,
        public readonly string $packed,
    ) {}
}
