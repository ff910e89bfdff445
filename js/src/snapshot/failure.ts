// The failures that snapshot code throws internally, and functions that make the common ones.

import { pathOf } from '../core/path.ts';
import { type ErrorCode, PolypackError } from '../index.ts';

const DAMAGED = 'the input is damaged, or was not written by Polypack';

/** Carries a fault up to the public call. Each container that the fault passes adds a token to its path. */
export class Failure {
  readonly code: ErrorCode;
  readonly what: string;
  readonly offset: number;
  readonly mend: string;
  /** Path tokens, innermost first. */
  readonly tokens: string[] = [];

  constructor(code: ErrorCode, what: string, offset: number, mend = DAMAGED) {
    this.code = code;
    this.what = what;
    this.offset = offset;
    this.mend = mend;
  }

  /** Returns the error for the user. `base` is added to the offset. */
  toError(base: number): PolypackError {
    const { code, what, mend, tokens } = this;
    return new PolypackError(code, what, { offset: this.offset + base, path: pathOf(tokens.reverse()), mend });
  }
}

export function invalid(what: string, offset: number): Failure {
  return new Failure('invalid_snapshot', what, offset);
}

export function ended(offset: number, what = 'a value should start here'): Failure {
  return new Failure('unexpected_end', what, offset, 'the input is truncated');
}

export function tooDeep(maxDepth: number, offset: number): Failure {
  const mend = 'raise maxDepth if the source is trusted';
  return new Failure('limit_exceeded', `depth ${maxDepth + 1} exceeds the limit ${maxDepth}`, offset, mend);
}

export function notSigned(what: string): Failure {
  return new Failure('invalid_signature', what, 0, 'read it with the key and the purpose it was signed for');
}

/** Adds a token to the path of a failure. Returns the failure, to be thrown again. Returns other errors unchanged. */
export function failedAt(failure: unknown, token: string): unknown {
  if (failure instanceof Failure) failure.tokens.push(token);
  return failure;
}
