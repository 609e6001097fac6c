import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';

/**
 * Whether a proxy may read it otherwise than we do: where it ends, or for which host it is. Of two `Host` headers the HTTP
 * server takes the first, and a transfer coding before `chunked` it leaves in the body.
 */
export const isAmbiguous = ({ headers, rawHeaders }: IncomingMessage): boolean => {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return true;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
};

export const refuseFraming = (reply: FastifyReply): FastifyReply =>
  reply.code(400).header('Connection', 'close').send();

/** Ends connections on which it is unclear where a request begins and ends, like everything else that is not HTTP. */
export const addFraming = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isAmbiguous(request.raw)) return done();
    refuseFraming(reply);
  });
};
