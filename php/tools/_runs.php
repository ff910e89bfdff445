<?php

declare(strict_types=1);

namespace Polypack\Tools;

// Templates of the loop of arrays for neighbours of one format (docs/decisions/0014-php-specialisation.md#neighbours):
// one call of unpack() reads several numbers. After an array first fails to have eight of them in a row, its loop stops
// trying. The templates share their variables, because PHP clears each variable for every array, however short.

/** Small ints are read as numbers of 64 bits, sixteen at once. */
const MANY_FIXINTS = <<<'CODE'
    if ($bound > $eights) {
        $array[] = $byte;
        ++$offset;
    } elseif ($bound + 8 <= $eights) {
        $many = \unpack('Ja/Jb', $buffer, $offset);
        $number = $many['a'];
        if (($number & ~0x7f7f7f7f7f7f7f7f) === 0) {
            {eight}
            $number = $many['b'];
            if (($number & ~0x7f7f7f7f7f7f7f7f) === 0) {
                {eight}
                $bound += 15;
                $offset += 16;
            } else {
                $bound += 7;
                $offset += 8;
            }
        } else {
            $array[] = $byte;
            ++$offset;
            $eights = 0;
        }
    } elseif ((($number = \unpack('Ja', $buffer, $offset)['a']) & ~0x7f7f7f7f7f7f7f7f) === 0) {
        {eight}
        $bound += 7;
        $offset += 8;
    } else {
        $array[] = $byte;
        ++$offset;
        $eights = 0;
    }
    CODE;

const EIGHT = <<<'CODE'
    $array[] = $number >> 56;
    $array[] = $number >> 48 & 0x7f;
    $array[] = $number >> 40 & 0x7f;
    $array[] = $number >> 32 & 0x7f;
    $array[] = $number >> 24 & 0x7f;
    $array[] = $number >> 16 & 0x7f;
    $array[] = $number >> 8 & 0x7f;
    $array[] = $number & 0x7f;
    CODE;

/** Eight numbers of three bytes are three words of 64 bits. */
const EIGHT_UINT16 = <<<'CODE'
    if ($bound <= $eights) {
        if ($offset + 17 <= $bound && $buffer[$offset + 3] === "\xcd" && $buffer[$offset + 21] === "\xcd") {
            $many = \unpack('Ja/Jb/Jc', $buffer, $offset);
            $number = $many['a'];
            $second = $many['b'];
            $third = $many['c'];
            if (
                (($number ^ ~0x32ffff32ffff32ff) & ~0x00ffff00ffff00ff | ($second ^ 0x00cd0000cd0000cd) & 0x00ff0000ff0000ff
                | ($third ^ 0x0000cd0000cd0000) & 0x0000ff0000ff0000) === 0
            ) {
                $array[] = $number >> 40 & 0xffff;
                $array[] = $number >> 16 & 0xffff;
                $array[] = ($number & 0xff) << 8 | $second >> 56 & 0xff;
                $array[] = $second >> 32 & 0xffff;
                $array[] = $second >> 8 & 0xffff;
                $array[] = $third >> 48 & 0xffff;
                $array[] = $third >> 24 & 0xffff;
                $array[] = $third & 0xffff;
                $bound += 7;
                $offset += 24;
                continue;
            }
        }
        $eights = 0;
    }
    CODE;

/** Eight numbers of five bytes are five words of 64 bits. */
const EIGHT_UINT32 = <<<'CODE'
    if ($bound <= $eights) {
        if ($offset + 33 <= $bound && $buffer[$offset + 5] === "\xce" && $buffer[$offset + 35] === "\xce") {
            $many = \unpack('Ja/Jb/Jc/Jd/Je', $buffer, $offset);
            $number = $many['a'];
            $second = $many['b'];
            $third = $many['c'];
            $fourth = $many['d'];
            $fifth = $many['e'];
            if (
                (($number ^ ~0x31ffffffff31ffff) & ~0x00ffffffff00ffff | ($second ^ 0x0000ce00000000ce) & 0x0000ff00000000ff
                | ($third ^ 0x00000000ce000000) & 0x00000000ff000000 | ($fourth ^ 0x00ce00000000ce00) & 0x00ff00000000ff00
                | ($fifth ^ 0x000000ce00000000) & 0x000000ff00000000) === 0
            ) {
                $array[] = $number >> 24 & 0xffffffff;
                $array[] = ($number & 0xffff) << 16 | $second >> 48 & 0xffff;
                $array[] = $second >> 8 & 0xffffffff;
                $array[] = $third >> 32 & 0xffffffff;
                $array[] = ($third & 0xffffff) << 8 | $fourth >> 56 & 0xff;
                $array[] = $fourth >> 16 & 0xffffffff;
                $array[] = ($fourth & 0xff) << 24 | $fifth >> 40 & 0xffffff;
                $array[] = $fifth & 0xffffffff;
                $bound += 7;
                $offset += 40;
                continue;
            }
        }
        $eights = 0;
    }
    CODE;

/** In an array such numbers come in runs, and one unpack() of four numbers costs half as much as four calls. */
const FOUR_NUMBERS = <<<'CODE'
    if (
        $offset + {most} <= $bound && $buffer[$offset + {length}] === "\{byte}" && $buffer[$offset + {second}] === "\{byte}"
        && $buffer[$offset + {third}] === "\{byte}" && $bound + 2 < $limit
    ) {
        $many = \unpack('{format}a/xx/{format}b/xx/{format}c/xx/{format}d', $buffer, $offset + 1);
        $array[] = $many['a'];
        $array[] = $many['b'];
        $array[] = $many['c'];
        $array[] = $many['d'];
        $bound += 3;
        $offset += {all};
    } elseif ($offset + {width} < $bound) {
        {one}
        $offset += {length};
    } else {
        break;
    }
    CODE;
