<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Payload\Scenario;
use Symfony\Component\JsonStreamer\JsonStreamWriter;
use Symfony\Component\TypeInfo\Type;

/** Symfony's JsonStreamer with the code that it generates; it writes public properties. */
#[About(
    name: 'JsonStreamer',
    format: 'json',
    scenarios: ['order'],
    state: 'prepared',
    vendor: 'json-streamer',
    package: 'symfony/json-streamer',
    cannot: 'fills objects in without their constructors, so no readonly classes',
    note: 'maps public properties, so not the class of the seed',
)]
final class JsonStreamer implements Contestant
{
    private readonly JsonStreamWriter $writer;

    private readonly Type $type;

    public function __construct(Scenario $scenario, string $cache)
    {
        $this->writer = JsonStreamWriter::create([], $cache);
        $this->type = Type::list(Type::object($scenario->class()));
    }

    public function serialize(array $values): string
    {
        return (string) $this->writer->write($values, $this->type, ['include_null_properties' => true]);
    }

    public function deserialize(string $bytes): array
    {
        throw new \LogicException('JsonStreamer takes no part in this');
    }
}
