// A client for express.js, fastify.js and hono.js, with what browsers have as well: sends a value, and reads an answer
// and a stream of rows. Run: node fetch.js http://127.0.0.1:3000

import { decodeIter, PolypackError, pack, unpack } from 'polypack';

const TYPE = 'application/vnd.msgpack';
const MAX_ANSWER = 65_536;
const MAX_ROW = 1024;

/** Sends a value; resolves to the status and the decoded answer. */
async function post(url, value) {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': TYPE }, body: pack(value) });
  const answer = response.headers.get('content-type') === TYPE ? unpack(await bytesOf(response, MAX_ANSWER)) : null;
  return { status: response.status, value: answer };
}

/** Resolves to the body, which must not be longer than so many bytes. */
async function bytesOf(response, most) {
  const chunks = [];
  let length = 0;
  for await (const chunk of response.body) {
    length += chunk.length;
    // Leaving the loop cancels the request.
    if (length > most) throw new RangeError(`the answer has more than ${most} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** Gives the values of a body as they arrive. */
async function* streamed(url) {
  const response = await fetch(url);
  if (!response.ok || response.headers.get('content-type') !== TYPE) throw new Error(`no rows: ${response.status}`);
  // Without a limit, a row that never ends would fill the memory.
  yield* decodeIter(response.body, { limits: { maxBytes: MAX_ROW } });
}

const [url = 'http://127.0.0.1:3000'] = process.argv.slice(2);
try {
  console.log(await post(`${url}/orders`, { items: [{ id: 1, at: new Date() }] }));
  console.log(await post(`${url}/orders`, { items: null }));
  let count = 0;
  let last;
  for await (const row of streamed(`${url}/rows`)) {
    count++;
    last = row;
  }
  console.log(count, last);
} catch (error) {
  if (!(error instanceof PolypackError || error instanceof RangeError)) throw error;
  console.log(`${error.code ?? error.name}: ${error.message}`);
  process.exitCode = 1;
}
