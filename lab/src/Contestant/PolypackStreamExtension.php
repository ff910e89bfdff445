<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Chunks;
use Polypack\Lab\Payload\Scenario;
use Polypack\Packer;
use Polypack\StreamUnpacker;

/** Ours in C, a stream of messages: StreamUnpacker takes each chunk as it arrives. */
#[About(
    name: 'Polypack (C), stream',
    format: 'msgpack',
    scenarios: Scenario::STREAMS,
    kind: About::TUNED,
    vendor: 'polypack',
    extension: 'polypack',
    note: 'in C; StreamUnpacker; objects are mapped by code written by hand',
)]
final class PolypackStreamExtension implements Contestant
{
    private readonly Packer $packer;

    private readonly StreamUnpacker $unpacker;

    public function __construct(private readonly Scenario $scenario, string $cache)
    {
        \putenv('POLYPACK_ENGINE=ext');
        $this->packer = new Packer();
        $this->unpacker = new StreamUnpacker();
    }

    public function serialize(array $values): string
    {
        $bytes = '';
        foreach ($this->scenario->toPlain($values) as $message) {
            $bytes .= $this->packer->pack($message);
        }

        return $bytes;
    }

    public function deserialize(string $bytes): array
    {
        $messages = [];
        foreach (Chunks::of($bytes, $this->scenario) as $chunk) {
            foreach ($this->unpacker->feed($chunk) as $message) {
                $messages[] = $message;
            }
        }
        $this->unpacker->end();

        return $this->scenario->fromPlain($messages);
    }
}
