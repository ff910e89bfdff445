<?php

declare(strict_types=1);

namespace Polypack\Bench;

/**
 * Input that comes in chunks: one long message, a shorter one for peers that begin it again with each chunk,
 * and many short messages.
 */
final class Streams
{
    private const KIB = 1024;

    /**
     * Returns the messages of each stream, by workload.
     *
     * @return array<string, list<array<mixed>>>
     */
    public static function messages(): array
    {
        $rows = Payloads::all()['api1000'];
        \assert(\is_array($rows) && $rows !== []);

        return [
            'stream-1800k-by-1k' => [\array_merge($rows, $rows, $rows, $rows, $rows, \array_slice($rows, 0, 500))],
            'stream-100k-by-1k' => [\array_slice($rows, 0, 300)],
            'stream-messages' => \array_chunk($rows, 3),
        ];
    }

    /**
     * @param non-empty-list<Library> $libraries ours first
     *
     * @return array<string, non-empty-array<string, Run>> by workload and contestant; `one-shot` is
     *   ours on the whole input
     */
    public static function runs(array $libraries): array
    {
        $all = self::messages();
        [$long] = $all['stream-1800k-by-1k'];
        [$short] = $all['stream-100k-by-1k'];
        $messages = $all['stream-messages'];
        $ours = $libraries[0];
        $similar = [$ours];
        foreach (\array_slice($libraries, 1) as $one) {
            if ($one->name !== 'rybakit') {
                $similar[] = $one;
            }
        }
        $packed = ($ours->encode)($long, 1);

        return [
            'stream-1800k-by-1k' => [
                ...self::ofChunks($similar, $packed, self::KIB, [$long]),
                'one-shot' => new Run(static fn(int $calls): array => [($ours->decode)($packed, $calls)], [$long]),
            ],
            'stream-100k-by-1k' => self::ofChunks($libraries, ($ours->encode)($short, 1), self::KIB, [$short]),
            'stream-messages' => self::ofChunks(
                $libraries,
                \implode('', \array_map(static fn(array $message): string => ($ours->encode)($message, 1), $messages)),
                8 * self::KIB,
                $messages,
            ),
        ];
    }

    /**
     * @param non-empty-list<Library> $libraries
     * @param positive-int            $length    of a chunk
     * @param list<mixed>             $messages
     *
     * @return non-empty-array<string, Run>
     */
    private static function ofChunks(array $libraries, string $packed, int $length, array $messages): array
    {
        $chunks = \str_split($packed, $length);
        $runs = [];
        foreach ($libraries as $one) {
            $runs[$one->name] = new Run(static function (int $calls) use ($one, $chunks): array {
                $found = [];
                for ($i = 0; $i < $calls; ++$i) {
                    $found = ($one->stream)($chunks);
                }

                return $found;
            }, $messages);
        }

        return $runs;
    }
}
