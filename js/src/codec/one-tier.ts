// Replaces first.ts in builds for browsers and bundlers. They leave out FirstDecoder, to be smaller.

export { Codec as FirstCodec } from './codec.ts';
