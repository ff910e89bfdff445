<?php

declare(strict_types=1);

namespace Polypack\Lab\Payload\Order;

final class Customer
{
    public function __construct(
        public readonly int $id,
        public readonly string $name,
        public readonly string $email,
        public readonly ?string $phone,
        public readonly \DateTimeImmutable $registered,
        public readonly Address $billing,
        public readonly ?Address $shipping,
    ) {}

    /** @return array<string, mixed> */
    public function toPlain(): array
    {
        return [
            'id' => $this->id,
            'name' => $this->name,
            'email' => $this->email,
            'phone' => $this->phone,
            'registered' => $this->registered->format(\DATE_ATOM),
            'billing' => $this->billing->toPlain(),
            'shipping' => $this->shipping?->toPlain(),
        ];
    }

    /** @param array<string, mixed> $plain */
    public static function fromPlain(array $plain): self
    {
        return new self(
            $plain['id'],
            $plain['name'],
            $plain['email'],
            $plain['phone'],
            new \DateTimeImmutable($plain['registered']),
            Address::fromPlain($plain['billing']),
            $plain['shipping'] === null ? null : Address::fromPlain($plain['shipping']),
        );
    }
}
