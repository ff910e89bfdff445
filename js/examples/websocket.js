// A chat of WebSockets: each message is one frame, and goes to everybody.

import { PolypackError, pack, Unpackr } from 'polypack';
import { WebSocketServer } from 'ws';

/** Close codes of WebSockets: the frame isn't what its type says; it isn't what this server takes. */
const INVALID_DATA = 1007;
const REFUSED = 1008;

// Strict: no key twice, no __proto__. Bytes in a message are copied, because it is kept longer than the frame.
const frames = new Unpackr({ mode: 'strict', records: 'off', copyBuffers: true, limits: { maxDepth: 16 } });

// Larger frames close the socket with 1009.
const server = new WebSocketServer({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1', maxPayload: 65_536 });

server.on('connection', (socket) => {
  socket.on('error', () => socket.terminate());
  socket.on('message', (data, isBinary) => {
    if (!isBinary) return socket.close(REFUSED, 'binary frames only');
    try {
      const { text } = Object(frames.unpack(data));
      if (typeof text !== 'string') return socket.close(REFUSED, 'no text');
      const message = pack({ text, at: new Date() });
      for (const client of server.clients) if (client.readyState === client.OPEN) client.send(message);
    } catch (error) {
      if (!(error instanceof PolypackError)) throw error;
      socket.close(INVALID_DATA, `${error.code} at ${error.offset}`);
    }
  });
});

server.on('listening', () => console.log(`ws://127.0.0.1:${server.address().port}`));
