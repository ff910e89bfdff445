<?php

declare(strict_types=1);

namespace Polypack\Tests\Records;

use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Canonical;
use Polypack\Exception\UnpackingFailedException;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Records\Dictionary;
use Polypack\Records\SharedRecords;
use Polypack\Stores\MemoryStore;
use Polypack\StreamUnpacker;
use Polypack\Tests\Support\Box;
use Polypack\Tests\Support\BoxExtension;
use Polypack\Tests\Support\CountedExtension;
use Polypack\Tests\Support\CountingStore;
use Polypack\Tests\Support\OneKind;
use Polypack\Tests\Support\Outcome;
use Polypack\UnpackOptions;

/**
 * spec/05-records.md#header.
 */
final class HeaderTest extends TestCase
{
    /** Of the dictionary [["a"]]. */
    private const HEADER = 'c150aeb58c1b28938032';

    private static function fixed(bool $fingerprint, string ...$names): SharedRecords
    {
        return new SharedRecords(new Dictionary(\array_map(static fn(string $name): array => [$name], \array_values($names))), fingerprint: $fingerprint);
    }

    private static function outcome(string $hex, SharedRecords $records): string
    {
        return Outcome::of(static fn(): mixed => MessagePack::unpack((string) \hex2bin($hex), UnpackOptions::of(records: $records)));
    }

    public function testTheExampleOfTheSpec(): void
    {
        $records = self::fixed(true, 'a');
        self::assertSame('aeb58c1b28938032', \bin2hex($records->dictionary()->fingerprint()));
        self::assertSame('cbf29ce484222325', \bin2hex((new Dictionary())->fingerprint()));
        $packed = MessagePack::pack(['a' => 1], PackOptions::of(records: $records));
        self::assertSame(self::HEADER . '4001', \bin2hex($packed));
        self::assertSame(['a' => 1], MessagePack::unpack($packed, UnpackOptions::of(records: $records)));
        self::assertSame(Outcome::value(['a' => 1]), self::outcome('4001', $records), 'without a header');
        self::assertSame('reserved_byte at 0 ()', self::outcome(self::HEADER . '4001', self::fixed(false, 'a')));
        self::assertSame('reserved_byte at 0 ()', Outcome::of(static fn(): mixed => MessagePack::unpack($packed)));
    }

    public function testAnotherDictionaryIsRefusedEvenIfItsShapesWouldFit(): void
    {
        self::assertSame('invalid_record at 0 ()', self::outcome(self::HEADER . '4001', self::fixed(true, 'b')));
        self::assertSame('invalid_record at 0 ()', self::outcome(self::HEADER . '4001', self::fixed(true)));
        self::assertSame('invalid_record at 0 ()', self::outcome(self::HEADER . '01', self::fixed(true, 'b')));
        self::assertSame(Outcome::value(['a' => 1]), self::outcome(self::HEADER . '4001', self::fixed(true, 'a', 'b')), 'it began with that');
        $withGap = new SharedRecords(new Dictionary([null, ['a']]), fingerprint: true);
        $packed = MessagePack::pack(['a' => 1], PackOptions::of(records: $withGap));
        self::assertSame(\hash('fnv1a64', "\xc0\x91\xa1a"), \bin2hex(\substr($packed, 2, 8)));
        self::assertSame(['a' => 1], MessagePack::unpack($packed, UnpackOptions::of(records: $withGap)));
    }

    public function testFaults(): void
    {
        $records = self::fixed(true, 'a');
        foreach (['c1', 'c150', 'c150aeb58c1b289380'] as $cut) {
            self::assertSame('unexpected_end at 0 ()', self::outcome($cut, $records));
        }
        self::assertSame('reserved_byte at 0 ()', self::outcome('c151aeb58c1b2893803240', $records));
        self::assertSame('unexpected_end at 10 ()', self::outcome(self::HEADER, $records));
        self::assertSame('reserved_byte at 11 (/a)', self::outcome(self::HEADER . '40c1', $records), 'offsets count from the header');
        self::assertSame('reserved_byte at 10 ()', self::outcome(self::HEADER . self::HEADER . '01', $records));
        self::assertSame('reserved_byte at 1 (/0)', self::outcome('91' . self::HEADER . '01', $records), 'it stands before messages only');
        self::assertSame('trailing_data at 12 ()', self::outcome(self::HEADER . '400101', $records));

        $unpacker = new BufferUnpacker((string) \hex2bin('01' . self::HEADER . '40c1'), UnpackOptions::of(records: $records));
        $unpacker->unpack();
        self::assertSame('reserved_byte at 12 (/a)', Outcome::of(static fn(): mixed => $unpacker->unpack()));
        self::assertSame(12, $unpacker->getRemainingCount(), 'the position is the header');
    }

    public function testMethodsForOneKind(): void
    {
        $options = UnpackOptions::of(records: self::fixed(true, 'a'));
        $values = ['map' => '4001', 'array' => '9101', 'ext' => 'd40561', 'int' => 'cc40', 'array head' => '92', 'map head' => '82'];
        foreach ($values as $kind => $hex) {
            self::assertSame(OneKind::of($kind, $hex, $options), OneKind::of($kind, self::HEADER . $hex, $options), $kind);
        }
        self::assertSame(Outcome::value(['a' => 1]), OneKind::of('map', self::HEADER . '81a16101', $options));
        self::assertSame(Outcome::value([]), OneKind::of('map', self::HEADER . '90', $options));
        self::assertSame(Outcome::value(0), OneKind::of('map head', self::HEADER . '90', $options));
        foreach (OneKind::ALL as $kind) {
            self::assertSame('invalid_record at 0 ()', OneKind::of($kind, 'c1500000000000000000' . '4001', $options), $kind);
            self::assertSame('unexpected_end at 0 ()', OneKind::of($kind, \substr(self::HEADER, 0, -2), $options), $kind);
            self::assertSame('unexpected_end at 10 ()', OneKind::of($kind, self::HEADER, $options), $kind);
            self::assertSame('reserved_byte at 10 ()', OneKind::of($kind, self::HEADER . self::HEADER, $options), $kind);
            $unpacker = new BufferUnpacker((string) \hex2bin(self::HEADER . ($kind === 'nil' ? 'c3' : 'c0')), $options);
            self::assertSame('type_mismatch at 10 ()', Outcome::of(static fn(): mixed => OneKind::unpack($kind, $unpacker)), $kind);
            self::assertSame(11, $unpacker->getRemainingCount());
        }
        $stopped = new BufferUnpacker((string) \hex2bin(self::HEADER . '40'), $options);
        self::assertSame('unexpected_end at 10 ()', Outcome::of(static fn(): mixed => $stopped->unpackMap()));
        self::assertSame(11, $stopped->getRemainingCount());
    }

    public function testTheDictionaryIsLoaded(): void
    {
        $store = new CountingStore();
        $packer = new Packer(PackOptions::of(records: new SharedRecords($store, fingerprint: true)));
        $first = $packer->pack(['a' => 1]);
        self::assertSame(self::HEADER . '4001', \bin2hex($first), 'with the shape that it has just published');
        $reader = new BufferUnpacker('', UnpackOptions::of(records: new SharedRecords($store, fingerprint: true)));
        self::assertSame(['a' => 1], $reader->reset($first)->unpack());
        $second = $packer->pack(['b' => 1]);
        self::assertSame(['b' => 1], $reader->reset($second)->unpack());
        self::assertSame(['a' => 1], $reader->reset($first)->unpack());
        self::assertSame(3, $store->loads);
        $other = MessagePack::pack(['c' => 1], PackOptions::of(records: self::fixed(true, 'c')));
        self::assertSame('invalid_record at 0 ()', Outcome::of(static fn(): mixed => $reader->reset($other)->unpack()));
        $store->error = new \LogicException('no route to host');
        self::assertSame('unsupported_value at 0 ()', Outcome::of(static fn(): mixed => $reader->reset($other)->unpack()));
    }

    public function testStreamsCutAnywhere(): void
    {
        $store = new MemoryStore();
        $packer = new Packer(PackOptions::of(records: new SharedRecords($store, fingerprint: true)));
        $values = [['a' => 1], [['b' => 2], ['a' => 3]], 5, ['c' => ['d' => 70]], ['plain' => true]];
        $bytes = '';
        foreach ($values as $value) {
            $bytes .= $packer->pack($value);
        }
        $bytes .= "\x40\x07";
        $values[] = ['a' => 7];
        for ($size = 1; $size < 12; ++$size) {
            $stream = new StreamUnpacker(UnpackOptions::of(records: new SharedRecords($store, fingerprint: true)));
            self::assertSame($values, \iterator_to_array($stream->decode(\str_split($bytes, $size)), false), "chunks of {$size}");
        }
        foreach ([1 => 0, 4 => 0, 9 => 0, 10 => 10, 11 => 10] as $length => $offset) {
            $stream = new StreamUnpacker(UnpackOptions::of(records: new SharedRecords($store, fingerprint: true)));
            self::assertSame([], $stream->feed(\substr($bytes, 0, $length)));
            try {
                $stream->end();
                self::fail("{$length} bytes are no message");
            } catch (UnpackingFailedException $error) {
                self::assertSame(['unexpected_end', $offset], [$error->errorCode->value, $error->offset]);
            }
        }
        $stream = new StreamUnpacker(UnpackOptions::of(records: self::fixed(true, 'x')));
        self::assertSame([1], $stream->feed("\x01" . \substr($bytes, 0, 10)));
        self::assertSame('invalid_record at 1 ()', Outcome::of(static fn(): mixed => $stream->feed('')));
    }

    public function testLazyReads(): void
    {
        $options = UnpackOptions::of(records: self::fixed(true, 'a'));
        $packed = (string) \hex2bin(self::HEADER . '40' . '4001');
        self::assertSame(1, MessagePack::get($packed, '/a/a', $options));
        self::assertSame('81a16181a16101', \bin2hex((new BufferUnpacker($packed, $options))->unpackRaw()->bytes));
        self::assertSame('81a16101', \bin2hex((string) (new BufferUnpacker($packed, $options))->getRaw('/a')?->bytes));
        self::assertSame('81a16181a16101', \bin2hex((new Canonical(records: self::fixed(true, 'a')))->canonicalize($packed)));
        self::assertSame(0, (new Canonical(records: self::fixed(true, 'a')))->departure($packed));
        self::assertSame('invalid_record at 0 ()', Outcome::of(static fn(): mixed => MessagePack::get($packed, '/a', UnpackOptions::of(records: self::fixed(true, 'b')))));
    }

    public function testNoHeaderForADictionaryThatIsContradictedInsideTheMessage(): void
    {
        $store = new CountingStore((new Dictionary([['a']]))->pack());
        $records = new SharedRecords($store, fingerprint: true);
        $records->dictionary();
        $finds = static function () use ($store, $records): \Generator {
            $store->content = (new Dictionary([['b']]))->pack();
            yield Outcome::of($records->refresh(...));
        };
        $packer = new Packer(PackOptions::of(records: $records));
        self::assertSame('invalid_record at  ()', Outcome::of(static fn(): string => $packer->pack([['a' => 1], $finds()])));
        self::assertSame('c150' . 'cbf29ce484222325' . 'd4724091a16101', \bin2hex($packer->pack(['a' => 1])), 'nothing is shared any more');
    }

    public function testWhatObjectsPackIsNoMessage(): void
    {
        $records = self::fixed(true, 'a');
        $packer = (new Packer(PackOptions::of(records: $records)))->extendWith(new BoxExtension());
        $packed = $packer->pack(new Box(['a' => 1]));
        self::assertSame(self::HEADER . 'd607' . '81a16101', \bin2hex($packed));
        $unpacker = new BufferUnpacker($packed, UnpackOptions::of(records: $records), [new BoxExtension()]);
        self::assertEquals(new Box(['a' => 1]), $unpacker->unpack());
        self::assertSame(self::HEADER . '9101', \bin2hex($packer->packArray([1])));
        self::assertSame(self::HEADER . '81a16101', \bin2hex($packer->packMap(['a' => 1])));
        self::assertSame('05', \bin2hex($packer->pack(5)), 'a scalar needs no shapes');
    }

    /**
     * Messages in the data of an extension have no header, however they are read.
     */
    public function testDataOfExtensionsHasNoHeader(): void
    {
        $read = [
            static fn(BufferUnpacker $data): mixed => $data->unpack(),
            static fn(BufferUnpacker $data): mixed => $data->tryUnpack(),
            static fn(BufferUnpacker $data): mixed => $data->skipValue(),
            static fn(BufferUnpacker $data): mixed => $data->get('/a'),
            static fn(BufferUnpacker $data): mixed => $data->unpackRaw(),
        ];
        $records = self::fixed(true, 'a');
        foreach ($read as $i => $method) {
            $extension = new CountedExtension(static fn(BufferUnpacker $data): string => Outcome::of(static fn(): mixed => $method($data)));
            foreach (['01', '4001'] as $value) {
                $unpacker = new BufferUnpacker((string) \hex2bin('c7' . \sprintf('%02x', 10 + \strlen($value) / 2) . '05' . self::HEADER . $value), UnpackOptions::of(records: $records), [$extension]);
                self::assertSame('reserved_byte at 0 ()', $unpacker->unpack(), "method {$i}");
            }
        }
    }
}
