// The worker of a contestant in a page of a headless browser: stands between the lab and page.mjs.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findBrowser, POLICY, POLICY_WITH_EVAL, visit } from '../../js/tools/browser.mjs';
import { bundleForBrowser } from '../../js/tools/bundle-for-browser.mjs';
import { fault, read } from './node-compare.mjs';
import { read as readData } from './node-values.mjs';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const PAGE = '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>';

/** What a page may do, by what its contestant says of it. */
const POLICIES = { eval: POLICY_WITH_EVAL, 'no eval': POLICY };

/** How long a page may be silent. The lab itself loses patience before. */
const SILENT_MS = 3_600_000;

export function browser() {
  const found = findBrowser();
  if (found === undefined) throw new Error('no Chromium or Chrome is here (make setup)');
  return found;
}

export class PageWorker {
  #ending = new AbortController();
  /** Fails when the page or its browser does. @type {Promise<any>} */ #visit = new Promise(() => {});
  /** @type {import('playwright-core').CDPSession | undefined} */ #session;
  /** @type {any} */ #request;
  /** @type {import('./node.mjs').About | undefined} */ #about;
  #text = '[]';

  constructor() {
    process.once('SIGTERM', () => this.close().finally(() => process.exit()));
  }

  /** @param {any} request @returns {Promise<object>} */
  async answer(request) {
    switch (request.do) {
      case 'prepare':
        return this.#prepare(request);
      case 'verify':
        return { fault: await this.#verify() };
      case 'memory':
        return { bytes: null, kept: null };
      default: {
        const { wall, ...other } = await this.#ask(request);
        return { wall, cpu: wall, ...other }; // a page doesn't know the time of the processor
      }
    }
  }

  /** Closes the browser. */
  async close() {
    this.#ending.abort(new Error('ended'));
    await this.#visit.catch(() => {});
  }

  /** @param {any} request */
  async #prepare({ file, scenario, operation, data, digest, out }) {
    this.#text = readFileSync(data, 'utf8');
    if (createHash('sha256').update(this.#text).digest('hex') !== digest) {
      return { fault: 'the data is not what the coordinator has hashed' };
    }
    this.#request = { scenario, operation };
    if (this.#about === undefined) await this.#open(file);
    const { bytes, ...answer } = await this.#ask({ do: 'prepare', scenario, operation, text: this.#text });
    if (bytes === undefined) return answer;
    writeFileSync(out, Buffer.from(bytes, 'base64'));
    return { ...answer, bytes: Buffer.byteLength(bytes, 'base64') };
  }

  async #verify() {
    const found = await this.#faultOfResult();
    if (found !== null) return found;
    const { fault: thrown } = await this.#ask({ do: 'call' });
    return thrown ?? this.#faultOfResult();
  }

  /** @returns {Promise<string | null>} */
  async #faultOfResult() {
    const answer = await this.#ask({ do: 'result' });
    if (answer.fault !== undefined) return answer.fault;
    if (answer.printed !== undefined) return `prints: ${answer.printed}`;
    if (answer.isChanged) return 'changes the values that it is given';
    const { format, name } = /** @type {import('./node.mjs').About} */ (this.#about);
    const { scenario, operation } = this.#request;
    if (operation === 'deserialize') return answer.isRight ? null : 'returns other data';
    const said = await read(format, Buffer.from(answer.bytes, 'base64'), name, null);
    const wrong = fault(readData(this.#text, scenario), said);
    return wrong === null ? null : `returns other data: its bytes say ${wrong}`;
  }

  /** @param {string} file of the contestant */
  async #open(file) {
    /** @type {{about: import('./node.mjs').About}} */
    const { about } = await import(file);
    const source = `import { isSame } from '../../js/bench/_same.ts';
import * as contestant from ${JSON.stringify(file)};
import { serve } from './page.mjs';
serve(contestant, isSame);`;
    const program = await bundleForBrowser(source, FOLDER);
    /** @param {string} asked */
    const content = (asked) => (asked === '/' ? PAGE : asked === '/page.js' ? program : undefined);
    /** @type {Promise<import('playwright-core').Page>} */
    const ready = new Promise((resolve) => {
      this.#visit = visit(browser(), content, {
        ms: SILENT_MS,
        policy: POLICIES[about.page ?? 'eval'],
        heard: (_path, _body, page) => resolve(page),
        signal: this.#ending.signal,
      });
    });
    this.#visit.catch(() => {}); // whoever asks next hears of it
    const page = await Promise.race([ready, this.#visit]);
    this.#session = await page.context().newCDPSession(page);
    this.#about = about;
  }

  /** Calls obey() of the page, as a debugger does. @param {object} request @returns {Promise<any>} */
  async #ask(request) {
    const call = { expression: `obey(${JSON.stringify(request)})`, awaitPromise: true, returnByValue: true };
    const { result } = await Promise.race([this.#session?.send('Runtime.evaluate', call), this.#visit]);
    return result.value ?? {};
  }
}
