// What a page does with packed bytes: sends, stores, hashes and compresses them. Compiles against the types of the DOM.

import { canonicalize, encode, encodeCanonical, encodeIter, Packr, pack, packTransform } from 'polypack';
import * as compact from 'polypack/compact';
import * as msgpackr from 'polypack/msgpackr';
import { MemoryStore } from 'polypack/stores';

const packr = new Packr();
packr.useBuffer(new Uint8Array(100));
const canonical = canonicalize(encodeCanonical(1));
const results = [pack(1), encode(1), packr.pack(1), packr.encode(1), compact.pack(1), new compact.Packr().pack(1)];
const others = [canonical, msgpackr.pack(1), new msgpackr.Packr().encode(1), ...encodeIter([1])];

export const stored: Promise<BodyInit | null> = new MemoryStore().load();
export const stream = new Response(packTransform().readable);
export const packed = new ReadableStream<unknown>()
  .pipeThrough(packTransform())
  .pipeThrough(new CompressionStream('gzip'));

export async function send(socket: WebSocket, worker: Worker): Promise<void> {
  for (const body of [...results, ...others]) {
    await fetch('/', { method: 'POST', body });
    await fetch(new Request('/', { method: 'PUT', body }));
    await new Response(body).arrayBuffer();
    await new Blob([body]).arrayBuffer();
    await crypto.subtle.digest('SHA-256', body);
    navigator.sendBeacon('/', body);
    socket.send(body);
    worker.postMessage(body, [body.buffer]);
  }
}
