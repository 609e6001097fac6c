import { LRUCache } from 'lru-cache';
import { boundSize, boundSizeAndAge } from '../lib/text.ts';
import type { Clock } from '../lib/time.ts';
import { type DemoCall, type DemoReply, redirectTo } from './exchange.ts';
import { newSessionId } from './ids.ts';

const MOST = 20_000;

type Owned = { readonly userid: string };

/** A map that forgets what was not used for longest, so that a campus left running for weeks keeps its size. */
export const forgetful = <V extends NonNullable<unknown>>(most = MOST) => new LRUCache<string, V>(boundSize(most));

/** Deletes the entries of a student. */
export const expire = <V extends Owned>(map: LRUCache<string, V>, userid: string): void => {
  for (const [key, entry] of [...map.entries()]) if (entry.userid === userid) map.delete(key);
};

/** The cookie sessions of one system. `state` is the system's own. */
export class CookieSessions<State> {
  readonly #cookie: string;
  readonly #sessions: LRUCache<string, Owned & { readonly state: State }>;

  /** @param idleMs a session idle for longer is dead; left out: none is */
  constructor(clock: Clock, cookie: string, idleMs?: number) {
    this.#cookie = cookie;
    this.#sessions =
      idleMs === undefined
        ? forgetful()
        : new LRUCache({ ...boundSizeAndAge(MOST, idleMs, clock), updateAgeOnGet: true });
  }

  /** Opens a session, and leads its browser on. */
  open(userid: string, state: State, location: string, id = newSessionId()): DemoReply {
    this.#sessions.set(id, { userid, state });
    return redirectTo(location, [`${this.#cookie}=${id}; Path=/; HttpOnly`]);
  }

  /** The live session of a call; counts as a use of it. */
  of(call: DemoCall) {
    return this.at(call.cookies.get(this.#cookie));
  }

  at(id = '') {
    return this.#sessions.get(id) ?? null;
  }

  expire(userid: string): void {
    expire(this.#sessions, userid);
  }
}
