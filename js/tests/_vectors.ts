// Reads vectors/ (the format is vectors/README.md).

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { QUICK } from './_runs.ts';
import { bytesOf, hexOf, hostOf, identityOf, isValue, type Tagged, taggedOf, writtenOut } from './_values.ts';

/** The folder around js/, in which this file lies, or the one that is compiled from it. */
export const REPOSITORY = new URL('../', import.meta.url.slice(0, import.meta.url.lastIndexOf('/js/') + 4));
const VECTORS = new URL('vectors/', REPOSITORY);

export type Mode = 'default' | 'strict' | 'lossless';

export interface Fault {
  readonly code: string;
  readonly offset: number;
  readonly path: string;
}

export interface Limits {
  readonly maxDepth?: number;
  readonly maxValues?: number;
  readonly maxBytes?: number;
}

/** A case of any folder; which members it has is up to its folder. */
export interface Case {
  readonly name: string;
  readonly spec: string;
  readonly bytes?: string;
  readonly canonical?: string;
  readonly also?: readonly string[];
  readonly value?: unknown;
  readonly values?: readonly unknown[];
  readonly error?: Fault | null;
  readonly languages?: readonly string[];
  readonly modes?: readonly Mode[];
  readonly mode?: Mode;
  readonly records?: 'off' | 'inline' | 'shared';
  readonly dictionary?: readonly (readonly string[] | null)[];
  readonly header?: true;
  readonly clone?: 'moreTypes' | 'structuredClone';
  readonly integralFloatsAsInts?: true;
  readonly limits?: Limits;
  readonly encodes?: true;
  readonly departure?: number | null;
  readonly becomes?: string;
}

/** A case whose reader and writer have no options but `mode`, `limits`, and records of the message. */
export type PlainCase = Case & { readonly records?: 'off' | 'inline' };

export const FOLDERS = ['valid', 'invalid', 'stream', 'records', 'canonical', 'defaults', 'encode'] as const;
export type Folder = (typeof FOLDERS)[number];
export const MODES: readonly Mode[] = ['default', 'strict', 'lossless'];

interface File<T> {
  readonly file: string;
  readonly cases: readonly T[];
}

/** The files of a folder, each with its cases that need no options: the same for every test file of a process. */
export function filesOf(folder: Folder): readonly File<PlainCase>[] {
  const known =
    plain.get(folder) ?? allFilesOf(folder).map(({ file, cases }) => ({ file, cases: cases.filter(isPlain) }));
  plain.set(folder, known);
  return known;
}

const plain = new Map<Folder, readonly File<PlainCase>[]>();

function isPlain(one: Case): one is PlainCase {
  const options = [one.dictionary, one.clone, one.integralFloatsAsInts];
  return one.records !== 'shared' && options.every((option) => option === undefined);
}

/** The files of a folder, each with all its cases for JavaScript. */
export function allFilesOf(folder: Folder): readonly File<Case>[] {
  const known = read.get(folder) ?? readFiles(folder);
  read.set(folder, known);
  return known;
}

const read = new Map<Folder, readonly File<Case>[]>();

function readFiles(folder: Folder): readonly File<Case>[] {
  const url = new URL(`${folder}/`, VECTORS);
  if (!existsSync(url)) return [];
  const names = readdirSync(url).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => {
    const { cases }: { cases: readonly Case[] } = JSON.parse(readFileSync(new URL(name, url), 'utf8'));
    const ours = cases.filter(({ languages }) => languages === undefined || languages.includes('javascript'));
    return { file: `${folder}/${name}`, cases: ours };
  });
}

/** The modes to try a case in: all that it holds in, or in the quick run one of them, a different one each time. */
export function modesOf(one: Case): readonly Mode[] {
  const modes = one.modes ?? MODES;
  const turn = turns++ % modes.length;
  return QUICK ? modes.slice(turn, turn + 1) : modes;
}

let turns = 0;

/** The value of a case: written out, and as lossless mode has it. */
export interface Expected {
  readonly value: Tagged;
  readonly host: unknown;
}

/** What a case expects: the same object every time, since some values have 70,000 elements. */
export function expectedOf(one: Case): Expected {
  const known = expectations.get(one);
  if (known !== undefined) return known;
  const value = writtenOut(one.value);
  const made = { value, host: hostOf(value) };
  expectations.set(one, made);
  return made;
}

const expectations = new WeakMap<Case, Expected>();

/** Checks that a value of lossless mode is a case's; only another one is written out as text. */
export function assertValue(actual: unknown, one: Case): void {
  const { value } = expectedOf(one);
  if (!isValue(actual, value)) assert.equal(identityOf(taggedOf(actual)), identityOf(value), one.name);
}

/** Checks that bytes are those of a vector; only others are written out as hex. */
export function assertBytes(actual: Uint8Array, expected: string | undefined, about: string): void {
  const bytes = requiredBytes(expected);
  if (Buffer.compare(actual, bytes) !== 0) assert.equal(hexOf(actual), hexOf(bytes), about);
}

/** The bytes of a member that the case's folder promises. */
export function requiredBytes(text: string | undefined): Uint8Array {
  if (text === undefined) throw new Error('the case has no such bytes');
  const known = parsed.get(text) ?? bytesOf(text);
  parsed.set(text, known);
  return known.slice();
}

/** Bytes of texts that were asked for. */
const parsed = new Map<string, Uint8Array>();

/** Cuts bytes into pieces of the given length. */
export function piecesOf(bytes: Uint8Array, length: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, i) => bytes.slice(i * length, (i + 1) * length));
}
