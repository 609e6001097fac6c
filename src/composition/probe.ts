import { CampusHttp } from '../campus/transport/http.ts';
import { askHead, type OutgoingProxy } from '../campus/transport/http-proxy.ts';
import { systemClock } from '../lib/time.ts';

export type CampusProxy = OutgoingProxy;

export const askThrough: typeof askHead = (...asked) => askHead(...asked);

const PAGE_BYTES = 256 * 1024;
const PAGE_MS = 8_000;

/** Asks a place that may be no campus of ours for pages. No password goes there, so its certificate is not checked. */
export const openProbe = (origin: string, proxy: OutgoingProxy | null) => {
  const http = new CampusHttp({
    clock: systemClock,
    origins: [origin],
    insecureOrigin: origin,
    proxy,
    connections: 1,
    mostWaiting: 1,
  });
  const { signal } = new AbortController();
  const plain = { method: 'GET', headers: { accept: '*/*' }, owner: '', signal } as const;
  return {
    get: (url: URL) => http.send({ ...plain, url, attemptMs: PAGE_MS, sizeCeiling: PAGE_BYTES }),
    close: () => http.close(),
  };
};

export type Probe = Pick<ReturnType<typeof openProbe>, 'get'>;
