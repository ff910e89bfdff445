// Reads vectors/ (the format is vectors/README.md).

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { bytesOf } from './_values.ts';

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

/** The files of a folder, each with its cases that need no options. */
export function filesOf(folder: Folder): { file: string; cases: readonly PlainCase[] }[] {
  return allFilesOf(folder).map(({ file, cases }) => ({ file, cases: cases.filter(isPlain) }));
}

function isPlain(one: Case): one is PlainCase {
  const options = [one.dictionary, one.clone, one.integralFloatsAsInts];
  return one.records !== 'shared' && options.every((option) => option === undefined);
}

/** The files of a folder, each with all its cases for JavaScript. */
export function allFilesOf(folder: Folder): { file: string; cases: readonly Case[] }[] {
  const url = new URL(`${folder}/`, VECTORS);
  if (!existsSync(url)) return [];
  const names = readdirSync(url).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => {
    const { cases }: { cases: readonly Case[] } = JSON.parse(readFileSync(new URL(name, url), 'utf8'));
    const ours = cases.filter(({ languages }) => languages === undefined || languages.includes('javascript'));
    return { file: `${folder}/${name}`, cases: ours };
  });
}

/** The modes a case holds in. */
export function modesOf(one: Case): readonly Mode[] {
  return one.modes ?? MODES;
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
