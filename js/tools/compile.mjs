// Compiles tests, fuzz targets and benches to build/, against the declarations that users get.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COMPILE, COMPILED, isCurrent, noteState } from './build-state.mjs';

const JS = fileURLToPath(new URL('..', import.meta.url));
const TSC = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));

/** Whether dist/ holds what src/ says now. */
function isBuilt() {
  const bundle = `${JS}dist/index.js`;
  if (!existsSync(bundle)) return false;
  const built = statSync(bundle).mtimeMs;
  return readdirSync(`${JS}src`, { recursive: true, encoding: 'utf8' }).every(
    (name) => statSync(`${JS}src/${name}`).mtimeMs <= built,
  );
}

/**
 * Compiles, unless that is done; ends the process with tsc's own report when the types are wrong. Its caller has built
 * dist/.
 */
export function compile() {
  if (!isBuilt()) {
    console.error('dist/ is missing or older than src/; run "npm run --workspace js build" first');
    process.exit(2);
  }
  if (isCurrent(COMPILE)) return;
  const { status } = spawnSync(TSC, ['-p', 'tsconfig.tests.json'], { cwd: JS, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  // Files are replaced, never first removed: another run may be using them.
  for (const folder of COMPILED) {
    for (const name of readdirSync(`${JS}build/${folder}`, { recursive: true, encoding: 'utf8' })) {
      const source = `${JS}${folder}/${name.replace(/\.js$/, '.ts')}`;
      if (!existsSync(source)) rmSync(`${JS}build/${folder}/${name}`, { recursive: true, force: true });
    }
  }
  noteState(COMPILE);
}
