// Makes strings from ASCII bytes with `String.fromCharCode`.
//
// Plan: 4 to 12 characters · 13 to 24 · at least 4.
//
// One call with all characters makes one flat string, while concatenation would make a tree of strings. For up to 24
// characters the calls are written out, because passing an array to `apply` takes twice as long.

import { fromCharCode } from '../../core/text.ts';

/** The longest texts, in characters, that `fewCharacters` and `someCharacters` make. */
export const FEW_CHARACTERS = 12;
export const SOME_CHARACTERS = 24;

/** Returns the text of 4 … 12 ASCII characters. */
export function fewCharacters(bytes: Uint8Array, at: number, length: number): string {
  const a = bytes[at] as number;
  const b = bytes[at + 1] as number;
  const c = bytes[at + 2] as number;
  const d = bytes[at + 3] as number;
  if (length === 4) return fromCharCode(a, b, c, d);
  const e = bytes[at + 4] as number;
  if (length === 5) return fromCharCode(a, b, c, d, e);
  const f = bytes[at + 5] as number;
  if (length === 6) return fromCharCode(a, b, c, d, e, f);
  const g = bytes[at + 6] as number;
  if (length === 7) return fromCharCode(a, b, c, d, e, f, g);
  const h = bytes[at + 7] as number;
  if (length === 8) return fromCharCode(a, b, c, d, e, f, g, h);
  const i = bytes[at + 8] as number;
  if (length === 9) return fromCharCode(a, b, c, d, e, f, g, h, i);
  const j = bytes[at + 9] as number;
  if (length === 10) return fromCharCode(a, b, c, d, e, f, g, h, i, j);
  const k = bytes[at + 10] as number;
  if (length === 11) return fromCharCode(a, b, c, d, e, f, g, h, i, j, k);
  return fromCharCode(a, b, c, d, e, f, g, h, i, j, k, bytes[at + 11] as number);
}

/** Returns the text of 13 … 24 ASCII characters. */
export function someCharacters(bytes: Uint8Array, at: number, length: number): string {
  const a = bytes[at] as number;
  const b = bytes[at + 1] as number;
  const c = bytes[at + 2] as number;
  const d = bytes[at + 3] as number;
  const e = bytes[at + 4] as number;
  const f = bytes[at + 5] as number;
  const g = bytes[at + 6] as number;
  const h = bytes[at + 7] as number;
  const i = bytes[at + 8] as number;
  const j = bytes[at + 9] as number;
  const k = bytes[at + 10] as number;
  const l = bytes[at + 11] as number;
  const m = bytes[at + 12] as number;
  if (length === 13) return fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l, m);
  const n = bytes[at + 13] as number;
  if (length === 14) return fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  const o = bytes[at + 14] as number;
  if (length === 15) return fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  const p = bytes[at + 15] as number;
  if (length === 16) return fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  const q = bytes[at + 16] as number;
  if (length === 17) return fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
  const r = bytes[at + 17] as number;
  if (length === 18) return fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
  const s = bytes[at + 18] as number;
  if (length === 19) return fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s);
  const t = bytes[at + 19] as number;
  if (length === 20) return fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
  const u = bytes[at + 20] as number;
  if (length === 21) return fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
  const v = bytes[at + 21] as number;
  if (length === 22) return fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v);
  const w = bytes[at + 22] as number;
  if (length === 23) return fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w);
  return fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, bytes[at + 23] as number);
}

/** Returns the text of at least four ASCII characters. */
export function spelled(bytes: Uint8Array, at: number, length: number): string {
  if (length <= FEW_CHARACTERS) return fewCharacters(bytes, at, length);
  if (length <= SOME_CHARACTERS) return someCharacters(bytes, at, length);
  const list = new Array<number>(length);
  for (let index = 0; index < length; index++) list[index] = bytes[at + index] as number;
  return fromCharCode.apply(null, list);
}
