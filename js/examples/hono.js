// A server with Hono, here on Node: bodies in MessagePack, and a stream of rows. On Bun, Deno and Cloudflare Workers
// `export default app` stands for the last lines.

import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { PolypackError, pack, packTransform, Unpackr } from 'polypack';

const TYPE = 'application/vnd.msgpack';
// Strict: no key twice, no __proto__. Requests need no more depth than this.
const requests = new Unpackr({ mode: 'strict', records: 'off', limits: { maxDepth: 16 } });

const app = new Hono();

// Larger bodies are answered with 413.
app.post('/orders', bodyLimit({ maxSize: 65_536 }), async (context) => {
  if (context.req.header('content-type') !== TYPE) return context.body(null, 415);
  const order = requests.unpack(await context.req.arrayBuffer());
  if (!Array.isArray(order?.items)) return answer(context, 400, { code: 'no_items', path: '/items' });
  return answer(context, 200, { count: order.items.length });
});

app.get('/rows', (context) => {
  const stream = ReadableStream.from(rows()).pipeThrough(packTransform({ records: 'off' }));
  return context.body(stream, 200, { 'content-type': TYPE });
});

async function* rows() {
  for (let id = 0; id < 1000; id++) yield { id, name: `row ${id}` };
}

function answer(context, status, value) {
  return context.body(pack(value), status, { 'content-type': TYPE });
}

app.onError((error, context) => {
  // What bodyLimit throws, for one.
  if (error instanceof HTTPException) return error.getResponse();
  if (!(error instanceof PolypackError)) return context.text('Internal Server Error', 500);
  const { code, offset, path } = error;
  return answer(context, 400, { code, offset, path });
});

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`);
});
