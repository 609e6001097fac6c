import type { FastifyInstance } from 'fastify';

/**
 * Returns the address at which clients reach the service: the configured one, else the one it listens on, else null. `Host`
 * does not count, because a client may send any.
 */
export const publicUrlOf = (app: FastifyInstance, configured: string | null): (() => string | null) => {
  const listening = (): string | null => {
    const bound = app.server.address();
    if (bound === null || typeof bound === 'string') return null;
    const { address, family, port } = bound;
    if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  };
  return () => configured ?? listening();
};
