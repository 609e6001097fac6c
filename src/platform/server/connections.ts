import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { addressList, callerUnit } from '../../lib/address.ts';

/** The machine itself, where a proxy or a developer is. */
export const loopback: readonly string[] = ['127.0.0.0/8', '::1'];

/** Part of all connections from which on idle ones end. */
const crowdedFrom = 0.8;
/** Part of all connections that one address may have, and what it may have in any case. */
const share = 0.25;
const leastShare = 8;
/** A new connection looks at no more others than this for an idle one. */
const mostLooks = 64;

interface ConnectionSettings {
  /** `MAX_CONNECTIONS` */
  readonly most: number;
  /** Networks whose connections are of many callers: they have no share, and keep their idle connections. */
  readonly shared: readonly string[];
}

/** No call is under way on it; a stream is a call. */
const isIdle = ({ calls }: Socket): boolean => calls === undefined || calls.size === 0;

/**
 * Ends an idle connection, one that has not been used for longest or nearly so; false when none was found. What is busy
 * or was used since the last look moves to the end, so that nothing has to be kept in order for every call.
 */
const endIdle = (connections: Set<Socket>, newest: Socket): boolean => {
  let looks = mostLooks;
  for (const socket of connections) {
    if (looks === 0) return false;
    looks -= 1;
    if (socket === newest) continue;
    if (isIdle(socket) && socket.usedSinceLook !== true) {
      socket.destroy();
      return true;
    }
    socket.usedSinceLook = false;
    connections.delete(socket);
    connections.add(socket);
  }
  return false;
};

/**
 * Keeps connections from running out: when most of them are taken, idle ones end for new ones, and no address has more than
 * its share. Beyond `most` the server closes new ones itself.
 */
export const addConnectionShares = (app: FastifyInstance, { most, shared }: ConnectionSettings): void => {
  const isShared = addressList(shared);
  const perAddress = Math.max(leastShare, Math.floor(most * share));
  const crowded = Math.floor(most * crowdedFrom);
  const mayEnd = new Set<Socket>();
  const byAddress = new Map<string, Set<Socket>>();
  let open = 0;

  const register = (socket: Socket, address: string): Set<Socket> => {
    const unit = callerUnit(address);
    const own = byAddress.get(unit) ?? new Set();
    byAddress.set(unit, own.add(socket));
    mayEnd.add(socket);
    socket.once('close', () => {
      mayEnd.delete(socket);
      own.delete(socket);
      if (own.size === 0) byAddress.delete(unit);
    });
    return own;
  };

  app.server.maxConnections = most;
  app.server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    const address = socket.remoteAddress;
    // It has been reset already.
    if (address === undefined) return;
    const own = isShared(address) ? null : register(socket, address);
    if (own !== null && own.size > perAddress && !endIdle(own, socket)) socket.destroy();
    else if (open > crowded) endIdle(mayEnd, socket);
  });
  app.addHook('onRequest', ({ raw: { socket } }, _reply, done) => {
    if (socket instanceof Socket) socket.usedSinceLook = true;
    done();
  });
};

declare module 'node:net' {
  interface Socket {
    usedSinceLook?: boolean;
  }
}
