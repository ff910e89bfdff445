// How much of the package a program has to hold: size-budget.json says how much it may be.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { REPOSITORY } from './_vectors.ts';

interface Budget {
  /** What a program imports. */
  readonly source: string;
  /** Bytes of its bundle, minified and compressed by Brotli, at most. */
  readonly most: number;
}

const JS = fileURLToPath(new URL('js/', REPOSITORY));
const { budgets } = JSON.parse(readFileSync(`${JS}size-budget.json`, 'utf8')) as { budgets: Record<string, Budget> };

const tool = new URL('js/tools/bundle-for-browser.mjs', REPOSITORY);
const { bundleForBrowser } = (await import(tool.href)) as {
  bundleForBrowser(source: string, folder: string): Promise<Uint8Array>;
};

for (const [name, { source, most }] of Object.entries(budgets)) {
  test(`size: ${name}`, async () => {
    const size = brotliCompressSync(await bundleForBrowser(source, JS)).length;
    assert.ok(size <= most, `it has ${size} bytes, and size-budget.json allows ${most}`);
    assert.ok(
      size > most * 0.9,
      `it has only ${size} bytes; lower its ${most} in size-budget.json, so that it stays so`,
    );
  });
}
