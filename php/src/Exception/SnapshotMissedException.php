<?php

declare(strict_types=1);

namespace Polypack\Exception;

/**
 * Reports a snapshot that counts as absent, because the option `on_mismatch` is `miss` and a class is no longer what it
 * was (spec/10-snapshot.md#evolution). A cache can catch this exception and compute the value again.
 *
 * @api
 */
final class SnapshotMissedException extends SnapshotFailedException {}
