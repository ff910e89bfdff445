<?php

declare(strict_types=1);

namespace Polypack\Tests\Records;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Canonical;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Options\Mode;
use Polypack\Options\Strings;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Raw;
use Polypack\Records\Dictionary;
use Polypack\Records\SharedRecords;
use Polypack\Stores\DictionaryStore;
use Polypack\Stores\MemoryStore;
use Polypack\StreamUnpacker;
use Polypack\Tests\Support\Box;
use Polypack\Tests\Support\BoxExtension;
use Polypack\Tests\Support\CountedExtension;
use Polypack\Tests\Support\CountingStore;
use Polypack\Tests\Support\OneKind;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\RandomValues;
use Polypack\Type\Entries;
use Polypack\Type\Map;
use Polypack\UnpackOptions;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * spec/05-records.md#shared: the bytes, reading, and growing. HeaderTest has the header, and tests/Stores the stores.
 */
final class SharedRecordsTest extends TestCase
{
    /**
     * @return list<list<string>>
     */
    private static function numbered(int $count): array
    {
        $shapes = [];
        for ($i = 0; $i < $count; ++$i) {
            $shapes[] = $i === 33 ? ['a'] : ["f{$i}", 'g' . ($i % 5)];
        }

        return $shapes;
    }

    /**
     * @param list<?list<string>> $shapes
     */
    private static function fixed(array $shapes): SharedRecords
    {
        return new SharedRecords(new Dictionary($shapes));
    }

    private static function pack(mixed $value, SharedRecords $records): string
    {
        return \bin2hex(MessagePack::pack($value, PackOptions::of(records: $records)));
    }

    private static function unpack(string $hex, SharedRecords $records, Mode $mode = Mode::Default): mixed
    {
        return MessagePack::unpack(self::bytes($hex), UnpackOptions::of(mode: $mode, records: $records));
    }

    private static function outcome(string $hex, SharedRecords $records, Mode $mode = Mode::Default): string
    {
        return Outcome::of(static fn(): mixed => self::unpack($hex, $records, $mode));
    }

    private static function bytes(string $hex): string
    {
        return (string) \hex2bin(\str_replace(' ', '', $hex));
    }

    public function testTheExamplesOfTheSpec(): void
    {
        $value = [['a' => 1], ['b' => 2], ['b' => 3], 64];
        $small = self::fixed([['a']]);
        self::assertSame('944001d4724191a162024103cc40', self::pack($value, $small));
        $large = self::fixed(self::numbered(40));
        self::assertSame('610001', self::pack(['a' => 1], $large));
        self::assertSame('92d572600191a16202600103', self::pack([['b' => 2], ['b' => 3]], $large));
        foreach ([$small, $large] as $records) {
            self::assertSame($value, self::unpack(self::pack($value, $records), $records));
        }
        self::assertSame('9391a161c091a162', \bin2hex((new Dictionary([['a'], null, ['b']]))->pack()));
    }

    /**
     * @return iterable<string, array{string}>
     */
    public static function writers(): iterable
    {
        yield 'msgpackr' => ['msgpackr'];
        yield 'Go' => ['go'];
    }

    #[DataProvider('writers')]
    public function testWhatOthersWriteIsReadAndWritten(string $file): void
    {
        $lines = \file(__DIR__ . "/../../../go/testdata/records/{$file}.jsonl", \FILE_IGNORE_NEW_LINES);
        self::assertIsArray($lines);
        self::assertGreaterThanOrEqual(30, \count($lines));
        foreach ($lines as $line) {
            $case = \json_decode($line, false, 512, \JSON_THROW_ON_ERROR);
            self::assertInstanceOf(\stdClass::class, $case);
            self::assertIsString($case->name);
            self::assertIsString($case->bytes);
            $records = true;
            if ($case->shapes !== null) {
                self::assertIsArray($case->shapes);
                $records = self::fixed($case->shapes); // @phpstan-ignore argument.type
            }
            $read = MessagePack::unpack(self::bytes($case->bytes), UnpackOptions::of(mode: Mode::Lossless, records: $records));
            self::assertEquals($case->value, $read, $case->name);
            if ($file === 'msgpackr' || !\str_starts_with($case->name, 'sparse')) { // Go's maps stay maps
                $packed = MessagePack::pack($case->value, PackOptions::of(records: $records));
                self::assertSame($case->bytes, \bin2hex($packed), $case->name);
            }
        }
    }

    // Reading

    /**
     * @return iterable<string, array{int, string, string}>
     */
    public static function unknown(): iterable
    {
        yield 'behind the last shape' => [2, '93 40 01 05 42', 'unknown_record at 4 (/2)'];
        yield 'first byte of pairs' => [2, '91 60', 'unknown_record at 1 (/0)'];
        yield 'behind the first bytes of pairs' => [40, '91 68', 'unknown_record at 1 (/0)'];
        yield 'with a second byte' => [40, '91 68 01', 'unknown_record at 1 (/0)'];
        yield 'pair behind the last' => [40, '91 60 01', 'unknown_record at 1 (/0)'];
        yield 'in a field' => [2, '91 d4 72 42 91 a1 61 43', 'unknown_record at 7 (/0/a)'];
        yield 'as a key' => [2, '81 43 01', 'unknown_record at 1 ()'];
    }

    #[DataProvider('unknown')]
    public function testAnIdThatNobodyKnowsIsAFaultInEveryMode(int $size, string $hex, string $error): void
    {
        $shapes = \array_map(static fn(array $names): array => \array_slice($names, -1), self::numbered(40));
        $records = self::fixed(\array_slice($shapes, 0, $size));
        foreach (Mode::cases() as $mode) {
            self::assertSame($error, self::outcome($hex, $records, $mode));
            $stream = new StreamUnpacker(UnpackOptions::of(mode: $mode, records: $records));
            self::assertSame($error, Outcome::of(static fn(): mixed => $stream->feed(self::bytes($hex))), 'at once');
        }
        $this->expectExceptionMessage('dictionary');
        self::unpack($hex, $records);
    }

    public function testPathsGoThroughTheShapes(): void
    {
        $records = self::fixed([['a', 'b/c'], ['d']]);
        self::assertSame('reserved_byte at 4 (/0/b~1c/d)', self::outcome('91 40 01 41 c1', $records));
        self::assertSame('unexpected_end at 1 (/0)', self::outcome('91 40 01', $records));
        self::assertSame('trailing_data at 3 ()', self::outcome('40 01 02 03', $records));
        self::assertSame('unexpected_end at 1 (/0)', self::outcome('91 61', self::fixed(self::numbered(40))));
        self::assertSame('unexpected_end at 1 (/0)', self::outcome('91 61 00', self::fixed(self::numbered(40))));
        $stream = new StreamUnpacker(UnpackOptions::of(records: $records));
        self::assertSame([], $stream->feed(self::bytes('91 40 01')));
        self::assertSame('reserved_byte at 4 (/0/b~1c/d)', Outcome::of(static fn(): mixed => $stream->feed(self::bytes('41 c1'))));
    }

    public function testDeclarationsReplaceShapesUntilTheEndOfTheMessage(): void
    {
        $unpacker = new BufferUnpacker(
            self::bytes('93 40 01 d4 72 40 91 a1 63 02 40 03  40 04'),
            UnpackOptions::of(records: self::fixed([['a'], ['b']])),
        );
        self::assertSame([['a' => 1], ['c' => 2], ['c' => 3]], $unpacker->unpack());
        self::assertSame(['a' => 4], $unpacker->unpack());
        $pairs = self::fixed(self::numbered(40));
        self::assertSame(
            [['a' => 1], ['c' => 2], ['c' => 3], ['f32' => 4, 'g2' => 5]],
            self::unpack('94 61 00 01 d4 72 61 91 a1 63 02 61 03 60 00 04 05', $pairs),
        );
        self::assertSame(
            [['c' => 2], ['c' => 3], ['d' => 4], ['a' => 5]],
            self::unpack('94 d4 72 61 91 a1 63 02 61 03 d5 72 61 07 91 a1 64 04 61 00 05', $pairs),
        );
    }

    public function testPlacesWithoutShapesEqualShapesAndNamesLikeInts(): void
    {
        $records = self::fixed([['a'], null, ['b'], ['a'], [], ['1', 'x'], ["\0", 'y']]);
        self::assertSame('93430142' . '0244', self::pack([['a' => 1], ['b' => 2], new \stdClass()], $records));
        self::assertSame([['a' => 1], ['a' => 2]], self::unpack('92 40 01 43 02', $records));
        self::assertSame('unknown_record at 0 ()', self::outcome('41', $records));
        self::assertSame([1 => 5, 'x' => 6], self::unpack('45 05 06', $records));
        self::assertEquals((object) ['1' => 5, 'x' => 6], self::unpack('45 05 06', $records, Mode::Lossless));
        self::assertEquals(new Entries([["\0", 5], ['y', 6]]), self::unpack('46 05 06', $records, Mode::Lossless));
        self::assertSame('450506', self::pack((object) ['1' => 5, 'x' => 6], $records));
        $pairs = self::fixed([...\array_fill(0, 34, null), ['a']]);
        self::assertSame('unknown_record at 1 (/0)', self::outcome('91 60 00', $pairs));
        self::assertSame('unexpected_end at 1 (/0)', self::outcome('91 60', $pairs));
        self::assertSame('unknown_record at 1 (/0)', self::outcome('91 63', $pairs));
    }

    public function testKeysAreRefusedLikeMaps(): void
    {
        $records = self::fixed([['a']]);
        self::assertSame('invalid_key at 1 ()', self::outcome('81 40 01 02', $records));
        self::assertSame('invalid_key at 1 ()', self::outcome('81 40 01 02', $records, Mode::Strict));
        self::assertEquals(new Entries([[(object) ['a' => 1], 2]]), self::unpack('81 40 01 02', $records, Mode::Lossless));
        $store = new SharedRecords(new MemoryStore((new Dictionary([['a']]))->pack()));
        self::assertSame('invalid_key at 1 ()', self::outcome('81 40 01 02', $store), 'a dictionary that is not loaded yet');
    }

    public function testMethodsForOneKindTakeARecordForAMap(): void
    {
        foreach ([Mode::Default, Mode::Strict] as $mode) {
            $few = UnpackOptions::of(mode: $mode, records: self::fixed([['a']]));
            $many = UnpackOptions::of(mode: $mode, records: self::fixed(self::numbered(40)));
            self::assertSame(Outcome::value(['a' => 1]), OneKind::of('map', '4001', $few));
            self::assertSame('unexpected_end at 0 ()', OneKind::of('map', '40', $few));
            self::assertSame('unknown_record at 0 ()', OneKind::of('map', '4101', $few));
            self::assertSame(Outcome::value(0x40), OneKind::of('int', 'cc40', $few));
            foreach (['int', 'str', 'ext', 'map head'] as $kind) {
                self::assertSame('type_mismatch at 0 ()', OneKind::of($kind, '4001', $few), $kind);
                self::assertSame('unknown_record at 0 ()', OneKind::of($kind, '4101', $few), $kind);
            }
            self::assertSame(Outcome::value(['a' => 1]), OneKind::of('map', '610001', $many));
            self::assertSame('type_mismatch at 0 ()', OneKind::of('int', '610001', $many));
            foreach (['int', 'map'] as $kind) {
                self::assertSame('unknown_record at 0 ()', OneKind::of($kind, '617701', $many), $kind);
                self::assertSame('unexpected_end at 0 ()', OneKind::of($kind, '61', $many), $kind);
            }
        }
        $store = new MemoryStore((new Dictionary([['a']]))->pack());
        $unpacker = new BufferUnpacker("\x40\x01", UnpackOptions::of(records: new SharedRecords($store)));
        self::assertSame(['a' => 1], $unpacker->unpackMap(), 'it loads the dictionary');
    }

    public function testLimitsCountRecords(): void
    {
        $options = UnpackOptions::of(records: self::fixed([['a'], ['b', 'c', 'd']]));
        $outcome = static fn(string $hex, Limits $limits): string => Outcome::of(
            static fn(): mixed => MessagePack::unpack(self::bytes($hex), $options, $limits),
        );
        $deep = new Limits(maxDepth: 3);
        self::assertSame(Outcome::value(['a' => ['a' => ['a' => 1]]]), $outcome('40 40 40 01', $deep));
        self::assertSame('limit_exceeded at 3 (/a/a/a)', $outcome('40 40 40 40 01', $deep));
        self::assertSame('limit_exceeded at 4 (/0/d)', $outcome('91 41 01 02 41 01 02 03', new Limits(maxValues: 5)));
        self::assertSame('unexpected_end at 1 (/0)', $outcome('92 41 01 02 03', new Limits()));
        $stream = new StreamUnpacker($options, [], new Limits(maxBytes: 4));
        self::assertSame('limit_exceeded at 1 (/b)', Outcome::of(static fn(): mixed => $stream->feed("\x41\xd9\x05")));
    }

    public function testAReaderLoadsTheDictionaryWhenItMustAndOnceInAMessage(): void
    {
        $store = new CountingStore();
        $records = new SharedRecords($store);
        self::assertSame([1, 'a'], self::unpack('92 01 a1 61', $records));
        self::assertSame([['c' => 5], ['c' => 6]], self::unpack('92 d4 72 7f 91 a1 63 05 7f 06', $records));
        self::assertSame(0, $store->loads, 'no id needs it');
        self::assertSame('unknown_record at 1 (/0)', self::outcome('92 40 41', $records));
        self::assertSame(1, $store->loads);
        $store->content = (new Dictionary([['a'], ['b']]))->pack();
        self::assertSame(
            [['c' => 5], ['a' => 1], ['b' => 2]],
            self::unpack('93 d4 72 7f 91 a1 63 05 40 01 41 02', $records),
        );
        self::assertSame('unknown_record at 1 (/0)', self::outcome('91 42', $records));
        self::assertSame(3, $store->loads);

        $larger = (new Dictionary([['a'], ['b']]))->append(...\array_slice(self::numbered(40), 2));
        $store->content = $larger->pack();
        $stream = new StreamUnpacker(UnpackOptions::of(records: new SharedRecords($store)));
        self::assertSame([['a' => 1]], $stream->feed(self::bytes('61 00 01 41')));
        self::assertSame([['b' => 5]], $stream->feed("\x05"));
        self::assertSame(['a' => 1], self::unpack('61 00 01', $records), 'a byte that was no first byte before');
        self::assertSame(
            [['c' => 1], ['f39' => 2, 'g4' => 3]],
            self::unpack('92 d4 72 40 91 a1 63 01 67 00 02 03', new SharedRecords($store)),
            'a declaration hides a shape that is loaded later',
        );
        self::assertSame([['c' => 1], ['c' => 2]], self::unpack('92 d4 72 60 91 a1 63 01 60 02', new SharedRecords($store)));
    }

    /**
     * A message knows what an extension inside it has loaded.
     */
    public function testAnExtensionLoadsTheDictionary(): void
    {
        $store = new MemoryStore();
        $store->replace(null, (new Dictionary([['a']]))->pack());
        $shared = new SharedRecords($store);
        $shared->dictionary();
        $store->replace($store->load(), (new Dictionary([['a'], ['b']]))->pack());
        $extension = new CountedExtension(static fn(): bool => $shared->refresh());
        $unpacker = new BufferUnpacker("\x93\x40\x01\xd4\x05\x00\x41\x02", UnpackOptions::of(records: $shared), [$extension]);
        self::assertSame([['a' => 1], true, ['b' => 2]], $unpacker->unpack());
        self::assertSame(1, $extension->calls);
    }

    public function testOtherShapesThanBeforeAreRefused(): void
    {
        $store = new CountingStore((new Dictionary([['a'], ['b']]))->pack());
        $records = new SharedRecords($store);
        self::assertSame(['b' => 1], self::unpack('41 01', $records));
        $store->content = (new Dictionary([['a'], ['x'], ['c']]))->pack();
        self::assertSame('invalid_record at 1 (/0)', self::outcome('91 42 01', $records));
        self::assertSame('unknown_record at 0 ()', self::outcome('41 01', $records), 'nobody knows which one is meant');
        self::assertSame('d4724091a16101', self::pack(['a' => 1], $records), 'it costs bytes');
        self::assertSame((new Dictionary([['a'], ['x'], ['c']]))->pack(), $store->content, 'nothing is overwritten');
    }

    public function testWhatIsNoDictionaryIsRefused(): void
    {
        $contents = [
            '01', 'c1', '91', '9101', '9192a161a161', '919101', '9191c40161', '9191a1ff', '90c0', '', '81a16101',
            \bin2hex("\xdc\x1f\xe1" . \str_repeat("\xc0", 8161)),
        ];
        foreach ($contents as $content) {
            $records = new SharedRecords(new MemoryStore(self::bytes($content)));
            self::assertSame('invalid_record at 0 ()', self::outcome('40 01', $records), $content);
            self::assertSame('unknown_record at 0 ()', self::outcome('40 01', $records), 'and then nothing is shared');
        }
        $longer = new SharedRecords(new MemoryStore(self::bytes('dc0002 c0 dd00000001 d90161')));
        self::assertSame(['a' => 1], self::unpack('41 01', $longer), 'heads of msgpackr need not be the shortest');
        $packer = new Packer(PackOptions::of(records: new SharedRecords(new MemoryStore('?'))));
        self::assertSame('invalid_record at  ()', Outcome::of(static fn(): mixed => $packer->pack(['a' => 1])));
        self::assertSame('d4724091a16101', \bin2hex($packer->pack(['a' => 1])));
    }

    public function testAStoreThatFailsWhileReading(): void
    {
        $store = new CountingStore((new Dictionary([['a']]))->pack());
        $store->error = new \LogicException('no route to host');
        $records = new SharedRecords($store);
        self::assertSame([1], self::unpack('91 01', $records));
        foreach ([static fn(): mixed => self::unpack('91 40 01', $records),
            static fn(): mixed => (new StreamUnpacker(UnpackOptions::of(records: $records)))->feed(self::bytes('91 40 01'))] as $read) {
            try {
                $read();
                self::fail('it was read');
            } catch (UnpackingFailedException $error) {
                self::assertSame('unsupported_value at 1 (/0)', Outcome::error($error));
                self::assertSame($store->error, $error->getPrevious());
            }
        }
        $store->error = null;
        self::assertSame([['a' => 1]], self::unpack('91 40 01', $records));
    }

    public function testLazyReads(): void
    {
        $store = new MemoryStore();
        $value = ['users' => [['id' => 64, 'tags' => ['x' => 1]], ['id' => 65, 'tags' => ['x' => 2]]]];
        $packed = MessagePack::pack($value, PackOptions::of(records: new SharedRecords($store)));
        $options = static fn(): UnpackOptions => UnpackOptions::of(records: new SharedRecords($store));
        self::assertSame(2, MessagePack::get($packed, '/users/1/tags/x', $options()));
        self::assertSame(['x' => 1], MessagePack::get($packed, '/users/0/tags', $options()));
        $raw = (new BufferUnpacker($packed, $options()))->getRaw('/users/1');
        self::assertInstanceOf(Raw::class, $raw);
        self::assertSame('82a26964cc41a47461677381a17802', \bin2hex($raw->bytes), 'read by itself');
        self::assertSame($value['users'][1], $raw->unpack());
        self::assertSame(2, $raw->get('/tags/x'));
        $all = new BufferUnpacker($packed . "\x01", $options());
        self::assertSame($value, $all->unpackRaw()->unpack());
        self::assertSame(1, $all->unpack());
        $canonical = new Canonical(records: new SharedRecords($store));
        self::assertSame(\bin2hex((new Canonical())->pack($value)), \bin2hex($canonical->canonicalize($packed)));
        self::assertSame('unknown_record at 1 ()', Outcome::of(static fn(): mixed => MessagePack::get("\x82\x7f\x01\xa1a\x02", '/a', $options())));
        self::assertSame(2, (new Raw(self::bytes('4002'), UnpackOptions::of(records: self::fixed([['a']]))))->get('/a'));
    }

    public function testAStreamCutAnywhere(): void
    {
        $records = new SharedRecords($store = new MemoryStore(), maxShapes: 50);
        $packer = new Packer(PackOptions::of(records: $records));
        $values = [];
        $bytes = '';
        for ($i = 0; $i < 90; ++$i) {
            $values[] = $value = ['f' . ($i % 60) => ['g' . ($i % 7) => 64 + $i, 'h' => [true]]];
            $bytes .= $packer->pack($value);
        }
        self::assertCount(50, $records->dictionary());
        foreach ([1, 2, 3, 7, 1000] as $size) {
            $stream = new StreamUnpacker(UnpackOptions::of(records: new SharedRecords($store)));
            self::assertSame($values, \iterator_to_array($stream->decode(\str_split($bytes, $size)), false), "chunks of {$size}");
        }
    }

    // Writing

    public function testShapesArePublishedBeforeTheirIdsAreWritten(): void
    {
        $store = new CountingStore();
        $packer = new Packer(PackOptions::of(records: $records = new SharedRecords($store)));
        self::assertSame('9240014002', \bin2hex($packer->pack([['a' => 1], ['a' => 2]])));
        self::assertSame((new Dictionary([['a']]))->pack(), $store->content);
        self::assertSame('4101', \bin2hex((clone $packer)->pack(['b' => 1])));
        self::assertSame('9240014101', \bin2hex((new Packer(PackOptions::of(records: $records)))->pack([['a' => 1], ['b' => 1]])));
        self::assertSame([1, 2], [$store->loads, $store->replaces]);
        self::assertSame(['a', 'b'], \array_merge(...\array_filter($records->dictionary()->shapes(), \is_array(...))));
        self::assertSame('42' . '40014101', \bin2hex(MessagePack::pack(['x' => ['a' => 1], 'y' => ['b' => 1]], PackOptions::of(records: $records))));
    }

    public function testOthersMayBeFaster(): void
    {
        $store = new CountingStore();
        $packer = new Packer(PackOptions::of(records: $records = new SharedRecords($store, maxShapes: 4)));
        $store->faster = [(new Dictionary([['x']]))->pack(), (new Dictionary([['x'], ['a']]))->pack()];
        self::assertSame('4101', \bin2hex($packer->pack(['a' => 1])), 'the shape that others have published');
        self::assertSame(2, $store->replaces);
        $store->faster = [(new Dictionary([['x'], ['a'], ['y']]))->pack()];
        self::assertSame('4301', \bin2hex($packer->pack(['b' => 1])), 'behind theirs');
        self::assertSame('d4724491a16301', \bin2hex($packer->pack(['c' => 1])), 'there are four');

        $store = new CountingStore();
        $packer = new Packer(PackOptions::of(records: new SharedRecords($store, maxShapes: 2)));
        $store->faster = [(new Dictionary([['x'], ['y'], ['z'], ['a']]))->pack()];
        self::assertSame(
            [['b' => 1], ['a' => 2], ['z' => 3], ['b' => 4]],
            self::unpack(\bin2hex($packer->pack([['b' => 1], ['a' => 2], ['z' => 3], ['b' => 4]])), new SharedRecords($store)),
            'ids that are declared in the message are not those of shapes that others publish meanwhile',
        );
        self::assertSame('4301', \bin2hex($packer->pack(['a' => 1])));
        self::assertSame('d4724491a16201', \bin2hex($packer->pack(['b' => 1])));
    }

    public function testAStoreThatFailsCostsBytesOnly(): void
    {
        $store = new CountingStore();
        $packer = new Packer(PackOptions::of(records: $records = new SharedRecords($store)));
        $store->error = new \LogicException('no route to host');
        for ($i = 0; $i < 3; ++$i) { // the first attempt fails, and the next two are left out
            self::assertSame('92d4726091a161016002', \bin2hex($packer->pack([['a' => 1], ['a' => 2]])));
        }
        self::assertSame($store->error, $records->failure());
        self::assertSame(1, $store->loads);
        $store->error = null;
        self::assertSame('4001', \bin2hex($packer->pack(['a' => 1])));
        self::assertNull($records->failure());

        $store->error = new \LogicException('read only');
        self::assertSame('9240' . '01d4726091a16202', \bin2hex($packer->pack([['a' => 1], ['b' => 2]])));
        self::assertSame($store->error, $records->failure());
        self::assertSame([2, 2], [$store->loads, $store->replaces]);
    }

    public function testAStoreThatAnswersHasNotFailed(): void
    {
        // Another writer adds the same shape, or takes the last place.
        foreach ([[['a'], ['b']], [['a'], ['c']]] as $others) {
            $store = new CountingStore();
            $packer = new Packer(PackOptions::of(records: $records = new SharedRecords($store, maxShapes: 2)));
            $packer->pack(['a' => 1]);
            $store->error = new \LogicException('read only');
            for ($i = 0; $i < 3; ++$i) { // the first attempt fails, and the next two are left out
                $packer->pack(['b' => 1]);
                self::assertSame($store->error, $records->failure());
            }
            $store->error = null;
            $store->faster = [(new Dictionary($others))->pack()];
            $packer->pack(['b' => 1]);
            self::assertSame($others, $records->dictionary()->shapes());
            self::assertNull($records->failure());
        }
    }

    public function testAStoreMayFailWithAnyException(): void
    {
        $fault = self::thrownBy(static fn(): mixed => MessagePack::unpack("\xc1"));
        foreach ([new \LogicException('no'), new \Error('no'), $fault, UnpackingFailedException::otherShapes()] as $error) {
            $store = new CountingStore();
            $store->error = $error;
            $packer = new Packer(PackOptions::of(records: $records = new SharedRecords($store)));
            self::assertSame('d4726091a16101', \bin2hex($packer->pack(['a' => 1])), 'nothing could be loaded');
            self::assertSame([$error, 1], [$records->failure(), $store->loads]);
            foreach ([false, true] as $fingerprint) {
                $unpack = fn(string $hex): string
                    => Outcome::of(static fn(): mixed => self::unpack($hex, new SharedRecords($store, fingerprint: $fingerprint)));
                self::assertSame('unsupported_value at 1 (/0)', $unpack('914001'));
                self::assertSame($fingerprint ? 'unsupported_value at 0 ()' : 'reserved_byte at 0 ()', $unpack('c1500000000000000000914001'));
            }
            $stream = new StreamUnpacker(UnpackOptions::of(records: new SharedRecords($store)));
            self::assertSame('unsupported_value at 1 (/0)', Outcome::of(static fn(): mixed => $stream->feed("\x91\x40\x01")));

            $store = new CountingStore();
            $packer = new Packer(PackOptions::of(records: $records = new SharedRecords($store)));
            $records->dictionary();
            $store->error = $error;
            self::assertSame('d4726091a16101', \bin2hex($packer->pack(['a' => 1])), 'nothing could be published');
            self::assertSame([$error, 1], [$records->failure(), $store->replaces]);
            $store->error = null;
            $packer->pack([['a' => 1], ['a' => 1]]);
            $packer->pack([['a' => 1], ['a' => 1]]);
            self::assertSame('4001', \bin2hex($packer->pack(['a' => 1])), 'the sharing has not stopped');
            self::assertNull($records->failure());

            $failing = new SharedRecords(new MemoryStore(), shouldShare: static fn(): bool => throw $error);
            $exception = self::thrownBy(static fn(): mixed => self::pack(['a' => 1], $failing));
            self::assertSame('unsupported_value at  ()', Outcome::of(static fn(): mixed => throw $exception));
            self::assertSame($error, $exception->getPrevious());
        }
    }

    private static function thrownBy(\Closure $call): \Throwable
    {
        try {
            $call();
        } catch (\Throwable $error) {
            return $error;
        }
        self::fail('it should throw');
    }

    /**
     * pack() and the other languages have no limit on the size, so unpack() must have none. The estimate for these
     * arrays is above the 64 MiB of strict mode.
     */
    #[Group('slow')]
    public function testADictionaryOfManyNamesIsRead(): void
    {
        $names = \array_map(static fn(int $i): string => \sprintf('%03x', $i), \range(0, 519));
        $content = (new Dictionary(\array_fill(0, 4300, $names)))->pack();
        $read = Dictionary::unpack($content);
        self::assertSame([4300, true], [\count($read), $read->pack() === $content]);
    }

    /**
     * @return iterable<string, array{string}>
     */
    public static function contentsThatAreNoDictionary(): iterable
    {
        foreach (['', 'c0', '91', '9191', '9101', '9180', '9191c0', '919101', '919190', '919191a161', '9191a1ff', '9192a161a161', '90c0'] as $hex) {
            yield "content {$hex}" => [$hex];
        }
    }

    #[DataProvider('contentsThatAreNoDictionary')]
    public function testAContentThatIsNoDictionary(string $hex): void
    {
        self::assertSame('invalid_record at  ()', Outcome::of(static fn(): mixed => Dictionary::unpack((string) \hex2bin($hex))));
    }

    public function testWhatIsLostComesBack(): void
    {
        $store = new CountingStore();
        $packer = new Packer(PackOptions::of(records: $records = new SharedRecords($store)));
        $packer->pack([['a' => 1], ['b' => 1]]);
        $store->content = (new Dictionary([['a']]))->pack();
        self::assertFalse($records->refresh());
        self::assertSame('4101', \bin2hex($packer->pack(['b' => 1])));
        self::assertSame('4201', \bin2hex($packer->pack(['c' => 1])));
        self::assertSame((new Dictionary([['a'], ['b'], ['c']]))->pack(), $store->content);

        $store->content = (new Dictionary([['b'], ['a']]))->pack();
        self::assertSame('invalid_record at  ()', Outcome::of(static fn(): mixed => $packer->pack(['d' => 1])));
        self::assertSame('d4724091a16101', \bin2hex($packer->pack(['a' => 1])));
        self::assertSame((new Dictionary([['b'], ['a']]))->pack(), $store->content);
    }

    public function testLimitsOfSharing(): void
    {
        $records = new SharedRecords(new MemoryStore(), maxShapes: 3, shouldShare: static fn(array $names): bool => $names !== ['n1']);
        $packer = new Packer(PackOptions::of(records: $records));
        for ($i = 0; $i < 10; ++$i) {
            $packer->pack(["n{$i}" => 1]);
        }
        self::assertSame([['n0'], ['n2'], ['n3']], $records->dictionary()->shapes());
        $failing = new SharedRecords(new MemoryStore(), shouldShare: static fn(): bool => throw new \LogicException('no'));
        self::assertSame('unsupported_value at  ()', Outcome::of(static fn(): mixed => self::pack(['a' => 1], $failing)));
        $reader = new SharedRecords($store = new CountingStore($records->dictionary()->pack()), maxShapes: 0);
        self::assertSame('41' . '01', self::pack(['n2' => 1], $reader));
        self::assertSame('d4724391a27a7a01', self::pack(['zz' => 1], $reader));
        self::assertSame(0, $store->replaces);
        self::assertSame("d4724091a1ff01", self::pack(["\xff" => 1], new SharedRecords($other = new MemoryStore(), 0)));
        self::assertSame("d4726091a1ff01", self::pack(["\xff" => 1], new SharedRecords($other)), 'a name that is not UTF-8');
        self::assertNull($other->load());
    }

    public function testCodeThatIsAskedAboutShapesMayPack(): void
    {
        $packer = new Packer();
        $asked = [];
        $shouldShare = static function (array $names) use (&$packer, &$asked): bool {
            $asked[] = $names;
            self::assertSame('81a5696e6e657201', \bin2hex($packer->pack(['inner' => 1])), 'no part of the message, so it is a map');

            return $names === ['a'];
        };
        $store = new MemoryStore();
        $packer = new Packer(PackOptions::of(records: new SharedRecords($store, maxShapes: 1, shouldShare: $shouldShare)));
        $rows = [['a' => 1], ['b' => 2], ['inner' => 3], ['a' => 4]];
        self::assertSame($rows, self::unpack(\bin2hex($packer->pack($rows)), new SharedRecords($store)));
        self::assertSame([['a']], $asked, 'it does not have to be asked when there is no room');

        $shouldShare = static fn(): bool => $packer->pack(['inner' => 1]) === '';
        $packer = new Packer(PackOptions::of(records: new SharedRecords($store, maxShapes: 2, fingerprint: true, shouldShare: $shouldShare)));
        $records = new SharedRecords($store, fingerprint: true);
        self::assertSame($rows, self::unpack(\bin2hex($packer->pack($rows)), $records));
        $copy = clone $packer;
        self::assertSame('c150', \substr(\bin2hex($copy->pack($rows)), 0, 4));
    }

    public function testNothingIsPublishedWhenTheCallbackFindsOtherShapes(): void
    {
        $records = null;
        $shouldShare = static function () use (&$records): bool {
            self::assertInstanceOf(SharedRecords::class, $records);
            self::assertSame('invalid_record at  ()', Outcome::of(static fn(): mixed => $records->refresh()));

            return true;
        };
        $store = new CountingStore((new Dictionary([['a']]))->pack());
        $records = new SharedRecords($store, shouldShare: $shouldShare);
        $records->dictionary();
        $store->content = (new Dictionary([['b']]))->pack();
        $packed = (new Packer(PackOptions::of(records: $records)))->pack([['c' => 1]]);
        self::assertSame([[['c' => 1]], 0], [self::unpack(\bin2hex($packed), self::fixed([['b']])), $store->replaces]);
    }

    public function testAStoreMayPack(): void
    {
        $store = new class implements DictionaryStore {
            public ?Packer $packer = null;
            /** @var list<string> */
            public array $log = [];

            public function load(): ?string
            {
                $this->log[] = \bin2hex((string) $this->packer?->pack(['load' => 1]));

                return null;
            }

            public function replace(?string $expected, string $next): bool
            {
                $this->log[] = \bin2hex((string) $this->packer?->pack(['b' => 1]));

                return true;
            }
        };
        $store->packer = $packer = new Packer(PackOptions::of(records: new SharedRecords($store, maxShapes: 2)));
        self::assertSame('94' . '4001' . '4102' . 'd4724291a16303' . '4104', \bin2hex($packer->pack([['a' => 1], ['b' => 2], ['c' => 3], ['b' => 4]])));
        self::assertSame(['81a46c6f616401', '81a16201', '81a16201'], $store->log);
    }

    public function testSizesAndShapesOfTheGuide(): void
    {
        $row = ['id' => 1, 'name' => 'Ada'];
        $records = new SharedRecords($store = new MemoryStore());
        self::assertSame([14, 6], [\strlen(MessagePack::pack($row)), \strlen(self::pack($row, $records)) / 2]);
        self::assertSame(6 + 10, \strlen(self::pack($row, new SharedRecords($store, fingerprint: true))) / 2);
        self::pack(['name' => 'Ada', 'id' => 1], $records);
        self::assertSame('81a57468657265' . '03', self::pack(new Map(['there' => 3]), $records), 'counts by word');
        self::assertSame([['id', 'name'], ['name', 'id']], $records->dictionary()->shapes());
    }

    public function testAllIdsAreInUse(): void
    {
        $shapes = [];
        for ($i = 0; $i < Dictionary::MAX_SHAPES; ++$i) {
            $shapes[] = ["n{$i}"];
        }
        $records = self::fixed($shapes);
        $value = [['n8159' => 1], ['n31' => 2], ['n32' => 3]];
        for ($i = 0; $i < 70; ++$i) {
            $value[] = ['other' . ($i % 40) => $i];
        }
        $packed = self::pack($value, $records);
        self::assertStringStartsWith('dc0049' . '7ffd01' . '5f02' . '600003' . 'd57260fe', $packed);
        self::assertSame($value, self::unpack($packed, $records));
        self::assertSame($value, self::unpack($packed, new SharedRecords(new MemoryStore($records->dictionary()->pack()))));
        self::assertSame($records->dictionary()->shapes(), Dictionary::unpack($records->dictionary()->pack())->shapes());
        $many = \array_map(static fn(int $i): array => ["x{$i}" => $i], \range(0, 200));
        foreach ([0, 5, 31, 32, 33, 40, 64, 65, 100] as $size) {
            $records = self::fixed(\array_slice($shapes, 0, $size));
            self::assertSame($many, self::unpack(self::pack($many, $records), $records), "{$size} shapes");
        }
    }

    public function testObjectsThatPackThemselvesAndExtensions(): void
    {
        $records = new SharedRecords(new MemoryStore());
        $packer = new Packer(PackOptions::of(records: $records));
        $packed = $packer->pack([['a' => 1], new Map(['a' => 64]), new Raw("\x81\xa1a\x40")]);
        self::assertSame('93' . '4001' . '81a161cc40' . '81a161cc40', \bin2hex($packed));
        $boxed = $packer->extendWith(new BoxExtension())->pack(['box' => new Box(['a' => 65])]);
        $unpacker = new BufferUnpacker($boxed, UnpackOptions::of(records: $records), [new BoxExtension()]);
        self::assertEquals(['box' => new Box(['a' => 65])], $unpacker->unpack());
    }

    public function testAnyValueComesBack(): void
    {
        $values = new RandomValues(7);
        $store = new MemoryStore();
        $options = ['strings' => Strings::Detect];
        $packer = new Packer(PackOptions::of(...$options, records: $records = new SharedRecords($store, maxShapes: 60)));
        $plain = new Packer(PackOptions::of(...$options));
        $reader = new BufferUnpacker('', UnpackOptions::of(records: new SharedRecords($store)));
        $stream = new StreamUnpacker(UnpackOptions::of(records: new SharedRecords($store)));
        for ($i = 0; $i < 2000; ++$i) {
            $value = $values->next();
            try {
                $expected = $plain->pack($value);
            } catch (PackingFailedException) {
                continue;
            }
            $packed = $packer->pack($value);
            $expected = Outcome::of(static fn(): mixed => MessagePack::unpack($expected));
            if (\str_contains($expected, ' at ')) { // a key that PHP's arrays can't hold
                continue;
            }
            self::assertSame($expected, Outcome::of(static fn(): mixed => $reader->reset($packed)->unpack()), \bin2hex($packed));
            self::assertSame($expected, Outcome::value($stream->feed($packed)[0]));
        }
        self::assertCount(60, $records->dictionary());
    }

    #[Group('slow')]
    public function testNoBytesMakeAReaderDoAnythingButFail(): void
    {
        $random = new Randomizer(new Xoshiro256StarStar(11));
        $dictionaries = [[['a'], null, ['b', 'c'], []], self::numbered(40)];
        $alphabet = self::bytes('90919293 81 40 41 42 60 61 62 00 01 d472 d57260 91a161 92a161a162 a0 c0 c1 cc40 7f');
        for ($i = 0; $i < 4000; ++$i) {
            $bytes = '';
            for ($length = $random->getInt(1, 24); $length > 0; --$length) {
                $bytes .= $alphabet[$random->getInt(0, \strlen($alphabet) - 1)];
            }
            $dictionary = new Dictionary($dictionaries[$i & 1]);
            $options = static fn(SharedRecords $records): UnpackOptions => UnpackOptions::of(mode: Mode::cases()[$i % 3], records: $records);
            $fixed = Outcome::of(static fn(): mixed => MessagePack::unpack($bytes, $options(new SharedRecords($dictionary))));
            $stored = new SharedRecords(new MemoryStore($dictionary->pack()));
            self::assertSame($fixed, Outcome::of(static fn(): mixed => MessagePack::unpack($bytes, $options($stored))), \bin2hex($bytes));
            self::assertStringNotContainsString('unsupported_value', $fixed);
            $stream = new StreamUnpacker($options(new SharedRecords($dictionary)));
            $chunks = \str_split($bytes);
            $streamed = Outcome::of(static fn(): mixed => \iterator_to_array($stream->decode($chunks), false)[0] ?? null);
            if (!\str_contains($fixed, ' at ')) {
                self::assertSame($fixed, $streamed, \bin2hex($bytes));
            } elseif (!\str_starts_with($fixed, 'trailing_data')) {
                self::assertStringContainsString(' at ', $streamed, \bin2hex($bytes));
            }
        }
    }
}
