// Uses every name of msgpackr's types as its users do; it compiles against either library unchanged.

import {
  addExtension,
  C1,
  clearSource,
  Decoder,
  decode,
  decodeIter,
  Encoder,
  type Extension,
  encode,
  encodeIter,
  FLOAT32_OPTIONS,
  isNativeAccelerationEnabled,
  type Options,
  Packr,
  PackrStream,
  pack,
  RESERVE_START_SPACE,
  RESET_BUFFER_MODE,
  REUSE_BUFFER_MODE,
  roundFloat32,
  Unpackr,
  UnpackrStream,
  unpack,
  unpackMultiple,
} from 'msgpackr';

class Money {
  constructor(readonly cents: number) {}
}

const options: Options = {
  useFloat32: FLOAT32_OPTIONS.DECIMAL_FIT,
  useRecords: (value: any) => value.id !== undefined,
  structures: [],
  moreTypes: true,
  maxIncompleteBufferSize: 1000,
  int64AsType: 'bigint',
  shouldShareStructure: (keys) => keys.length < 20,
  getStructures: () => [],
  saveStructures: (structures) => structures.length > 0,
  onInvalidDate: () => null,
};
const packr = new Packr(options);
const packed: Buffer = packr.pack({ id: 1 }, REUSE_BUFFER_MODE | RESET_BUFFER_MODE);
const name: string = packr.unpack(packed).name.first;
packr.useBuffer(Buffer.alloc(10));
packr.clearSharedData();
const extension: Extension = {
  Class: Money,
  type: 12,
  write: (money: Money) => money.cents,
  read: (cents: number) => new Money(cents),
};
addExtension(extension);
const texts: string[] = unpackMultiple(packed).map((value) => value.text);
unpackMultiple(packed, (value, start, end) => value.id === start && end !== undefined);
const first: number = decode(encode([1]), { start: 0, end: 2 })[0];
const both: Buffer = Buffer.concat([pack(1, RESERVE_START_SPACE | 4), new Encoder().encode(2)]);
const again: any = new Decoder({ mapsAsObjects: true }).decode(both, 3) ?? unpack(both) ?? new Unpackr().unpack(both);
new PackrStream({ highWaterMark: 10 }).pipe(new UnpackrStream());
clearSource();
export const used = [name, texts, first, again, C1, roundFloat32(1.5), isNativeAccelerationEnabled];

export async function each(): Promise<void> {
  for await (const value of decodeIter([packed])) used.push(value.name);
  for (const bytes of encodeIter([packed]) as Iterable<Buffer>) used.push(bytes.length);
}
