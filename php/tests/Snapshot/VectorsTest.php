<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\Snapshot\KeyRing;
use Polypack\Tests\Support\Snapshot\Cases;
use Polypack\Tests\Support\Snapshot\Codec;
use Polypack\Tests\Support\Snapshot\Described;
use Polypack\Tests\Support\Snapshot\Evolution;
use Polypack\Tests\Support\Snapshot\Outcomes;

/**
 * Every case of vectors/snapshot, one test for each. Described, which was written from the specification alone, judges
 * the vectors themselves.
 *
 * @phpstan-type Case array{name: string, spec: string, bytes: string, native?: string, value?: array<string, mixed>,
 *     error?: array{code: string, offset: int, path: string}, options?: array<string, mixed>, keys?: ?list<string>,
 *     written?: bool, old?: string, new?: string, space?: string, outcomes?: array<string, mixed>}
 */
final class VectorsTest extends TestCase
{
    private const FOLDER = __DIR__ . '/../../../vectors/snapshot';
    private const KEYS = ['k2' => Cases::KEY, 'k1' => 'an older key for vectors, 32 byte', 'zz' => 'a key that has signed nothing at all'];

    /**
     * @return array<string, array{string, Case}>
     */
    public static function cases(): array
    {
        $all = [];
        foreach (\array_diff((array) \glob(self::FOLDER . '/*.json'), [self::FOLDER . '/schema.json']) as $path) {
            $file = \json_decode((string) \file_get_contents((string) $path), true, 10_000, \JSON_THROW_ON_ERROR);
            self::assertIsArray($file);
            self::assertSame(1, $file['schema']);
            self::assertIsArray($file['cases']);
            foreach ($file['cases'] as $case) {
                self::assertIsArray($case);
                self::assertIsString($case['name']);
                self::assertArrayNotHasKey($case['name'], $all, 'named twice');
                /** @var Case $case */
                $all[$case['name']] = [\basename((string) $path, '.json'), $case];
            }
        }

        return $all;
    }

    public function testTheFilesAreThoseThatTheirSourcesMake(): void
    {
        foreach (Cases::files() as $room => $file) {
            self::assertSame(Cases::text($room, $file), \file_get_contents(self::FOLDER . "/{$room}.json"), "run php tools/snapshot-vectors.php, and read git diff ({$room})");
        }
    }

    public function testEachCaseNamesAHeadingOfTheSpecification(): void
    {
        foreach (self::cases() as $name => [, $case]) {
            [$file, $anchor] = \explode('#', $case['spec']);
            $text = (string) \file_get_contents((string) (((array) \glob(__DIR__ . "/../../../spec/{$file}-*.md"))[0] ?? ''));
            $anchors = \array_map(static fn(string $heading): string => \str_replace(' ', '-', \strtolower($heading)), \preg_match_all('/^##+ (.+)$/m', $text, $found) > 0 ? $found[1] : []);
            self::assertContains($anchor, $anchors, $name);
        }
    }

    /**
     * @param Case $case
     */
    #[DataProvider('cases')]
    public function testCase(string $room, array $case): void
    {
        $bytes = (string) \hex2bin($case['bytes']);
        match ($room) {
            'values', 'objects', 'accepted' => self::value($room, $case, $bytes),
            'invalid' => self::invalid($case, $bytes),
            'evolution' => self::evolution($case, $bytes),
            'v1' => self::v1($case, $bytes),
            'signed' => self::signed($case, $bytes),
            default => self::fail("nobody reads vectors/snapshot/{$room}.json"),
        };
    }

    /**
     * @param Case $case
     */
    private static function value(string $room, array $case, string $bytes): void
    {
        self::assertSame($case['value'] ?? null, Described::of($bytes));
        $value = Codec::unserialize($bytes);
        if (isset($case['native'])) {
            self::assertSame(\hex2bin($case['native']), \serialize($value));
        }
        $again = Codec::serialize($value, $case['options'] ?? []);
        if ($room === 'accepted') {
            self::assertNotSame($case['bytes'], \bin2hex($again), 'no writer chooses these bytes');
            self::assertSame(\serialize($value), \serialize(Codec::unserialize($again)));
        } else {
            self::assertSame($case['bytes'], \bin2hex($again));
            $data = Codec::unserialize($bytes, ['allowed_classes' => false]);
            self::assertSame($case['bytes'], \bin2hex(Codec::serialize($data, $case['options'] ?? [])), 'as data');
        }
    }

    /**
     * @param Case $case
     */
    private static function invalid(array $case, string $bytes): void
    {
        $error = $case['error'] ?? self::fail('no error');
        $outcome = "{$error['code']}@{$error['offset']}" . ($error['path'] === '' ? '' : " {$error['path']}");
        self::assertSame($outcome, Outcomes::of(static fn(): mixed => Codec::unserialize($bytes, $case['options'] ?? [])));
        $options = $case['options'] ?? [];
        if (!\str_starts_with($error['code'], 'class_')) {
            self::assertSame($outcome, Described::of($bytes, self::int($options['max_depth'] ?? 512), self::int($options['max_elements'] ?? 1 << 20)));
        }
    }

    private static function int(mixed $value): int
    {
        self::assertIsInt($value);

        return $value;
    }

    /**
     * @param Case $case
     */
    private static function evolution(array $case, string $bytes): void
    {
        $space = $case['space'] ?? '';
        Evolution::run("Polypack\\New\\{$space}", ($case['new'] ?? '') . ' return null;');
        self::assertSame($case['outcomes'] ?? null, Evolution::outcomes($space, $bytes));
    }

    /**
     * @param Case $case
     */
    private static function v1(array $case, string $bytes): void
    {
        $read = static fn(): mixed => Codec::unserialize($bytes, ['version' => 1]);
        if (isset($case['error'])) {
            $error = $case['error'];
            self::assertSame("{$error['code']}@{$error['offset']}" . ($error['path'] === '' ? '' : " {$error['path']}"), Outcomes::of($read));

            return;
        }
        $value = $read();
        self::assertSame($case['native'] ?? '', \bin2hex(\serialize($value)));
        $again = \bin2hex(Codec::serialize($value, ['version' => 1]));
        ($case['written'] ?? false) ? self::assertSame($case['bytes'], $again) : self::assertNotSame($case['bytes'], $again);
    }

    /**
     * @param Case $case
     */
    private static function signed(array $case, string $bytes): void
    {
        $ids = $case['keys'] ?? null;
        $key = $ids === null ? Cases::KEY : new KeyRing(\array_intersect_key(self::KEYS, \array_flip($ids)));
        $read = static fn(): mixed => Codec::unserializeSigned($bytes, $key, $case['options'] ?? []);
        if (isset($case['error'])) {
            self::assertSame('invalid_signature@0', Outcomes::of($read));
        } else {
            $value = $read();
            self::assertSame($case['native'] ?? '', \bin2hex(\serialize($value)));
            if ($ids === null) {
                self::assertSame($case['bytes'], \bin2hex(Codec::serializeSigned($value, $key, $case['options'] ?? [])));
            }
        }
    }
}
