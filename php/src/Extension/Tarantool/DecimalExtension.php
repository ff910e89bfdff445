<?php

declare(strict_types=1);

namespace Polypack\Extension\Tarantool;

use Polypack\BufferUnpacker;
use Polypack\Extension;
use Polypack\Packer;

/**
 * Packs and unpacks decimals of Tarantool, extension type 1. The data is the scale as a MessagePack int, then the
 * digits in four bits each, and the sign in the last four bits.
 *
 * Packs Decimal, Decimal\Decimal (ext-decimal), BcMath\Number (PHP 8.4 or later) and the BigDecimal and BigInteger of
 * brick/math.
 *
 * @api
 */
final class DecimalExtension implements Extension
{
    private const TYPE = 1;

    /**
     * Maximum length of the data in bytes: 2 for the scale, and 20 for a leading zero, 38 digits and the sign, which
     * take 4 bits each.
     */
    private const MAX_LENGTH = 2 + Decimal::MAX_DIGITS / 2 + 1;

    /**
     * @param (\Closure(string): object)|null $make makes the unpacked value from a text such as "-12.340", for example
     *                                              BigDecimal::of(...); null makes a Decimal
     */
    public function __construct(private readonly ?\Closure $make = null) {}

    public function getType(): int
    {
        return self::TYPE;
    }

    public function pack(Packer $packer, mixed $value): ?string
    {
        if (
            $value instanceof \Decimal\Decimal
            || $value instanceof \BcMath\Number
            || $value instanceof \Brick\Math\BigDecimal
            || $value instanceof \Brick\Math\BigInteger
        ) {
            $value = new Decimal((string) $value);
        }
        if (!$value instanceof Decimal) {
            return null;
        }

        $digits = \ltrim(\str_replace('.', '', $value->number), '-0');
        $digits = ($digits === '' ? '0' : $digits) . ($value->number[0] === '-' ? 'd' : 'c');
        if (\strlen($digits) % 2 === 1) {
            $digits = "0{$digits}";
        }

        return $packer->packExt(self::TYPE, $packer->packInt($value->scale) . \hex2bin($digits));
    }

    /**
     * @throws \UnexpectedValueException when the data is too long, or has no well-formed scale, digits and sign
     */
    public function unpackExt(BufferUnpacker $unpacker, int $extLength): object
    {
        if ($extLength > self::MAX_LENGTH) {
            throw new \UnexpectedValueException("a decimal has {$extLength} bytes, more than 38 digits need");
        }
        $scale = $unpacker->unpackInt();
        $nibbles = \bin2hex($unpacker->read($unpacker->getRemainingCount()));
        if (!\is_int($scale) || \preg_match('/^([0-9]+)([a-f])$/D', $nibbles, $match) !== 1) {
            throw new \UnexpectedValueException('a decimal needs a scale, digits and a sign');
        }
        $sign = $match[2] === 'b' || $match[2] === 'd' ? '-' : '';
        $decimal = new Decimal("{$sign}{$match[1]}e" . \max(-1000, \min(1000, -$scale)));

        return $this->make === null ? $decimal : ($this->make)($decimal->number);
    }
}
