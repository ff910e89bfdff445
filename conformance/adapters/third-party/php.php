<?php

/**
 * Answers for a MessagePack library of PHP in its default settings: `php php.php pecl-msgpack` or
 * `php php.php rybakit SRC`.
 *
 * A warning of the extension counts as a refusal. A kind that the profile has not is {"unknown":
 * …}, which equals nothing.
 */

declare(strict_types=1);

[, $library, $sources] = $argv + [1 => '', 2 => ''];

set_error_handler(static function (int $severity, string $message): never {
    throw new ErrorException($message, 0, $severity);
});

if ($library === 'rybakit') {
    spl_autoload_register(static function (string $class) use ($sources): void {
        if (str_starts_with($class, 'MessagePack\\')) {
            require $sources . '/' . str_replace('\\', '/', substr($class, 12)) . '.php';
        }
    });
    $version = 'of ' . date('Y-m', (int) filemtime($sources . '/MessagePack.php'));
    $decode = MessagePack\MessagePack::unpack(...);
    $encode = MessagePack\MessagePack::pack(...);
} else {
    $version = (string) phpversion('msgpack');
    $decode = msgpack_unpack(...);
    $encode = msgpack_pack(...);
}

/** @return array<string, mixed> */
function tag(mixed $value): array
{
    return match (true) {
        $value === null => ['nil' => true],
        is_bool($value) => ['bool' => $value],
        is_int($value) => ['int' => (string) $value],
        is_float($value) => ['float' => bin2hex(pack('E', $value))],
        is_string($value) => mb_check_encoding($value, 'UTF-8') ? ['str' => $value] : ['unknown' => 'string of other bytes'],
        is_array($value) => array_is_list($value) ? ['array' => array_map(tag(...), $value)] : ['map' => entries($value)],
        $value instanceof stdClass => ['map' => entries((array) $value, true)],
        $value instanceof MessagePack\Type\Ext => ['ext' => [$value->type, bin2hex($value->data)]],
        default => ['unknown' => get_debug_type($value)],
    };
}

/**
 * @param array<array-key, mixed> $map
 *
 * @return list<array{array<string, mixed>, array<string, mixed>}>
 */
function entries(array $map, bool $isObject = false): array
{
    $entries = [];
    foreach ($map as $key => $value) {
        $entries[] = [tag($isObject ? (string) $key : $key), tag($value)];
    }

    return $entries;
}

while (($line = fgets(STDIN)) !== false) {
    $request = json_decode($line, true, 4, JSON_THROW_ON_ERROR);
    $answer = ['id' => $request['id']];
    if ($request['op'] === 'hello') {
        $answer += ['name' => $library, 'version' => $version, 'ops' => ['decode', 'transcode'], 'modes' => ['default']];
    } elseif (!in_array($request['op'], ['decode', 'transcode'], true)) {
        $answer += ['unsupported' => 'op ' . $request['op']];
    } else {
        try {
            $value = $decode(hex2bin($request['bytes']));
            $answer += $request['op'] === 'decode' ? ['value' => tag($value)] : ['bytes' => bin2hex($encode($value))];
        } catch (Throwable) {
            $answer += ['error' => ['code' => 'refused', 'offset' => null, 'path' => '']];
        }
    }
    fwrite(STDOUT, json_encode($answer, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION, 4096) . "\n");
}
