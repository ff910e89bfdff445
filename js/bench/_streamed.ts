// What goes through streams: one large value, and many small ones. Each workload is the array of
// the values of a stream.

import { Chance, type Workload } from './_payloads.ts';

function row(c: Chance, id: number): unknown {
  return { id, name: c.words(2), active: c.next() < 0.5, score: c.below(1e6) / 100, tags: [c.word(), c.word()] };
}

/** `large` is one value of about 5 MB; `small` is two thousand of about 100 bytes. */
export function streamed(): Workload[] {
  const c = new Chance(21);
  const large = [Array.from({ length: 73_000 }, (_, id) => row(c, id))];
  const small = Array.from({ length: 2000 }, (_, id) => row(c, id));
  return [
    { name: 'large', value: structuredClone(large), isJson: true },
    { name: 'small', value: structuredClone(small), isJson: true },
  ];
}
