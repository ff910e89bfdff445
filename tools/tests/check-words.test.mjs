// Each test writes a glossary and one file into an empty checkout and reads what check-words says of it.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EXEMPT, readGlossary, wordsOf } from '../check-words.mjs';

const TOOL = fileURLToPath(new URL('../check-words.mjs', import.meta.url));
let root = '';

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'check-words-'));
  execFileSync('git', ['init', '-q', root]);
});
afterEach(() => rmSync(root, { recursive: true }));

/**
 * @param {string} name
 * @param {string} text
 */
function write(name, text) {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
}

/** @param {string} not the "not" column @param {string} [where] */
function glossary(not, where = '') {
  const rows = [
    '| word | meaning | where it stands | not |',
    '|---|---|---|---|',
    `| shape | names | ${where} | ${not} |`,
  ];
  write('spec/glossary.md', `# Glossary\n\n${rows.join('\n')}\n`);
}

/** @param {string[]} options */
function check(...options) {
  const { status, stdout, stderr } = spawnSync('node', [TOOL, '--root', root, ...options], {
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  const lines = stdout.split('\n').filter(Boolean);
  assert.equal(status, lines.length === 0 ? 0 : 1);
  return lines;
}

test('a name splits into its words', () => {
  assert.deepEqual(wordsOf('readUTF8Text'), ['read', 'utf8', 'text']);
  assert.deepEqual(wordsOf('$max_own_STRUCTURES'), ['max', 'own', 'structures']);
  assert.deepEqual(wordsOf('shape-compiler'), ['shape', 'compiler']);
  assert.deepEqual(wordsOf('HTTPServer2Go'), ['http', 'server2', 'go']);
});

test('an identifier with a listed word is found, in each language', () => {
  glossary('`schema`, `goOn`');
  write('a.ts', 'const one = 1;\nexport const theSchema = one;\n');
  write('a.php', '<?php\n\nfunction f(int $schema): void {}\n');
  write('a.go', 'package a\n\nfunc goOn() {}\n');
  assert.deepEqual(check(), [
    'a.go:3: goOn: the glossary has another word for "go on": shape',
    'a.php:3: $schema: the glossary has another word for "schema": shape',
    'a.ts:2: theSchema: the glossary has another word for "schema": shape',
  ]);
});

test('a longer word, a comment and a literal are not names', () => {
  glossary('`schema`');
  write(
    'a.mjs',
    '// schema\n/* schema */ const a = `schema $' + '{"}"} schema` + "schema" + /[/"]schema/.source; // schema\n',
  );
  write('a.php', "<?php\n\n# schema\n#[Pure]\necho 'it\\'s schema', \"schema\", <<<'X'\n  schema\n  X;\n");
  write('a.go', 'package a // schema\n\nvar schemata = "\\"schema" + `"schema`\n');
  assert.deepEqual(check(), []);
});

test('code inside a template literal is code', () => {
  glossary('`schema`');
  write('a.mjs', 'const a = (b) => `x $' + '{b.map((schema) => ({ schema }))} schema`;\n');
  assert.equal(check().length, 2);
});

test('the name of a file counts', () => {
  glossary('`schema`');
  write('the-schema.test.mjs', '');
  assert.equal(check()[0], 'the-schema.test.mjs:1: the-schema: the glossary has another word for "schema": shape');
});

test('a rule may hold for folders, or for whole names, only', () => {
  glossary('`room` in a, b/c.ts; `hand` alone');
  const text = 'const room = 1, handOver = 2, hand = 3;\n';
  write('a/x.ts', text);
  write('b/c.ts', text);
  write('b/d.ts', text);
  const found = check().map((line) => line.split(': ').slice(0, 2).join(' '));
  assert.deepEqual(found, ['a/x.ts:1 room', 'a/x.ts:1 hand', 'b/c.ts:1 room', 'b/c.ts:1 hand', 'b/d.ts:1 hand']);
});

test('an exempt name passes where it is exempt, and nowhere else', () => {
  glossary('`structures`');
  write('js/a.ts', 'const getStructures = 1;\n');
  write('go/a.go', 'package a\n\nvar getStructures = 1\n');
  const found = check('--exemptions');
  assert.equal(found[0], 'go/a.go:3: getStructures: the glossary has another word for "structures": shape');
  assert.ok(!found.includes('tools/check-words.mjs: nothing needs the exemption of getStructures'));
  assert.ok(found.includes('tools/check-words.mjs: nothing needs the exemption of maxSharedStructures'));
});

test('a file that the glossary names must be there', () => {
  glossary('', 'PHP `Records`; JS `records/shape.ts`, `a.ts`; Go `shape.go`');
  write('php/src/Records/Shape.php', '');
  write('js/src/a.ts', '');
  write('go/shape.go', '');
  assert.deepEqual(check(), ['spec/glossary.md:5: js/src/records/shape.ts does not exist; name the file that has it']);
});

test('every exemption has a reason', () => {
  for (const { reason } of EXEMPT) assert.match(reason, /\w/);
  assert.equal(readGlossary('| a | b | | `x` |').rules.length, 1);
});
