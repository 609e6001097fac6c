import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

const callsOf = new WeakMap<Socket, Set<() => void>>();

/** One listener per connection, however many calls are pipelined on it. */
const callsOn = (socket: Socket): Set<() => void> => {
  const known = callsOf.get(socket);
  if (known) return known;
  const calls = new Set<() => void>();
  callsOf.set(socket, calls);
  socket.once('close', () => endCalls(socket));
  return calls;
};

/** Ends every call of a connection that gets no further answer, though the connection may still be open. */
export const endCalls = (socket: Socket): void => {
  for (const end of [...(callsOf.get(socket) ?? [])]) end();
};

/**
 * Runs `over` exactly once: when the answer has left (`answered`), or when none can leave any more. The answer alone
 * does not tell: to a connection that was refused nothing is sent any more, though it may still be open, and not in
 * every release of Node does an answer that waits behind others of a pipeline learn that its connection has closed.
 */
export const whenOver = (reply: FastifyReply, over: (answered: boolean) => void): void => {
  const { raw } = reply;
  const { socket } = reply.request.raw;
  if (socket.closed) {
    over(false);
    return;
  }
  const calls = callsOn(socket);
  const end = (answered: boolean): void => {
    raw.off('finish', left).off('close', lost);
    calls.delete(lost);
    over(answered);
  };
  const left = (): void => end(true);
  const lost = (): void => end(false);
  raw.once('finish', left).once('close', lost);
  calls.add(lost);
};
