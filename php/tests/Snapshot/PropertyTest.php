<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\Tests\Support\Modes;
use Polypack\Tests\Support\Snapshot\Codec;
use Polypack\Tests\Support\Snapshot\Described;
use Polypack\Tests\Support\Snapshot\Outcomes;
use Polypack\Tests\Support\Snapshot\RandomGraphs;

/**
 * Random values, and bytes that were changed at random: the same ones in each run.
 */
final class PropertyTest extends TestCase
{
    private const VALUES = 150;
    private const MUTATIONS = 600;

    /** How many times as much the full run does. */
    private const MORE = 10;

    public function testRandomValuesComeBackAsNativeSerializeSeesThem(): void
    {
        self::comeBack(1, self::VALUES);
    }

    #[Group('slow')]
    public function testMoreRandomValuesComeBack(): void
    {
        self::comeBack(Modes::seed(11), Modes::share(self::MORE * self::VALUES));
    }

    private static function comeBack(int $seed, int $count): void
    {
        $random = new RandomGraphs($seed);
        for ($i = 0; $i < $count; ++$i) {
            $value = $random->next();
            $native = \serialize($value);
            $bytes = Codec::serialize($value);
            $back = Codec::unserialize($bytes);
            self::assertSame($native, \serialize($back), "value {$i}");
            self::assertSame(\bin2hex($bytes), \bin2hex(Codec::serialize($back)), "value {$i} again");
            if (!\str_contains($native, 'R:')) { // PHP makes references of objects that were none
                self::assertSame(\bin2hex($bytes), \bin2hex(Codec::serialize(\unserialize($native))), "value {$i} from native unserialize");
            }
            self::assertIsArray(Described::of($bytes), "value {$i}");
        }
    }

    public function testRandomValuesComeBackFromV1AndChangedBytesAreAnErrorOrAValue(): void
    {
        $random = new RandomGraphs(3);
        $failures = 0;
        for ($i = 0; $i < self::VALUES; ++$i) {
            $value = $random->next();
            $bytes = Codec::serialize($value, ['version' => 1]);
            self::assertSame(\serialize($value), \serialize(Codec::unserialize($bytes, ['version' => 1])), "value {$i}");
            $changed = $random->changed($bytes);
            $outcome = Outcomes::of(static fn(): mixed => Codec::unserialize($changed, ['version' => 1, 'allowed_classes' => false]));
            $failures += $outcome === 'ok' ? 0 : 1;
        }
        self::assertGreaterThan(self::VALUES / 4, $failures);
    }

    public function testChangedBytesGiveTheErrorOrTheValueOfTheSpecification(): void
    {
        self::judge(2, self::MUTATIONS);
    }

    #[Group('slow')]
    public function testMoreChangedBytesGiveTheErrorOrTheValueOfTheSpecification(): void
    {
        self::judge(Modes::seed(12), Modes::share(self::MORE * self::MUTATIONS));
    }

    private static function judge(int $seed, int $count): void
    {
        $random = new RandomGraphs($seed);
        $options = ['allowed_classes' => false, 'max_elements' => 5000, 'max_depth' => 20];
        $failures = 0;
        for ($i = 0; $i < $count; ++$i) {
            $bytes = $random->changed(Codec::serialize($random->next()));
            $expected = Described::of($bytes, 20, 5000);
            $outcome = Outcomes::of(static fn(): mixed => Codec::unserialize($bytes, $options));
            self::assertSame(\is_string($expected) ? $expected : 'ok', $outcome, \bin2hex($bytes));
            $failures += \is_string($expected) ? 1 : 0;
        }
        self::assertGreaterThan($count / 3, $failures);
        self::assertLessThan($count, $failures);
    }

    #[Group('slow')]
    public function testEveryPrefixAndEveryChangedByteOfTheVectorsIsAnErrorOrAValue(): void
    {
        \memory_reset_peak_usage();
        $before = \memory_get_usage();
        $count = 0;
        foreach (VectorsTest::cases() as [$room, $case]) {
            $bytes = (string) \hex2bin($case['bytes']);
            if (($room !== 'values' && $room !== 'objects') || \strlen($bytes) > 250) {
                continue;
            }
            for ($i = 0, $length = \strlen($bytes); $i < $length; ++$i) {
                $prefix = Outcomes::of(static fn(): mixed => Codec::unserialize(\substr($bytes, 0, $i)));
                self::assertStringStartsWith('unexpected_end@', $prefix);
                foreach ([0x01, 0x80, 0xff] as $bits) {
                    $changed = $bytes;
                    $changed[$i] = \chr(\ord($changed[$i]) ^ $bits);
                    self::outcome($changed);
                    ++$count;
                }
            }
        }
        self::assertGreaterThan(5000, $count);
        // 2²⁰ values that cost no bytes take 16 bytes each, and twice that while an array grows
        self::assertLessThan(80 << 20, \memory_get_peak_usage() - $before);
    }

    private static function outcome(string $bytes): void
    {
        \set_error_handler(static fn(): bool => true); // what hooks of PHP itself warn of
        try {
            Outcomes::of(static fn(): mixed => Codec::unserialize($bytes, ['on_mismatch' => 'default']));
        } catch (\Exception|\TypeError|\ValueError|\Error $error) {
            // classes of PHP itself say in their own way that their data are wrong, and so does __unserialize of a test
            self::assertNotSame('', $error->getMessage());
            $isOurs = \str_contains($error->getFile(), '/src/Snapshot/') && !\str_ends_with($error->getFile(), '/Hook.php');
            self::assertFalse($isOurs, $error->getMessage() . ' ' . \bin2hex($bytes));
        } finally {
            \restore_error_handler();
        }
    }
}
