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
  readonly isSkipped: boolean;
  readonly body: Body;
}

let collected: Collected[] = [];

interface Options {
  readonly skip?: boolean | string;
}

/** As node:test has it: a name, options, a body. Of the suite's options only `skip` matters here. */
export function test(name: string, second: Body | Options, third?: Body): void {
  const isSkipped = typeof second === 'object' && Boolean(second.skip);
  collected.push({ name, isSkipped, body: third ?? (second as Body) });
}

/** Runs what a file registered, but not what `isLeftOut` names, nor what skips itself. */
export async function runFile(file: string, isLeftOut: (name: string) => boolean): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const tests = collected;
  collected = [];
  for (const { name, body } of tests.filter((one) => !isLeftOut(one.name) && !one.isSkipped)) {
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
