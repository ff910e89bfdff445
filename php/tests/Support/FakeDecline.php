<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * The FakeEngine has no way for a message.
 */
final class FakeDecline extends \Exception {}
