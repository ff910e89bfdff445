// Stands for node:test in a browser: tests of a file are collected while it is imported, and run one after the other.

type Body = () => unknown;

export interface Outcome {
  readonly file: string;
  readonly name: string;
  /** The error's text; null when the test passed. */
  readonly failure: string | null;
}

interface Collected {
  readonly name: string;
  readonly body: Body;
}

let collected: Collected[] = [];

/** As node:test has it: a name, options, a body. No option of the suite matters here. */
export function test(name: string, second: Body | object, third?: Body): void {
  collected.push({ name, body: third ?? (second as Body) });
}

/** Runs what a file registered, but not what `isLeftOut` names. */
export async function runFile(file: string, isLeftOut: (name: string) => boolean): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const tests = collected;
  collected = [];
  for (const { name, body } of tests.filter((one) => !isLeftOut(one.name))) {
    let failure: string | null = null;
    try {
      await body();
    } catch (error) {
      failure = error instanceof Error ? `${error.name}: ${error.message}\n${error.stack}` : String(error);
    }
    outcomes.push({ file, name, failure });
  }
  return outcomes;
}
