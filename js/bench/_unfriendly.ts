// Shapes that defeat what makes a decoder fast: names that never repeat, names that are numbers,
// arrays of mixed values.

import { Chance, type Workload } from './_payloads.ts';

/** Every name occurs once. */
function uniqueKeys(c: Chance): unknown {
  return Array.from({ length: 200 }, () =>
    Object.fromEntries(Array.from({ length: 8 }, () => [c.hex(10), c.below(1000)])),
  );
}

/** One dictionary of many names. */
function bigDictionary(c: Chance): unknown {
  return Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`user:${c.hex(6)}:${i}`, c.below(100_000)]));
}

/** Names that engines keep as elements, not as properties. */
function intKeys(c: Chance): unknown {
  return Array.from({ length: 100 }, () =>
    Object.fromEntries(Array.from({ length: 20 }, () => [String(c.below(5000)), c.below(1000)])),
  );
}

/** Ten names, of which each object has some. */
function optionalFields(c: Chance): unknown {
  const names = ['id', 'title', 'state', 'owner', 'labels', 'due', 'points', 'parent', 'blocked', 'notes'];
  return Array.from({ length: 300 }, () =>
    Object.fromEntries(names.filter(() => c.next() < 0.6).map((name) => [name, c.below(1000)])),
  );
}

/** Objects of eight kinds in turn. */
function unionTypes(c: Chance): unknown {
  const kinds = ['circle', 'square', 'text', 'group', 'image', 'path', 'link', 'note'];
  return Array.from({ length: 300 }, () => {
    const kind = c.below(kinds.length);
    return { kind: kinds[kind], [`${kinds[kind]}Size`]: c.below(100), [`p${kind}`]: c.next(), z: c.below(10) };
  });
}

/** Numbers, texts, switches and nothing, side by side. */
function mixedArray(c: Chance): unknown {
  return Array.from({ length: 2000 }, () =>
    c.one<unknown>([c.below(100), c.next(), c.word(), null, true, -c.below(70_000)]),
  );
}

const MAKERS: Record<string, (c: Chance) => unknown> = {
  uniqueKeys,
  bigDictionary,
  intKeys,
  optionalFields,
  unionTypes,
  mixedArray,
  longKeys: (c) => {
    const names = Array.from({ length: 10 }, () => `${c.words(6).replaceAll(' ', '_')}`);
    return Array.from({ length: 100 }, () => Object.fromEntries(names.map((name) => [name, c.below(1000)])));
  },
  wideKeys: (c) =>
    Array.from({ length: 100 }, () => ({ 名前: c.word(), 住所: c.below(1000), 電話番号: c.below(1e9), 備考: null })),
  smallInts: (c) => Array.from({ length: 20_000 }, () => c.below(128)),
  shortStrings: (c) => Array.from({ length: 2000 }, () => c.word()),
  uuids: (c) => Array.from({ length: 500 }, () => `${c.hex(8)}-${c.hex(4)}-${c.hex(4)}-${c.hex(4)}-${c.hex(12)}`),
  longAscii: (c) => Array.from({ length: 20 }, () => c.words(400)),
  deep: () => {
    let value: unknown = 1;
    for (let i = 0; i < 90; i++) value = i % 2 === 0 ? [value] : { next: value, level: i };
    return Array.from({ length: 20 }, () => value);
  },
  wide64: (c) => {
    const names = Array.from({ length: 64 }, (_, i) => `column${i}`);
    return Array.from({ length: 50 }, () => Object.fromEntries(names.map((name) => [name, c.below(1000)])));
  },
};

/** The unfriendly shapes; their strings are flat. */
export function unfriendly(): Workload[] {
  return Object.entries(MAKERS).map(([name, make], seed) => ({
    name,
    value: structuredClone(make(new Chance(seed + 1))),
    isJson: true,
  }));
}
