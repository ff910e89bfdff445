// Measures one library in a page of its own, as tools/bench-js.mjs tells it to by way of js/tools/bench-page.mjs.

import { type Form, type Kind, wrap } from './_contestants.ts';
import { type Command, Session } from './_session.ts';

const post = (answer: object) => fetch('/answer', { method: 'POST', body: JSON.stringify(answer) });

/** @param loaded what the library exports */
export async function converse(kind: Kind, loaded: unknown, form: Form): Promise<void> {
  try {
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
