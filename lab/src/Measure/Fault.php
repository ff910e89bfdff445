<?php

declare(strict_types=1);

namespace Polypack\Lab\Measure;

/** What a contestant did wrong. It costs the cell its number; the message says why in the table. */
final class Fault extends \RuntimeException {}
