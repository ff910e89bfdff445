<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use EventSauce\ObjectHydrator\DefaultSerializerRepository;
use EventSauce\ObjectHydrator\DefinitionProvider;
use EventSauce\ObjectHydrator\KeyFormatterWithoutConversion;
use EventSauce\ObjectHydrator\ObjectMapper;
use EventSauce\ObjectHydrator\ObjectMapperCodeGenerator;
use EventSauce\ObjectHydrator\PropertySerializers\SerializeDateTime;
use Polypack\Lab\Payload\Order;
use Polypack\Lab\Payload\Scenario;

/** EventSauce's object hydrator with the code that it generates; JSON is PHP's own. */
#[About(
    name: 'EventSauce',
    format: 'json',
    scenarios: ['order'],
    state: 'prepared',
    vendor: 'eventsauce',
    package: 'eventsauce/object-hydrator',
    note: 'maps constructors and public properties, so not the class of the seed',
)]
final class EventSauce implements Contestant
{
    private readonly ObjectMapper $mapper;

    public function __construct(private readonly Scenario $scenario, string $cache)
    {
        $file = "{$cache}/Mapper.php";
        if (!\is_file($file)) {
            $dates = DefaultSerializerRepository::builtIn();
            $dates->registerDefaultSerializer(\DateTimeImmutable::class, SerializeDateTime::class, [\DATE_ATOM]);
            $names = new KeyFormatterWithoutConversion();
            $generator = new ObjectMapperCodeGenerator(new DefinitionProvider(null, $names, $dates, serializePublicMethods: false));
            $classes = [Order\Order::class, Order\Customer::class, Order\Address::class, Order\Line::class, Order\Status::class];
            \file_put_contents($file, $generator->dump($classes, 'LabCode\EventSauceMapper'));
        }
        require_once $file;
        $this->mapper = new \LabCode\EventSauceMapper();
    }

    public function serialize(array $values): string
    {
        return \json_encode(\array_map($this->mapper->serializeObject(...), $values), \JSON_THROW_ON_ERROR);
    }

    public function deserialize(string $bytes): array
    {
        return $this->mapper->hydrateObjects($this->scenario->class(), \json_decode($bytes, true, 512, \JSON_THROW_ON_ERROR))->toArray();
    }
}
