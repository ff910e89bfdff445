// The controls of a page whose choice is a text each. The choice stands in the address, so that a link shows the same.

import { field, fill, get } from './parts.mjs';

/** @typedef {Record<string, string>} Choice by the name of the control */

/**
 * Reads a choice from the address, and puts something that exists in place of what doesn't.
 *
 * @param {Record<string, string[] | null>} offered by name; null takes any text
 * @param {string} hash
 * @returns {Choice}
 */
export function choiceFrom(offered, hash) {
  const wanted = new URLSearchParams(hash.replace(/^#/, ''));
  return Object.fromEntries(
    Object.entries(offered).map(([name, known]) => {
      const value = wanted.get(name) ?? '';
      return [name, known === null || known.includes(value) ? value : (known[0] ?? '')];
    }),
  );
}

/**
 * Fills the controls of the form "controls", and draws now and whenever the choice changes. The first of what is
 * offered is chosen until the reader or the address says otherwise.
 *
 * @param {Record<string, string[] | null>} offered by the id of the control, without theme; null for a text
 * @param {(choice: Choice) => void} draw
 * @returns {() => void} draws again
 */
export function followChoices(offered, draw) {
  const all = { ...offered, theme: ['system', 'light', 'dark'] };
  let choice = choiceFrom(all, location.hash);
  const drawAgain = () => {
    document.documentElement.dataset.theme = choice.theme;
    draw(choice);
  };
  const show = () => {
    for (const [name, known] of Object.entries(all)) {
      const control = field(name);
      // Options with words of their own stand in the page.
      if (known !== null && control.children.length === 0) {
        fill(
          name,
          known.map((value) => [value, value]),
          '',
        );
      }
      if (control.value !== choice[name]) control.value = choice[name] ?? '';
    }
    drawAgain();
  };
  get('controls').addEventListener('input', () => {
    const chosen = Object.fromEntries(Object.keys(all).map((name) => [name, field(name).value]));
    choice = choiceFrom(all, `#${new URLSearchParams(chosen)}`);
    history.replaceState(null, '', `#${new URLSearchParams(choice)}`);
    drawAgain();
  });
  get('controls').addEventListener('submit', (event) => event.preventDefault());
  addEventListener('hashchange', () => {
    choice = choiceFrom(all, location.hash);
    show();
  });
  show();
  return drawAgain;
}
