import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { Agent, type Dispatcher, ProxyAgent, request, Socks5ProxyAgent } from 'undici';
import { errorCodeOf } from '../../lib/text.ts';

/** A proxy that the operator runs, for all systems of a campus. It resolves their names. */
export interface OutgoingProxy {
  /** `http://` or `socks5://`, without user information. */
  readonly url: string;
  /** `user:password`; null: it asks for none. */
  readonly authorization: string | null;
}

const CONNECT_MS = 5_000;

/** The way to one origin. Where a proxy is named, nothing is sent past it. */
export const dispatcherOf = (
  origin: string,
  proxy: OutgoingProxy | null,
  { connections, rejectUnauthorized }: { readonly connections: number; readonly rejectUnauthorized: boolean },
): Dispatcher => {
  const pool = { connections, pipelining: 1, allowH2: false, keepAliveTimeout: 10_000 } as const;
  if (proxy === null) return new Agent({ ...pool, connect: { timeout: CONNECT_MS, rejectUnauthorized } });
  const { url, authorization } = proxy;
  const tunnel = { ...pool, connectTimeout: CONNECT_MS, requestTls: { timeout: CONNECT_MS, rejectUnauthorized } };
  if (url.startsWith('socks5:')) {
    const { hostname } = new URL(origin);
    // The client hands every host to TLS as a domain, and Node refuses an address there.
    const address = {
      servername: 'address.invalid',
      checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(hostname, certificate),
    };
    const [username, ...password] = authorization?.split(':') ?? [];
    return new Socks5ProxyAgent(url, {
      ...tunnel,
      requestTls: { ...tunnel.requestTls, ...(isIP(hostname) !== 0 && address) },
      ...(username !== undefined && { username, password: password.join(':') }),
    });
  }
  // Without a tunnel an error page of the proxy would look like one of the campus, and the proxy would read passwords.
  const token = authorization === null ? {} : { token: `Basic ${Buffer.from(authorization).toString('base64')}` };
  return new ProxyAgent({ ...tunnel, ...token, uri: url, proxyTunnel: true });
};

/** Whether the proxy opened no way, so that nothing was sent to the campus. */
export const isProxyRefusal = (error: unknown): boolean =>
  /^UND_ERR_(?:SOCKS5|PRX|INVALID_ARG)/.test(errorCodeOf(error) ?? '') ||
  (error instanceof Error && error.message.startsWith('Proxy response ('));

/** Asks an address once through the proxy, without credentials and without following anything, for the head alone. */
export const askHead = async (
  url: URL,
  proxy: OutgoingProxy,
  { rejectUnauthorized, signal }: { readonly rejectUnauthorized: boolean; readonly signal: AbortSignal },
) => {
  const dispatcher = dispatcherOf(url.origin, proxy, { connections: 1, rejectUnauthorized });
  try {
    const { statusCode, headers, body } = await request(url, { dispatcher, signal });
    // The body is thrown away, and errors while that happens do not matter.
    body.on('error', () => {}).destroy();
    return { statusCode, headers: { date: String(headers.date ?? '') } };
  } finally {
    await dispatcher.destroy();
  }
};
