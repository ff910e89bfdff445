// Makes tokens of a path (spec/07#path) from the bytes of a message. The keys and names read here must be complete.
//
// The scanner joins the tokens to a path (Scanner.pathHere in scan.ts, PathText in core/path.ts).
//
// Plan: keyTokenAt · nameTokenAt · text and digits.

import { decodeText, replacedText } from '../core/text.ts';
import { BIN_HEAD, Head, integerAt, readHead, SCALAR_HEAD, STR_HEAD } from './head.ts';

/**
 * Returns the path token of the key at `at`. For keys other than str, bin and int, returns `#` followed by `entry`, the
 * index of the map entry.
 */
export function keyTokenAt(view: DataView, at: number, end: number, entry: number): string {
  const head = new Head();
  readHead(view, at, end, head);
  if (head.kind === STR_HEAD) return textAt(view, at + head.length, head.body);
  if (head.kind === BIN_HEAD) return `0x${hexAt(view, at + head.length, head.body)}`;
  const byte = view.getUint8(at);
  const isInt = head.kind === SCALAR_HEAD && byte !== 0xc0 && byte !== 0xc2 && byte !== 0xc3;
  return isInt ? String(integerAt(view, at)) : `#${entry}`;
}

/** Returns the path token of name number `index` (from 0) in the array of names at `at`. */
export function nameTokenAt(view: DataView, at: number, index: number): string {
  const head = new Head();
  readHead(view, at, view.byteLength, head);
  let offset = at + head.length;
  readHead(view, offset, view.byteLength, head);
  for (let before = 0; before < index; before++) {
    offset += head.length + head.body;
    readHead(view, offset, view.byteLength, head);
  }
  return textAt(view, offset + head.length, head.body);
}

/** Returns the text of `length` bytes. Invalid UTF-8 becomes U+FFFD. */
function textAt(view: DataView, at: number, length: number): string {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, length);
  return decodeText(bytes, 0, length) ?? replacedText(bytes, 0, length);
}

function hexAt(view: DataView, at: number, length: number): string {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, length);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
