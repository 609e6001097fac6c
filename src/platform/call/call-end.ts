import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

/** Told when the answer has left (`answered`), or when none can leave any more. */
export type OnResponseEnd = (answered: boolean) => void;

/** One listener per connection, however many calls are pipelined on it. */
const callsOn = (socket: Socket): Set<CallEnd> => {
  if (socket.calls) return socket.calls;
  const calls = new Set<CallEnd>();
  socket.calls = calls;
  socket.once('close', () => endCalls(socket));
  return calls;
};

/** Ends every call of a connection that gets no further answer, though the connection may still be open. */
export const endCalls = (socket: Socket): void => {
  for (const call of [...(socket.calls ?? [])]) call.end(false);
};

/**
 * Tells all listeners once that a call is over. The answer alone does not tell: to a connection that was refused
 * nothing is sent any more, though it may still be open, and not in every release of Node does an answer that waits
 * behind others of a pipeline learn that its connection has closed.
 */
class CallEnd {
  readonly #calls: Set<CallEnd>;
  #told: OnResponseEnd[] = [];
  #answered: boolean | null = null;

  constructor({ raw, request }: FastifyReply) {
    const { socket } = request.raw;
    this.#calls = callsOn(socket);
    if (raw.writableFinished) this.#answered = true;
    else if (socket.closed) this.#answered = false;
    else {
      raw.on('finish', () => this.end(true));
      this.#calls.add(this);
    }
  }

  tell(over: OnResponseEnd): void {
    if (this.#answered === null) this.#told.push(over);
    else over(this.#answered);
  }

  end(answered: boolean): void {
    if (this.#answered !== null) return;
    this.#answered = answered;
    this.#calls.delete(this);
    for (const over of this.#told) over(answered);
    this.#told = [];
  }
}

/** Runs `over` exactly once: when the call is over, or at once when it is. All who ask share the listeners of a call. */
export const onResponseEnd = (reply: FastifyReply, over: OnResponseEnd): void => {
  reply.raw.callEnd ??= new CallEnd(reply);
  reply.raw.callEnd.tell(over);
};

declare module 'node:net' {
  interface Socket {
    /** Those that are under way on this connection. */
    calls?: Set<CallEnd>;
  }
}

declare module 'node:http' {
  interface ServerResponse {
    callEnd?: CallEnd;
  }
}
