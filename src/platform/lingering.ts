import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long what a client still sends is thrown away after its answer. */
const lingerMs = 5_000;

const linger = (socket: Socket): void => {
  // What the HTTP server calls once the last answer of a connection is written.
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    timer.unref();
    socket.once('close', () => clearTimeout(timer));
  };
};

/**
 * An answer that comes before its request was read to the end, as for a body that is too large, also ends the
 * connection. Closed at once, with bytes unread, a connection is reset, and the reset overtakes the answer: the client
 * sees a broken connection, and a proxy says 502. So the own side is closed, and the other one read for a while.
 */
export const addLingering = (app: FastifyInstance): void => {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { complete, socket } = request.raw;
    // The connection ends because we say so, or because the client, often a proxy, wanted it for this request only.
    const last = reply.getHeader('connection') === 'close' || !reply.raw.shouldKeepAlive;
    if (!complete && last && socket instanceof Socket) linger(socket);
    done();
  });
};
