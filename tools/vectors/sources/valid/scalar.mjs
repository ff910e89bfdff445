// The kinds with hardly any values: nil, bool, undefined (spec/02, spec/03#undefined).

import { valid } from '../../cases.mjs';
import { array, bool, fields, nil, undef } from '../../values.mjs';

export default {
  kind: 'valid',
  room: 'scalar',
  about: 'nil, bool and undefined',
  cases: [
    valid('nil', '02#nil', nil),
    valid('bool-false', '02#bool', bool(false)),
    valid('bool-true', '02#bool', bool(true)),
    valid('undefined', '03#undefined', undef),
    valid('undefined-in-array', '03#undefined', array([undef, nil, undef])),
    valid(
      'undefined-in-map',
      '03#undefined',
      fields([
        ['a', undef],
        ['b', nil],
      ]),
    ),
    valid('scalar-all-in-array', '02#array', array([nil, bool(false), bool(true), undef])),
  ],
};
