<?php

declare(strict_types=1);

namespace Polypack\Exception;

/**
 * Marks the library's own exception classes.
 *
 * @api
 */
interface PolypackException extends \Throwable {}
