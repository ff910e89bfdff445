<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Chunks;
use Polypack\Lab\Payload\Scenario;

/** The extension msgpack, a stream of messages: MessagePackUnpacker is fed each chunk as it arrives. */
#[About(
    name: 'msgpack (PECL), stream',
    format: 'msgpack',
    scenarios: Scenario::STREAMS,
    kind: About::TUNED,
    extension: 'msgpack',
    note: 'in C; MessagePackUnpacker; objects are mapped by code written by hand',
)]
final class MsgpackStream implements Contestant
{
    private readonly \MessagePackUnpacker $unpacker;

    public function __construct(private readonly Scenario $scenario, string $cache)
    {
        $this->unpacker = new \MessagePackUnpacker(); // @phpstan-ignore arguments.count (the stub knows no defaults)
    }

    public function serialize(array $values): string
    {
        $bytes = '';
        foreach ($this->scenario->toPlain($values) as $message) {
            $bytes .= \msgpack_pack($message);
        }

        return $bytes;
    }

    public function deserialize(string $bytes): array
    {
        $messages = [];
        foreach (Chunks::of($bytes, $this->scenario) as $chunk) {
            $this->unpacker->feed($chunk);
            while ($this->unpacker->execute()) { // @phpstan-ignore arguments.count
                $messages[] = $this->unpacker->data(); // @phpstan-ignore arguments.count
                $this->unpacker->reset();
            }
        }

        return $this->scenario->fromPlain($messages);
    }
}
