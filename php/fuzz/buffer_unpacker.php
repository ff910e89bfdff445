<?php

declare(strict_types=1);

// A target for PHP-Fuzzer (https://github.com/nikic/PHP-Fuzzer), which searches for input that reaches new code:
//
//   php-fuzzer fuzz fuzz/buffer_unpacker.php CORPUS
//
// Any exception that is not one of ours, any PHP warning, and any disagreement between the ways to read is a finding.
// fuzz/decoder.php needs no tool and compares with the reference.

use Polypack\BufferUnpacker;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Pecl\PeclReader;
use Polypack\StreamUnpacker;
use Polypack\UnpackOptions;

require_once __DIR__ . '/../vendor/autoload.php';

/** @var PhpFuzzer\Config $config */
$target = static function (string $input): void {
    $modes = [0, UnpackOptions::STRICT, UnpackOptions::LOSSLESS];
    foreach ([...$modes, ...array_map(static fn(int $mode): int => $mode | UnpackOptions::RECORDS_INLINE, $modes)] as $options) {
        $limits = new Limits(maxDepth: 64, maxValues: 10_000, maxBytes: 1 << 20);
        $unpacker = new BufferUnpacker($input, $options, limits: $limits);
        try {
            $value = $unpacker->unpack();
        } catch (UnpackingFailedException) {
            if ($unpacker->getRemainingCount() !== strlen($input)) {
                throw new \LogicException('the position moved though unpack() failed');
            }
            continue;
        }
        $used = strlen($input) - $unpacker->getRemainingCount();
        $messages = (new StreamUnpacker($options, limits: $limits))->feed(substr($input, 0, $used));
        if (serialize($messages) !== serialize([$value])) {
            throw new \LogicException('a stream reads something else');
        }
        if (serialize($unpacker->seek(0)->get('')) !== serialize($value)) {
            throw new \LogicException('a lazy read finds something else');
        }
        if ($unpacker->unpackRaw()->get('') !== $value && serialize($unpacker->seek(0)->unpackRaw()->unpack()) !== serialize($value)) {
            throw new \LogicException('a Raw holds something else');
        }
        if ($options === UnpackOptions::LOSSLESS) {
            $again = MessagePack::unpack(MessagePack::pack($value), UnpackOptions::LOSSLESS);
            if (serialize($again) !== serialize($value)) {
                throw new \LogicException('lossless mode lost something');
            }
        }
    }
    try {
        (new PeclReader(new Limits(maxDepth: 64, maxValues: 10_000)))->read($input);
    } catch (UnpackingFailedException) {
        // not from the PECL extension
    }
};

$config->setTarget($target);
$config->setMaxLen(512);
