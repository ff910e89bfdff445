<?php

declare(strict_types=1);

namespace Polypack\Lab\Payload\Order;

final class Line
{
    public function __construct(
        public readonly string $sku,
        public readonly string $title,
        public readonly int $quantity,
        public readonly string $price,
        public readonly float $discount,
    ) {}

    /** @return array<string, mixed> */
    public function toPlain(): array
    {
        return [
            'sku' => $this->sku,
            'title' => $this->title,
            'quantity' => $this->quantity,
            'price' => $this->price,
            'discount' => $this->discount,
        ];
    }

    /** @param array<string, mixed> $plain */
    public static function fromPlain(array $plain): self
    {
        return new self($plain['sku'], $plain['title'], $plain['quantity'], $plain['price'], $plain['discount']);
    }
}
