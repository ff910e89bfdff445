// A small result as `lab run --json` writes it: two scenarios, three sizes, a failure, a tie, a loss of ours.

/** Nanoseconds of an object: ours loses to igbinary and beats JSON; Twin can't be told from JSON. */
const CONTESTANTS = [
  {
    slug: 'json-encode',
    name: 'json_encode()',
    language: 'PHP',
    format: 'json',
    kind: 'floor',
    each: 1000,
    bytes: 200,
  },
  { slug: 'twin', name: 'Twin', language: 'PHP', format: 'json', kind: 'realistic', each: 1001, bytes: 200 },
  { slug: 'polypack', name: 'Polypack', language: 'PHP', format: 'msgpack', kind: 'tuned', each: 600, bytes: 140 },
  { slug: 'igbinary', name: 'igbinary', language: 'PHP', format: 'igbinary', kind: 'floor', each: 300, bytes: 160 },
  { slug: 'json-js', name: 'JSON (JS)', language: 'JavaScript', format: 'json', kind: 'floor', each: 800, bytes: 200 },
];
export const FAULT = 'returns other data: /9: Person expected, got array of 5 </script><b>&amp;';
const NOISE = [0.97, 1, 1.03, 0.99, 1.02];

export function smallResult() {
  const cells = [];
  for (const scenario of ['person', 'rows']) {
    for (const operation of ['serialize', 'deserialize']) {
      for (const count of [10, 100, 1000]) {
        const column = { scenario, operation, count };
        cells.push({ contestant: 'liar', ...column, fault: FAULT });
        for (const { slug, each, bytes } of CONTESTANTS) {
          const rounds = Object.fromEntries(
            NOISE.map((noise, round) => [round, NOISE.map((more) => each * count * noise * more)]),
          );
          const middle = each * count;
          cells.push({
            contestant: slug,
            ...column,
            fault: null,
            rounds,
            samples: 25,
            time: { median: middle, low: middle * 0.97, high: middle * 1.03 },
            bytes: bytes * count,
            gzip: 20 * count,
            zstd: null,
            memory: 1000 * count,
            kept: 900 * count,
            set_up: 2e6,
            first: 1e5,
          });
        }
      }
    }
  }
  const contestants = [
    ...CONTESTANTS,
    { slug: 'liar', name: 'Liar', language: 'PHP', format: 'php', kind: 'realistic' },
  ];
  return {
    lab: 1,
    made: '2026-11-24T10:00:00+00:00',
    baseline: 'json-encode',
    seed: 1,
    environment: { cpu: 'a processor', php: '8.2' },
    effort: { samples: 25, rounds: 5 },
    data: { 'person/10': 'ab'.repeat(32) },
    scenarios: { person: 'the class of the seed', rows: 'plain rows' },
    missing: [{ name: 'TSantos', slug: 'tsantos', reason: 'the package registry has none' }],
    contestants: contestants.map(({ slug, name, language, format, kind }) => ({
      ...{ slug, name, language, format, kind },
      ...{ state: 'reused', version: '1.0', note: '', file: `${slug}.php`, source: `<?php // ${name} </script>` },
    })),
    cells,
  };
}

/** Rows as the benches write them: a size, a win, a loss, and one whose output was wrong. */
export const RATIOS = [
  { workload: 'rows', operation: 'size', against: 'igbinary', ratio: 2.1, low: 2.1, high: 2.1, verified: true },
  { workload: 'rows', operation: 'encode', against: 'igbinary', ratio: 4, low: 3, high: 5, verified: true },
  { workload: 'rows', operation: 'decode', against: 'igbinary', ratio: 2, low: 1.8, high: 2.2, verified: true },
  { workload: 'objects', operation: 'size', against: 'igbinary', ratio: 0.9, low: 0.9, high: 0.9, verified: true },
  { workload: 'objects', operation: 'encode', against: 'igbinary', ratio: 0, low: 0, high: 0, verified: false },
  { workload: 'objects', operation: 'decode', against: 'igbinary', ratio: 0.5, low: 0.4, high: 0.6, verified: true },
  { workload: 'objects', operation: 'decode', against: 'serialize()', ratio: 1, low: 0.9, high: 1.1, verified: true },
].map((row) => ({ ...row, mode: 'built' }));
