// A server with Fastify: bodies in MessagePack, and a stream of rows.

import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { PackrStream, PolypackError, pack, Unpackr } from 'polypack';

const TYPE = 'application/vnd.msgpack';
// Strict: no key twice, no __proto__. Requests need no more depth than this.
const requests = new Unpackr({ mode: 'strict', records: 'off', limits: { maxDepth: 16 } });

// Larger bodies are answered with 413, other types with 415.
const app = Fastify({ bodyLimit: 65_536 });
app.removeAllContentTypeParsers();
app.addContentTypeParser(TYPE, { parseAs: 'buffer' }, async (_request, body) => requests.unpack(body));

app.setErrorHandler((error, _request, reply) => {
  if (!(error instanceof PolypackError)) return reply.send(error);
  const { code, offset, path } = error;
  return answer(reply, 400, { code, offset, path });
});

app.post('/orders', (request, reply) => {
  const order = request.body;
  if (!Array.isArray(order?.items)) return answer(reply, 400, { code: 'no_items', path: '/items' });
  return answer(reply, 200, { count: order.items.length });
});

app.get('/rows', (_request, reply) => {
  reply.type(TYPE).send(Readable.from(rows()).pipe(new PackrStream({ records: 'off' })));
});

async function* rows() {
  for (let id = 0; id < 1000; id++) yield { id, name: `row ${id}` };
}

function answer(reply, status, value) {
  return reply.code(status).type(TYPE).send(pack(value));
}

console.log(await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' }));
