<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\SnapshotFailedException;
use Polypack\Exception\SnapshotMissedException;
use Polypack\Snapshot\Migration\OldFormats;

/**
 * Changes the serializer of a cache without emptying the cache. This takes three phases, and each can be rolled back to
 * the phase before it (docs/guides/cache.md).
 *
 * The operator names the old formats. Bytes that are neither a snapshot nor look like one of these formats are refused.
 * The option `allowed_classes` must be a list or false. If old bytes name a class that isn't in the list, no objects of
 * that class are made.
 *
 * PHP and igbinary make objects under the names in the bytes. So while OldFormat::Php or OldFormat::Igbinary is read,
 * the options `aliases` and `unknown_class` = `stdclass` are refused. Both formats follow `allowed_classes`, and PHP's
 * also `unknown_class` = `throw`. Other options for reading have no effect on them. In igbinary's bytes, a class that
 * isn't allowed is an error. In PHP's bytes, its objects become incomplete by default. Enums and the iterator classes
 * of ArrayObjects can't be incomplete, so they are an error there, too.
 *
 * @api
 */
final class Migrating
{
    /** @var array<string, int> how many values were read, by format; `snapshot` for the new format */
    private array $counts = [];

    /** @var list<OldFormat> */
    private readonly array $old;

    private readonly OldFormats $formats;

    /**
     * @param OldFormat|list<OldFormat>  $old        at least one. The first format is written in the phase `old/both`.
     *                                               Bytes that look like several formats are read as the first of them
     * @param array<string, mixed>       $reading    options of Serializer::unserialize() except `version`. Igbinary's
     *                                               format follows only `allowed_classes`, PHP's also `unknown_class`
     *                                               = `throw`, and JSON and MessagePack follow none
     * @param array<string, mixed>       $writing    options of Serializer::serialize() except `version`, for snapshots
     *                                               and V1
     * @param ?\Closure(OldFormat): void $onFallback called each time after bytes in an old format were read
     *
     * @throws InvalidOptionException
     */
    public function __construct(
        OldFormat|array $old,
        private readonly Phase $phase,
        private readonly array $reading = [],
        private readonly array $writing = [],
        private readonly ?\Closure $onFallback = null,
    ) {
        $this->old = \is_array($old) ? $old : [$old];
        $options = Options::reading($reading, false);
        $this->check($options, Options::writing($writing, false));
        if ($options->allowed() === true) {
            throw InvalidOptionException::snapshotOption('allowed_classes', 'false or a list here: a Learner collects it');
        }
        $native = \array_filter($this->old, static fn(OldFormat $format): bool => $format === OldFormat::Php || $format === OldFormat::Igbinary);
        if ($native !== [] && $phase !== Phase::NewNew) {
            self::refuseNames($options, \array_values($native)[0]);
        }
        $this->formats = new OldFormats($reading, $writing);
        foreach ($this->old as $format) {
            if ($format === OldFormat::Igbinary && !\function_exists('igbinary_unserialize')) {
                throw InvalidOptionException::missingPhpExtension('OldFormat::Igbinary', 'igbinary');
            }
        }
    }

    /**
     * Checks the values of all options, also of those that only a later phase uses.
     */
    private function check(Options $reading, Options $writing): void
    {
        if ($this->old === []) {
            throw InvalidOptionException::snapshotOption('old', 'an OldFormat or a list of at least one');
        }
        if (isset($this->reading['version']) || isset($this->writing['version'])) {
            throw InvalidOptionException::snapshotOption('version', 'left out here, where OldFormat::V1 stands for V1 of phpser');
        }
        $reading->policy();
        $writing->word('floats', ['auto', 'raw', 'decimal']);
        $makesNull = $writing->word('unserializable', ['throw', 'null']) === 'null';
        if ($makesNull && $this->phase === Phase::OldBoth && $this->old[0] !== OldFormat::V1) {
            throw InvalidOptionException::snapshotOption('unserializable', "throw while OldFormat::{$this->old[0]->name} is written, which doesn't know it");
        }
    }

    /**
     * Refuses `aliases` and `unknown_class` = `stdclass`, because PHP and igbinary don't rename the classes that they
     * make.
     */
    private static function refuseNames(Options $options, OldFormat $format): void
    {
        $while = "while OldFormat::{$format->name} is read, whose objects get the names in the bytes";
        if ($options->aliases() !== []) {
            throw InvalidOptionException::snapshotOption('aliases', "left out {$while}");
        }
        if ($options->word('unknown_class', ['incomplete', 'stdclass', 'throw']) === 'stdclass') {
            throw InvalidOptionException::snapshotOption('unknown_class', "incomplete or throw {$while}");
        }
    }

    /**
     * @throws SnapshotFailedException
     */
    public function serialize(mixed $value): string
    {
        return $this->phase === Phase::OldBoth ? $this->formats->write($value, $this->old[0]) : Serializer::serialize($value, $this->writing);
    }

    /**
     * @throws SnapshotFailedException
     * @throws SnapshotMissedException
     */
    public function unserialize(string $bytes): mixed
    {
        $format = null;
        if ($this->phase !== Phase::NewNew && !\str_starts_with($bytes, Format::START)) {
            foreach ($this->old as $one) {
                if (OldFormats::couldBe($bytes, $one)) {
                    $format = $one;
                    break;
                }
            }
        }
        if ($format === null) {
            $value = Serializer::unserialize($bytes, $this->reading);
            $this->counts['snapshot'] = ($this->counts['snapshot'] ?? 0) + 1;

            return $value;
        }
        $value = $this->formats->read($bytes, $format);
        $this->counts[$format->value] = ($this->counts[$format->value] ?? 0) + 1;
        if ($this->onFallback !== null) {
            ($this->onFallback)($format);
        }

        return $value;
    }

    /**
     * Returns how many values were read, by format. When only the count of `snapshot` still grows, the last phase can
     * begin.
     *
     * @return array<string, int>
     */
    public function counts(): array
    {
        return $this->counts;
    }
}
