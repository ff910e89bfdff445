<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use PHPUnit\Framework\Assert;
use Polypack\Limits;
use Polypack\PackOptions;
use Polypack\Records\Dictionary;
use Polypack\Records\SharedRecords;
use Polypack\UnpackOptions;

/**
 * One case of a vectors file, with its fields as PHP values.
 */
final class VectorCase
{
    public function __construct(private readonly \stdClass $fields) {}

    public function has(string $field): bool
    {
        return \property_exists($this->fields, $field);
    }

    public function bytes(string $field = 'bytes'): string
    {
        $bytes = $this->fields->{$field};
        Assert::assertIsString($bytes);

        return Vectors::bytes($bytes);
    }

    /**
     * @return list<string>
     */
    public function also(): array
    {
        $also = [];
        foreach ((array) ($this->fields->also ?? []) as $bytes) {
            Assert::assertIsString($bytes);
            $also[] = Vectors::bytes($bytes);
        }

        return $also;
    }

    public function value(): mixed
    {
        return Vectors::value($this->fields->value);
    }

    /**
     * @return list<mixed>
     */
    public function values(): array
    {
        $values = $this->fields->values;
        Assert::assertIsArray($values);

        return \array_map(Vectors::value(...), \array_values($values));
    }

    /**
     * The error as "code at offset (path)"; null for none.
     */
    public function error(): ?string
    {
        $error = $this->fields->error ?? null;
        if ($error === null) {
            return null;
        }
        Assert::assertInstanceOf(\stdClass::class, $error);
        Assert::assertIsString($error->code);
        Assert::assertIsString($error->path);
        $offset = $error->offset ?? null;
        Assert::assertTrue($offset === null || \is_int($offset));

        return "{$error->code} at {$offset} ({$error->path})";
    }

    public function departure(): ?int
    {
        $departure = $this->fields->departure;
        Assert::assertTrue($departure === null || \is_int($departure));

        return $departure;
    }

    /**
     * @return list<string>
     */
    public function modes(): array
    {
        $modes = [];
        foreach ((array) ($this->fields->modes ?? \array_keys(Vectors::MODES)) as $mode) {
            Assert::assertIsString($mode);
            $modes[] = $mode;
        }

        return $modes;
    }

    public function isInline(): bool
    {
        return ($this->fields->records ?? 'off') === 'inline';
    }

    /**
     * @param int $mode constants of UnpackOptions
     */
    public function unpackOptions(int $mode): UnpackOptions
    {
        $options = UnpackOptions::fromBitmask($mode | ($this->isInline() ? UnpackOptions::RECORDS_INLINE : 0));
        $shared = $this->shared();

        return $shared === null ? $options : $options->withRecords($shared);
    }

    /**
     * @param int $mode constants of PackOptions
     */
    public function packOptions(int $mode): PackOptions
    {
        $options = PackOptions::fromBitmask($mode | ($this->isInline() ? PackOptions::RECORDS_INLINE : 0));
        $shared = $this->shared();

        return $shared === null ? $options : $options->withRecords($shared);
    }

    public function hasRecords(): bool
    {
        return ($this->fields->records ?? 'off') !== 'off';
    }

    public function shared(): ?SharedRecords
    {
        if (($this->fields->records ?? 'off') !== 'shared') {
            return null;
        }
        $shapes = $this->fields->dictionary;
        Assert::assertIsArray($shapes);

        // @phpstan-ignore argument.type (the dictionary checks each shape)
        return new SharedRecords(new Dictionary($shapes), fingerprint: ($this->fields->header ?? false) === true);
    }

    /**
     * Whether an encoder must write these bytes.
     */
    public function encodes(): bool
    {
        return ($this->fields->encodes ?? false) === true;
    }

    public function limits(): Limits
    {
        return Vectors::limits($this->fields->limits ?? null);
    }
}
