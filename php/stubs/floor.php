<?php

declare(strict_types=1);

// The function of ext/bench/floor.c, for PHPStan.

function floor_rebuild(mixed $value): mixed {}
