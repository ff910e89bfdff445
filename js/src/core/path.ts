// The path of a faulty value (spec/07#path), such as "/users/3/name".
//
// Plan: PathText · pathOf, for encoders · locate, for decoders.
//
// On encode, each container adds its token when the fault passes it (faultAt in encode-faults.ts). On decode, no tokens
// are kept. After a fault, a scanner (scan/scan.ts) walks over the message again, up to the offset of the fault.

import type { ErrorCode } from './errors.ts';

/** A path has at most this many bytes of UTF-8, not counting `/…` at its end (spec/07#path). */
const MAX_PATH = 4096;

/** Builds a path: an RFC 6901 pointer, token by token until it is full. */
export class PathText {
  text = '';
  isFull = false;
  #length = 0;

  /** Adds a token. If it doesn't fit, adds `/…` instead, and ignores all further tokens. */
  add(token: string): void {
    if (this.isFull) return;
    // Each code unit takes at least a byte, so a token of MAX_PATH or more code units can't fit. Don't escape it.
    if (token.length < MAX_PATH) {
      const segment = `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const length = this.#length + utf8Length(segment);
      if (length <= MAX_PATH) {
        this.text += segment;
        this.#length = length;
        return;
      }
    }
    this.text += '/…';
    this.isFull = true;
  }
}

/** Returns the length of a text in UTF-8, in bytes. Uses no TextEncoder, because some hosts have none. */
export function utf8Length(text: string): number {
  let length = 0;
  // A character beyond U+FFFF has two code units, and takes four bytes.
  for (const one of text) length += one < '\x80' ? 1 : one < '\u0800' ? 2 : one.length + 2;
  return length;
}

/** Returns the path of tokens, which are given outermost first. */
export function pathOf(tokens: readonly string[]): string {
  const path = new PathText();
  for (const token of tokens) path.add(token);
  return path.text;
}

/** The part of Scanner (scan/scan.ts) that `locate` uses. An interface, because core/ doesn't import scan/. */
interface PathScanner {
  readonly at: number;
  readonly isDone: boolean;
  skim(view: DataView, end: number): void;
  step(view: DataView, end: number): boolean;
  pathHere(view: DataView): string;
  pathOfEntry(view: DataView, end: number): string;
}

/**
 * Returns the path of a fault at `offset` in the message that starts at byte 0 of the view. The bytes before `offset`
 * must be well-formed.
 *
 * @param scanner a scanner without limits, at the start of the message
 */
export function locate(scanner: PathScanner, view: DataView, code: ErrorCode, offset: number): string {
  walkTo(scanner, view, offset);
  return code === 'duplicate_key' ? scanner.pathOfEntry(view, view.byteLength) : scanner.pathHere(view);
}

/** Moves a scanner to `offset`. */
export function walkTo(scanner: PathScanner, view: DataView, offset: number): void {
  const end = view.byteLength;
  do scanner.skim(view, offset);
  while (scanner.at < offset && !scanner.isDone && scanner.step(view, end));
}
