// The classes and functions that codecs use. Packr, Unpackr, streams, and functions that accept all options use
// FULL_DECODING and FULL_ENCODING. Functions such as pack and unpack use PLAIN_DECODING and PLAIN_ENCODING, which
// support only plain MessagePack and inline records.
//
// A codec gets its Decoder and Encoder classes from here and imports none itself. So bundlers can drop the encoder, and
// all types beyond MessagePack, from a program that only calls unpack().

import { CloneDecoder } from '../clone/decoder.ts';
import { CloneEncoder } from '../clone/encoder.ts';
import { Decoder } from '../decoder/decoder.ts';
import { Sequence } from '../decoder/sequence.ts';
import { Encoder } from '../encoder/encoder.ts';
import { bundle } from '../envelope/bundle.ts';
import { Headers, withHeader } from '../envelope/header.ts';
import { Unbundler } from '../envelope/unbundle.ts';
import type { Dictionary } from '../records/dictionary.ts';
import { clones, type DecodingCapabilities, type EncodingCapabilities } from './codec.ts';
import { DECODING_SESSION as session } from './session.ts';

/** Supports every option of decoding. */
export const FULL_DECODING: DecodingCapabilities = {
  session,
  newDecoder(settings, extensions) {
    const decoder = new (clones(settings) ? CloneDecoder : Decoder)(settings, extensions);
    return settings.sequential ? decoder.follow(new Sequence(settings.limits.maxBytes)) : decoder;
  },
  newEnvelope: (settings, limits, holder) => new (settings.fingerprint ? Headers : Unbundler)(settings, limits, holder),
};

/** Supports every option of encoding. */
export const FULL_ENCODING: EncodingCapabilities = {
  newEncoder: (settings, extensions) => new (clones(settings) ? CloneEncoder : Encoder)(settings, extensions),
  bundle: (bytes, settings, encoder) =>
    settings.fingerprint
      ? withHeader(bytes, settings, encoder.dictionary as Dictionary)
      : bundle(bytes, settings, encoder),
};

/** Decodes plain MessagePack and inline records. */
export const PLAIN_DECODING: DecodingCapabilities = {
  session,
  newDecoder: (settings, extensions) => new Decoder(settings, extensions),
  newEnvelope: null,
};

/** Encodes plain MessagePack and inline records. */
export const PLAIN_ENCODING: EncodingCapabilities = {
  newEncoder: (settings, extensions) => new Encoder(settings, extensions),
  bundle: null,
};
