<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

/**
 * Says what a contestant is, so that the lab knows where its library lies and what it can be asked.
 */
#[\Attribute(\Attribute::TARGET_CLASS)]
final class About
{
    /** What a contestant is compared as. */
    public const REALISTIC = 'realistic', TUNED = 'tuned', FLOOR = 'floor';

    /**
     * @param string       $format    of its bytes: json, ndjson, msgpack, php, igbinary, or a name of its own
     * @param list<string> $scenarios by name
     * @param string       $state     how it meets a call: "reused" if one object serves all, "prepared" if code or
     *                                metadata was made beforehand, "made per call" if nothing is kept
     * @param string|null  $vendor    the folder below lab/vendors whose packages it needs
     * @param string|null  $package   whose version is shown
     * @param string|null  $extension of PHP that it needs
     * @param string|null  $cannot    why it can't deserialize
     */
    public function __construct(
        public readonly string $name,
        public readonly string $format,
        public readonly array $scenarios,
        public readonly string $state = 'reused',
        public readonly string $kind = self::REALISTIC,
        public readonly ?string $vendor = null,
        public readonly ?string $package = null,
        public readonly ?string $extension = null,
        public readonly ?string $cannot = null,
        public readonly string $note = '',
    ) {}

    /** @param class-string $class */
    public static function of(string $class): self
    {
        $attributes = (new \ReflectionClass($class))->getAttributes(self::class);

        return ($attributes[0] ?? throw new \LogicException("{$class} lacks the attribute About"))->newInstance();
    }

    /** The name as options take it. */
    public function slug(): string
    {
        return \trim((string) \preg_replace('/[^a-z0-9]+/', '-', \strtolower(\strtr($this->name, ['*' => '-tailored', '()' => '']))), '-');
    }
}
