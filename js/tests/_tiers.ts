// Codecs whose first tier of decoding is over (src/decoder/first.ts), for tests of what only the Decoder does.

import { Unpackr, type UnpackrOptions } from 'polypack';

/** An ext of no known type, which the first tier leaves to the Decoder together with all later messages. */
const ENDS_FIRST_TIER = Uint8Array.of(0xd4, 0x55, 0);

/** Returns a codec whose messages all go to the Decoder. */
export function warmUnpackr(options?: UnpackrOptions): Unpackr {
  return endFirstTier(new Unpackr(options));
}

/** Ends the first tier of a codec. */
export function endFirstTier<T extends Unpackr>(unpackr: T): T {
  unpackr.unpack(ENDS_FIRST_TIER);
  return unpackr;
}
