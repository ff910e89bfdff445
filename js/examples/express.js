// A server with Express: bodies in MessagePack, and a stream of rows.

import { pipeline } from 'node:stream/promises';
import express from 'express';
import { PackrStream, PolypackError, pack, Unpackr } from 'polypack';

const TYPE = 'application/vnd.msgpack';
// Strict: no key twice, no __proto__. Requests need no more depth than this.
const requests = new Unpackr({ mode: 'strict', records: 'off', limits: { maxDepth: 16 } });

const app = express();
// Larger bodies are answered with 413 before they are read to their end.
app.use(express.raw({ type: TYPE, limit: '64kb' }));

app.post('/orders', (request, response) => {
  // Without this type there is no Buffer.
  if (!Buffer.isBuffer(request.body)) return response.sendStatus(415);
  const order = requests.unpack(request.body);
  if (!Array.isArray(order?.items)) return answer(response, 400, { code: 'no_items', path: '/items' });
  answer(response, 200, { count: order.items.length });
});

app.get('/rows', async (_request, response) => {
  response.type(TYPE);
  // Ends without an error when the client goes away.
  await pipeline(rows, new PackrStream({ records: 'off' }), response).catch(() => response.destroy());
});

async function* rows() {
  for (let id = 0; id < 1000; id++) yield { id, name: `row ${id}` };
}

function answer(response, status, value) {
  // Express sends a Buffer as it is; a Uint8Array would become JSON.
  const { buffer, byteOffset, length } = pack(value);
  response
    .status(status)
    .type(TYPE)
    .send(Buffer.from(buffer, byteOffset, length));
}

app.use((error, _request, response, next) => {
  if (!(error instanceof PolypackError)) return next(error);
  const { code, offset, path } = error;
  answer(response, 400, { code, offset, path });
});

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
