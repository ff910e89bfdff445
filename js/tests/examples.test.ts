// The programs of js/examples, started as a user starts them, and called.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { type EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { createConnection } from 'node:net';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pack, unpack } from 'polypack';
import { bytesOf } from './_values.ts';
import { REPOSITORY } from './_vectors.ts';

const TYPE = 'application/vnd.msgpack';
// Programs are started without the flags of this process, so a second run would only repeat the first.
const skip = process.env.POLYPACK_TESTS_WITHOUT_EVAL === '1' && 'the programs are the same as in the first run';
const PATIENCE = { timeout: 120_000, skip };

/** What the tests use of ws. */
interface Socket extends EventEmitter {
  send(data: Uint8Array | string): void;
  terminate(): void;
}

function start(name: string, args: string[] = []) {
  const file = fileURLToPath(new URL(`js/examples/${name}.js`, REPOSITORY));
  const program = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  program.stdout.setEncoding('utf8');
  program.stderr.setEncoding('utf8');
  return program;
}

/** Runs a program to its end. */
async function run(name: string, args?: string[]): Promise<{ status: number; output: string; errors: string }> {
  const program = start(name, args);
  let output = '';
  let errors = '';
  program.stdout.on('data', (text) => {
    output += text;
  });
  program.stderr.on('data', (text) => {
    errors += text;
  });
  const [status] = await once(program, 'close');
  return { status, output, errors };
}

/** Starts a server for one test; resolves to the address that it prints. */
async function serve(context: TestContext, name: string): Promise<string> {
  const program = start(name);
  context.after(() => program.kill());
  let errors = '';
  program.stderr.on('data', (text) => {
    errors += text;
  });
  let output = '';
  for await (const text of program.stdout.iterator({ destroyOnReturn: false })) {
    output += text;
    if (output.includes('\n')) return output.trim();
  }
  throw new Error(`${name} ended: ${errors}`);
}

async function post(url: string, body: Uint8Array, type = TYPE) {
  const response = await fetch(`${url}/orders`, { method: 'POST', headers: { 'content-type': type }, body });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isOurs = response.headers.get('content-type') === TYPE;
  return { status: response.status, value: isOurs ? unpack(bytes) : undefined };
}

for (const name of ['express', 'fastify', 'hono']) {
  test(`${name}: values and streams, for the client that uses fetch`, PATIENCE, async (context) => {
    const url = await serve(context, name);
    assert.deepEqual(await run('fetch', [url]), {
      status: 0,
      output:
        '{ status: 200, value: { count: 1 } }\n' +
        "{ status: 400, value: { code: 'no_items', path: '/items' } }\n" +
        "1000 { id: 999, name: 'row 999' }\n",
      errors: '',
    });
  });

  test(`${name}: what is faulty, too large or of another type is answered as such`, PATIENCE, async (context) => {
    const url = await serve(context, name);
    for (const [bytes, value] of [
      ['81 a5 69 74 65 6d 73 91 c1', { code: 'reserved_byte', offset: 8, path: '/items/0' }],
      ['81 a5 69 74 65 6d 73 92 01', { code: 'unexpected_end', offset: 7, path: '/items' }],
      ['82 a1 61 01 a1 61 02', { code: 'duplicate_key', offset: 4, path: '/a' }],
      ['80 80', { code: 'trailing_data', offset: 1, path: '' }],
      [
        `81 a5 69 74 65 6d 73 ${'91 '.repeat(20)} 01`,
        { code: 'limit_exceeded', offset: 22, path: `/items${'/0'.repeat(15)}` },
      ],
    ] as const) {
      assert.deepEqual(await post(url, bytesOf(bytes)), { status: 400, value }, bytes);
    }
    for (const value of [null, 5, [], {}]) assert.equal((await post(url, pack(value))).status, 400);
    assert.equal((await post(url, pack({ items: [] }), 'text/plain')).status, 415);
    assert.equal((await post(url, pack({ items: [new Uint8Array(70_000)] }))).status, 413);
    // It still serves.
    assert.deepEqual(await post(url, pack({ items: [1, 2] })), { status: 200, value: { count: 2 } });
  });

  test(`${name}: a client that leaves a stream does no harm`, PATIENCE, async (context) => {
    const url = await serve(context, name);
    const { port, hostname } = new URL(url);
    const socket = createConnection(Number(port), hostname);
    socket.write(`GET /rows HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    await once(socket, 'data');
    socket.destroy();
    assert.deepEqual(await post(url, pack({ items: [] })), { status: 200, value: { count: 0 } });
  });
}

test('fetch: answers that are faulty, too long or cut are errors', PATIENCE, async (context) => {
  let answers: (Uint8Array | 'cut')[] = [];
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', TYPE);
    const answer = answers.shift() ?? pack(null);
    if (answer === 'cut') response.end(bytesOf('01 92 01'));
    else response.end(answer);
  }).listen(0, '127.0.0.1');
  context.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  for (const [given, message] of [
    [[bytesOf('c1')], /^reserved_byte: .*at byte 0/],
    [[new Uint8Array(70_000)], /^RangeError: the answer has more than 65536 bytes/],
    [[pack(1), pack(2), 'cut'], /^unexpected_end: /m],
    [[pack(1), pack(2), pack('x'.repeat(2000))], /^limit_exceeded: .*1024/m],
  ] as const) {
    answers = [...given];
    const { status, output, errors } = await run('fetch', [`http://127.0.0.1:${port}`]);
    assert.equal(status, 1, errors);
    assert.match(output, message);
  }
});

test('websocket: messages go to everybody, and faulty ones close the socket', PATIENCE, async (context) => {
  const url = await serve(context, 'websocket');
  // Types of ws would be one more package, and Node 20 has no WebSocket of its own.
  const { WebSocket } = (await import('ws' as string)) as { WebSocket: new (url: string) => Socket };
  const one = new WebSocket(url);
  const other = new WebSocket(url);
  const sockets = [one, other];
  await Promise.all(sockets.map((socket) => once(socket, 'open')));
  const received = sockets.map((socket) => once(socket, 'message'));
  one.send(pack({ text: 'hello' }));
  for (const message of received) {
    const [data] = await message;
    const { text, at } = unpack<{ text: string; at: Date }>(data);
    assert.equal(text, 'hello');
    assert.ok(at instanceof Date);
  }
  for (const [data, code, reason] of [
    [bytesOf('81 a1 61 c1'), 1007, 'reserved_byte at 3'],
    [new Uint8Array(0), 1007, 'unexpected_end at 0'],
    [pack(null), 1008, 'no text'],
    [pack({ text: 5 }), 1008, 'no text'],
    ['text', 1008, 'binary frames only'],
    [new Uint8Array(70_000), 1009, ''],
  ] as const) {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    socket.send(data);
    const [closed, why] = await once(socket, 'close');
    assert.deepEqual([closed, String(why)], [code, reason]);
  }
  const last = once(other, 'message');
  one.send(pack({ text: 'still here' }));
  assert.equal(unpack<{ text: string }>((await last)[0]).text, 'still here');
  for (const socket of sockets) socket.terminate();
});

test('worker: bytes are transferred both ways, and errors are answers', PATIENCE, async () => {
  assert.deepEqual(await run('worker'), {
    status: 0,
    output: "0 { sum: 499500 }\n0 { sum: 0 }\n0 { error: { code: 'reserved_byte', offset: 1, path: '' } }\n",
    errors: '',
  });
});
