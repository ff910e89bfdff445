<?php

declare(strict_types=1);

namespace Polypack\Tools;

/**
 * What the generators of loops share.
 */
final class Template
{
    /**
     * Fills in a template: replaces each {word} and indents the text as the word is. A word that stands alone on its
     * line and has no text takes the line with it.
     *
     * @param array<string, string> $words
     */
    public static function fill(string $template, array $words): string
    {
        $lines = [];
        foreach (\explode("\n", $template) as $line) {
            if (\preg_match('/^( *)\{([\w ]+)\}$/', $line, $match) === 1 && isset($words[$match[2]])) {
                $text = $words[$match[2]];
                if ($text !== '') {
                    $lines[] = (string) \preg_replace('/^(?=.)/m', $match[1], $text);
                }
            } else {
                $lines[] = (string) \preg_replace_callback('/\{([\w ]+)\}/', static fn(array $m): string => $words[$m[1]], $line);
            }
        }

        return \implode("\n", $lines);
    }

    /**
     * Writes generated files or, with --check on the command line, names those that differ from what the templates
     * make.
     *
     * @param array<string, string> $sources by path below php/
     * @param string                $tool    the generator's name
     *
     * @return int the exit status
     */
    public static function write(array $sources, string $tool): int
    {
        /** @var list<string> $words */
        $words = $_SERVER['argv'];
        $check = \in_array('--check', $words, true);
        $status = 0;
        foreach ($sources as $path => $source) {
            $file = \dirname(__DIR__) . "/{$path}";
            if (!$check) {
                \file_put_contents($file, $source);
            } elseif (!\is_file($file) || \file_get_contents($file) !== $source) {
                echo "{$file} is not what tools/{$tool}.php makes: run php tools/{$tool}.php\n";
                $status = 1;
            }
        }

        return $status;
    }
}
