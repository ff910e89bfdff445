<?php

declare(strict_types=1);

namespace Polypack\Encoder;

use Polypack\Encoder\Loops\DefaultLoops;
use Polypack\Exception\PackingFailedException;
use Polypack\Packer;

/**
 * Packs one array with default options. It runs the same loops as Packer, and makes a Packer for everything else. So a
 * request that packs only scalars and arrays loads few files.
 *
 * @internal
 */
final class DefaultEncoder extends DefaultLoops
{
    /** @var ?Packer null until a loop leaves something to the packer */
    private $packer;

    /**
     * @param array<array-key, mixed> $value
     *
     * @throws PackingFailedException see Packer::pack()
     */
    public function encode(array $value): string
    {
        $out = '';
        if (\array_is_list($value)) {
            $this->strList($value, 0, $out);
        } else {
            $this->strMap($value, 0, $out);
        }

        return $out;
    }

    protected function appendNumbers($list, $count, &$out)
    {
        return Numbers::append($list, $count, 0x80, false, $out);
    }

    protected function appendObjects($list, $depth, &$out)
    {
        return ($this->packer ?? $this->packer())->appendObjects($list, $depth, $out); // @phpstan-ignore method.protected (of Loops)
    }

    protected function object($value, $depth)
    {
        return ($this->packer ?? $this->packer())->object($value, $depth); // @phpstan-ignore method.protected (of Loops)
    }

    protected function other($value, $depth)
    {
        return ($this->packer ?? $this->packer())->other($value, $depth); // @phpstan-ignore method.protected (of Loops)
    }

    protected function tooDeep(int $depth): PackingFailedException
    {
        return $this->packer()->tooDeep($depth);
    }

    private function packer(): Packer
    {
        if ($this->packer === null) {
            $this->packer = new Packer();
            $this->packer->trail = &$this->trail; // by reference, because a copy for each object would be slower
        }

        return $this->packer;
    }
}
