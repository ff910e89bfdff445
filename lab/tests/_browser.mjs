// Opens pages that the engine made, in a headless Chromium.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import playwright from 'playwright-core';
import { findBrowser } from '../../js/tools/browser.mjs';

const SHOTS = fileURLToPath(new URL('../../build/lab/', import.meta.url));
const found = findBrowser();
export const skip = found === undefined ? 'no Chromium or Chrome is here (make setup)' : false;

/** @type {string | undefined} */
let folder;
/** @type {import('playwright-core').Browser | undefined} */
let browser;

/** Writes a page into a folder of this process, and returns its address. @param {string} name @param {string} html */
export function writePage(name, html) {
  folder ??= mkdtempSync(path.join(tmpdir(), 'lab-page-'));
  const file = path.join(folder, `${name}.html`);
  writeFileSync(file, html);
  return pathToFileURL(file).href;
}

/** Where a screenshot goes. @param {string} name */
export function shot(name) {
  mkdirSync(SHOTS, { recursive: true });
  return path.join(SHOTS, `${name}.png`);
}

/** Closes the browser, and removes the pages. */
export async function close() {
  await browser?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true });
}

/**
 * Opens a page; fails if it throws, logs an error, or asks for anything beside itself.
 *
 * @param {import('playwright-core').BrowserContextOptions & {at: string, hash?: string}} how
 * @param {(page: import('playwright-core').Page) => Promise<void>} look
 */
export async function openPage({ at, hash = '', ...how }, look) {
  if (found === undefined) throw new Error(String(skip));
  browser ??= await playwright.chromium.launch({
    executablePath: found.program,
    chromiumSandbox: process.getuid?.() !== 0,
    timeout: 120_000,
  });
  const page = await browser.newPage({ viewport: { width: 1100, height: 900 }, ...how });
  page.setDefaultTimeout(120_000);
  /** @type {string[]} */
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(`${error}`));
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('request', (request) => request.url().split('#')[0] !== at && wrong.push(`asked for ${request.url()}`));
  await page.goto(at + hash);
  await look(page);
  assert.deepEqual(wrong, []);
  await page.close();
}

/** The texts of a table's rows. @param {import('playwright-core').Page} page @param {string} where a selector */
export const rowsIn = (page, where) =>
  page
    .locator(`${where} tbody tr`)
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('th,td')].map((cell) => cell.textContent ?? '')));
