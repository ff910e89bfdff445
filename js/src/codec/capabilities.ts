// The parts that codecs are made of, for those that may need all of them: Packr, Unpackr and streams.
//
// A codec is told which Reader and which Writer to use, so that a program which only calls unpack() holds no encoder, and none of
// the types beyond MessagePack. Bundlers leave out what nothing names.

import { CloneReader } from '../clone/decoder.ts';
import { CloneWriter } from '../clone/encoder.ts';
import { Reader } from '../decoder/decoder.ts';
import { Writer } from '../encoder/encoder.ts';
import { bundle } from '../envelope/bundle.ts';
import { Headers, withHeader } from '../envelope/header.ts';
import { Unbundler } from '../envelope/unbundle.ts';
import { clones, type Reading, type Writing } from './codec.ts';

/** Decodes whatever the settings say. */
export const FULL_READING: Reading = {
  reader: (settings, extensions) => new (clones(settings) ? CloneReader : Reader)(settings, extensions),
  wrapping: (settings, limits) => new (settings.fingerprint ? Headers : Unbundler)(settings, limits),
};

/** Encodes whatever the settings say. */
export const FULL_WRITING: Writing = {
  writer: (settings, extensions) => new (clones(settings) ? CloneWriter : Writer)(settings, extensions),
  bundle: (bytes, settings) => (settings.fingerprint ? withHeader : bundle)(bytes, settings),
};

/** Decodes plain MessagePack and inline records. */
export const PLAIN_READING: Reading = {
  reader: (settings, extensions) => new Reader(settings, extensions),
  wrapping: null,
};

/** Encodes plain MessagePack and inline records. */
export const PLAIN_WRITING: Writing = {
  writer: (settings, extensions) => new Writer(settings, extensions),
  bundle: null,
};
