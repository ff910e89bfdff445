<?php

declare(strict_types=1);

namespace Polypack;

/**
 * Tells which code packs and unpacks: the PHP extension polypack, or this library's PHP code. Both give the same
 * results. The environment variable POLYPACK_ENGINE chooses `ext` or `php`. By default, the extension is used if it is
 * loaded and its version fits this library.
 *
 * @api
 */
final class Engine
{
    /**
     * Returns the engine, `ext` or `php`, and why it was chosen.
     *
     * @return array{engine: 'ext'|'php', reason: string}
     *
     * @throws Exception\InvalidOptionException when POLYPACK_ENGINE names an engine that doesn't exist or can't be used
     */
    public static function active(): array
    {
        if (Native\Engine::isActive()) {
            return ['engine' => 'ext', 'reason' => 'the PHP extension polypack ' . \phpversion('polypack') . ' is loaded'];
        }

        return ['engine' => 'php', 'reason' => Native\Engine::missing() ?? 'POLYPACK_ENGINE is php'];
    }
}
