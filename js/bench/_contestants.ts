// The libraries that the bench measures, each behind the same two functions.
//
// Plan: what a contestant is · loading one by its kind · streams.
//
// A library is loaded from the address it is given, because several copies of one take part.

import type { Readable, Transform } from 'node:stream';

/**
 * How values are written: objects as maps, as records declared in each message, or as records that both sides hold;
 * `bundled` is maps, with the option bundleStrings.
 */
export type Form = 'plain' | 'records' | 'shared' | 'bundled';

/** The kinds of libraries; msgpackr without its addon is a matter of the environment, not of the kind. */
export type Kind = 'polypack' | 'msgpackr' | '@msgpack/msgpack' | 'cbor-x' | 'notepack.io' | 'avsc' | 'JSON';

export interface Contestant {
  pack(value: unknown): Uint8Array;
  unpack(bytes: Uint8Array): unknown;
}

/** The classes that turn values into a stream of bytes and back, for those that have them. */
export interface Streams {
  write(): Transform;
  read(): Transform;
}

export interface Library {
  /** A contestant for one form, made for `sample`; null when the library has no such form. */
  make(form: Form, sample: unknown): Contestant | null;
  readonly streams: Streams | null;
  /** Streams that declare a record once for all messages behind it. */
  readonly sequential: Streams | null;
  /** What is worth knowing about this copy, for example whether its addon was loaded. */
  readonly note: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the libraries are loaded by address, so their types are not known here
type Loaded = any;

const OPTIONS: Record<Exclude<Form, 'plain'>, () => object> = {
  records: () => ({}),
  shared: () => ({ structures: [] }),
  bundled: () => ({ bundleStrings: true, useRecords: false }),
};

/** Libraries whose class has the option `structures`. */
function withRecords(Codec: Loaded, plain: Contestant): Library['make'] {
  return (form) => {
    if (form === 'plain') return plain;
    const codec = new Codec(OPTIONS[form]());
    // By the name under which the class has its own method: the other one calls it, at a price.
    if (codec.pack !== undefined) return { pack: (value) => codec.pack(value), unpack: (bytes) => codec.unpack(bytes) };
    return { pack: (value) => codec.encode(value), unpack: (bytes) => codec.decode(bytes) };
  };
}

/** polypack and msgpackr, whose classes have the same names. */
function packrLike(library: Loaded, note: string): Library {
  const plain = { pack: (value: unknown) => library.pack(value), unpack: (bytes: Uint8Array) => library.unpack(bytes) };
  const hasStreams = library.PackrStream !== undefined;
  return {
    make: withRecords(library.Packr, plain),
    streams: hasStreams ? { write: () => new library.PackrStream(), read: () => new library.UnpackrStream() } : null,
    // The streams of msgpackr are so without being asked.
    sequential: hasStreams
      ? { write: () => new library.PackrStream({ sequential: true }), read: () => new library.UnpackrStream() }
      : null,
    note,
  };
}

const addon = (library: Loaded) => (library.isNativeAccelerationEnabled ? 'addon' : 'no addon');

function onlyPlain(plain: Contestant): Library['make'] {
  return (form) => (form === 'plain' ? plain : null);
}

const LOADERS: Record<Kind, (library: Loaded) => Library> = {
  polypack: (library) => packrLike(library, ''),
  msgpackr: (library) => packrLike(library, addon(library)),
  '@msgpack/msgpack': (library) => ({
    make: onlyPlain({ pack: (value) => library.encode(value), unpack: (bytes) => library.decode(bytes) }),
    streams: null,
    sequential: null,
    note: '',
  }),
  'cbor-x': (library) => {
    const plain = new library.Encoder({ useRecords: false });
    return {
      make: withRecords(library.Encoder, { pack: (v) => plain.encode(v), unpack: (bytes) => plain.decode(bytes) }),
      streams: null,
      sequential: null,
      note: addon(library),
    };
  },
  'notepack.io': (library) => ({
    make: onlyPlain({ pack: (value) => library.encode(value), unpack: (bytes) => library.decode(bytes) }),
    streams: null,
    sequential: null,
    note: '',
  }),
  avsc: (library) => ({
    make: (form, sample) => {
      if (form !== 'plain') return null;
      // A schema is what avsc is about: it is made beforehand, and both sides have it. Of itself it would lose digits.
      const double = library.Type.forSchema('double');
      const valueHook = (value: unknown) => (typeof value === 'number' && value !== (value | 0) ? double : undefined);
      const type = library.Type.forValue(sample, { valueHook });
      return { pack: (value) => type.toBuffer(value), unpack: (bytes) => type.fromBuffer(bytes) };
    },
    streams: null,
    sequential: null,
    note: 'with a schema made beforehand',
  }),
  JSON: () => ({ make: onlyPlain(json()), streams: null, sequential: null, note: 'text to and from UTF-8' }),
};

function json(): Contestant {
  if (typeof Buffer === 'undefined') {
    const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
    return {
      pack: (value) => encoder.encode(JSON.stringify(value)),
      unpack: (bytes) => JSON.parse(decoder.decode(bytes)),
    };
  }
  return {
    pack: (value) => Buffer.from(JSON.stringify(value)),
    unpack: (bytes) => JSON.parse((bytes as Buffer).toString()),
  };
}

/**
 * Loads a library.
 *
 * @param address of the file to import; not needed for JSON
 */
export async function load(kind: Kind, address: string): Promise<Library> {
  return wrap(kind, kind === 'JSON' ? null : await import(address));
}

/** A library by what it exports. */
export function wrap(kind: Kind, loaded: Loaded): Library {
  // A CommonJS file arrives with its names in "default" as well, and with fewer beside it.
  const inner = loaded?.default;
  return LOADERS[kind](inner?.pack || inner?.Type || inner?.encode ? inner : loaded);
}

// --- streams ---------------------------------------------------------------------------------------------------------

/** Everything that a stream hands over. */
export async function collect<T>(stream: Readable): Promise<T[]> {
  const parts: T[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}
