// The twelve payloads of the bench, made by formulas, so that every run and every reader has the same.
//
// Plan: the source of chance · small messages (ex1 … ex5, sampleLarge) · large ones (apiList … blobs) · the list.

import { text, WORDS } from './_words.ts';

export interface Workload {
  readonly name: string;
  readonly value: unknown;
  /** Whether JSON keeps the value as it is; otherwise it takes no part. */
  readonly isJson: boolean;
}

/** Values that look like chance and are the same in every run. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** 0 ≤ number < 1, with 24 bits. */
  next(): number {
    this.#state = Math.imul(this.#state, 1_103_515_245) + 12_345;
    return ((this.#state >>> 8) & 0xffffff) / 0x1000000;
  }

  /** An integer from 0 up to and without `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  word(): string {
    return this.one(WORDS);
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.word()).join(' ');
  }

  hex(length: number): string {
    return Array.from({ length }, () => this.below(16).toString(16)).join('');
  }
}

// --- small messages --------------------------------------------------------------------------------------------------

/** One value of every format, with names that occur once. */
function everyFormat(): unknown {
  const c = new Chance(1);
  return {
    nil: null,
    yes: true,
    no: false,
    fixint: 7,
    fixintNegative: -7,
    uint8: 200,
    int8: -100,
    uint16: 40_000,
    int16: -20_000,
    uint32: 3_000_000_000,
    int32: -1_500_000_000,
    uint53: 8_000_000_000_000,
    half: 0.5,
    third: 1 / 3,
    small: -2.5e-9,
    empty: '',
    letter: 'q',
    fixstr: 'a fixed string',
    str8: c.words(14),
    accents: 'Ein Übermaß an Größe, à la carte, señor',
    wide: '世界には美しい場所がたくさんある',
    none: [],
    single: [1],
    list: [1, 200, 3000, 'four', null, 5.5],
    long: Array.from({ length: 24 }, (_, i) => i * 11),
    nothing: {},
    pair: { left: 1, right: 'two' },
    nested: { a: { b: { c: { d: [{ e: 'deep' }] } } } },
    many: Object.fromEntries(Array.from({ length: 18 }, (_, i) => [`key${i}`, c.below(1000)])),
    notes: [c.words(5), c.words(7), c.words(6), c.words(9)],
  };
}

/** The answer of a service about one account. */
function account(): unknown {
  return {
    id: 48_211,
    uid: 'c0ffee51-77aa-4f0e-9c1d-2b9e5d1a7f30',
    name: 'Marta Lindqvist',
    email: 'marta.lindqvist@example.org',
    verified: true,
    followers: 1_284,
    following: 311,
    lastSeen: '2026-03-14T09:26:53.589Z',
    locale: 'sv-SE',
    plan: { name: 'team', seats: 25, renews: '2027-01-01' },
    roles: ['owner', 'billing', 'editor'],
    avatar: null,
    balance: 1_940.25,
  };
}

/** A row of a form, texts and switches. */
function form(): unknown {
  return {
    type: 'rectangle',
    version: 17,
    x: 412.5,
    y: 96.25,
    width: 640,
    height: 360,
    rotation: 0,
    locked: false,
    visible: true,
    label: 'Overview of the second floor',
    font: { family: 'Source Sans', size: 14, weight: 600 },
    stroke: { color: '#1f6feb', width: 2, dash: 'none' },
    fill: { color: '#f6f8fa', opacity: 0.85 },
    layer: 3,
    author: 'd.okafor',
    updated: 1_773_480_413,
    links: [18, 22, 907],
  };
}

/** Two dozen orders with their lines. */
function orders(): unknown {
  const c = new Chance(4);
  return Array.from({ length: 24 }, (_, i) => ({
    order: 7_000 + i,
    customer: { name: c.words(2), city: c.word(), country: c.one(['SE', 'JP', 'KE', 'BR', 'FR']) },
    placed: `2026-0${1 + c.below(9)}-1${c.below(10)}T08:${10 + c.below(50)}:00Z`,
    paid: c.next() < 0.8,
    total: c.below(50_000) / 100,
    lines: Array.from({ length: 1 + c.below(4) }, () => ({
      sku: c.hex(8),
      title: c.words(2),
      count: 1 + c.below(5),
      price: c.below(10_000) / 100,
    })),
    coupon: c.next() < 0.2 ? c.hex(6) : null,
  }));
}

/** One reading of an instrument; a message of less than 150 bytes, with floats that need 64 bits. */
function reading(): unknown {
  return {
    sensor: 'n3',
    at: 1_773_480_413_250,
    ok: true,
    temperature: 21.483,
    pressure: 1013.27,
    wind: [3.41, -0.72, 0.05],
    gps: { lat: 59.32932, lon: 18.06858 },
  };
}

/** Seven people with much text, as generators of samples make them. */
function people(): unknown {
  const c = new Chance(6);
  return Array.from({ length: 7 }, (_, index) => ({
    id: c.hex(24),
    index,
    guid: `${c.hex(8)}-${c.hex(4)}-${c.hex(4)}-${c.hex(4)}-${c.hex(12)}`,
    isActive: c.next() < 0.5,
    balance: `$${1 + c.below(3)},${100 + c.below(900)}.${10 + c.below(90)}`,
    picture: 'https://example.org/pictures/32x32',
    age: 20 + c.below(40),
    eyeColor: c.one(['blue', 'brown', 'green']),
    name: c.words(2),
    company: c.word().toUpperCase(),
    email: `${c.word()}.${c.word()}@example.org`,
    phone: `+1 (${800 + c.below(100)}) ${400 + c.below(100)}-${2000 + c.below(1000)}`,
    about: `${c.words(35)}. ${c.words(30)}.`,
    registered: `201${c.below(10)}-0${1 + c.below(9)}-1${c.below(10)}T0${c.below(10)}:11:42 -02:00`,
    latitude: c.next() * 180 - 90,
    longitude: c.next() * 360 - 180,
    tags: Array.from({ length: 7 }, () => c.word()),
    friends: Array.from({ length: 3 }, (_, id) => ({ id, name: c.words(2) })),
    greeting: `Hello! You have ${c.below(10)} unread messages.`,
    favoriteFruit: c.one(['apple', 'banana', 'strawberry']),
  }));
}

// --- large messages --------------------------------------------------------------------------------------------------

/** A thousand rows of one shape, as an API lists them; one name in eight is not ASCII. */
function apiList(): unknown {
  const c = new Chance(7);
  const foreign = ['Åsa Öberg', 'Łukasz Żak', '山田 花子', 'Ирина Орлова', 'José Núñez'];
  return Array.from({ length: 1000 }, (_, i) => ({
    id: 100_000 + i,
    name: c.next() < 0.12 ? c.one(foreign) : c.words(2),
    email: `user${i}@example.org`,
    active: c.next() < 0.7,
    score: c.below(1_000_000) / 100,
    created: 1_700_000_000_000 + c.below(1e9),
    tags: Array.from({ length: c.below(5) }, () => c.word()),
    address: {
      street: `${c.words(2)} ${c.below(200)}`,
      city: c.word(),
      zip: String(10_000 + c.below(80_000)),
      country: c.one(['SE', 'JP', 'KE', 'BR', 'FR']),
      location: { lat: c.next() * 180 - 90, lon: c.next() * 360 - 180 },
    },
    role: c.one(['admin', 'editor', 'viewer']),
    phone: `+46 ${10 + c.below(90)} ${100 + c.below(900)} ${1000 + c.below(9000)}`,
    company: { name: c.words(3), employees: c.below(5000) },
    manager: c.next() < 0.2 ? null : i >> 3,
  }));
}

/** A deep tree of some 440 objects, hardly two with the same names, as a configuration is. */
function config(): unknown {
  const c = new Chance(8);
  const tree = (depth: number): unknown => {
    const object: Record<string, unknown> = {};
    const count = 3 + c.below(5);
    for (let i = 0; i < count; i++) {
      const name = `${c.word()}${c.one(['', 'Limit', 'Path', 'Mode', 'Count', 'List'])}`;
      if (depth > 0 && c.next() < 0.5) object[name] = tree(depth - 1);
      else
        object[name] = c.one<unknown>([c.next() < 0.5, c.below(100_000), c.words(2), null, `/${c.word()}/${c.word()}`]);
    }
    return object;
  };
  return Object.fromEntries(Array.from({ length: 9 }, () => [c.word(), tree(4)]));
}

/** Sixty polygons of pairs, and a column of floats. */
function geo(): unknown {
  const c = new Chance(9);
  const ring = (count: number) => Array.from({ length: count }, () => [c.next() * 360 - 180, c.next() * 180 - 90]);
  return {
    type: 'FeatureCollection',
    features: Array.from({ length: 60 }, (_, id) => ({
      type: 'Feature',
      id,
      properties: { name: c.words(2), area: c.next() * 1e6 },
      geometry: { type: 'Polygon', coordinates: [ring(60 + c.below(60))] },
    })),
    elevations: Array.from({ length: 2000 }, () => c.next() * 4000),
  };
}

/** Two hundred posts in five languages. */
function posts(): unknown {
  const c = new Chance(10);
  return Array.from({ length: 200 }, (_, id) => {
    const lang = (['zh', 'ja', 'ru', 'fr', 'en'] as const)[id % 5] ?? 'en';
    const say = (length: number) => text(lang, length, () => c.next());
    return { id, lang, author: say(8), title: say(24), body: `${say(200)} 🎉`, likes: c.below(5000) };
  });
}

/** Five hundred events with their times, some with an error. */
function logs(): unknown {
  const c = new Chance(11);
  return Array.from({ length: 500 }, (_, i) => {
    const event = {
      time: new Date(1_770_000_000_000 + i * 317),
      level: c.one(['debug', 'info', 'info', 'info', 'warn', 'error']),
      service: c.one(['gateway', 'billing', 'search', 'mailer']),
      host: `node-${c.below(12)}`,
      pid: 1000 + c.below(30_000),
      message: c.words(9),
      request: { id: c.hex(16), method: c.one(['GET', 'POST', 'PUT']), path: `/v1/${c.word()}/${c.below(9999)}` },
      status: c.one([200, 200, 204, 404, 500]),
      duration: c.below(100_000) / 1000,
    };
    if (c.next() > 0.15) return event;
    return { ...event, error: { name: 'TimeoutError', code: 'E_TIMEOUT', retries: c.below(5), stack: c.words(20) } };
  });
}

/** Eight buffers from 1 to 256 KiB with their names. */
function blobs(): unknown {
  const c = new Chance(12);
  const sizes = [1, 4, 16, 32, 64, 128, 150, 256];
  return sizes.map((size) => ({
    name: `${c.word()}.bin`,
    mime: 'application/octet-stream',
    data: Uint8Array.from({ length: size * 1024 }, () => c.below(256)),
  }));
}

// --- the list --------------------------------------------------------------------------------------------------------

/**
 * The payloads. Every string is flat, as decoded or received text is: a string built from parts is a rope, which costs
 * whoever reads it first more, and would make the first library measured look slow.
 */
export function workloads(): Workload[] {
  const made: [string, () => unknown, boolean][] = [
    ['ex1', everyFormat, true],
    ['ex2', account, true],
    ['ex3', form, true],
    ['ex4', orders, true],
    ['ex5', reading, true],
    ['sampleLarge', people, true],
    ['apiList', apiList, true],
    ['config', config, true],
    ['geo', geo, true],
    ['text', posts, true],
    ['logs', logs, false],
    ['blobs', blobs, false],
  ];
  return made.map(([name, make, isJson]) => ({ name, value: structuredClone(make()), isJson }));
}
