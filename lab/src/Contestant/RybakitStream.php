<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use MessagePack\BufferUnpacker;
use MessagePack\Packer;
use MessagePack\PackOptions;
use MessagePack\UnpackOptions;
use Polypack\Lab\Payload\Chunks;
use Polypack\Lab\Payload\Scenario;

/** rybakit/msgpack, a stream of messages: append() and tryUnpack(), then release() what was read. */
#[About(
    name: 'rybakit/msgpack, stream',
    format: 'msgpack',
    scenarios: Scenario::STREAMS_OF_SHORT_MESSAGES,
    kind: About::TUNED,
    vendor: 'rybakit',
    package: 'rybakit/msgpack',
    note: 'pure PHP; append() and tryUnpack(); objects are mapped by code written by hand',
)]
final class RybakitStream implements Contestant
{
    private readonly Packer $packer;

    private readonly BufferUnpacker $unpacker;

    public function __construct(private readonly Scenario $scenario, string $cache)
    {
        $this->packer = new Packer(PackOptions::FORCE_STR);
        $this->unpacker = new BufferUnpacker('', UnpackOptions::BIGINT_AS_STR);
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
        $this->unpacker->reset();
        foreach (Chunks::of($bytes, $this->scenario) as $chunk) {
            foreach ($this->unpacker->append($chunk)->tryUnpack() as $message) {
                $messages[] = $message;
            }
            $this->unpacker->release();
        }

        return $this->scenario->fromPlain($messages);
    }
}
