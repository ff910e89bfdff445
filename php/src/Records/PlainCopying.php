<?php

declare(strict_types=1);

namespace Polypack\Records;

use Polypack\Packer;

/**
 * Copies values, and writes their records as maps, so that the copy can be read by itself.
 *
 * A message has the names of a record once, but each map made from an instance repeats them. Decoder/LazyReads.php
 * checks beforehand that the names in all these maps take at most maxBytes (spec/06-limits.md#names-of-records).
 *
 * @internal
 */
trait PlainCopying
{
    /**
     * Copies the value at the read position, which must have been checked before. Runs no extensions.
     */
    private function plain(int $depth): string
    {
        $out = '';
        $extensions = $this->extensions;
        $this->extensions = [];
        try {
            $this->appendPlain($depth, $out);
        } finally {
            $this->extensions = $extensions;
        }

        return $out;
    }

    private function appendPlain(int $depth, string &$out): void
    {
        $head = $this->offset;
        $byte = \ord($this->buffer[$head]);
        $names = $this->recordNames($byte, $head, $depth, 0);
        if ($names !== null) {
            $this->appendFields($names, $depth, $out);
        } elseif (($byte >= 0x80 && $byte < 0xa0) || ($byte >= 0xdc && $byte < 0xe0)) { // array, map
            if ($byte < 0xa0) {
                $count = $byte & 0x0f;
                $this->offset = $head + 1;
            } else {
                $length = ($byte & 1) === 0 ? 2 : 4;
                $count = $this->bigEndian($head + 1, $length);
                $this->offset = $head + 1 + $length;
            }
            $out .= \substr($this->buffer, $head, $this->offset - $head);
            $isMap = $byte < 0x90 || $byte >= 0xde;
            for ($i = 0; $i < $count; ++$i) {
                $key = $i;
                if ($isMap) {
                    $keyHead = $this->offset;
                    $isRecord = $this->startsInstance($keyHead);
                    $pathEnd = $this->pathEnd;
                    $this->pathEnd = \min($pathEnd, $depth);
                    $this->appendPlain($depth + 1, $out);
                    $this->pathEnd = $pathEnd;
                    $key = $isRecord ? [$i] : $this->keyBetween($keyHead, $this->offset, $i);
                }
                $this->trail[$depth] = $key;
                $this->appendPlain($depth + 1, $out);
            }
        } else {
            $this->value($depth, 0);
            $out .= \substr($this->buffer, $head, $this->offset - $head);
        }
    }

    /**
     * Appends a record as a map. The read position must be at its first value.
     *
     * @param list<string> $names
     */
    private function appendFields(array $names, int $depth, string &$out): void
    {
        $this->declarations()->copiedNames += \count($names);
        $packer = new Packer();
        $out .= $packer->packMapHeader(\count($names));
        foreach ($names as $name) {
            $out .= $packer->packStr($name);
            $this->trail[$depth] = $name;
            $this->appendPlain($depth + 1, $out);
        }
    }
}
