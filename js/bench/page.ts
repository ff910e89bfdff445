// Measures one library in a page of its own, as tools/bench-js.mjs tells it to by way of js/tools/bench-page.mjs.

import { type Form, type Kind, wrap } from './_contestants.ts';
import { type Command, Session } from './_session.ts';

const post = (answer: object) => fetch('/answer', { method: 'POST', body: JSON.stringify(answer) });

/** @param loaded what the library exports */
export async function converse(kind: Kind, loaded: unknown, form: Form): Promise<void> {
  try {
    // The clock of other pages has steps of 100 µs, of which rounds of milliseconds would have a few dozen.
    const isIsolated = Reflect.get(globalThis, 'crossOriginIsolated') === true;
    if (!isIsolated) throw new Error('the page is not isolated, so its clock is coarse');
    const session = new Session(kind, wrap(kind, loaded), form);
    await post(session.greeting);
    for (;;) {
      const command = (await (await fetch('/command')).json()) as Command;
      await post(await session.obey(command));
    }
  } catch (error) {
    await post({ fault: String(error) });
  }
}
