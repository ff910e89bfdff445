// What codecs can do: everything, for Packr, Unpackr and streams; or plain MessagePack, for the functions.
//
// A codec is told which Decoder and Encoder to use. So a program that only calls unpack() contains no encoder and none
// of the types beyond MessagePack: bundlers drop what nothing refers to.

import { CloneDecoder } from '../clone/decoder.ts';
import { CloneEncoder } from '../clone/encoder.ts';
import { Decoder } from '../decoder/decoder.ts';
import { Encoder } from '../encoder/encoder.ts';
import { bundle } from '../envelope/bundle.ts';
import { Headers, withHeader } from '../envelope/header.ts';
import { Unbundler } from '../envelope/unbundle.ts';
import { clones, type DecodingCapabilities, type EncodingCapabilities } from './codec.ts';

/** Decodes whatever the settings say. */
export const FULL_DECODING: DecodingCapabilities = {
  newDecoder: (settings, extensions) => new (clones(settings) ? CloneDecoder : Decoder)(settings, extensions),
  newEnvelope: (settings, limits) => new (settings.fingerprint ? Headers : Unbundler)(settings, limits),
};

/** Encodes whatever the settings say. */
export const FULL_ENCODING: EncodingCapabilities = {
  newEncoder: (settings, extensions) => new (clones(settings) ? CloneEncoder : Encoder)(settings, extensions),
  bundle: (bytes, settings) => (settings.fingerprint ? withHeader : bundle)(bytes, settings),
};

/** Decodes plain MessagePack and inline records. */
export const PLAIN_DECODING: DecodingCapabilities = {
  newDecoder: (settings, extensions) => new Decoder(settings, extensions),
  newEnvelope: null,
};

/** Encodes plain MessagePack and inline records. */
export const PLAIN_ENCODING: EncodingCapabilities = {
  newEncoder: (settings, extensions) => new Encoder(settings, extensions),
  bundle: null,
};
