// The adapter of the compact JavaScript codec: answers the line protocol (conformance/README.md)
// with `polypack/compact`.
//
// It has no streams, no canonical form and writes no records, which its row in lib/adapters.mjs says. Run by the judge;
// it needs the build of js/.

import { Packr, Unpackr } from 'polypack/compact';
import { fromHex, optionsOf, serve, toHex, toHost, toTagged } from './common.mjs';
import { COMPACT_DOORS } from './doors.mjs';
import { doorsOf, measure } from './measure.mjs';

const NO_RECORDS = { unsupported: 'it writes no records' };

await serve('js-compact', {
  decode: (request) => ({ value: toTagged(new Unpackr(optionsOf(request)).unpack(fromHex(request.bytes))) }),
  encode: (request) => {
    if (request.records === 'inline') return NO_RECORDS;
    return { bytes: toHex(new Packr(optionsOf(request)).pack(toHost(request.value))) };
  },
  transcode: (request) => {
    if (request.records === 'inline') return NO_RECORDS;
    const packr = new Packr(optionsOf(request));
    return { bytes: toHex(packr.pack(packr.unpack(fromHex(request.bytes)))) };
  },
  measure: (request) => measure(request, COMPACT_DOORS, Unpackr),
  doors: () => doorsOf(COMPACT_DOORS),
});
