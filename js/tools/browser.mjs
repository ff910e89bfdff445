// Opens pages of ours in a headless Chromium, under a content security policy that lets no string become code.
//
// Plan: finding the browser · serving · one visit.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'";

const TYPES = { html: 'text/html', js: 'text/javascript', json: 'application/json' };

/** @returns {string | undefined} a program that runs; POLYPACK_CHROMIUM names another one */
export function findBrowser() {
  const named = process.env.POLYPACK_CHROMIUM;
  const usual = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const names = named === undefined ? usual : [named];
  return names.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
}

/**
 * What to serve for a path: text or bytes, undefined for what there is not, or a promise of it. A path
 * without a suffix is a page.
 *
 * @typedef {string | Uint8Array | undefined} Body
 * @typedef {(path: string) => Body | Promise<Body>} Content
 */

/** @param {Content} content @param {(path: string, body: any) => void} heard @param {string} policy */
function serve(content, heard, policy) {
  return createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page');
    response.setHeader('Content-Security-Policy', policy);
    // Pages have SharedArrayBuffer only when they are isolated from others.
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    if (request.method === 'POST') {
      /** @type {Buffer[]} */
      const parts = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        response.end();
        heard(pathname, JSON.parse(Buffer.concat(parts).toString()));
      });
      return;
    }
    const body = await content(pathname);
    const suffix = /** @type {keyof typeof TYPES} */ (path.extname(pathname).slice(1) || 'html');
    if (body === undefined) response.statusCode = 404;
    else response.setHeader('Content-Type', TYPES[suffix]);
    response.end(body);
  });
}

/**
 * Opens the page "/" and waits until it, or a page that it goes on to, posts something to /done.
 *
 * @param {string} program what findBrowser found
 * @param {Content} content
 * @param {{ms: number, heard?: (path: string, body: any) => void, policy?: string, signal?: AbortSignal}} how `heard`
 *   is told of every other post; `ms` is how long nothing may be heard; `policy` is the page's, POLICY by default;
 *   `signal` ends the visit
 * @returns {Promise<any>} what was posted to /done
 */
export async function visit(program, content, { ms, heard = () => {}, policy = POLICY, signal }) {
  const profile = mkdtempSync(path.join(tmpdir(), 'polypack-browser-'));
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let browser;
  /** @type {(body: any) => void} */
  let done = () => {};
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const server = serve(
    content,
    (from, body) => {
      timer?.refresh();
      if (from === '/done') done(body);
      else heard(from, body);
    },
    policy,
  );
  // The sandbox cannot be had as root; the pages are ours.
  const unboxed = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const quiet = ['--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-extensions'];
  const flags = ['--headless=new', ...unboxed, ...quiet, `--user-data-dir=${profile}`];
  try {
    return await new Promise((resolve, reject) => {
      done = resolve;
      signal?.addEventListener('abort', () => reject(signal.reason));
      timer = setTimeout(() => reject(new Error(`nothing was heard of the page for ${ms / 1000} s`)), ms);
      server.listen(0, '127.0.0.1', () => {
        const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
        browser = spawn(program, [...flags, `http://127.0.0.1:${port}/`], { stdio: 'ignore', detached: true });
        browser.on('error', reject);
        browser.on('exit', (status) => reject(new Error(`the browser ended with status ${status}`)));
      });
    });
  } finally {
    clearTimeout(timer);
    server.closeAllConnections();
    server.close();
    if (browser?.pid !== undefined && browser.exitCode === null && browser.signalCode === null) {
      const gone = new Promise((resolve) => browser?.once('exit', resolve));
      process.kill(-browser.pid, 'SIGKILL'); // with its processes, a group of their own
      await gone;
    }
    // Processes of the browser may write there for a moment more; a folder that stays is no fault of the page.
    try {
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    } catch (error) {
      process.stderr.write(`browser: ${profile} is left behind: ${error}\n`);
    }
  }
}
