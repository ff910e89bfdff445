// What contestants that read streams share: bytes as Node gives them from a socket or a file.

/** The length of a chunk in bytes, as lab/src/Payload/Chunks.php has it. */
export const CHUNK = 8192;

/** @param {Uint8Array} bytes */
export function* chunksOf(bytes) {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < all.length; at += CHUNK) yield all.subarray(at, at + CHUNK);
}

/** The same for libraries that wait for each chunk. */
export async function* arriving(/** @type {Uint8Array} */ bytes) {
  yield* chunksOf(bytes);
}
