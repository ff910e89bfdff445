// Errors are data (spec/07-errors.md): a code, an offset, a path, a cause. The text is for people.
//
// Plan: codes · PolypackError, which users catch · Fault, which codecs throw internally · foreign code, stack
// exhaustion · text. The path is built in path.ts.
//
// Except in the compact codec, codecs throw a Fault, which has no stack trace. The public call determines the path, and
// turns the Fault into a PolypackError for the user.

/** The codes of spec/07#codes that JavaScript raises. Only snapshots raise the last two. */
export type ErrorCode =
  | 'unexpected_end'
  | 'trailing_data'
  | 'reserved_byte'
  | 'invalid_utf8'
  | 'invalid_key'
  | 'duplicate_key'
  | 'limit_exceeded'
  | 'out_of_range'
  | 'invalid_timestamp'
  | 'unknown_record'
  | 'invalid_record'
  | 'unsupported_value'
  | 'type_mismatch'
  | 'invalid_snapshot'
  | 'invalid_signature';

/** The details of a PolypackError besides code and text. */
export interface ErrorDetails {
  readonly offset?: number | null;
  readonly path?: string;
  readonly mend?: string;
  readonly cause?: unknown;
  readonly values?: readonly unknown[];
}

/**
 * Thrown for a value that can't be encoded and for bytes that can't be decoded. Wrong use of the API, such as an
 * unknown option, is usually a TypeError or RangeError.
 */
export class PolypackError extends Error {
  /** What happened (spec/07#codes). Compare this, not the message. */
  readonly code: ErrorCode;
  /**
   * Zero-based offset in the input or stream, usually of the head byte of the faulty value (spec/07#offset). null if
   * nothing is decoded, or if loading structures failed.
   */
  readonly offset: number | null;
  /** RFC 6901 pointer to the faulty value; "" is the top value (spec/07#path). */
  readonly path: string;
  /** The original error, such as one that an extension, `toJSON` or a getter threw; undefined if there is none. */
  override readonly cause: unknown;
  /** From `unpackMultiple` without a callback: the values decoded before the fault. Undefined elsewhere. */
  readonly values: readonly unknown[] | undefined;

  /**
   * @param code what happened
   * @param what the first part of the message; the offset, the path and `mend` are appended
   */
  constructor(code: ErrorCode, what: string, details: ErrorDetails = {}) {
    const { offset = null, path = '', mend = '', cause, values } = details;
    const at = offset === null ? '' : `, at byte ${offset}`;
    const where = path === '' ? '' : ` (path ${quote(path)})`;
    super(what + at + where + (mend && `; ${mend}`));
    this.name = 'PolypackError';
    this.code = code;
    this.offset = offset;
    this.path = path;
    this.cause = cause;
    this.values = values;
  }
}

/**
 * Thrown by codecs internally. `offset` is null on encode, or if loading structures failed. On decode, `decodingError`
 * (codec/session.ts) converts it to an offset in the input.
 */
export class Fault {
  readonly code: ErrorCode;
  readonly offset: number | null;
  readonly what: string;
  readonly mend: string;
  readonly cause: unknown;
  /** On encode: unescaped path tokens, innermost first. Each container that the fault passes adds its own. */
  readonly tokens: string[] = [];

  constructor(code: ErrorCode, offset: number | null, what: string, mend: string, cause?: unknown) {
    this.code = code;
    this.offset = offset;
    this.what = what;
    this.mend = mend;
    this.cause = cause;
  }

  /** Returns the error for the user. `base` is added to the offset. */
  toError(path: string, base = 0, values?: readonly unknown[]): PolypackError {
    const { code, offset, what, mend, cause } = this;
    return new PolypackError(code, what, { offset: offset === null ? null : offset + base, path, mend, cause, values });
  }
}

/** Whether an error says that the engine's call stack is exhausted. */
export function isStackExhausted(error: unknown): boolean {
  // V8 and JavaScriptCore throw a RangeError about the call stack, SpiderMonkey an InternalError. Not `instanceof`,
  // because the error may come from another realm. Don't use a regular expression, because compiling it also needs
  // stack and would throw another error.
  try {
    const { name, message } = error as Error;
    return name === 'InternalError' || (name === 'RangeError' && message.includes('call stack'));
  } catch (second) {
    // The members can't be read: `error` is null, a revoked Proxy or the like, or no stack was left for `includes`.
    return second instanceof RangeError;
  }
}

/** Returns the fault for a call stack that is exhausted before maxDepth is reached. */
export function stackFault(offset: number | null, cause: unknown): Fault {
  const what = 'the containers are nested deeper than the call stack allows';
  return new Fault('limit_exceeded', offset, what, 'lower maxDepth, or call with more stack free', cause);
}

/** Turns anything thrown into a fault. */
export function asFault(error: unknown): Fault {
  return error instanceof Fault ? error : foreignFault('a value could not be read', error);
}

/** Returns the fault for an error from foreign code: an extension, toJSON, a getter, or an option's function. */
export function foreignFault(what: string, cause: unknown): Fault {
  if (isStackExhausted(cause)) return stackFault(null, cause);
  return new Fault('unsupported_value', null, what, 'see the cause of this error', cause);
}

/** Formats user data for a message: escaped, and cut to 100 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

/** Formats a byte for a message. */
export function hexByte(byte: number): string {
  return `0x${byte.toString(16).padStart(2, '0')}`;
}
