import { Type } from '@sinclair/typebox';
import { address, application } from '../driver.ts';
import { MINUTE_MS, usualRow } from '../upstreams.ts';
import { createIsimClient } from './client.ts';

/** What follows `/home` in the path of an address; empty where it has none. */
const homePathOf = (location: string): string => {
  const [path = ''] = location.split('?', 1);
  const at = path.toLowerCase().indexOf('/home');
  return at < 0 ? '' : path.slice(at);
};

/** The electricity application. */
export const isim = application({
  options: Type.Object({ url: address }),
  row: {
    ...usualRow,
    system: 'electricity',
    entry: {
      kind: 'direct',
      path: (userid) => `/go?openid=${encodeURIComponent(userid)}&sn=sn`,
      cookie: 'JSESSIONID',
      idIn: (location) => /;jsessionid=([^&;]+)/i.exec(homePathOf(location))?.[1] ?? null,
    },
    redirects: 'none',
    // It ends a session after half an hour, and shows that only by pages that lack data.
    longestRestMs: 25 * MINUTE_MS,
    unmarkedPage: 'dead',
    // Its pages show whichever room the session was bound to last, which only this process knows.
    bindsSession: true,
    sealed: false,
  },
  supplies: (access) => ({ electricity: createIsimClient(access) }),
});
