<?php

declare(strict_types=1);

namespace Polypack\Lab\Payload\Order;

final class Address
{
    public function __construct(
        public readonly string $street,
        public readonly string $city,
        public readonly string $zip,
        public readonly string $country,
        public readonly float $latitude,
        public readonly float $longitude,
    ) {}

    /** @return array<string, mixed> */
    public function toPlain(): array
    {
        return [
            'street' => $this->street,
            'city' => $this->city,
            'zip' => $this->zip,
            'country' => $this->country,
            'latitude' => $this->latitude,
            'longitude' => $this->longitude,
        ];
    }

    /** @param array<string, mixed> $plain */
    public static function fromPlain(array $plain): self
    {
        return new self(
            $plain['street'],
            $plain['city'],
            $plain['zip'],
            $plain['country'],
            $plain['latitude'],
            $plain['longitude'],
        );
    }
}
