<?php

declare(strict_types=1);

namespace Polypack\Lab\Payload\Order;

/** An order as a shop has it: a graph of readonly classes with dates, an enum, decimals as text, optional parts. */
final class Order
{
    /**
     * @param list<Line>            $lines
     * @param list<string>          $tags
     * @param array<string, string> $attributes
     */
    public function __construct(
        public readonly int $id,
        public readonly string $number,
        public readonly Status $status,
        public readonly \DateTimeImmutable $created,
        public readonly ?\DateTimeImmutable $paid,
        public readonly Customer $customer,
        public readonly array $lines,
        public readonly string $currency,
        public readonly string $total,
        public readonly float $weight,
        public readonly array $tags,
        public readonly array $attributes,
        public readonly ?string $note,
    ) {}

    /** @return array<string, mixed> */
    public function toPlain(): array
    {
        $lines = [];
        foreach ($this->lines as $line) {
            $lines[] = $line->toPlain();
        }

        return [
            'id' => $this->id,
            'number' => $this->number,
            'status' => $this->status->value,
            'created' => $this->created->format(\DATE_ATOM),
            'paid' => $this->paid?->format(\DATE_ATOM),
            'customer' => $this->customer->toPlain(),
            'lines' => $lines,
            'currency' => $this->currency,
            'total' => $this->total,
            'weight' => $this->weight,
            'tags' => $this->tags,
            'attributes' => $this->attributes,
            'note' => $this->note,
        ];
    }

    /** @param array<string, mixed> $plain */
    public static function fromPlain(array $plain): self
    {
        $lines = [];
        foreach ($plain['lines'] as $line) {
            $lines[] = Line::fromPlain($line);
        }

        return new self(
            $plain['id'],
            $plain['number'],
            Status::from($plain['status']),
            new \DateTimeImmutable($plain['created']),
            $plain['paid'] === null ? null : new \DateTimeImmutable($plain['paid']),
            Customer::fromPlain($plain['customer']),
            $lines,
            $plain['currency'],
            $plain['total'],
            $plain['weight'],
            $plain['tags'],
            $plain['attributes'],
            $plain['note'],
        );
    }
}
