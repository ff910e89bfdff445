<?php

declare(strict_types=1);

// Calls polypack_pack() and polypack_unpack() without the library, for StandaloneTest. Reads cases as JSON, each a text
// and options, and prints what came of each.

/** @var list<array{string, int}> $cases */
$cases = json_decode((string) stream_get_contents(STDIN), true);
$what = $argv[1] ?? '';

/**
 * @param Closure(): mixed $call
 *
 * @return list<mixed>
 */
function outcome(Closure $call): array
{
    try {
        return [$call()];
    } catch (Polypack\Exception\PackingFailedException | Polypack\Exception\UnpackingFailedException $error) {
        return [$error::class, $error->errorCode->value, $error->offset, $error->path, $error->getMessage()];
    } catch (Throwable $error) {
        return [$error::class, $error->getMessage()];
    }
}

$found = [];
foreach ($cases as [$text, $options]) {
    if ($what === 'unpack') {
        $found[] = outcome(static fn(): mixed => polypack_unpack((string) hex2bin($text), $options));
    } elseif ($what === 'pack') {
        $value = unserialize((string) base64_decode($text, true));
        if ($value instanceof stdClass) {
            $value->a = [1, STDERR]; // which serialize() doesn't keep
        }
        $found[] = outcome(static fn(): string => bin2hex(polypack_pack($value, $options)));
    } elseif ($what === 'options') {
        $found[] = outcome(static fn(): string => polypack_pack([1], $options))[0];
    } elseif ($what === 'reflect') {
        require_once __DIR__ . '/reflect.php';
        outcome(static fn(): mixed => polypack_unpack("\x92")); // registers the classes
        assert(class_exists($text) || interface_exists($text));
        $found[] = Polypack\Tests\Support\reflect($text);
    } else {
        $found[] = outcome(static fn(): mixed => polypack_unpack("\x91\xc1"))[0];
        require $text;
        $found[] = Polypack\Engine::active()['engine'];
        $found[] = outcome(static fn(): mixed => Polypack\MessagePack::unpack("\x91\xc1"))[1];
        $found[] = Polypack\MessagePack::unpack(Polypack\MessagePack::pack([1]));
    }
}
echo json_encode($found, JSON_INVALID_UTF8_SUBSTITUTE);
