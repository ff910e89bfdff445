<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

use Polypack\Snapshot\Mismatches;

/**
 * Pairs of an old and a new class, for spec/10-snapshot.md#evolution: what one writes, the other reads, in both
 * directions and under each `on_mismatch`. The code of a class is part of its vector.
 *
 * @phpstan-import-type Case from Cases
 */
final class Evolution
{
    /** @var array<string, true> namespaces whose classes are declared */
    private static array $declared = [];

    private const MODES = ['throw', 'miss', 'default'];

    /**
     * The rows: old code, new code, the value that old code writes, and that which new code writes (null: none).
     *
     * @return array<string, array{string, string, string, ?string}>
     */
    private static function pairs(): array
    {
        $kinds = [
            'plain' => ['class Thing { %s }', 'public'],
            'protected' => ['class Thing { %s }', 'protected'],
            'private' => ['class Thing { %s }', 'private'],
            'inherited' => ['class Base { %s } class Thing extends Base {}', 'private'],
        ];
        $pairs = [];
        foreach ($kinds as $kind => [$class, $access]) {
            $with = static fn(string ...$properties): string => \sprintf($class, \implode(' ', $properties));
            $a = "{$access} int \$a = 1;";
            $b = "{$access} string \$b = 'b';";
            $new = '(new Thing)';
            $pairs += [
                "{$kind}-property-added" => [$with($a), $with($a, $b), $new, $new],
                "{$kind}-property-added-without-default" => [$with($a), $with($a, "{$access} string \$b;"), $new, $new],
                "{$kind}-property-reordered" => [$with($a, $b), $with($b, $a), $new, $new],
                "{$kind}-property-retyped" => [$with($a), $with("{$access} ?string \$a = null;"), $new, $new],
                "{$kind}-property-widened" => [$with($a), $with("{$access} int|string|null \$a = null;"), $new, $new],
                "{$kind}-property-made-float" => [$with($a), $with("{$access} float \$a = 0.5;"), $new, $new],
                "{$kind}-property-made-public" => [$with($a), \str_replace("{$access} int", 'public int', $with($a)), $new, $new],
                "{$kind}-property-made-static" => [$with($a, $b), $with("{$access} static int \$a = 1;", $b), $new, $new],
                "{$kind}-type-removed" => [$with($a), $with("{$access} \$a = 1;"), $new, $new],
            ];
        }
        $promoted = 'class Thing { public function __construct(%s) {} }';

        return $pairs + [
            'promoted-property-added' => [\sprintf($promoted, 'public int $a = 1'), \sprintf($promoted, 'public int $a = 1, public string $b = "b"'), 'new Thing(5)', 'new Thing(5, "c")'],
            'promoted-property-added-without-default' => [\sprintf($promoted, 'public int $a'), \sprintf($promoted, 'public int $a, public string $b'), 'new Thing(5)', 'new Thing(5, "c")'],
            'promoted-property-with-new' => [\sprintf($promoted, 'public int $a = 1'), \sprintf($promoted, 'public int $a = 1, public ?object $b = new \stdClass'), 'new Thing(5)', 'new Thing(5)'],
            'promoted-property-retyped' => [\sprintf($promoted, 'public int $a = 1'), \sprintf($promoted, 'public string $a = "s"'), 'new Thing(5)', 'new Thing("x")'],
            'readonly-property-added' => [\sprintf($promoted, 'public readonly int $a'), \sprintf($promoted, 'public readonly int $a, public readonly string $b = "b"'), 'new Thing(5)', 'new Thing(5, "c")'],
            'readonly-property-retyped' => [\sprintf($promoted, 'public readonly int $a = 1'), \sprintf($promoted, 'public readonly string $a = "s"'), 'new Thing(5)', 'new Thing("x")'],
            'made-readonly' => [\sprintf($promoted, 'public int $a = 1'), \sprintf($promoted, 'public readonly int $a'), 'new Thing(5)', 'new Thing(5)'],
            'reference-made-readonly' => ['class Thing { public int $a = 1; public static function with(): array { $t = new self; return [$t, &$t->a]; } }', \sprintf($promoted, 'public readonly int $a'), 'Thing::with()', null],
            'class-made-readonly' => [\sprintf($promoted, 'public int $a = 1'), 'readonly ' . \sprintf($promoted, 'public int $a'), 'new Thing(5)', 'new Thing(5)'],
            'made-promoted' => ['class Thing { public int $a = 1; }', \sprintf($promoted, 'public int $a = 2'), '(new Thing)', 'new Thing(5)'],
            'private-made-public' => ['class Thing { private int $a = 7; }', 'class Thing { public int $a = 1; }', '(new Thing)', '(new Thing)'],
            'moved-to-a-parent' => ['class Base {} class Thing extends Base { private int $a = 7; }', 'class Base { private int $a = 1; } class Thing extends Base {}', '(new Thing)', '(new Thing)'],
            'moved-to-a-trait' => ['class Thing { private int $a = 7; }', 'trait Has { private int $a = 1; } class Thing { use Has; }', '(new Thing)', '(new Thing)'],
            'parent-renamed' => ['class Base { private int $a = 7; } class Thing extends Base { private int $a = 8; }', 'class Root { private int $a = 1; } class Thing extends Root { private int $a = 2; }', '(new Thing)', '(new Thing)'],
            'parent-inserted' => ['class Thing { protected int $a = 7; }', 'class Base { protected int $a = 1; } class Thing extends Base { public int $c = 1; }', '(new Thing)', '(new Thing)'],
            'class-typed-property' => ['class Other {} class Thing { public ?object $o = null; public static function with(object $o): self { $t = new self; $t->o = $o; return $t; } }', 'class Other {} class Thing { public ?Other $o = null; public static function with(object $o): self { $t = new self; $t->o = $o; return $t; } }', 'Thing::with(new \stdClass)', 'Thing::with(new Other)'],
            'not-initialised' => ['class Thing { public int $a; public $b; }', 'class Thing { public int $a = 1; public $b = 2; public ?int $c = 3; }', '(new Thing)', '(new Thing)'],
            'dynamic-property' => ['#[\AllowDynamicProperties] class Thing { public int $a = 1; public static function with(): self { $t = new self; $t->more = 5; return $t; } }', 'class Thing { public int $a = 1; }', 'Thing::with()', '(new Thing)'],
            'dynamic-property-and-readonly-class' => ['#[\AllowDynamicProperties] class Thing { public int $a = 1; public static function with(): self { $t = new self; $t->more = 5; return $t; } }', 'readonly ' . \sprintf($promoted, 'public int $a = 1'), 'Thing::with()', 'new Thing(3)'],
            'dynamic-property-declared' => ['#[\AllowDynamicProperties] class Thing { public int $a = 1; public static function with(): self { $t = new self; $t->more = 5; return $t; } }', 'class Thing { public int $a = 1; private int $more = 2; }', 'Thing::with()', null],
            'case-gone' => ['enum Thing { case A; case B; }', 'enum Thing { case A; }', '[Thing::B, Thing::A]', '[Thing::A]'],
            'case-gone-in-a-property' => ['enum Kind { case A; case B; } class Thing { public Kind $k = Kind::B; }', 'enum Kind { case A; } class Thing { public Kind $k = Kind::A; }', '(new Thing)', '(new Thing)'],
            'case-is-a-constant' => ['enum Thing { case A; case B; }', 'enum Thing { case A; const B = self::A; }', 'Thing::B', null],
            'backed-case-with-another-value' => ['enum Thing: int { case A = 1; }', 'enum Thing: string { case A = "x"; }', 'Thing::A', 'Thing::A'],
            'enum-became-class' => ['enum Thing { case A; }', 'class Thing { public int $a = 1; }', 'Thing::A', '(new Thing)'],
            'class-gone' => ['class Thing { public int $a = 1; }', 'class Another {}', '(new Thing)', null],
            'class-became-abstract' => ['class Thing { public int $a = 1; }', 'abstract class Thing { public int $a = 1; }', '(new Thing)', null],
            'class-became-interface' => ['class Thing { public int $a = 1; }', 'interface Thing {}', '(new Thing)', null],
            'class-became-trait' => ['class Thing { public int $a = 1; }', 'trait Thing {}', '(new Thing)', null],
            'unserialize-added' => [
                'class Thing { public int $a = 1; protected int $b = 2; private int $c = 3; }',
                'class Thing { public array $got = []; public function __serialize(): array { return ["a" => 5, "x" => 6]; } public function __unserialize(array $data): void { $this->got = $data; } }',
                '(new Thing)', '(new Thing)',
            ],
            'unserialize-removed-with-names' => [
                'class Thing { private int $a = 1; public function __serialize(): array { return ["a" => 5, "\0*\0b" => 6, 0 => 7]; } public function __unserialize(array $data): void {} }',
                'class Thing { private int $a = 1; protected int $b = 2; public int $c = 3; }',
                '(new Thing)', null,
            ],
            'wakeup-added' => ['class Thing { public int $a = 1; }', 'class Thing { public int $a = 1; public bool $woke = false; public function __wakeup(): void { $this->woke = true; } }', '(new Thing)', '(new Thing)'],
            'sleep-added' => ['class Thing { public int $a = 1; public int $b = 2; }', 'class Thing { public int $a = 3; public int $b = 4; public function __sleep(): array { return ["b"]; } }', '(new Thing)', '(new Thing)'],
            'in-a-table' => ['class Thing { public function __construct(public int|string $a = 1) {} }', 'class Thing { public function __construct(public int $a = 1) {} }', '[new Thing(5000), new Thing(6), new Thing("x"), new Thing(7000)]', null],
        ];
    }

    /**
     * @return list<Case>
     */
    public static function cases(): array
    {
        $cases = [];
        foreach (self::pairs() as $name => [$old, $new, $forth, $back]) {
            $cases[] = self::case($name, $old, $new, $forth);
            if ($back !== null) {
                $cases[] = self::case("{$name}-back", $new, $old, $back);
            }
        }

        return $cases;
    }

    /**
     * @return Case
     */
    private static function case(string $name, string $old, string $new, string $value): array
    {
        $space = \str_replace(' ', '', \ucwords(\str_replace('-', ' ', $name)));
        $bytes = Codec::serialize(self::run("Polypack\\Old\\{$space}", "{$old} return {$value};"));
        $case = ['name' => "snapshot-evolution-{$name}", 'spec' => '10#evolution', 'old' => $old, 'new' => $new, 'space' => $space, 'bytes' => \bin2hex($bytes)];
        self::run("Polypack\\New\\{$space}", "{$new} return null;");

        return $case + ['outcomes' => self::outcomes($space, $bytes)];
    }

    /**
     * @return array<string, mixed> by `on_mismatch`: an error, or the value and the number of mismatches
     */
    public static function outcomes(string $space, string $bytes): array
    {
        $outcomes = [];
        foreach (self::MODES as $mode) {
            $mismatches = new Mismatches();
            $aliases = [];
            foreach (['Thing', 'Kind', 'Other'] as $class) {
                $aliases["Polypack\\Old\\{$space}\\{$class}"] = "Polypack\\New\\{$space}\\{$class}";
            }
            $back = null;
            $outcome = Outcomes::of(static function () use ($bytes, $mode, $aliases, $mismatches, &$back): void {
                $back = Codec::unserialize($bytes, ['on_mismatch' => $mode, 'aliases' => $aliases, 'mismatches' => $mismatches]);
            });
            $outcomes[$mode] = $outcome === 'ok'
                ? ['value' => Described::of(Codec::serialize($back)), 'mismatches' => \count($mismatches)]
                : ['error' => Cases::error(\str_replace('miss ', '', $outcome)), 'miss' => \str_starts_with($outcome, 'miss ')];
        }

        return $outcomes;
    }

    /**
     * Declares classes in a namespace of their own, unless they are there, and returns what the code returns.
     */
    public static function run(string $space, string $code): mixed
    {
        if (isset(self::$declared[$space])) {
            $at = \strrpos($code, 'return ');
            $code = $at === false ? $code : \substr($code, $at);
        }
        self::$declared[$space] = true;

        return eval("namespace {$space}; {$code}");
    }
}
