<?php

declare(strict_types=1);

namespace Polypack\Native;

use Polypack\Records\SharedShapes;
use Polypack\Type\Bin;
use Polypack\Type\UInt64;

/**
 * Hands messages of the packer over to the engine, and packs the values that the engine asks for
 * (docs/decisions/0020-native-seam.md).
 *
 * @internal
 */
trait Encoding
{
    /** @var bool whether an engine is active */
    private $native = false;
    /** @var int the chosen constants of PackOptions, combined with | */
    private $options = 0;

    /**
     * Lets the engine pack a message.
     *
     * @return ?string null when the engine declines. Then no user code has run, and PHP code packs the message
     */
    private function packNatively(mixed $value): ?string
    {
        if ($this->shapes instanceof SharedShapes) {
            return $this->packSharedNatively($value, $this->shapes);
        }

        return \polypack_encode(
            $value,
            $this->options,
            $this->depth,
            $this->maxDepth,
            $this->transformers !== null,
            $this->handovers !== 0,
            $this,
        );
    }

    /**
     * Lets the engine pack a message with a dictionary. The result has no header. The engine declines if a shape may
     * have to be published, because publishing runs user code.
     */
    private function packSharedNatively(mixed $value, SharedShapes $shapes): ?string
    {
        $known = $shapes->forEngine();
        if ($known === null) {
            return null;
        }
        [$dictionary, $reach, $mayDeclare] = $known;

        return \polypack_encode(
            $value,
            $this->options,
            $this->depth,
            $this->maxDepth,
            $this->transformers !== null,
            $this->handovers !== 0,
            $this,
            $dictionary->pack(),
            $reach,
            $mayDeclare,
        );
    }

    /**
     * Packs one value, with everything inside it, of a message that the engine is packing. The engine asks for a value
     * that it can't pack itself, for example when it can't decline the message any more because user code has run. The
     * path of an error starts at the message.
     *
     * @internal
     *
     * @param list<int|string|Bin|UInt64|array{int}> $steps    indexes and keys that lead to the value
     * @param ?int                                   $keyDepth if the value is in a map key, the depth of that map
     */
    final public function packInside(mixed $value, array $steps, ?int $keyDepth = null): string
    {
        $depth = $this->depth;
        foreach ($steps as $step) {
            $this->trail[$depth] = $step;
            ++$depth;
        }
        if ($keyDepth === null && \is_object($value)) { // the most common case
            return $this->object($value, $depth);
        }
        $out = '';
        if ($keyDepth === null) {
            $this->append($value, $depth, $out);
        } else {
            $this->appendInKey($value, $depth, $keyDepth, $out);
        }

        return $out;
    }
}
