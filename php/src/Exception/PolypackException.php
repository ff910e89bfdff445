<?php

declare(strict_types=1);

namespace Polypack\Exception;

/**
 * Marks every exception this library throws.
 *
 * @api
 */
interface PolypackException extends \Throwable {}
