// Heads that lie, bytes that are reserved, bytes too many (spec/02, spec/06#counts).

import { invalid } from '../../cases.mjs';

export default {
  kind: 'invalid',
  room: 'wire',
  about: 'heads that lie, bytes that are reserved, bytes too many',
  cases: [
    invalid('wire-reserved-at-top', '02#wire', 'c1', 'reserved_byte@0'),
    invalid('wire-inner-array-over-what-outer-owes', '06#counts', '93 a1 61 91 01', 'unexpected_end@3 /1'),
  ],
};
