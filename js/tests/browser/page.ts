// The page's script: imports one file of the suite, runs its tests, sends what came of them to
// tools/test-browser.mjs, and goes on to the page of the next file. As in Node, every file has a world of its own:
// what one registers, the next does not see.

import { isSame } from './assert.ts';
import { process, provideFiles } from './host.ts';
import { type Outcome, runFile } from './runner.ts';

/** What /run.json says: the files to run, and the tests of them that cannot run here; what they read, and how much. */
interface Run {
  readonly files: readonly string[];
  readonly read: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly leftOut: readonly (readonly [file: string, test: string])[];
}

interface Violation {
  readonly violatedDirective: string;
  readonly sourceFile: string;
  readonly lineNumber: number;
}

declare const document: { addEventListener(type: string, listener: (event: Violation) => void): void };
declare const location: { readonly search: string; replace(address: string): void };

const violations: string[] = [];
document.addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile, lineNumber }) => {
  violations.push(`${violatedDirective} at ${sourceFile}:${lineNumber}`);
});

const post = (path: string, body: unknown) => fetch(path, { method: 'POST', body: JSON.stringify(body) });

async function json<T>(path: string): Promise<T> {
  const response = await fetch(path);
  return (await response.json()) as T;
}

/** Violations are told of later than they happen. */
const hear = () => new Promise((resolve) => setTimeout(resolve, 50));

/** The policy is in force when code from a string is refused, and the refusal was heard. */
async function isPolicyInForce(): Promise<boolean> {
  let isRefused = false;
  try {
    new Function('return 1')();
  } catch (error) {
    isRefused = error instanceof EvalError;
  }
  await hear();
  return isRefused && violations.pop() !== undefined;
}

/** The build for pages without modules, which the page has loaded before. */
function scriptOutcome(): Outcome {
  const { polypack } = globalThis as unknown as { polypack?: typeof import('polypack') };
  const value = polypack?.unpack(polypack.pack({ a: [1, 'é'] }));
  const failure = isSame(value, { a: [1, 'é'] }) ? null : `it gave ${JSON.stringify(value)}`;
  return { file: 'polypack.min.js', name: 'the script makes a global that packs and unpacks', failure };
}

/** Runs a file; a name of a test to leave out that no test has any more is an excuse for nothing, and fails. */
async function outcomesOf(file: string, { leftOut }: Run): Promise<Outcome[]> {
  await import(/* the address is known here only */ `../${file}.test.js`);
  const names = new Set(leftOut.filter(([of]) => of === file).map(([, name]) => name));
  const outcomes = await runFile(file, (name) => names.delete(name));
  const stale = [...names].map((name) => ({ file, name, failure: 'there is no such test to leave out' }));
  return [...outcomes, ...stale];
}

async function main(index: number): Promise<void> {
  const run = await json<Run>('/run.json');
  const file = run.files[index] ?? '';
  provideFiles(run.read);
  Object.assign(process.env, run.env);
  const outcomes = await outcomesOf(file, run);
  if (index === 0) outcomes.push(scriptOutcome());
  await hear();
  const heard = [...violations];
  await post('/outcomes', { file, outcomes, violations: heard, isPolicyInForce: await isPolicyInForce() });
  if (index + 1 < run.files.length) location.replace(`/?${index + 1}`);
  else await post('/done', {});
}

main(Number(location.search.slice(1))).catch((error: unknown) =>
  post('/done', { error: error instanceof Error ? `${error.stack}` : String(error) }),
);
