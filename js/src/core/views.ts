// Getters of views, called directly.
//
// Reading `buffer`, `byteOffset` or `length` of a Node Buffer looks up the getter each time, because Buffer.prototype
// has so many members. Calling the getter directly takes a third of the time. A direct call also can't run code that
// someone put in place of the getter, and sees past a `length` that someone gave to the bytes, as lmdb does.

/**
 * A Uint8Array whose memory is never shared, as fetch, Response, Blob and WebCrypto require. It is `Uint8Array` before
 * TypeScript 5.7, which has no type arguments for it, and `Uint8Array<ArrayBuffer>` since.
 */
export type Bytes = ReturnType<Uint8ArrayConstructor['of']>;

function getterOf(name: string): () => unknown {
  const { get } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name) ?? {};
  return get as () => unknown;
}

const GET_BUFFER = /* @__PURE__ */ getterOf('buffer');
const GET_OFFSET = /* @__PURE__ */ getterOf('byteOffset');
const GET_LENGTH = /* @__PURE__ */ getterOf('length');

export function bufferOf(bytes: Uint8Array): ArrayBufferLike {
  return Reflect.apply(GET_BUFFER, bytes, []) as ArrayBufferLike;
}

export function offsetOf(bytes: Uint8Array): number {
  return GET_OFFSET.call(bytes) as number;
}

export function lengthOf(bytes: Uint8Array): number {
  return GET_LENGTH.call(bytes) as number;
}
