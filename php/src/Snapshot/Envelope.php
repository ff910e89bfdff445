<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

use Polypack\Exception\ErrorCode;

/**
 * Signs bytes, and verifies signed bytes (spec/11-envelope.md). A payload is returned only after its signature was
 * verified. Every kind of invalid signature gives the same error code.
 *
 * @internal
 */
final class Envelope
{
    public const START = "\xc1\x45";
    private const VERSION = "\x01";
    private const HMAC_SHA256 = "\x01";
    private const TAG = 32;

    /** The values of the reserved fields: no compression, no encryption, no expiry. */
    private const RESERVED = "\0\0\0\0\0\0\0\0\0\0";

    /** How many bytes precede the length of the key's id: start, version, algorithm, reserved, hash of the purpose. */
    private const FIXED = 22;
    private const PURPOSE_HASH = 8;

    public static function sign(string $payload, #[\SensitiveParameter] string|KeyRing $ring, string $purpose): string
    {
        [$id, $key] = \is_string($ring) ? ['', $ring] : $ring->signing();
        $head = self::START . self::VERSION . self::HMAC_SHA256 . self::RESERVED . self::hash($purpose) . \chr(\strlen($id)) . $id;

        return $head . self::tag($head, $purpose, $payload, $key) . $payload;
    }

    /**
     * @return array{string, int} the payload, and its offset in the bytes
     *
     * @throws Failure
     */
    public static function verify(string $bytes, #[\SensitiveParameter] string|KeyRing $ring, string $purpose): array
    {
        $start = self::START . self::VERSION . self::HMAC_SHA256 . self::RESERVED;
        [$id, $end] = self::parts($bytes, 0);
        if (!\str_starts_with($bytes, $start) || \strlen($bytes) < $end || \strlen($id) > KeyRing::LONGEST_ID) {
            if (\str_starts_with($bytes, Format::START)) {
                $mend = 'read it with polypack_unserialize() if nobody else can write to its store';

                throw new Failure(ErrorCode::InvalidSignature, 'the input is a snapshot without a signature', $mend, 0);
            }

            throw self::invalid('the input is not signed as this version signs');
        }
        $key = \is_string($ring) ? ($id === '' ? $ring : null) : $ring->key($id);
        if ($key === null) {
            throw self::invalid('the input is signed with a key that is not in the ring');
        }
        $head = \substr($bytes, 0, $end - self::TAG);
        $payload = \substr($bytes, $end);
        $tag = \substr($bytes, $end - self::TAG, self::TAG);
        // the head with the hash of the given purpose; the input must start with this head, and have the tag for it
        $expected = \substr($head, 0, self::FIXED - self::PURPOSE_HASH) . self::hash($purpose) . \substr($head, self::FIXED);
        if (!\hash_equals(self::tag($expected, $purpose, $payload, $key), $tag) || $expected !== $head) {
            throw self::invalid('the signature does not hold');
        }

        return [$payload, $end];
    }

    /**
     * Finds the parts of the envelope at an offset, without a check.
     *
     * @return array{string, int} the id of the key, and the offset of the payload, which may be beyond the end
     */
    public static function parts(string $bytes, int $at): array
    {
        $length = \ord($bytes[$at + self::FIXED] ?? "\0");
        $id = $at + self::FIXED + 1;

        return [\substr($bytes, $id, $length), $id + $length + self::TAG];
    }

    /**
     * Returns a plain frame: the payload, then its HMAC-SHA256 (spec/11-envelope.md). phpser signs in the same way.
     */
    public static function signPlainly(string $payload, #[\SensitiveParameter] string|KeyRing $ring): string
    {
        return $payload . \hash_hmac('sha256', $payload, \is_string($ring) ? $ring : $ring->signing()[1], true);
    }

    /**
     * @throws Failure
     */
    public static function verifyPlain(string $bytes, #[\SensitiveParameter] string|KeyRing $ring): string
    {
        if (\strlen($bytes) < self::TAG) {
            throw self::invalid('the input is shorter than a signature');
        }
        $payload = \substr($bytes, 0, -self::TAG);
        $tag = \substr($bytes, -self::TAG);
        $holds = false;
        foreach (\is_string($ring) ? [$ring] : $ring->all() as $key) {
            $holds = \hash_equals(\hash_hmac('sha256', $payload, $key, true), $tag) || $holds;
        }

        return $holds ? $payload : throw self::invalid('the signature does not hold');
    }

    private static function tag(string $head, string $purpose, string $payload, #[\SensitiveParameter] string $key): string
    {
        return \hash_hmac('sha256', $head . \pack('V', \strlen($purpose)) . $purpose . $payload, $key, true);
    }

    private static function hash(string $purpose): string
    {
        return \substr(\hash('sha256', $purpose, true), 0, self::PURPOSE_HASH);
    }

    /**
     * @param non-empty-string $what
     */
    private static function invalid(string $what): Failure
    {
        return new Failure(ErrorCode::InvalidSignature, $what, 'read it with the key and the purpose it was signed for', 0);
    }
}
