// Where another library says something else than the vectors, and why the vectors stay. An entry that explains nothing
// fails the check, so the list cannot rot.

/** @typedef {{library: string, cases: RegExp, what: RegExp, why: string}} Entry */

const MSGPACKR = ['msgpackr 2.1.3', 'msgpackr 1.11.12'];

/** @param {RegExp} cases @param {RegExp} what @param {string} why @returns {Entry[]} */
const bothMsgpackr = (cases, what, why) => MSGPACKR.map((library) => ({ library, cases, what, why }));

/** @type {Entry[]} */
export const DISAGREEMENTS = [
  {
    library: '@msgpack/msgpack',
    cases: /^(key-proto|keys-alike-proto|document-seed-)/,
    what: /The key __proto__ is not allowed/,
    why: 'it refuses the key, as our strict mode does in JavaScript; lossless mode keeps it (spec/09)',
  },
  {
    library: '@msgpack/msgpack',
    cases: /^float-minus-zero$/,
    what: /^writes 00$/,
    why: 'it writes −0 as the int 0; a float is never written as an int (spec/02#float)',
  },
  {
    library: '@msgpack/msgpack',
    cases: /^keys-alike-(2-to-53|int-64|int-and-float|minus-one|one-of-every-kind|zeros)$/,
    what: / is \{/,
    why: 'one number type: the int and the float of one number are one key to it, and two here (spec/01)',
  },
  ...bothMsgpackr(
    /^keys-alike-(int-and-float|minus-one|zeros|one-of-every-kind)$/,
    / is \{/,
    'one number type, as above',
  ),
  ...bothMsgpackr(/^key-float-minus-zero/, /\{"int":"0"\}/, 'a Map of JavaScript turns the key −0 into 0'),
  ...bothMsgpackr(/^record-declaration-name-proto$/, /__proto_"/, 'it renames the field; we keep it (spec/05)'),
  {
    library: 'msgpackr 2.1.3',
    cases: /^javascript-clone-(error-with-code|hole)$/,
    what: /^writes /,
    why: 'it does not write the code of an error; it reads a hole as undefined',
  },
  {
    library: 'msgpackr 2.1.3',
    cases: /^javascript-clone-(int-64-in-key|uint-64-of-a-number)$/,
    what: /^writes /,
    why: 'all integers with a head of 64 bits are bigints to it, in keys, too, and those that others write for numbers',
  },
  {
    library: 'msgpackr 2.1.3',
    cases: /^javascript-clone-map-in-itself$/,
    what: /^writes fails: TypeError/,
    why: 'it fails to read a pointer to an object in that object',
  },
  {
    library: 'msgpackr 2.1.3',
    cases: /^record-instance-(hi-is-any-byte|of-two-byte-id-7f-ff|one-byte-then-two|two-one-two)$/,
    what: /end of buffer not reached/,
    why: 'it finds a pair by the pair with hi 00 of the same lo, which its own encoder always declares first',
  },
  {
    library: 'msgpackr 1.11.12',
    cases: /^record-(instance-|two-byte-ids-|declaration-two-byte-)/,
    what: /getStructures is not a function|end of buffer not reached/,
    why: 'it reads two-byte ids only with shared structures, and then as 2.1.3 does; it cannot read these bytes of its own',
  },
];
