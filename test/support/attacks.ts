import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as secureConnect } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { first } from './campus-rig.ts';

/** Whom to attack, and how hard. */
export interface Order {
  readonly port: number;
  /** Certificate to trust, where TLS is spoken. */
  readonly certificate?: string;
  /** Number of the network 127.0.N.0/24 that the attack comes from; 0 where it is left out. */
  readonly network?: number;
  /** Calls at once, each from its own address. */
  readonly lines: number;
  /** Connections held open by the attacks that do so. */
  readonly sockets: number;
  /** Milliseconds between two calls of a line. */
  readonly pauseMs: number;
  /** Where the campus's portal is looked for, for the attack by a hostile one. */
  readonly portalPort?: number;
  readonly inviteToken?: string;
}

/** How often each status was answered; `closed` where a connection ended without an answer, `opened` where one began. */
export type Outcomes = Record<string, number>;

export interface Field {
  readonly order: Order;
  going(): boolean;
  count(outcome: string): void;
}

interface Call {
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const from = ({ network = 0 }: Order, line: number): string => `127.0.${network}.${2 + (line % 200)}`;
const jsonType = { 'content-type': 'application/json' };

const ask = ({ order, count }: Field, agent: Agent, line: number, { path, headers, body }: Call): Promise<void> =>
  new Promise((resolve) => {
    const { port, certificate } = order;
    const options = {
      host: '127.0.0.1',
      port,
      path,
      agent,
      localAddress: from(order, line),
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...headers,
        ...(body === undefined ? {} : { ...jsonType, 'content-length': Buffer.byteLength(body) }),
      },
    };
    const asked = certificate === undefined ? request(options) : secureRequest({ ...options, ca: certificate });
    let status = 'closed';
    asked.once('response', (answer) => {
      status = String(answer.statusCode);
      answer.resume().on('error', () => {});
    });
    asked.on('error', () => {});
    asked.once('close', () => {
      count(status);
      resolve();
    });
    asked.end(body);
  });

/** The same kind of call again and again, on as many lines as ordered. */
const flood =
  (callOf: (turn: number, order: Order) => Call) =>
  async (field: Field): Promise<void> => {
    const { lines, pauseMs, certificate } = field.order;
    let turn = 0;
    const line = async (at: number): Promise<void> => {
      const agent =
        certificate === undefined
          ? new Agent({ keepAlive: true })
          : new SecureAgent({ keepAlive: true, maxSockets: 1 });
      while (field.going()) {
        turn += 1;
        await ask(field, agent, at, callOf(turn, field.order));
        if (pauseMs > 0) await pause(pauseMs);
      }
      agent.destroy();
    };
    await Promise.all(Array.from({ length: lines }, (_, at) => line(at)));
  };

/** Connections that begin a call and then send as `more` says once a round; one that is closed is opened again. */
const hold =
  (head: string, more: string) =>
  async ({ order, going, count }: Field): Promise<void> => {
    const { port, certificate, sockets } = order;
    const open = (at: number) => {
      const options = { host: '127.0.0.1', port, localAddress: from(order, at % 4) };
      const socket = certificate === undefined ? connect(options) : secureConnect({ ...options, ca: certificate });
      let status = 'closed';
      socket.setEncoding('utf8').on('data', (text: string) => {
        if (text.startsWith('HTTP/1.1 ')) status = text.slice(9, 12);
      });
      socket.on('error', () => {}).once('close', () => count(status));
      socket.once('connect', () => count('opened'));
      socket.write(head);
      return socket;
    };
    const held = Array.from({ length: sockets }, (_, at) => open(at));
    while (going()) {
      for (const [at, socket] of held.entries()) {
        if (socket.destroyed) held[at] = open(at);
        else if (more !== '') socket.write(more);
      }
      // The pace of the attack: what it is about is time.
      await pause(25);
    }
    for (const socket of held) socket.destroy();
  };

const manyMembers = (size: number): string => {
  const members: string[] = [];
  for (let at = 0, length = 1; length + 12 < size; at += 1) {
    const member = `"k${at}":1`;
    members.push(member);
    length += member.length + 1;
  }
  return `{${members.join(',')}}`;
};

const headOf = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

const eitherLogin = (turn: number): string => (turn % 2 === 0 ? '/auth/login/next' : '/api/v1/user/login');
const megabyte = manyMembers(1_000_000);
const withinLimit = manyMembers(60_000);

/** Sends 1 MB of what a portal's reader looks for, in a kilobyte. */
const hostilePortal = async (field: Field): Promise<void> => {
  const page = gzipSync('<TwfID>'.repeat(149_000));
  const portal = createServer((_, reply) => {
    reply.writeHead(200, { 'content-type': 'text/xml', 'content-encoding': 'gzip' }).end(page);
    field.count('page');
  });
  portal.listen(field.order.portalPort, '127.0.0.1');
  await once(portal, 'listening');
  await flood((turn, { inviteToken }) => ({
    path: '/api/v1/user/register',
    body: JSON.stringify({
      userid: String(2_023_500_000 + turn),
      password: 'a-password',
      vpn_password: 'another',
      invite_token: inviteToken,
    }),
  }))(field);
  portal.closeAllConnections();
  portal.close();
};

export const attacks = {
  'JSON bodies of 1 MB': flood((turn) => ({ path: eitherLogin(turn), body: megabyte })),
  'JSON bodies of 60 kB of many members': flood((turn) => ({ path: eitherLogin(turn), body: withinLimit })),
  'bodies that trickle': hold(`${headOf('/auth/login/next', 60_000)}{`, ' '),
  'large bodies announced and never sent': hold(headOf('/api/v1/user/profile/update', 16_777_216), ''),
  'pages of a hostile portal': hostilePortal,
  'made-up tokens': flood((turn) => {
    const token = randomBytes(32).toString('base64url');
    if (turn % 2 === 0) return { path: '/auth/authme/token', headers: { authorization: `Bearer ${token}` } };
    return { path: '/api/v1/user/authme', body: JSON.stringify({ token }) };
  }),
  'guesses at passwords': flood((turn) => ({
    path: eitherLogin(turn),
    body: JSON.stringify({
      userid: turn % 4 < 2 ? first.userid : String(2_020_000_000 + turn),
      password: `guess-${turn}`,
      vpn_password: first.vpnPassword,
    }),
  })),
  'downloads of the documentation': flood((turn) => ({
    path: turn % 4 === 0 ? '/openapi.json' : '/docs/reference.js',
    headers: { 'accept-encoding': ['br', 'gzip', 'identity'][turn % 3] ?? '' },
  })),
} satisfies Record<string, (field: Field) => Promise<void>>;

export type AttackName = keyof typeof attacks;
