<?php

declare(strict_types=1);

namespace Polypack\Lab\Payload;

use Polypack\Lab\Payload\Order\Order;

/**
 * A data set of the lab: a list of as many equal things as are wanted, as plain data and, for two of them, as objects;
 * such a list as a stream, in which each thing is a message; one value or stream of one size, which a bench measures,
 * too; or a single value, which need not be an array.
 */
enum Scenario: string
{
    case Person = 'person';
    case Order = 'order';
    case Rows = 'rows';
    case Countries = 'countries';

    // The elements of those lists, each a message of its own
    case StreamPerson = 'stream-person';
    case StreamOrder = 'stream-order';
    case StreamRows = 'stream-rows';
    case StreamCountries = 'stream-countries';

    // The streams of php/bench, under the same names
    case StreamMessages = 'stream-messages';
    case StreamBy1k = 'stream-100k-by-1k';
    case StreamLong = 'stream-1800k-by-1k';

    // The payloads of php/bench, under the same names
    case Api = 'api1000';
    case Config = 'config';
    case Event = 'event';
    case Ints = 'ints10k';
    case Ints7 = 'ints7_10k';
    case Ints32 = 'ints32_10k';
    case Floats = 'floats10k';
    case Texts = 'texts300';
    case Strings = 'strs5k';
    case Blobs = 'blobs100x1k';
    case Matrix = 'matrix100x100f';
    case IdMap = 'idmap5k';
    case SmallAck = 'small-ack';
    case SmallSession = 'small-session';
    case SmallEvent = 'small-event';
    case RealCountries = 'real-countries';
    case RealMime = 'real-mime';
    case RealEmoji = 'real-emoji';
    case RealAtlas = 'real-atlas';
    case RealCompat = 'real-compat';
    case RealCities = 'real-cities';

    // The shapes of its bench of snapshots
    case Rowset = 'snapshot-rowset_100';
    case Rowset1000 = 'snapshot-rowset_1000';
    case RowsetDistinct = 'snapshot-rowset_distinct_1000';
    case Packed = 'snapshot-packed_1k';
    case Packed10k = 'snapshot-packed_10k';
    case PackedRandom = 'snapshot-packed_rand_10k';
    case Deep = 'snapshot-deep_50';
    case Dto = 'snapshot-dto_100';
    case Dto1000 = 'snapshot-dto_1000';
    case DtoMixed = 'snapshot-dto_mixed';
    case Session = 'snapshot-session';
    case Document = 'snapshot-document';
    case ApiRows = 'snapshot-api_rows';
    case KeyedRows = 'snapshot-keyed_rows';
    case OptionalKeys = 'snapshot-optional_keys';
    case Prices = 'snapshot-prices';
    case ShortStrings = 'snapshot-strings';
    case SmallMap = 'snapshot-small';

    // Objects of its users
    case ObjectsFields = 'objects-fields';
    case ObjectsArray = 'objects-array';
    case ObjectsTransformer = 'objects-transformer';

    // Single values, as php/bench has them
    case ValueNil = 'value-nil';
    case ValueTrue = 'value-true';
    case ValueUint7 = 'value-7-bit-uint-1';
    case ValueSint5 = 'value-5-bit-sint-1';
    case ValueUint8 = 'value-8-bit-uint-1';
    case ValueUint16 = 'value-16-bit-uint-1';
    case ValueUint32 = 'value-32-bit-uint-1';
    case ValueUint64 = 'value-64-bit-uint-1';
    case ValueInt8 = 'value-8-bit-int-1';
    case ValueInt16 = 'value-16-bit-int-1';
    case ValueInt32 = 'value-32-bit-int-1';
    case ValueInt64 = 'value-64-bit-int-1';
    case ValueFloat64 = 'value-64-bit-float-2';
    case ValueFixString3 = 'value-fix-string-3';
    case ValueFixString31 = 'value-fix-string-4';
    case ValueString8 = 'value-8-bit-string-2';
    case ValueString16 = 'value-16-bit-string-2';
    case ValueString32 = 'value-32-bit-string';
    case ValueWideString = 'value-wide-char-string-2';
    case ValueFixArray = 'value-fix-array-3';
    case ValueArray16 = 'value-16-bit-array-1';
    case ValueArray32 = 'value-32-bit-array';
    case ValueFixMap = 'value-fix-map-2';
    case ValueMap16 = 'value-16-bit-map-1';
    case ValueMap32 = 'value-32-bit-map';
    case ValueComplexMap = 'value-complex-map';
    case ValueBinOf1 = 'value-8-bit-binary-1';
    case ValueBinOf32 = 'value-8-bit-binary-2';
    case ValueBinOf255 = 'value-8-bit-binary-3';
    case ValueBinOf256 = 'value-16-bit-binary';
    case ValueBinOf64k = 'value-32-bit-binary';

    // The payloads of js/bench
    case JsEx1 = 'js-ex1';
    case JsEx2 = 'js-ex2';
    case JsEx3 = 'js-ex3';
    case JsEx4 = 'js-ex4';
    case JsEx5 = 'js-ex5';
    case JsSampleLarge = 'js-sampleLarge';
    case JsApiList = 'js-apiList';
    case JsConfig = 'js-config';
    case JsGeo = 'js-geo';
    case JsText = 'js-text';
    case JsLogs = 'js-logs';
    case JsBlobs = 'js-blobs';

    // Its streams
    case JsStreamLarge = 'js-stream-large';
    case JsStreamSmall = 'js-stream-small';

    // Shapes of it that defeat what makes a decoder fast
    case JsUniqueKeys = 'js-unfriendly-uniqueKeys';
    case JsBigDictionary = 'js-unfriendly-bigDictionary';
    case JsIntKeys = 'js-unfriendly-intKeys';
    case JsOptionalFields = 'js-unfriendly-optionalFields';
    case JsUnionTypes = 'js-unfriendly-unionTypes';
    case JsMixedArray = 'js-unfriendly-mixedArray';
    case JsLongKeys = 'js-unfriendly-longKeys';
    case JsWideKeys = 'js-unfriendly-wideKeys';
    case JsSmallInts = 'js-unfriendly-smallInts';
    case JsShortStrings = 'js-unfriendly-shortStrings';
    case JsUuids = 'js-unfriendly-uuids';
    case JsLongAscii = 'js-unfriendly-longAscii';
    case JsDeep = 'js-unfriendly-deep';
    case JsWide64 = 'js-unfriendly-wide64';

    // The payloads of go/bench
    case GoSmall = 'go-01Small';
    case GoMedium = 'go-02Medium';
    case GoLarge = 'go-03Large';
    case GoSmallMap = 'go-04SmallMap';
    case GoMediumMap = 'go-05MediumMap';
    case GoStringMap = 'go-06StringMap';
    case GoInt64s = 'go-07Int64x1M';
    case GoMixed64s = 'go-08Mixed64x1M';
    case GoUint16s = 'go-09Uint16x1M';
    case GoFloat64s = 'go-10Float64x1M';
    case GoStrings = 'go-11Stringx1M';
    case GoRows1000 = 'go-12Rows1000';
    case GoConfig = 'go-13Config';
    case GoSeries = 'go-14Series';
    case GoDoc = 'go-15Doc';
    case GoMaps500 = 'go-16Maps500';

    /** Of as many elements as are wanted. */
    public const LISTS = ['person', 'order', 'rows', 'countries'];

    public const OF_OBJECTS = ['person', 'order'];

    /** Of as many messages as are wanted. */
    public const STREAMS_OF_LISTS = ['stream-person', 'stream-order', 'stream-rows', 'stream-countries'];

    public const STREAMS_OF_SHORT_MESSAGES = [...self::STREAMS_OF_LISTS, 'stream-messages', 'stream-100k-by-1k'];

    /** With a message of 2 MB, which takes seconds where a message is decoded anew with each chunk. */
    public const STREAMS = [...self::STREAMS_OF_SHORT_MESSAGES, 'stream-1800k-by-1k'];

    public const SMALL = ['small-ack', 'small-session', 'small-event'];

    public const DOCUMENTS = ['real-countries', 'real-mime', 'real-emoji', 'real-atlas', 'real-compat', 'real-cities'];

    /** Of the bench of snapshots: plain data, and what only serializers of PHP take. */
    public const SHAPES = [
        'snapshot-rowset_100', 'snapshot-rowset_1000', 'snapshot-rowset_distinct_1000', 'snapshot-packed_1k',
        'snapshot-packed_10k', 'snapshot-packed_rand_10k', 'snapshot-deep_50', 'snapshot-session',
        'snapshot-document', 'snapshot-api_rows', 'snapshot-keyed_rows', 'snapshot-optional_keys',
        'snapshot-prices', 'snapshot-strings', 'snapshot-small',
    ];

    public const SHAPES_OF_OBJECTS = ['snapshot-dto_100', 'snapshot-dto_1000', 'snapshot-dto_mixed'];

    /**
     * Of objects whose classes or transformers know a library. The bench's objects-second is left out: PECL, which
     * reads the bytes, has no ext.
     */
    public const OWN_OBJECTS = ['objects-fields', 'objects-array', 'objects-transformer'];

    /** Of go/bench, with a million values each, whose verification takes seconds: a group of their own. */
    public const COLUMNS = ['go-07Int64x1M', 'go-08Mixed64x1M', 'go-09Uint16x1M', 'go-10Float64x1M', 'go-11Stringx1M'];

    /** What JSON can carry. */
    public const TEXT = [
        ...self::LISTS, 'api1000', 'config', 'event', 'ints10k', 'ints7_10k', 'ints32_10k', 'floats10k', 'texts300', 'strs5k',
        'matrix100x100f', 'idmap5k', ...self::SMALL, ...self::DOCUMENTS,
    ];

    public const ALL = [...self::TEXT, 'blobs100x1k'];

    public const JSON = \JSON_THROW_ON_ERROR | \JSON_PRESERVE_ZERO_FRACTION | \JSON_UNESCAPED_UNICODE | \JSON_UNESCAPED_SLASHES;

    private const STREAM = 'stream-';

    /** Bytes in a chunk: PHP reads at most 8 KiB from a socket or a file. */
    private const CHUNK = 8 << 10, SMALL_CHUNK = 1 << 10, CHUNK_OF_JAVASCRIPT = 16 << 10;

    /** Says what the data is, in one line. */
    public function describe(): string
    {
        return match ($this) {
            self::StreamPerson, self::StreamOrder, self::StreamRows, self::StreamCountries
                => 'a stream, each element a message of its own, read in chunks: ' . $this->ofElements()->describe(),
            self::Person => 'the class of the seed: five private properties with getters and setters, and a mother',
            self::Order => 'readonly classes: customer, addresses, one to five lines, dates, an enum, decimals as text',
            self::Rows => 'plain rows of an API: twelve fields, one nested map, a list of tags',
            self::Countries => 'a real document: the countries of the npm package world-countries',
            default => match (true) {
                $this->isBorrowed() => Borrowed::describe($this->value),
                $this->isValue() => Values::describe($this->value),
                default => Bench::describe($this->value),
            },
        };
    }

    /**
     * The names that an option may use for several.
     *
     * @return array<string, list<string>>
     */
    public static function groups(): array
    {
        $others = [...self::LISTS, ...self::SMALL, ...self::DOCUMENTS];

        return [
            'lists' => self::LISTS, 'streams' => self::STREAMS, 'payloads' => \array_values(\array_diff(self::ALL, $others)), 'small' => self::SMALL,
            'documents' => self::DOCUMENTS, 'shapes' => [...self::SHAPES, ...self::SHAPES_OF_OBJECTS], 'values' => Values::NAMES,
            'objects' => self::OWN_OBJECTS,
            'js' => \array_values(\array_diff(self::thatBeginWith(Borrowed::JAVASCRIPT), self::thatBeginWith(Borrowed::UNFRIENDLY))),
            'unfriendly' => self::thatBeginWith(Borrowed::UNFRIENDLY),
            'go' => \array_values(\array_diff(self::thatBeginWith(Borrowed::GO), self::COLUMNS)), 'columns' => self::COLUMNS,
        ];
    }

    /** @return list<string> */
    private static function thatBeginWith(string $prefix): array
    {
        return \array_values(\array_filter(\array_column(self::cases(), 'value'), static fn(string $name): bool => \str_starts_with($name, $prefix)));
    }

    private function isBorrowed(): bool
    {
        return Borrowed::has($this->value);
    }

    /** Tells whether it has as many elements as are wanted. */
    public function isList(): bool
    {
        return \in_array($this->value, [...self::LISTS, ...self::STREAMS_OF_LISTS], true);
    }

    /** Tells whether it's a single value, which contestants take by the methods of OfValues. */
    public function isValue(): bool
    {
        return \str_starts_with($this->value, Values::PREFIX);
    }

    /** Tells whether each element is serialized as a message of its own. */
    public function isStream(): bool
    {
        return \str_starts_with($this->value, self::STREAM) || \str_starts_with($this->value, Borrowed::STREAM);
    }

    /** Tells whether it's a single value that is packed as bin by who has that. */
    public function isBin(): bool
    {
        return \in_array($this->value, Values::BIN, true);
    }

    /** Tells whether JSON can carry it. */
    private function isText(): bool
    {
        return $this !== self::Blobs && !$this->isBin();
    }

    /** Returns how many bytes of a stream arrive at a time. */
    public function chunkLength(): int
    {
        return match (true) {
            \str_ends_with($this->value, '-by-1k') => self::SMALL_CHUNK,
            \str_starts_with($this->value, Borrowed::STREAM) => self::CHUNK_OF_JAVASCRIPT,
            default => self::CHUNK,
        };
    }

    /** Returns the list whose elements are the messages of this stream; itself if it isn't a stream of a list. */
    private function ofElements(): self
    {
        $isStreamOfList = \in_array($this->value, self::STREAMS_OF_LISTS, true);

        return $isStreamOfList ? self::from(\substr($this->value, \strlen(self::STREAM))) : $this;
    }

    /** @return class-string|null of an element; null for plain data */
    public function class(): ?string
    {
        return match ($this->ofElements()) {
            self::Person => Person::class,
            self::Order => Order::class,
            default => null,
        };
    }

    /**
     * Makes the plain data; the same count and seed give the same data everywhere. What is no list ignores both.
     *
     * @return mixed an array, or a single value of any kind
     */
    public function plain(int $count, int $seed): mixed
    {
        return match (true) {
            $this->isBorrowed() => $this->read(Borrowed::json($this->value)),
            $this->isValue() => Values::of($this->value),
            $this->isList() => (new Generator($seed))->list($this->ofElements(), $count),
            default => Bench::value($this->value),
        };
    }

    /** Tells whether the data can be made on this machine, or why not. */
    public function missing(): ?string
    {
        return match (true) {
            $this->ofElements() === self::Countries && !\is_file(Generator::COUNTRIES) => 'npm has not installed world-countries (make setup)',
            $this->isBorrowed() => Borrowed::missing($this->value),
            !$this->isList() && !Bench::has($this->value) => 'npm has not installed the document (make setup)',
            default => null,
        };
    }

    /** Writes plain data for workers: as JSON, or as serialize() does if JSON can't carry it. */
    public function write(mixed $plain): string
    {
        return $this->isText() ? \json_encode($plain, self::JSON) : \serialize($plain);
    }

    /** Returns what workers get. The same count and seed give the same data everywhere. */
    public function data(int $count, int $seed): string
    {
        return $this->isBorrowed() ? Borrowed::json($this->value) : $this->write($this->plain($count, $seed));
    }

    /** Reads what write() wrote. */
    public function read(string $data): mixed
    {
        return $this->isText()
            ? \json_decode($data, true, 512, \JSON_THROW_ON_ERROR)
            : \unserialize($data, ['allowed_classes' => false]);
    }

    /**
     * @param array<mixed> $plain
     *
     * @return array<mixed> objects where the scenario has a class
     */
    public function fromPlain(array $plain): array
    {
        $class = $this->class();
        if ($class === null) {
            return \str_starts_with($this->value, Bench::SHAPE) ? Bench::objects($this->value, $plain) : $plain;
        }
        $objects = [];
        foreach ($plain as $row) {
            $objects[] = $class::fromPlain($row);
        }

        return $objects;
    }

    /**
     * @param array<mixed> $values
     *
     * @return array<mixed>
     */
    public function toPlain(array $values): array
    {
        if ($this->class() === null) {
            return $values;
        }
        $plain = [];
        foreach ($values as $value) {
            $plain[] = $value->toPlain();
        }

        return $plain;
    }
}
