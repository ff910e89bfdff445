// The scenarios of the lab that contestants in JavaScript take part in.

import { TAGGED } from './node-values.mjs';

export const LISTS = ['person', 'order', 'rows', 'countries'];

/** The elements of those lists, each a message of its own, and streams of the benches. */
export const STREAMS_OF_SHORT_MESSAGES = [
  ...LISTS.map((name) => `stream-${name}`),
  'stream-messages',
  'stream-100k-by-1k',
  'js-stream-small',
];

/** With messages of 2 and 5 MB, which take seconds where a message is decoded anew with each chunk. */
export const STREAMS = [...STREAMS_OF_SHORT_MESSAGES, 'stream-1800k-by-1k', 'js-stream-large'];

export const DOCUMENTS = ['real-countries', 'real-mime', 'real-emoji', 'real-atlas', 'real-compat', 'real-cities'];

/** Without ints10k, whose ints are too large for a number of JavaScript, and blobs100x1k, which are no text. */
export const PAYLOADS = [
  'api1000',
  'config',
  'event',
  'ints7_10k',
  'ints32_10k',
  'floats10k',
  'texts300',
  'strs5k',
  'matrix100x100f',
  'idmap5k',
];

export const SMALL = ['small-ack', 'small-session', 'small-event'];

/** Of js/bench, without logs and blobs. */
export const OURS = [
  'js-ex1',
  'js-ex2',
  'js-ex3',
  'js-ex4',
  'js-ex5',
  'js-sampleLarge',
  'js-apiList',
  'js-config',
  'js-geo',
  'js-text',
];

/** Of js/bench, too: shapes that defeat what makes a decoder fast. */
export const UNFRIENDLY = [
  'js-unfriendly-uniqueKeys',
  'js-unfriendly-bigDictionary',
  'js-unfriendly-intKeys',
  'js-unfriendly-optionalFields',
  'js-unfriendly-unionTypes',
  'js-unfriendly-mixedArray',
  'js-unfriendly-longKeys',
  'js-unfriendly-wideKeys',
  'js-unfriendly-smallInts',
  'js-unfriendly-shortStrings',
  'js-unfriendly-uuids',
  'js-unfriendly-longAscii',
  'js-unfriendly-deep',
  'js-unfriendly-wide64',
];

/** What JSON carries without loss. */
export const TEXT = [...LISTS, ...PAYLOADS, ...SMALL, ...DOCUMENTS, ...OURS, ...UNFRIENDLY];

/** With logs and blobs, which have Dates and bytes. */
export const EVERYTHING = [...TEXT, ...TAGGED];

/** Where a library is used in another way or host than usual: the lists, and the payloads of js/bench. */
export const SELECTION_OF_TEXT = [...LISTS, ...OURS];

export const SELECTION = [...SELECTION_OF_TEXT, ...TAGGED];
