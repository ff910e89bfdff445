// Replaces first.ts in builds for browsers and bundlers. They have only one tier of decoding, to be smaller.

export { Codec as FirstCodec } from './codec.ts';
