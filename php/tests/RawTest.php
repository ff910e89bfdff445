<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Canonical;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Extension;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Raw;
use Polypack\Tests\Support\AwkwardMaps;
use Polypack\Tests\Support\Box;
use Polypack\Tests\Support\BoxExtension;
use Polypack\Tests\Support\CountedExtension;
use Polypack\Tests\Support\LazyReads;
use Polypack\Tests\Support\Modes;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\RandomBytes;
use Polypack\Tests\Support\Vectors;
use Polypack\Type\Ext;
use Polypack\UnpackOptions;

final class RawTest extends TestCase
{
    private const INPUTS = 500;

    /**
     * @return list<array{0: string, 1: string, 2: ?string, 3?: int}> packed, path, packed value there, options
     */
    public static function finds(): array
    {
        return [
            ['05', '', '05'],
            ['0506', '', '05'],
            ['05', '/', null],
            ['c0', '/0', null],
            ['9301a162c3', '', '9301a162c3'],
            ['9301a162c3', '/1', 'a162'],
            ['9301a162c3', '/3', null],
            ['9301a162c3', '/-', null],
            ['9301a162c3', '/01', null],
            ['9301a162c3', '/-0', null],
            ['9301a162c3', '/1/0', null],
            ['9301a162c3', '/18446744073709551616', null],
            ['9301a162c1', '/1', 'a162'], // what follows is not read
            ['93d40000a162c1', '/1', 'a162'],
            ['82a16101a1629181a16302', '/b/0/c', '02'],
            ['82a16101a1629181a16302', '/b/0', '81a16302'],
            ['82a16101a1629181a16302', '/a/b', null],
            ['81a007', '/', '07'],
            ['81a37e2f3107', '/~0~11', '07'],
            ['81a27e3107', '/~01', '07'],
            ['82a16101a16102', '/a', '02'], // the last wins
            ['82a16181a16201a16180', '/a/b', null],
            ['82a16101a16181a16202', '/a/b', '02'],
            ['82a16190a16205', '/a/1', null], // an index beyond an array
            ['82a1619101a16205', '/a/3', null],
            ['82a1619101a16205', '/b', '05'],
            // Keys of other kinds
            ['810501', '/5', '01'],
            ['81cd000501', '/5', '01'],
            ['81fb01', '/-5', '01'],
            ['81d0fb01', '/-5', '01'],
            ['81d1fffb01', '/-5', '01'],
            ['81d2fffffffb01', '/-5', '01'],
            ['81d2000000fb01', '/251', '01'],
            ['81d3fffffffffffffffb01', '/-5', '01'],
            ['81ceffffffff01', '/4294967295', '01'],
            ['810001', '/-0', null],
            ['81cf800000000000000001', '/9223372036854775808', '01'],
            ['81d3800000000000000001', '/-9223372036854775808', '01'],
            ['810501', '/05', null],
            // Where PHP's arrays have one key, the last wins
            ['820501a13502', '/5', '02'],
            ['82a135020501', '/5', '01'],
            ['82a4726f6c65a475736572c404726f6c65a561646d696e', '/role', 'a561646d696e'],
            ['82c404726f6c65a561646d696ea4726f6c65a475736572', '/role', 'a475736572'],
            ['82a131a47573657201a561646d696e', '/1', 'a561646d696e'],
            ['83c401310101020201', '/2', '01'],
            ['82cf800000000000000001b3' . \bin2hex('9223372036854775808') . '02', '/9223372036854775808', '02'],
            ['82b3' . \bin2hex('9223372036854775808') . '01cf800000000000000002', '/9223372036854775808', '02'],
            ['82a1618101c0c401618102c3', '/a/1', null],
            ['81c40200ff01', '/0x00ff', null],
            // In lossless mode they are apart
            ['820501a13502', '/5', '02', UnpackOptions::LOSSLESS], // str before int
            ['82a135020501', '/5', '02', UnpackOptions::LOSSLESS],
            ['81c40200ff01', '/0x00ff', '01', UnpackOptions::LOSSLESS],
            ['81c40200ff01', '/0x00FF', null, UnpackOptions::LOSSLESS],
            ['81c50200' . \str_repeat('ab', 512) . '01', '/0x' . \str_repeat('ab', 512), '01', UnpackOptions::LOSSLESS],
            ['81c40001', '/0x', '01', UnpackOptions::LOSSLESS],
            ['82a161c3c40161c2', '/a', 'c3', UnpackOptions::LOSSLESS],
            ['81d90161' . '01', '/a', '01'],
            ['81da000161' . '01', '/a', '01'],
            ['81db0000000161' . '01', '/a', '01'],
            ['82c001c302', '/#1', '02'],
            ['82c001c302', '/#01', null],
            ['82c001a16102', '/#1', null],
            ['8291a16101cb000000000000000002', '/#0', '01', UnpackOptions::LOSSLESS],
            ['81d6ff0000000105', '/#0', '05'],
        ];
    }

    #[DataProvider('finds')]
    public function testFinds(string $hex, string $path, ?string $expected, int $options = 0): void
    {
        $bytes = (string) \hex2bin($hex);
        $unpacker = new BufferUnpacker("\xc0{$bytes}", $options);
        $raw = $unpacker->skip(1)->getRaw($path);
        self::assertSame($expected, $raw === null ? null : \bin2hex($raw->bytes));
        self::assertSame(\strlen($bytes), $unpacker->getRemainingCount());

        $value = $expected === null ? 'none' : MessagePack::unpack((string) \hex2bin($expected), $options);
        self::assertSame($value, MessagePack::get($bytes, $path, $options, default: 'none'));
        self::assertSame($value, (new Raw($bytes, $options))->get($path, 'none'));
    }

    /**
     * @return list<array{0: string, 1: string, 2: string, 3?: int, 4?: Limits}>
     */
    public static function faults(): array
    {
        return [
            ['', '/a', 'unexpected_end at 0 ()'],
            ['', '', 'unexpected_end at 0 ()'],
            ['c1', '/a', 'reserved_byte at 0 ()'],
            ['9301c102', '/2', 'reserved_byte at 2 (/1)'],
            ['9301c102', '/1', 'reserved_byte at 2 (/1)'],
            ['dcffff01', '/0', 'unexpected_end at 0 ()'],
            ['dcff', '/0', 'unexpected_end at 0 ()'],
            ['82a16101a16291c1', '/a', 'reserved_byte at 7 (/b/0)'],
            ['81a1619201c1', '/a/0', 'reserved_byte at 5 (/a/1)'],
            ['81c101', '/a', 'reserved_byte at 1 ()'],
            ['8191c101', '/a', 'reserved_byte at 2 ()'], // a fault in a key has the path of the map
            ['9291c101', '/1', 'reserved_byte at 2 (/0/0)'],
            ['92dd0000', '/1', 'unexpected_end at 1 (/0)'],
            ['92c702', '/1', 'unexpected_end at 1 (/0)'],
            ['91a5616263', '/0', 'unexpected_end at 1 (/0)'],
            ['9291dc000501', '/1', 'unexpected_end at 2 (/0/0)'],
            ['82a16101a16102', '/a', 'duplicate_key at 4 (/a)', UnpackOptions::STRICT],
            ['82a16101a1ff02', '/a', 'invalid_utf8 at 4 ()', UnpackOptions::STRICT],
            ['82a16101a1ff02', '/a', 'invalid_utf8 at 4 ()', UnpackOptions::LOSSLESS],
            ['8291c0019 1c002', '/#0', 'duplicate_key at 4 (/#1)', UnpackOptions::LOSSLESS],
            ['81c001', '/#0', 'invalid_key at 1 ()', UnpackOptions::STRICT],
            ['919190', '/0/0', 'limit_exceeded at 2 (/0/0)', 0, new Limits(maxDepth: 2)],
            ['92919001', '/1', 'limit_exceeded at 2 (/0/0)', 0, new Limits(maxDepth: 2)],
            ['9291019102', '/1/0', 'limit_exceeded at 3 (/1)', 0, new Limits(maxValues: 4)],
            ['929101910 2', '/0', 'limit_exceeded at 1 (/0)', 0, new Limits(maxValues: 3)],
            ['d4724091a16101', '/a', 'invalid_record at 0 ()'],
            ['92d4724091a1610105', '/1', 'invalid_record at 1 (/0)'],
            ['92c7017240', '/1', 'invalid_record at 1 (/0)'],
            ['9160', '/0', 'unknown_record at 1 (/0)', UnpackOptions::RECORDS_INLINE | UnpackOptions::STRICT],
            ['81a161d6ff0000', '/a', 'unexpected_end at 3 (/a)'],
            ['81a161d5ff0000', '/a', 'invalid_timestamp at 3 (/a)'],
        ];
    }

    #[DataProvider('faults')]
    public function testFaults(string $hex, string $path, string $error, int $options = 0, ?Limits $limits = null): void
    {
        $bytes = (string) \hex2bin(\str_replace(' ', '', $hex));
        self::assertSame($error, Outcome::of(static fn(): mixed => MessagePack::get($bytes, $path, $options, $limits)));
        $unpacker = new BufferUnpacker($bytes, $options, limits: $limits);
        self::assertSame($error, Outcome::of(static fn(): mixed => $unpacker->get($path)));
        self::assertSame(\strlen($bytes), $unpacker->getRemainingCount());
    }

    /**
     * If an extension fails in front of another fault, unpack() reports the extension.
     */
    public function testTheWholeValueHasTheFaultsOfUnpack(): void
    {
        $cases = ['93' . 'c7010590' . '01' . 'a1ff', '92' . 'd405c1' . 'c1', '81' . 'd40501' . '02', 'd405c1', '', '91c1', '9201'];
        foreach ([0, UnpackOptions::STRICT, UnpackOptions::LOSSLESS, UnpackOptions::RECORDS_INLINE] as $options) {
            foreach ($cases as $hex) {
                $extension = new CountedExtension(static fn(BufferUnpacker $data): mixed => [$data->unpack(), $data->unpack()]);
                $unpacker = new BufferUnpacker((string) \hex2bin($hex), $options, [$extension]);
                $got = Outcome::of(static fn(): mixed => $unpacker->get(''));
                self::assertSame(Outcome::of(static fn(): mixed => $unpacker->unpack()), $got, "{$hex} with the options {$options}");
            }
        }
    }

    public function testPathsAreChecked(): void
    {
        foreach (['a', 'a/b', '/~', '/a~2', '/a/~/b', '#/a'] as $path) {
            try {
                MessagePack::get("\x80", $path);
                self::fail("{$path} is no pointer");
            } catch (InvalidOptionException $error) {
                self::assertStringContainsString("\"{$path}\" is no RFC 6901 pointer", $error->getMessage());
            }
        }
    }

    public function testRecordsAreReadByTheirNames(): void
    {
        $rows = '92d4724092a26964a46e616d6501a161400281a1784003a163';
        $finds = [
            '/0' => '82a2696401a46e616d65a161',
            '/0/name' => 'a161',
            '/1/id' => '02',
            '/1/name' => '81a17882a2696403a46e616d65a163',
            '/1/name/x/id' => '03',
            '/1/nobody' => null,
            '' => '9282a2696401a46e616d65a16182a2696402a46e616d6581a17882a2696403a46e616d65a163',
        ];
        $unpacker = new BufferUnpacker((string) \hex2bin($rows), UnpackOptions::RECORDS_INLINE);
        foreach ($finds as $path => $expected) {
            $raw = $unpacker->getRaw($path);
            self::assertSame($expected, $raw === null ? null : \bin2hex($raw->bytes), $path);
        }
        self::assertSame(['id' => 3, 'name' => 'c'], $unpacker->get('/1/name/x'));
        self::assertSame($finds[''], \bin2hex($unpacker->unpackRaw()->bytes));

        // The id is declared again after the value, and again in front of an equal key.
        $anew = (string) \hex2bin('83a161d4724091a17001a162d4724091a17102a1614003');
        self::assertSame(['q' => 3], MessagePack::get($anew, '/a', UnpackOptions::RECORDS_INLINE));
        $behind = (string) \hex2bin('83a161d4724091a17001a1624002a163d4724091a1714003');
        self::assertSame(['p' => 2], MessagePack::get($behind, '/b', UnpackOptions::RECORDS_INLINE));
    }

    public function testNamesThatAreRepeatedWithoutRecordsAreLimited(): void
    {
        $name = \str_repeat('n', 1000);
        $bytes = "\xdc\x03\xe8\xd4\x72\x40\x91" . MessagePack::pack($name) . "\x00" . \str_repeat("\x40\x00", 999);
        $unpacker = new BufferUnpacker($bytes, UnpackOptions::RECORDS_INLINE, limits: new Limits(maxBytes: 100_000));
        self::assertSame('limit_exceeded at 1207 (/99)', Outcome::of($unpacker->unpackRaw(...)));
        self::assertSame(\strlen($bytes), $unpacker->getRemainingCount());
        self::assertSame('limit_exceeded at 1207 (/99)', Outcome::of(static fn(): mixed => $unpacker->getRaw('')));
        self::assertSame("\x81" . MessagePack::pack($name) . "\x00", $unpacker->getRaw('/999')?->bytes);
    }

    /**
     * The names of a record don't count for maxValues, but those of the map that a Raw has instead would.
     */
    public function testNamesThatAreRepeatedWithoutRecordsAreNoValues(): void
    {
        $bytes = (string) \hex2bin('d4724291a161' . 'd4724292a161a162' . '30' . '8103cb3ff0000000000000');
        foreach ([UnpackOptions::RECORDS_INLINE, UnpackOptions::RECORDS_INLINE | UnpackOptions::LOSSLESS] as $options) {
            $unpacker = static fn(int $maxValues): BufferUnpacker => new BufferUnpacker($bytes, $options, [], new Limits(maxValues: $maxValues));
            foreach (['', '/a', '/a/b'] as $path) {
                self::assertEquals($unpacker(6)->get($path), $unpacker(6)->getRaw($path)?->unpack());
                self::assertEquals($unpacker(6)->get($path), $unpacker(6)->unpackRaw()->getRaw($path)?->unpack());
            }
            self::assertEquals($unpacker(6)->unpack(), $unpacker(6)->unpackRaw()->unpack());
            self::assertSame('limit_exceeded at 15 (/a/b)', Outcome::of(static fn(): mixed => $unpacker(5)->unpackRaw()));
            // The limit is the reader's again for its next value.
            $reader = $unpacker(6);
            $reader->unpackRaw();
            $reader->reset("\x81\xa1a\x95\x01\x02\x03\x04\x05");
            self::assertSame('limit_exceeded at 3 (/a)', Outcome::of(static fn(): mixed => $reader->unpackRaw()));
            $raw = $reader->reset("\x93\x01\x02\x03")->unpackRaw();
            self::assertSame([1, 2, 3], $raw->unpack());
        }
    }

    public function testUnpackRawReadsOneValue(): void
    {
        $unpacker = new BufferUnpacker("\x92\x01\xa1a\xc0");
        $raw = $unpacker->unpackRaw();
        self::assertSame("\x92\x01\xa1a", $raw->bytes);
        self::assertSame([1, 'a'], $raw->unpack());
        self::assertSame('a', $raw->get('/1'));
        self::assertNull($unpacker->unpack());
        self::assertSame('unexpected_end at 5 ()', Outcome::of($unpacker->unpackRaw(...)));
        self::assertSame('trailing_data at 1 ()', Outcome::of((new Raw("\x01\x02"))->unpack(...)));
        self::assertSame('unexpected_end at 0 ()', Outcome::of((new Raw(''))->unpack(...)));
    }

    public function testExtensionsAndOptionsCountForWhatIsReadLater(): void
    {
        $extension = new BoxExtension();
        $bytes = (new Packer(null, [$extension]))->pack([new Box(1), ['x' => new Box('in')], "\xff"]);
        $unpacker = new BufferUnpacker($bytes, extensions: [$extension]);

        self::assertEquals(new Box('in'), $unpacker->get('/1/x'));
        $raw = $unpacker->unpackRaw();
        self::assertEquals([new Box(1), ['x' => new Box('in')], "\xff"], $raw->unpack());
        self::assertEquals(new Box(1), $raw->getRaw('/0')?->unpack());
        self::assertSame('invalid_utf8 at 0 ()', Outcome::of((new Raw("\xa1\xff", UnpackOptions::STRICT))->unpack(...)));
        self::assertSame('invalid_utf8 at 0 ()', Outcome::of(
            (new Raw("\xa1\xff", new BufferUnpacker('', UnpackOptions::STRICT)))->unpack(...),
        ));
    }

    public function testExtensionsThatComeLaterCountForLaterRaws(): void
    {
        $bytes = (new Packer(null, [new BoxExtension()]))->pack(new Box(1));
        $unpacker = new BufferUnpacker($bytes . $bytes);
        $before = $unpacker->unpackRaw();
        $after = $unpacker->extendWith(new BoxExtension())->unpackRaw();
        self::assertEquals(new Ext(7, "\x01"), $before->unpack());
        self::assertEquals(new Box(1), $after->unpack());
    }

    public function testCopyingRecordsAsksNoExtension(): void
    {
        $extension = self::createMock(Extension::class);
        $extension->method('getType')->willReturn(7);
        $extension->expects(self::never())->method('unpackExt');
        $bytes = "\xd4\x72\x40\x91\xa1a\x92\xd4\x07\x01\xd4\x07\x02";
        $unpacker = new BufferUnpacker($bytes, UnpackOptions::RECORDS_INLINE, [$extension]);
        self::assertSame('81a16192d40701d40702', \bin2hex($unpacker->getRaw('')->bytes ?? ''));
        self::assertSame('d40702', \bin2hex($unpacker->getRaw('/a/1')->bytes ?? ''));
        self::assertSame('81a16192d40701d40702', \bin2hex($unpacker->unpackRaw()->bytes));
    }

    public function testRawsPackAsTheyAre(): void
    {
        $raw = new Raw("\x92\xcd\x00\x01\xda\x00\x01a"); // not the shortest form
        $packer = new Packer();
        self::assertSame("\x81\xa1r\x92\xcd\x00\x01\xda\x00\x01a", $packer->pack(['r' => $raw]));
        self::assertSame($raw->bytes, $packer->pack($raw));

        $faulty = ['' => 'unexpected_end', "\xc1" => 'reserved_byte', "\x01\x02" => 'trailing_data', "\x92\x01" => 'unexpected_end',
            "\xd4\x72\x40\x91\xa1a\x01" => 'invalid_record'];
        foreach ($faulty as $bytes => $code) {
            try {
                $packer->pack(['r' => new Raw($bytes)]);
                self::fail('packed ' . \bin2hex($bytes));
            } catch (PackingFailedException $error) {
                self::assertSame([$code, '/r'], [$error->errorCode->value, $error->path]);
                self::assertInstanceOf(UnpackingFailedException::class, $error->getPrevious());
            }
        }

        $packer = new Packer(limits: new Limits(maxDepth: 3));
        self::assertSame("\x91\x91\x91\x01", $packer->pack([new Raw("\x91\x91\x01")]));
        self::assertSame('limit_exceeded at  (/0)', Outcome::of(static fn(): string => $packer->pack([new Raw("\x91\x91\x90")])));
    }

    /**
     * A strict writer never writes what a strict reader of any language refuses.
     */
    public function testTextAndKeysOfARawAreJudgedByTheModeOfThePacker(): void
    {
        $faulty = ['82a16101a16102' => 'duplicate_key', '8201020103' => 'duplicate_key', '8201a0cc01a0' => 'duplicate_key',
            '82900190ff' => 'duplicate_key', '81a2fffe01' => 'invalid_utf8', '92a0a1ff' => 'invalid_utf8',
            '82a16101a1610301' => 'duplicate_key']; // before the trailing byte
        foreach ($faulty as $hex => $code) {
            foreach ([0, UnpackOptions::STRICT, UnpackOptions::LOSSLESS] as $own) {
                $value = ['r' => new Raw((string) \hex2bin((string) $hex), $own)];
                foreach ([0, PackOptions::RECORDS_INLINE] as $records) {
                    foreach ([PackOptions::STRICT, PackOptions::LOSSLESS] as $mode) {
                        self::assertSame("{$code} at  (/r)", Outcome::of(static fn(): string => (new Packer($mode | $records))->pack($value)), (string) $hex);
                    }
                }
                if ($hex !== '82a16101a1610301') {
                    self::assertSame(\hex2bin("81a172{$hex}"), (new Packer())->pack($value));
                }
            }
            $value = ['r' => new Raw((string) \hex2bin((string) $hex))];
            self::assertSame("{$code} at  (/r)", Outcome::of(static fn(): string => (new Canonical())->pack($value)));
        }
        $good = ['820102a13103', '8201a0cb3ff0000000000000a0', '81c001', '40', '82c001d4000002', '82d6ff0000000101d6ff0000000201'];
        foreach ($good as $hex) {
            $raw = new Raw((string) \hex2bin($hex), UnpackOptions::STRICT);
            foreach ([0, PackOptions::STRICT, PackOptions::LOSSLESS] as $mode) {
                self::assertSame(\hex2bin($hex), (new Packer($mode))->pack($raw));
            }
        }
        $deep = new Raw("\x91\x92\x82\xa0\x01\xa0\x01"); // a level too deep, and unexpected_end
        $packer = new Packer(PackOptions::STRICT, limits: new Limits(maxDepth: 2));
        self::assertSame('limit_exceeded at  (/0/0)', Outcome::of(static fn(): string => $packer->pack([[$deep]])));
        $raw = new Raw("\x91\x90");
        self::assertSame("\x91\x90", $packer->pack($raw));
        self::assertSame('limit_exceeded at  (/0)', Outcome::of(static fn(): string => $packer->pack([$raw])));
    }

    public function testRawsAmongRecordsAreNotTakenForThem(): void
    {
        $packer = new Packer(PackOptions::RECORDS_INLINE | PackOptions::FORCE_FLOAT32);
        $raw = new Raw("\x94\x40\x7f\x81\xa1\xff\x3f\xca\x3f\xc0\x00\x00"); // options do not touch it
        $packed = $packer->pack([['a' => 1], $raw, 64]);
        self::assertSame('93d4724091a1610194cc40cc7f81a1ff3fca3fc00000cc40', \bin2hex($packed));
        self::assertSame(
            [['a' => 1], [64, 127, ["\xff" => 63], 1.5], 64],
            MessagePack::unpack($packed, UnpackOptions::RECORDS_INLINE),
        );
        foreach (["\xd4\x72\x40\x91\xa1a\x01", "\x01\x02"] as $bytes) {
            self::assertStringEndsWith(' at  (/0)', Outcome::of(static fn(): string => $packer->pack([new Raw($bytes)])));
        }

        // What stands behind the count of a long container is widened, too, and the count is not.
        foreach (["\xdc\x00\x01" => '', "\xdd\x00\x00\x00\x01" => '', "\xde\x00\x01" => 'a140', "\xdf\x00\x00\x00\x01" => 'a140'] as $head => $key) {
            $widened = (new Raw($head . \hex2bin($key) . "\x40"))->widened();
            self::assertSame(\bin2hex($head) . "{$key}cc40", \bin2hex($widened));
        }
        $nested = new Raw("\xdc\x00\x40" . \str_repeat("\x41", 0x40));
        $packed = $packer->pack([['a' => 1], $nested]);
        self::assertSame([['a' => 1], \array_fill(0, 0x40, 0x41)], MessagePack::unpack($packed, UnpackOptions::RECORDS_INLINE));

        // Every format keeps its body: strings, bytes and numbers full of what would be ids.
        foreach (Vectors::files() as [$folder, $file]) {
            foreach ($folder === 'valid' ? Vectors::cases($file) : [] as $name => $case) {
                if (!$case->has('bytes')) {
                    continue;
                }
                $widened = (new Raw($case->bytes()))->widened();
                $value = MessagePack::unpack($case->bytes(), UnpackOptions::LOSSLESS);
                self::assertSame(Outcome::value($value), Outcome::value(MessagePack::unpack($widened, UnpackOptions::LOSSLESS)), $name);
                self::assertSame($widened, (new Raw($widened))->widened());
            }
        }
    }

    #[Group('slow')]
    #[Group('engineless')]
    public function testVectors(): void
    {
        $i = 0;
        foreach (Vectors::files() as [$folder, $file]) {
            foreach (\in_array($folder, ['valid', 'records', 'invalid'], true) ? Vectors::cases($file) : [] as $name => $case) {
                if (Modes::takes(++$i) && $case->has('bytes')) {
                    self::assertSame([], LazyReads::compare($case->bytes(), new RandomBytes(1)), $name);
                }
            }
        }
    }

    #[Group('slow')]
    public function testRandomInput(): void
    {
        $random = new RandomBytes(7);
        for ($i = 0; $i < self::INPUTS; ++$i) {
            $bytes = $random->next();
            if (Modes::takes($i)) {
                self::assertSame([], LazyReads::compare($bytes, $random), \bin2hex($bytes));
            }
        }
    }

    #[Group('slow')]
    public function testKeysThatAreEqualToSome(): void
    {
        $random = new RandomBytes(11);
        $maps = new AwkwardMaps($random);
        for ($i = 0; $i < self::INPUTS; ++$i) {
            $bytes = $maps->next();
            if (Modes::takes($i)) {
                self::assertSame([], LazyReads::compare($bytes, $random), \bin2hex($bytes));
            }
        }
    }

    public function testDeepInputCostsNoRecursion(): void
    {
        $bytes = \str_repeat("\x91", 10_000) . "\xc0";
        $unpacker = new BufferUnpacker($bytes, limits: new Limits(maxDepth: 10_000));
        self::assertSame($bytes, $unpacker->unpackRaw()->bytes);
        self::assertNull($unpacker->seek(0)->get(\str_repeat('/0', 10_000), 'none'));
        self::assertSame('none', $unpacker->get(\str_repeat('/0', 10_001), 'none'));
    }
}
