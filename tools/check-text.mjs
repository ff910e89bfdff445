#!/usr/bin/env node
// Checks the texts of the repository: no leftover notes, no addresses or paths of one machine, no dead links, no
// overlong files or lines, no trailing whitespace, no decision without a status. Reads what git tracks or would track.

import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './arguments.mjs';
import { languageOf, splitSource } from './source-text.mjs';

const USAGE = `usage: node tools/check-text.mjs [--root FOLDER] [FILE…]

Reports, as file:line: what, and exits 1 on
  - a leftover note (${'TO'}${'DO'}, ${'FIX'}${'ME'}) without an issue number, as in NOTE(#12)
  - an address of a package registry or mirror, or an absolute path of one machine
  - a markdown link to a file of the repository, or an anchor, that points nowhere: relative ones, and those that begin
    with https://github.com/polypack/polypack/blob/main/
  - a path of the repository, in a comment or in code of a markdown text, that does not exist
  - a comment, or a line of markdown prose, wider than 120 columns that a line break could make narrower
  - a decision without a Status line, or with a status that docs/decisions/README.md does not explain
  - a hand-written source file over 1,000 lines
  - trailing whitespace
Without FILE it reads every file that git tracks or would track. FOLDER is the checkout; by default this one.
`;

const MAX_LINES = 1000;
const MAX_COLUMNS = 120;
const TAB_COLUMNS = 4;
const SOURCE = /\.(c|h|cjs|cts|go|js|mjs|mts|php|sh|ts)$/;
const GENERATED = /@generated|Code generated .* DO NOT EDIT/;
// Golden data and fuzz corpora hold whatever bytes their case needs.
const DATA = /^vectors\/.*\.json$|(^|\/)testdata\/|(^|\/)package-lock\.json$/;

const LEFTOVER = new RegExp(`\\b(${'TO'}DO|${'FIX'}ME)\\b(?!\\(#\\d+\\))`);
const REGISTRY =
  /\bhttps?:\/\/(?:[a-z0-9.-]*\b(?:registry|mirror|mirrors|proxy|goproxy|archive)\b|(?:repo|deb|apt|pkgs?|packages?)\.)[a-z0-9.-]*/gi;
const MACHINE_PATH = /(?<![\w.~$}\])>/-])\/(?:work|home|root|Users)\/[\w.-]+/;

/** Comments that programs read: one line each. */
const DIRECTIVE =
  /^(?:\/\/go:|(?:\/\/|\/\*+|#) ?(?:biome-|shellcheck |@phpstan-|@ts-|eslint-|@(?:typedef|type|param|import)\b.*\*\/$))/;
/** What stands before the words of a line: a comment's sign, a list's mark, a quotation's. */
const LIST_MARK = /^[\s/*#>-]*/;

const PARTS = '(?:js|go|php|lab|spec|tools|vectors|conformance|demo|docs)';
const PATH_IN_COMMENT = new RegExp(`(?<![\\w./*…-])(${PARTS}/[\\w./-]*\\.(?:md|mjs|ts|php|go|json|sh|txt))\\b`, 'g');
/** A Go tag (go/v1.2.3) isn't a path, and builds make what lies in dist. */
const PATH_IN_PROSE = new RegExp(`\`(${PARTS}/(?!v[X\\d])(?!dist/)[\\w./-]*)\``, 'g');

/** Where the files of the repository stand for readers of npm and Packagist. */
const PUBLIC = /^https:\/\/github\.com\/polypack\/polypack\/(?:blob|tree)\/main\//;
/** Shown there, where a relative link leads nowhere. */
const PUBLISHED = /^(js|php)\/README\.md$/;

/** @typedef {{file: string, line: number, text: string}} Finding */

/** Lists the files git tracks or would track and that exist, as paths from the root. */
function listFiles() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { maxBuffer: 1 << 28 });
  const names = new Set(listed.toString('utf8').split('\0').filter(Boolean));
  return [...names].filter((name) => existsSync(name) && lstatSync(name).isFile()).sort();
}

/**
 * Addresses this machine is configured to install from; none of them may be written down anywhere.
 *
 * @returns {string[]}
 */
function configuredHosts() {
  const urls = [process.env.GOPROXY ?? '', process.env.npm_config_registry ?? ''];
  for (const command of [
    ['npm', 'config', 'get', 'registry'],
    ['composer', 'config', '--global', 'repositories'],
  ]) {
    try {
      const [program = '', ...args] = command;
      urls.push(execFileSync(program, args, { stdio: ['ignore', 'pipe', 'ignore'] }).toString());
    } catch {
      // Not installed or not configured: then there is nothing of it to look for.
    }
  }
  const hosts = urls.flatMap((text) =>
    [...text.matchAll(/https?:\\?\/\\?\/(?:[^/@\s"]*@)?([^/:\s"',\\]+)/g)].map((match) => match[1] ?? ''),
  );
  return [...new Set(hosts)].filter((host) => host.includes('.'));
}

/**
 * The anchors of a markdown text, named as code hosts name them.
 *
 * @param {string} text
 */
function anchorsOf(text) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  const anchors = new Set([...text.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)].map((match) => match[1] ?? ''));
  for (const [, heading = ''] of withoutCode(text, false).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\- _]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

/**
 * Blanks out code, keeping line numbers.
 *
 * @param {string} text
 * @param {boolean} inline blank out inline code too
 */
function withoutCode(text, inline = true) {
  const blank = (/** @type {string} */ match) => match.replace(/[^\n]/g, ' ');
  const fenced = text.replace(/^( *)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ *\2`*[ \t]*$/gm, blank);
  return inline ? fenced.replace(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, blank) : fenced;
}

/**
 * Checks the relative links of one markdown file.
 *
 * @param {string} file
 * @param {string} text
 * @param {Set<string>} known every file, and every folder that holds one
 * @returns {Finding[]}
 */
function checkLinks(file, text, known) {
  /** @type {Finding[]} */
  const findings = [];
  const readable = withoutCode(text);
  const targets = /\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|^\s*\[[^\]]+\]:\s+<?([^\s>]+)>?/gm;
  for (const match of readable.matchAll(targets)) {
    const target = match[1] ?? match[2] ?? '';
    const isOurs = PUBLIC.test(target);
    if (!isOurs && /^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)) continue;
    const line = readable.slice(0, match.index).split('\n').length;
    const [address = '', anchor] = (isOurs ? target.replace(PUBLIC, '') : target).split('#');
    if (!isOurs && address !== '' && PUBLISHED.test(file)) {
      findings.push({
        file,
        line,
        text: `link to ${target} leads nowhere on npm and Packagist; write the address on GitHub, …/blob/main/…`,
      });
    }
    const folder = isOurs ? '.' : path.posix.dirname(file);
    const pointed = address === '' ? file : path.posix.normalize(path.posix.join(folder, decodeURI(address)));
    if (!known.has(pointed.replace(/\/$/, '') || '.')) {
      findings.push({
        file,
        line,
        text: `link to ${target} points nowhere; ${pointed} is not a file of the repository`,
      });
    } else if (anchor && pointed.endsWith('.md') && !anchorsOf(readFileSync(pointed, 'utf8')).has(anchor)) {
      findings.push({ file, line, text: `link to ${target} points nowhere; ${pointed} has no heading "${anchor}"` });
    }
  }
  return findings;
}

/**
 * Checks the lines of one file.
 *
 * @param {string} file
 * @param {string} text
 * @param {string[]} hosts
 * @returns {Finding[]}
 */
function checkLines(file, text, hosts) {
  /** @type {Finding[]} */
  const findings = [];
  const lines = text.split('\n');
  const data = DATA.test(file);
  lines.forEach((content, index) => {
    const report = (/** @type {string} */ what) => findings.push({ file, line: index + 1, text: what });
    const address =
      [...content.matchAll(REGISTRY)].find(([url]) => !url.endsWith('.invalid'))?.[0] ??
      hosts.find((host) => content.includes(`//${host}`));
    if (address !== undefined) report(`${address} is a registry's address; leave it to each machine's configuration`);
    if (data) return;
    const leftover = LEFTOVER.exec(content)?.[1];
    if (leftover !== undefined) report(`${leftover} without an issue; write ${leftover}(#number) or do it now`);
    const machinePath = MACHINE_PATH.exec(content)?.[0];
    if (machinePath !== undefined)
      report(`${machinePath} is a path of one machine; write it relative to the repository`);
    if (/[ \t\r]$/.test(content)) report('trailing whitespace; make fmt or your editor removes it');
  });
  if (!data && SOURCE.test(file) && lines.length > MAX_LINES + 1 && !GENERATED.test(lines.slice(0, 6).join('\n'))) {
    const text = `${lines.length - 1} lines, more than ${MAX_LINES}; cut it inside its room`;
    findings.push({ file, line: MAX_LINES + 1, text });
  }
  return findings;
}

/**
 * Finds the lines that a line break could make narrower: comments in source files, and prose in markdown. Tables,
 * headings and code blocks have no place for one, and neither has a long address.
 *
 * @param {string} file
 * @param {string} text
 * @returns {Finding[]}
 */
function checkWidth(file, text) {
  if (DATA.test(file) || GENERATED.test(text.slice(0, 400))) return [];
  const language = languageOf(file, text);
  if (language === undefined && !file.endsWith('.md')) return [];
  const prose = (language === undefined ? withoutCode(text, false) : splitSource(text, language).comments).split('\n');
  /** @type {Finding[]} */
  const findings = [];
  text.split('\n').forEach((content, index) => {
    const words = prose[index]?.trim() ?? '';
    const line = content.replaceAll('\t', ' '.repeat(TAB_COLUMNS));
    if (line.length <= MAX_COLUMNS || words === '' || DIRECTIVE.test(words)) return;
    if (language === undefined ? /^[|#]/.test(words) : /^[*/#]* ?\|/.test(words)) return; // tables, headings
    // Behind code the whole comment can move to a line of its own; a word cannot.
    const isBehindCode = language !== undefined && !content.trim().startsWith(words);
    const lastSpace = line.lastIndexOf(' ', MAX_COLUMNS);
    const canBreak = isBehindCode || /\w/.test(line.slice(0, lastSpace).replace(LIST_MARK, ''));
    if (!canBreak) return;
    findings.push({ file, line: index + 1, text: `${line.length} columns, more than ${MAX_COLUMNS}; wrap the text` });
  });
  return findings;
}

/**
 * Finds paths of files that are not there: in comments, where they count from the root, from the part or from the
 * file's folder, and in the inline code of markdown.
 *
 * @param {string} file
 * @param {string} text
 * @param {Set<string>} known
 * @returns {Finding[]}
 */
function checkPaths(file, text, known) {
  const language = languageOf(file, text);
  if (DATA.test(file) || (language === undefined && !file.endsWith('.md'))) return [];
  const readable = language === undefined ? withoutCode(text, false) : splitSource(text, language).comments;
  const [part = ''] = file.split('/');
  /** @type {Finding[]} */
  const findings = [];
  for (const match of readable.matchAll(language === undefined ? PATH_IN_PROSE : PATH_IN_COMMENT)) {
    const name = match[1] ?? '';
    const places = [name, `${part}/${name}`, path.posix.join(path.posix.dirname(file), name)];
    if (places.some((place) => known.has(place.replace(/\/$/, '')))) continue;
    const line = readable.slice(0, match.index).split('\n').length;
    findings.push({ file, line, text: `${name} is not a file of the repository` });
  }
  return findings;
}

/**
 * Every decision has a status, and docs/decisions/README.md says what it means.
 *
 * @param {string} file
 * @param {string} text
 * @returns {Finding[]}
 */
function checkStatus(file, text) {
  if (!/^docs\/decisions\/\d{4}-.*\.md$/.test(file)) return [];
  const readme = 'docs/decisions/README.md';
  const status = /^Status: (\w+)/m.exec(text)?.[1];
  if (status === undefined) return [{ file, line: 1, text: `no status; write "Status: …" as ${readme} says` }];
  if (existsSync(readme) && readFileSync(readme, 'utf8').includes(`| ${status} |`)) return [];
  return [{ file, line: 1, text: `status "${status}" is not one that ${readme} explains` }];
}

/**
 * @param {string} root
 * @param {string[]} chosen
 */
function main(root, chosen) {
  process.chdir(root);
  const files = listFiles();
  const known = new Set(['.']);
  for (const file of files) {
    for (let name = file; name !== '.'; name = path.posix.dirname(name)) known.add(name);
  }
  const hosts = configuredHosts();
  /** @type {Finding[]} */
  const findings = [];
  for (const file of chosen.length > 0 ? chosen.map((name) => path.posix.normalize(name)) : files) {
    const bytes = readFileSync(file);
    if (bytes.subarray(0, 8192).includes(0)) continue; // binary
    const text = bytes.toString('utf8');
    findings.push(...checkLines(file, text, hosts), ...checkWidth(file, text), ...checkStatus(file, text));
    findings.push(...checkPaths(file, text, known));
    if (file.endsWith('.md')) findings.push(...checkLinks(file, text, known));
  }
  for (const { file, line, text } of findings) console.log(`${file}:${line}: ${text}`);
  return findings.length === 0 ? 0 : 1;
}

const { values, positionals } = readArguments('check-text', {
  allowPositionals: true,
  options: { help: { type: 'boolean', short: 'h' }, root: { type: 'string' } },
});
if (values.help) {
  process.stdout.write(USAGE);
} else {
  process.exitCode = main(values.root ?? fileURLToPath(new URL('..', import.meta.url)), positionals);
}
