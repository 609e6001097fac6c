import { beginsAsk, endsAsk } from '../../../../../src/domain/accounts/guard/asking.ts';
import type { Caller } from '../../../../../src/domain/accounts/guard/callers.ts';
import { beginsStored, endsStored, wantsLogin } from '../../../../../src/domain/accounts/guard/stored-pair.ts';
import type { AskOutcome, Verdict } from '../../../../../src/domain/accounts/guard/verdict.ts';
import type { SignInStep } from '../../../../../src/domain/errors.ts';
import { DAY, foreign, MINUTE, RuleWorld, SECOND, storedPair, storedPrints } from './support.ts';

/** The result of one call. */
export interface Told {
  readonly in: boolean;
  /** The limit that refused, or `campus` for what the campus itself refused. */
  readonly by: string;
  readonly retryMs: number;
  readonly refusedByCampus: boolean;
}

const IN: Told = { in: true, by: '', retryMs: 0, refusedByCampus: false };
const refused = (answer: Verdict): Told => ({
  in: false,
  by: 'limit' in answer ? answer.limit : '',
  retryMs: answer.type === 'wait' ? answer.ms : 0,
  refusedByCampus: false,
});

/** A small random source that gives the same numbers in every run. */
export const seeded = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/** How a campus may answer at a moment. */
export type Mood = 'normal' | 'marker' | 'refuses-everybody' | 'asks-for-codes';

/**
 * The service as the guard sees it, and a campus that knows the true secret of each student. Nothing here waits: time
 * is moved by the test. Limits per address (G8) are left out, so attackers have it easier here than in truth.
 */
export class Campus extends RuleWorld {
  mood: Mood = 'normal';
  /** Where it wants a code: a campus without a portal has one place for passwords, no matter what verifies them. */
  readonly firstStep: SignInStep;
  /** Students whose every sign-in meets a marker. */
  readonly marked = new Set<string>();
  readonly truth = new Map<string, string>();
  /** The pair that the service keeps, and whether the campus has refused it. */
  readonly kept = new Map<string, { secret: string; setAside: boolean; healthyUntil: number }>();
  /** Wrong pairs that reached the campus, by student and day. */
  readonly wrongAsks = new Map<string, number>();
  readonly wrongByDay = new Map<number, number>();
  /** Passwords sent unattended that met a second step. */
  rung = 0;
  /** Guesses compared with a stored pair, by student and day. */
  readonly compared = new Map<string, number>();
  readonly begin = this.now;
  #asks = 0;

  constructor(firstStep: SignInStep = 'portal') {
    super();
    this.firstStep = firstStep;
  }

  day(): number {
    return Math.floor((this.now - this.begin) / DAY);
  }

  student(userid: string, secret = `secret of ${userid}`): void {
    this.truth.set(userid, secret);
    this.kept.set(userid, { secret, setAside: false, healthyUntil: 0 });
  }

  #count(map: Map<string, number>, userid: string): void {
    const key = `${userid} ${this.day()}`;
    map.set(key, (map.get(key) ?? 0) + 1);
  }

  #outcome(userid: string, secret: string, isAttended: boolean): AskOutcome {
    const right = this.truth.get(userid) === secret;
    const isRefused = this.mood === 'refuses-everybody' || !right;
    if (isRefused && this.mood !== 'marker' && !this.marked.has(userid)) {
      this.#count(this.wrongAsks, userid);
      this.wrongByDay.set(this.day(), (this.wrongByDay.get(this.day()) ?? 0) + 1);
    }
    if (this.mood === 'marker' || this.marked.has(userid)) return { type: 'marker' };
    if (isRefused) return { type: 'refused', step: 'unified-login' };
    if (this.mood !== 'asks-for-codes') return { type: 'accepted' };
    if (!isAttended) this.rung += 1;
    return { type: 'person', wanted: 'sms', step: this.firstStep, offered: isAttended };
  }

  #ended(userid: string, outcome: AskOutcome, answer: Verdict): Told {
    if (answer.type !== 'noted') return refused(answer);
    if (outcome.type === 'accepted') return IN;
    const kept = this.kept.get(userid);
    if (answer.setAside && kept) kept.setAside = true;
    return { in: false, by: 'campus', retryMs: answer.restMs, refusedByCampus: outcome.type === 'refused' };
  }

  /** A sign-in with the stored pair, by a data call or (with a caller) at its own login. */
  signIn(userid: string, caller?: Caller): Told {
    const kept = this.kept.get(userid);
    if (!kept) throw new Error('unknown student');
    if (caller === undefined && kept.healthyUntil > this.now) return IN;
    const stored = kept.setAside ? 'unified-login' : 'good';
    const attended = caller ? { caller } : {};
    const wanted = this.tell(userid, (draft, at) => beginsStored(draft, { stored, tag: userid, ...attended }, at));
    if (wanted.type !== 'go') return refused(wanted);
    const outcome = this.#outcome(userid, kept.secret, caller !== undefined);
    const end = { id: this.#id(), tag: userid, outcome, storedPrints, ...attended };
    const answer = this.tell(userid, (draft, at) => endsStored(draft, end, at));
    if (outcome.type === 'accepted') kept.healthyUntil = this.now + 4 * MINUTE;
    return this.#ended(userid, outcome, answer);
  }

  login(userid: string, secret: string, caller: Caller): Told {
    const kept = this.kept.get(userid);
    if (!kept) throw new Error('unknown student');
    const equal = secret === kept.secret;
    const stored = kept.setAside ? 'unified-login' : 'good';
    const pair = equal ? storedPair(stored) : foreign(secret, { stored });
    const before = this.row(userid).guesses.length;
    const isHealthy = equal && !kept.setAside && kept.healthyUntil > this.now;
    const sent = { caller, pair, tag: userid };
    const answeredMs = isHealthy ? 0 : Number.POSITIVE_INFINITY;
    const wanted = this.tell(userid, (draft, at) => wantsLogin(draft, { ...sent, answeredMs }, at));
    if (this.row(userid).guesses.length > before) this.#count(this.compared, userid);
    if (wanted.type === 'token') return IN;
    if (wanted.type !== 'go') return refused(wanted);
    if (equal && !kept.setAside) return this.signIn(userid, caller);
    const ask = { ...sent, id: this.#id() };
    const begun = this.tell(userid, (draft, at) => beginsAsk(draft, ask, at));
    if (begun.type !== 'go') return refused(begun);
    const outcome = this.#outcome(userid, secret, true);
    const answer = this.tell(userid, (draft, at) => endsAsk(draft, { ...ask, outcome, storedPrints }, at));
    if (outcome.type === 'accepted') {
      this.kept.set(userid, { secret, setAside: false, healthyUntil: this.now + 4 * MINUTE });
    }
    return this.#ended(userid, outcome, answer);
  }

  /** `invite`: the invite token; left out: a fresh one. */
  register(userid: string, secret: string, caller: Caller, invite = `invite ${this.#id()}`): Told {
    const ask = { caller, pair: foreign(secret, { stored: 'none' }), tag: userid, invite, id: this.#id() };
    const begun = this.tell(userid, (draft, at) => beginsAsk(draft, ask, at));
    if (begun.type !== 'go') return refused(begun);
    const outcome = this.#outcome(userid, secret, true);
    const answer = this.tell(userid, (draft, at) => endsAsk(draft, { ...ask, outcome, storedPrints: null }, at));
    if (outcome.type === 'accepted') this.kept.set(userid, { secret, setAside: false, healthyUntil: 0 });
    return this.#ended(userid, outcome, answer);
  }

  #id(): string {
    this.#asks += 1;
    return `${this.#asks}`;
  }

  most(map: ReadonlyMap<string | number, number>): number {
    return Math.max(0, ...map.values());
  }
}

/** How an honest crowd fared. */
export class Crowd {
  people = 0;
  waited = 0;
  longestMs = 0;
  never = 0;
  readonly #campus: Campus;

  constructor(campus: Campus) {
    this.#campus = campus;
  }

  /**
   * Each person comes at a moment, does as he is told, and comes again after a wait; who mistypes corrects himself at
   * once. `act` says what the person does at the given try.
   */
  run(arrivals: ReadonlyArray<{ at: number; act: (attempt: number) => Told }>, untilMs: number): void {
    const queue = arrivals.map(({ at, act }) => ({ at, first: at, act, attempt: 0, held: false }));
    while (queue.length > 0) {
      let next = 0;
      for (let index = 1; index < queue.length; index += 1) {
        if ((queue[index]?.at ?? 0) < (queue[next]?.at ?? 0)) next = index;
      }
      const [person] = queue.splice(next, 1);
      if (!person) return;
      this.#campus.now = Math.max(this.#campus.now, person.at);
      if (person.attempt === 0) this.people += 1;
      const told = person.act(person.attempt);
      if (told.in) {
        if (person.held) {
          this.waited += 1;
          this.longestMs = Math.max(this.longestMs, this.#campus.now - person.first);
        }
        continue;
      }
      const again = this.#campus.now + Math.max(told.retryMs, 10 * SECOND);
      if (again > this.#campus.begin + untilMs) {
        this.never += 1;
        continue;
      }
      queue.push({
        ...person,
        at: again,
        attempt: person.attempt + 1,
        held: person.held || told.by !== 'campus' || !told.refusedByCampus,
      });
    }
  }

  get row(): string {
    const minutes = Math.ceil(this.longestMs / MINUTE);
    return `${this.people} people, ${this.waited} waited, ${minutes} min at most, ${this.never} not let in`;
  }
}
