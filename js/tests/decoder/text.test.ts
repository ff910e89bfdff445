// Text of every length, kind and place in the window, against TextDecoder.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { Packr, pack, Unpackr, unpack } from 'polypack';
import { pack as compactPack } from 'polypack/compact';
import { character } from '../_arbitrary.ts';
import { assertFault } from '../_check.ts';
import { QUICK, runs, THOROUGH } from '../_runs.ts';
import { bytesOf } from '../_values.ts';
import { REPOSITORY } from '../_vectors.ts';

const EXACT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A str with these bytes, whatever they are. */
function strOf(body: Uint8Array): Uint8Array {
  const { length } = body;
  const head = length < 32 ? [0xa0 | length] : length < 256 ? [0xd9, length] : [0xda, length >> 8, length & 0xff];
  return Uint8Array.from([...head, ...body]);
}

/** What TextDecoder says; null for bytes that are not UTF-8. */
function exact(body: Uint8Array): string | null {
  try {
    return EXACT.decode(body);
  } catch {
    return null;
  }
}

const separate = new Unpackr({ separateStrings: true });

function assertText(body: Uint8Array): void {
  const expected = exact(body);
  const inside = Uint8Array.from([0x93, 0x01, ...strOf(body), 0x02]);
  for (const read of [unpack, (bytes: Uint8Array) => separate.unpack(bytes)]) {
    if (expected === null) assertFault(() => read(inside), { code: 'invalid_utf8', offset: 2, path: '/1' });
    else assert.deepEqual(read(inside), [1, expected, 2]);
  }
}

test('ASCII of every length up to 700', () => {
  for (let length = 0; length <= 700; length++) {
    assertText(Uint8Array.from({ length }, (_, i) => 0x20 + ((i * 7 + length) % 95)));
  }
});

test('one character that is not ASCII, or no UTF-8, at every place', () => {
  const others = [
    'é',
    '東',
    '🚀',
    '\u0080',
    '\u07ff',
    '\u0800',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '\u{10000}',
    '\u{10ffff}',
  ];
  const wrong =
    '80,bf,c0 80,c1 bf,c3,e0 80 80,e0 9f bf,ed a0 80,ed bf bf,e6 9d,f0 80 80 80,f0 8f bf bf,f4 90 80 80,f5 80 80 80,' +
    'f0 9f 9a,ff,c3 c3,e6 9d c3,f0 9f 9a c3,f8 88 80 80';
  const parts = [...others.map((text) => new TextEncoder().encode(text)), ...wrong.split(',').map(bytesOf)];
  for (const part of parts) {
    for (const length of QUICK ? [0, 1, 3, 8, 40] : [0, 1, 2, 3, 5, 8, 17, 40, 96, 130]) {
      for (const at of [0, 1, 2, 3, 7, length >> 1, length - 1, length]) {
        if (at < 0 || at > length) continue;
        const filler = new Uint8Array(length).fill(0x61);
        assertText(Uint8Array.from([...filler.subarray(0, at), ...part, ...filler.subarray(at)]));
      }
    }
  }
});

test('any bytes are what TextDecoder makes of them', () => {
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc.string({ unit: character, maxLength: 200 }).map((text) => new TextEncoder().encode(text)),
    fc.tuple(fc.string({ unit: character, maxLength: 60 }), fc.uint8Array({ maxLength: 3 })).map(([text, rest]) => {
      return Uint8Array.from([...new TextEncoder().encode(text), ...rest]);
    }),
  );
  fc.assert(fc.property(body, assertText), { numRuns: runs(300) });
});

test('long text, around the length that is decoded at once', () => {
  for (const length of [4094, 4095, 4096, 4097, 20_000]) {
    assertText(Uint8Array.from({ length }, (_, i) => 0x61 + (i % 26)));
    assertText(new TextEncoder().encode(`${'я'.repeat(length >> 1)}`));
    assertText(new TextEncoder().encode(`x${'я'.repeat(length >> 1)}`));
    assertText(new TextEncoder().encode('東'.repeat(Math.floor(length / 3))).subarray(1));
  }
});

test('texts in any order of lengths, in messages of any place in their buffer', () => {
  const lengths = Array.from({ length: 400 }, (_, i) => (i * i * 31) % (i % 5 === 0 ? 600 : 97));
  const texts = lengths.map((length, i) => String.fromCharCode(97 + (i % 26)).repeat(length));
  const message = pack(texts);
  const unpackr = new Unpackr();
  const buffer = new Uint8Array(5 * message.length);
  for (const start of [0, 1, 777, 3 * message.length]) {
    buffer.fill(0x7a);
    buffer.set(message, start);
    assert.deepEqual(unpackr.unpack(buffer.subarray(start, start + message.length)), texts);
    // Nothing of what the buffer had before is left in a window.
    buffer.fill(0x79);
    buffer.set(pack(['yy', 'yyyy']), start);
    assert.deepEqual(unpackr.unpack(buffer.subarray(start, start + 9)), ['yy', 'yyyy']);
  }
});

test('texts far from each other, known ones and new ones, and what is near to them', () => {
  const kinds = ['kind', 'a kind of value', 'image/png', 'x'.repeat(31), 'y'.repeat(32), 'längst', 'z'.repeat(90)];
  const unpackr = new Unpackr();
  for (let round = 0; round < 40; round++) {
    const values = Array.from({ length: 60 }, (_, i) => {
      const kind = kinds[(i * i + round) % kinds.length] as string;
      // The same ends and the same length, but something else between.
      const similar = `kind ${String(i % (round + 1)).padStart(4, '0')} of value`;
      const gap = new Uint8Array((i * 37 + round) % 150).fill(0x61 + i);
      return [kind, gap, ...(i % 3 === 0 ? [similar, kind, `new ${round} ${i}`] : [similar])];
    });
    assert.deepEqual(unpackr.unpack(pack(values)), values);
  }
});

test('offsets count from the start of the input, wherever it is in its buffer', () => {
  const backing = bytesOf('00 00 00 92 01 c1 00 00');
  const unpackr = new Unpackr();
  for (let round = 0; round < 2; round++) {
    assertFault(() => unpackr.unpack(backing.subarray(3, 6)), { code: 'reserved_byte', offset: 2, path: '/1' });
    assertFault(() => unpackr.unpack(backing.subarray(4, 7)), { code: 'trailing_data', offset: 1, path: '' });
  }
});

test('a host without the methods of Buffer gives the same text', THOROUGH, () => {
  const script = `
    const { Buffer } = globalThis;
    delete globalThis.Buffer;
    const { pack, unpack } = await import('./dist/index.js');
    globalThis.Buffer = Buffer;
    const words = ['', 'a', 'name', 'é', 'a text in the window', 'Москва и 東京 🚀', 'ÿ'.repeat(40), 'x'.repeat(127), 'y'.repeat(128)];
    const value = words.flatMap((word, i) => [word, word + i, word + 'z'.repeat(i * 9)]);
    const given = JSON.stringify(unpack(pack([value, value])));
    if (given !== JSON.stringify([value, value])) throw new Error(given);
    // Of every length, dense and far from each other, so that some are cut out of a window and some are spelled.
    const letters = Array.from({ length: 600 }, (_, i) => String.fromCharCode(33 + ((i * 37) % 94))).join('');
    for (const gap of [0, 20, 100, 300]) {
      const texts = Array.from({ length: 300 }, (_, i) => [letters.slice(i, 2 * i), new Uint8Array(gap).fill(0xa5), letters.slice(i % 7, (i * 5) % 71)]);
      const mixed = [texts, texts.toReversed(), texts.map(([one], i) => (i % 5 === 0 ? 'é' + one : one))];
      const back = unpack(pack(mixed));
      if (JSON.stringify(back) !== JSON.stringify(mixed)) throw new Error('texts with ' + gap + ' bytes between them');
    }
    let code = '';
    try { unpack(Uint8Array.of(0xa2, 0xc3, 0x28)); } catch (error) { code = error.code; }
    if (code !== 'invalid_utf8') throw new Error(code);
  `;
  runScript(script);
});

function runScript(script: string): void {
  const cwd = fileURLToPath(new URL('js/', REPOSITORY));
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd, stdio: 'pipe' });
}

test('long text at the end of memory that is as long as the message before', THOROUGH, () => {
  const letters = 'The quick brown fox jumps over the lazy dog. '.repeat(40);
  for (let length = 40; length < 1800; length += 73) {
    const ascii = letters.slice(0, length);
    for (const last of [ascii, `${ascii}é`, `é${ascii}`, `${ascii}🚀`, '東'.repeat(length), 'я'.repeat(length)]) {
      const value = ['x'.repeat(60_000), 'y'.repeat(60_000), last];
      const packr = new Packr();
      for (let round = 0; round < 3; round++) assert.deepEqual(packr.pack(value), compactPack(value), `${length}`);
      assertFault(() => packr.pack([...value.slice(0, 2), `${last}\ud800`]), { code: 'invalid_utf8', path: '/2' });
    }
  }
  // As many bytes as code units, but not all of them, are what may fit before the memory ends.
  const packr = new Packr();
  const before = ['x'.repeat(60_000), 'y'.repeat(60_000), letters.slice(0, 400)];
  for (let more = 0; more < 90; more++) {
    for (let round = 0; round < 90; round++) packr.pack(before);
    const value = [...before.slice(0, 2), `é${letters.slice(0, 400 + more)}`];
    assert.deepEqual(packr.pack(value), compactPack(value), `${more} more`);
  }
});

/** What hosts without Node's Buffer are known by. Each has its own lengths from which on text is the host's. */
const HOSTS = {
  other: 'delete globalThis.Buffer; delete globalThis.process;',
  node: 'delete globalThis.Buffer;',
  bun: 'globalThis.Bun = {};',
};

test('a host without the methods of Buffer writes the bytes of TextEncoder', THOROUGH, () => {
  for (const change of Object.values(HOSTS)) runScript(writesAll(change));
});

function writesAll(change: string): string {
  return `
    const { Buffer, process } = globalThis;
    ${change}
    const { pack, packInto, Packr } = await import('./dist/index.js');
    Object.assign(globalThis, { Buffer, process });
    const utf8 = new TextEncoder();
    const strOf = (text) => {
      const body = utf8.encode(text);
      const { length } = body;
      const head = length < 32 ? [0xa0 | length] : length < 256 ? [0xd9, length]
        : length < 65536 ? [0xda, length >> 8, length & 0xff] : [0xdb, length >>> 24, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff];
      return Buffer.concat([Uint8Array.from(head), body]);
    };
    const same = (bytes, expected, what) => { if (Buffer.compare(bytes, expected) !== 0) throw new Error(what); };
    const letters = Array.from({ length: 140000 }, (_, i) => String.fromCharCode(33 + ((i * 37) % 94))).join('');
    const others = ['é', '東', '🚀', '\\u0080', '\\u07ff', '\\u0800', '\\uffff', 'éé', '東東', '🚀🚀', 'é東🚀'];
    const lengths = [...Array.from({ length: 300 }, (_, i) => i), 341, 342, 510, 511, 512, 513, 682, 683, 1020, 1021, 1022, 1023, 1024, 1025,
      2040, 2046, 2047, 2048, 2049, 4095, 4096, 4097, 21844, 21845, 65533, 65534, 65535, 65536, 65537];
    const messages = [];
    for (const length of lengths) {
      const ascii = letters.slice(length % 90, length % 90 + length);
      same(pack(ascii), strOf(ascii), 'ASCII of ' + length);
      if (length < 30 || length % 7 === 0 || length > 250) messages.push(ascii);
      for (const other of length < 300 && length % 11 > 1 ? [others[length % 11]] : others) {
        for (const at of [0, 1, 3, 4, 7, 8, 9, length >> 1, length - 1, length]) {
          if (at < 0 || at > length) continue;
          const text = ascii.slice(0, at) + other + ascii.slice(at);
          same(pack(text), strOf(text), other + ' at ' + at + ' of ' + length);
        }
      }
      const wide = others[length % 11].repeat(length);
      same(pack(wide), strOf(wide), 'only ' + others[length % 11] + ', ' + length);
      // A lone surrogate is refused at every place, and nothing of it is left for the next message.
      for (const at of [0, 8, length >> 1, length]) {
        for (const lone of ['\\ud800', '\\udfff', '\\udc00\\ud800']) {
          let code = '';
          try { pack(ascii.slice(0, at) + lone + ascii.slice(at)); } catch (error) { code = error.code; }
          if (code !== 'invalid_utf8') throw new Error('a lone surrogate at ' + at + ' of ' + length);
        }
      }
    }
    // Memory grows in the middle of texts, and ends behind the last one at any distance.
    for (let start = 0; start < 60; start += 4) {
      const texts = Array.from({ length: 40 }, (_, i) => {
        const text = letters.slice(i, i + ((i + start) * 97) % 900);
        return i % 3 === 0 ? text + others[i % 11] : text;
      });
      const expected = Buffer.concat([Uint8Array.of(0xdc, 0, texts.length), ...texts.map(strOf)]);
      const packr = new Packr({ records: 'off' });
      for (let round = 0; round < 3; round++) same(packr.pack(texts), expected, 'texts from ' + start + ', round ' + round);
      // Into memory of the program, shared or not: exactly enough, too little, and more.
      for (const Memory of [ArrayBuffer, SharedArrayBuffer]) {
        for (const room of [expected.length, expected.length + 1, expected.length + 5000]) {
          const target = new Uint8Array(new Memory(room + 3)).fill(0x55);
          const end = packInto(target, 3, texts, packr);
          same(Uint8Array.from(target.subarray(0, end)), Buffer.concat([Uint8Array.of(0x55, 0x55, 0x55), expected]), 'packInto');
        }
        let refused = false;
        try { packInto(new Uint8Array(new Memory(expected.length - 1)), 0, texts, packr); } catch (error) { refused = error instanceof RangeError; }
        if (!refused) throw new Error('too little room');
      }
      packr.useBuffer(new Uint8Array(3 * expected.length - start));
      const kept = [packr.pack(texts), packr.pack(texts), packr.pack(texts)];
      for (const bytes of kept) same(bytes, expected, 'useBuffer');
    }
    for (let round = 0; round < 3; round++) {
      same(pack(messages), Buffer.concat([Uint8Array.of(0xdc, messages.length >> 8, messages.length & 0xff), ...messages.map(strOf)]), 'all');
    }
  `;
}
