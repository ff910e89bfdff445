// Opens pages of ours in a headless browser, under a content security policy that lets no string become code.
//
// Plan: finding a browser · one visit.

import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export const POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'";

/** As of most pages: strings may become code. */
export const POLICY_WITH_EVAL = "default-src 'none'; script-src 'self' 'unsafe-eval'; connect-src 'self'";

const require = createRequire(import.meta.url);

/**
 * Loads Playwright when it's needed. An import would search its 7 MB for exports, too, for 0.2 s.
 *
 * @returns {typeof import('playwright-core')}
 */
const playwright = () => require('playwright-core');

/** @typedef {'chromium' | 'firefox' | 'webkit'} Name */
/** @typedef {{name: Name, program: string}} Browser */
/** @typedef {import('playwright-core').Page} Page */

/** @type {readonly Name[]} */
export const BROWSER_NAMES = ['chromium', 'firefox', 'webkit'];

const ON_PATH = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Nobody hears of a page of ours, and nothing is fetched beside it. */
const QUIET = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const TYPES = { html: 'text/html', js: 'text/javascript', json: 'application/json' };

/** No such host is asked: every request is answered here. Pages have SharedArrayBuffer only where they are secure. */
const ORIGIN = 'https://polypack.test';

/** @param {string} program a path, or a name to look for on PATH @returns {string | undefined} */
function locate(program) {
  const folders = program.includes(path.sep) ? [''] : (process.env.PATH ?? '').split(path.delimiter);
  return folders
    .map((folder) => path.resolve(folder, program))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/**
 * A browser that is here: named by POLYPACK_CHROMIUM, POLYPACK_FIREFOX or POLYPACK_WEBKIT, installed by Playwright,
 * or a Chromium on PATH. Playwright drives no other Firefox or WebKit than its own builds.
 *
 * @param {Name} [name]
 * @returns {Browser | undefined}
 */
export function findBrowser(name = 'chromium') {
  const named = process.env[`POLYPACK_${name.toUpperCase()}`];
  const known = named === undefined ? (name === 'chromium' ? ON_PATH : []) : [named];
  const own = () => (named === undefined ? locate(playwright()[name].executablePath()) : undefined);
  const program = known.map(locate).find((file) => file !== undefined) ?? own();
  return program === undefined ? undefined : { name, program };
}

/**
 * What to serve for a path: text or bytes, undefined where there is nothing, or a promise of it. A path without a
 * suffix is a page.
 *
 * @typedef {string | Uint8Array | undefined} Body
 * @typedef {(path: string) => Body | Promise<Body>} Content
 */

/**
 * Answers a request of a page.
 *
 * @param {import('playwright-core').Route} route
 * @param {Content} content
 * @param {(path: string, body: any) => void} heard
 * @param {string} policy
 */
async function answer(route, content, heard, policy) {
  const request = route.request();
  const { pathname } = new URL(request.url());
  const headers = {
    'Content-Security-Policy': policy,
    // Pages have SharedArrayBuffer only when they are isolated from others.
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
  };
  if (request.method() === 'POST') {
    await route.fulfill({ headers });
    heard(pathname, request.postDataJSON());
    return;
  }
  const body = await content(pathname);
  const suffix = /** @type {keyof typeof TYPES} */ (path.extname(pathname).slice(1) || 'html');
  if (body === undefined) await route.fulfill({ status: 404, headers });
  else await route.fulfill({ headers, contentType: TYPES[suffix], body: Buffer.from(body) });
}

/**
 * Opens the page "/" and waits until it, or a page that it goes on to, posts something to /done.
 *
 * @param {Browser} browser what findBrowser found
 * @param {Content} content
 * @param {{ms: number, heard?: (path: string, body: any, page: Page) => void, policy?: string, signal?: AbortSignal}}
 *   how `heard` is told of every other post, and of the page; `ms` is how long nothing may be heard; `policy` is the
 *   page's, POLICY by default; `signal` ends the visit
 * @returns {Promise<any>} what was posted to /done
 */
export async function visit({ name, program }, content, { ms, heard = () => {}, policy = POLICY, signal }) {
  const running = await playwright()[name].launch({
    executablePath: program,
    timeout: ms,
    args: name === 'chromium' ? QUIET : [],
    // Root cannot have the sandbox; the pages are ours.
    chromiumSandbox: process.getuid?.() !== 0,
    handleSIGTERM: signal === undefined,
  });
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  try {
    const page = await running.newPage();
    return await new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`nothing was heard of the page for ${ms / 1000} s`)), ms);
      signal?.addEventListener('abort', () => reject(signal.reason));
      running.on('disconnected', () => reject(new Error('the browser ended')));
      page.on('crash', () => reject(new Error('the page crashed')));
      /** @param {string} from @param {any} body */
      const posted = (from, body) => {
        timer?.refresh();
        if (from === '/done') resolve(body);
        else heard(from, body, page);
      };
      page
        .route('**/*', (route) => answer(route, content, posted, policy).catch(reject))
        .then(() => page.goto(`${ORIGIN}/`, { waitUntil: 'commit', timeout: ms }))
        .catch(reject);
    });
  } finally {
    clearTimeout(timer);
    await running.close();
  }
}
