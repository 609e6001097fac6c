import type { Clock } from '../lib/time.ts';
import { BoundedMap } from './bounded-map.ts';

/** A signed-in cookie session of one application. `state` is the application's own. */
export interface ServiceSession<State> {
  readonly id: string;
  readonly userid: string;
  readonly state: State;
  lastUsed: number;
}

const KEPT = 20_000;

export class ServiceSessions<State> {
  readonly #sessions = new BoundedMap<string, ServiceSession<State>>(KEPT);
  readonly #clock: Clock;
  readonly #idleMs: number;

  /** @param idleMs a session idle for longer is dead; unlimited when left out */
  constructor(clock: Clock, idleMs = Number.POSITIVE_INFINITY) {
    this.#clock = clock;
    this.#idleMs = idleMs;
  }

  open(id: string, userid: string, state: State): ServiceSession<State> {
    const session = { id, userid, state, lastUsed: this.#clock.now() };
    this.#sessions.set(id, session);
    return session;
  }

  /** The live session with this id; counts as a use of it. */
  use(id: string | undefined): ServiceSession<State> | null {
    const session = id === undefined ? undefined : this.#sessions.get(id);
    if (!session) return null;
    const now = this.#clock.now();
    if (now - session.lastUsed > this.#idleMs) {
      this.#sessions.delete(session.id);
      return null;
    }
    session.lastUsed = now;
    return session;
  }

  expire(userid: string): void {
    this.#sessions.deleteWhere((session) => session.userid === userid);
  }
}
