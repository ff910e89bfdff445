<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\BufferUnpacker;
use Polypack\Lab\Payload\Scenario;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\UnpackOptions;

/** Ours in C, with inline records: rows name their fields once per message. Objects are mapped by hand. */
#[About(
    name: 'Polypack (C), records',
    format: 'records',
    scenarios: Scenario::ALL,
    kind: About::TUNED,
    vendor: 'polypack',
    extension: 'polypack',
    note: 'in C; records; objects are mapped by code written by hand',
)]
final class PolypackRecordsExtension implements Contestant
{
    private readonly Packer $packer;

    private readonly BufferUnpacker $unpacker;

    private readonly bool $isMapped;

    public function __construct(private readonly Scenario $scenario, string $cache)
    {
        $this->isMapped = $scenario->class() !== null;
        \putenv('POLYPACK_ENGINE=ext');
        $this->packer = new Packer(PackOptions::RECORDS_INLINE);
        $this->unpacker = new BufferUnpacker('', UnpackOptions::RECORDS_INLINE);
    }

    public function serialize(array $values): string
    {
        return $this->packer->pack($this->isMapped ? $this->scenario->toPlain($values) : $values);
    }

    public function deserialize(string $bytes): array
    {
        $plain = $this->unpacker->reset($bytes)->unpack();

        return $this->isMapped ? $this->scenario->fromPlain($plain) : $plain;
    }
}
