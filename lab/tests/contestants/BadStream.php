<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests\Contestants;

use Polypack\Lab\Contestant\About;
use Polypack\Lab\Contestant\Contestant;
use Polypack\Lab\Payload\Scenario;

/** Is wrong about where a stream ends, in the way that the folder for its cache is called. */
#[About(name: 'BadStream', format: 'msgpack', scenarios: ['stream-rows'], extension: 'msgpack')]
final class BadStream implements Contestant
{
    public function __construct(Scenario $scenario, private readonly string $cache) {}

    public function serialize(array $values): string
    {
        if ($this->cache === 'wraps') {
            return \msgpack_pack($values);
        }
        $messages = \array_map(\msgpack_pack(...), $values);
        $last = $this->cache === 'drops' ? \array_pop($messages) : \end($messages);

        return \implode('', $messages) . ($this->cache === 'repeats' ? $last : '');
    }

    public function deserialize(string $bytes): array
    {
        $unpacker = new \MessagePackUnpacker();
        $unpacker->feed($bytes);
        for ($messages = []; $unpacker->execute(); $unpacker->reset()) {
            $messages[] = $unpacker->data();
        }

        return $messages;
    }
}
