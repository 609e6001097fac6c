import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** After so long the socket is destroyed, even if its peer keeps it open. */
export const destroyIn = (socket: Socket, ms: number): void => {
  const timer = setTimeout(() => socket.destroy(), ms);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
};

/**
 * An answer that comes before its request was read to the end, as for a body that is too large, also ends the
 * connection. Closed at once, with bytes unread, a connection is reset, and the reset overtakes the answer: the client
 * sees a broken connection, and a proxy says 502. So our side is closed, and theirs is read for a while.
 * No client keeps a refused connection for longer than that, by sending on or by not reading.
 */
export const addDelayedClose = (app: FastifyInstance, closeDelayMs: number): void => {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { complete, socket } = request.raw;
    // Set by a refusal. That the service itself is ending is said by a later hook: good answers may take their time.
    const refused = reply.getHeader('connection') === 'close';
    // The client, often a proxy, may also have wanted the connection for this request only.
    const last = refused || !reply.raw.shouldKeepAlive;
    if (socket instanceof Socket && last && (refused || !complete)) {
      if (refused) socket.refused = true;
      // What the HTTP server calls once the last answer of a connection is written.
      if (!complete) {
        socket.destroySoon = () => {
          socket.end();
          destroyIn(socket, closeDelayMs);
        };
      }
      // Behind others of a pipeline it is not its turn yet.
      if (refused && reply.raw.socket) destroyIn(socket, closeDelayMs);
      else if (refused) reply.raw.once('socket', () => destroyIn(socket, closeDelayMs));
    }
    done();
  });
};

declare module 'node:net' {
  interface Socket {
    /** Its last answer has been given: what else comes is not even called wrong. */
    refused?: boolean;
  }
}
