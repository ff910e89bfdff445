// Stands for first.ts in builds that have one tier of decoding, because their bytes go over a network.

export { Codec as FirstCodec } from './codec.ts';
