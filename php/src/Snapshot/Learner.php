<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Collects the names of the classes that a workload needs. Pass a Learner as the option `learn` when writing and when
 * reading. Then print the Learner, and paste the text into the options for reading.
 *
 * @api
 */
final class Learner implements \Stringable
{
    /** A name that PHP code can write as `\Name::class`. */
    private const CLASS_NAME = '/^(?!(?:self|parent|static)$)[a-z_\x80-\xff][a-z0-9_\x80-\xff]*(?:\\\\[a-z_\x80-\xff][a-z0-9_\x80-\xff]*)*$/Di';

    /** Control and formatting characters, and spaces. A name with one of them may look like another name. */
    private const INVISIBLE = '/[\p{C}\p{Z}]/u';

    /** How many bytes are shown of a name that isn't written as code. */
    private const MOST_SHOWN = 100;

    /** @var array<string, int> how often learn() was called, by the name of the class */
    private array $classes = [];

    /**
     * @internal
     */
    public function learn(string $class): void
    {
        $this->classes[$class] = ($this->classes[$class] ?? 0) + 1;
    }

    /**
     * Returns the names of the classes, sorted.
     *
     * @return list<string>
     */
    public function allowedClasses(): array
    {
        $names = \array_map(\strval(...), \array_keys($this->classes));
        \sort($names, \SORT_STRING);

        return $names;
    }

    /**
     * Returns the option `allowed_classes` as PHP code. The names may come from untrusted bytes. So a name that no
     * class can have, or that has invisible characters, is only shown in a comment.
     */
    public function __toString(): string
    {
        return "'allowed_classes' => [\n" . \implode('', \array_map(self::line(...), $this->allowedClasses())) . "],\n";
    }

    private static function line(string $name): string
    {
        if (\preg_match(self::CLASS_NAME, $name) === 1 && \preg_match(self::INVISIBLE, $name) === 0) {
            return "    \\{$name}::class,\n";
        }
        // escapes punctuation, too, because PHP's closing tag would end the comment
        $escaped = \preg_replace_callback(
            '/[^a-zA-Z0-9_\\\\ ]/',
            static fn(array $found): string => '\x' . \bin2hex($found[0]),
            \substr($name, 0, self::MOST_SHOWN),
        );

        return "    // not written as code: {$escaped}" . (\strlen($name) > self::MOST_SHOWN ? '…' : '') . "\n";
    }
}
