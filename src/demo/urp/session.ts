import { randomBytes } from 'node:crypto';
import { type AcademicState, presentOf } from '../campus-state.ts';
import { type DemoCall, type DemoHandler, type DemoReply, type DemoRoute, redirectTo } from '../exchange.ts';
import { letters, newSessionId } from '../ids.ts';
import { withArrivingMarks } from '../records/arriving.ts';
import type { Present } from '../records/calendar.ts';
import type { Studies } from '../records/studies.ts';
import { CookieSessions, forgetful } from '../sessions.ts';
import { locationOrigin, loginLocation } from '../ssl-vpn/mapping.ts';
import type { DemoStudent } from '../students.ts';

/** Pages that name a separate data address for each session. */
type SegmentKind = 'scores' | 'schedule' | 'this-term' | 'components' | 'scheme';

/** Every part of it dies with the session. */
export interface JwcSessionState {
  /** The latest path segment of each page kind; loading the index page again retires it. */
  readonly segments: Map<SegmentKind, string>;
  /** Good for opening any number of questionnaires. */
  readonly evaluationToken: string;
  /** Open questionnaires by page token, each good for one submission. */
  readonly questionnaires: ReturnType<typeof forgetful<{ readonly contentNumber: string; readonly openedAt: number }>>;
  lastOpenedAt: number;
}

interface JwcCall extends DemoCall {
  readonly present: Present;
  readonly studies: Studies;
}

export type JwcHandler = (call: JwcCall, student: DemoStudent, session: JwcSessionState) => DemoReply;

/** The pages of a signed-in student, beside the handlers that answer them. */
export type JwcRoutes = (
  state: AcademicState,
) => ReadonlyArray<readonly [method: DemoRoute['method'], path: string, handler: JwcHandler]>;

const MOST_QUESTIONNAIRES = 200;

/** The sign-in of academic affairs: its cookie sessions, and the way over the unified login and back. */
export class JwcSessions {
  readonly #state: AcademicState;
  readonly #sessions: CookieSessions<JwcSessionState>;
  /** Pages that sessions not yet signed in asked for. */
  readonly #wanted = forgetful<string>();

  constructor(state: AcademicState) {
    this.#state = state;
    this.#sessions = new CookieSessions(state.clock, 'JSESSIONID');
  }

  whenSignedIn(handler: JwcHandler): DemoHandler {
    return (call) => {
      // First, because the courses that a student has to evaluate are those of the current term.
      this.#state.students.beginTerm(presentOf(this.#state));
      const session = this.#sessions.of(call);
      const student = session && this.#state.students.get(session.userid);
      return student ? this.#answer(handler, call, student, session.state) : this.#bounce(call.target);
    };
  }

  #answer(handler: JwcHandler, call: DemoCall, student: DemoStudent, session: JwcSessionState): DemoReply {
    const present = presentOf(this.#state);
    const { clock, switches } = this.#state;
    const known = student.studies(present);
    const every = switches.markEveryMinutes;
    const studies = every === 0 ? known : withArrivingMarks(known, present, clock.now(), every);
    return handler({ ...call, present, studies }, student, session);
  }

  /** Takes a service ticket and opens a session; back to the page that was wanted, else to the landing page. */
  redeem(call: DemoCall): DemoReply {
    const { unifiedLogin, wiring } = this.#state;
    const userid = unifiedLogin?.redeem(call.query.get('ticket'), wiring.jwcService) ?? null;
    if (userid === null) return redirectTo(loginLocation(this.#state, wiring.jwcService));
    const before = call.cookies.get('JSESSIONID') ?? '';
    const page = this.#wanted.get(before) ?? '/index';
    this.#wanted.delete(before);
    return this.open(userid, `${this.#landing()}${page}`);
  }

  open(userid: string, location: string): DemoReply {
    const opened = {
      segments: new Map(),
      evaluationToken: randomBytes(16).toString('hex'),
      questionnaires: forgetful<{ contentNumber: string; openedAt: number }>(MOST_QUESTIONNAIRES),
      lastOpenedAt: 0,
    };
    return this.#sessions.open(userid, opened, location);
  }

  /** What a proxy in front of it leaves of its own address. */
  #landing(): string {
    const origin = locationOrigin(this.#state, 'jwc');
    const { protocol, hostname, host } = new URL(origin);
    switch (this.#state.switches.landing) {
      case 'itself':
        return origin;
      case 'https':
        return `https://${host}`;
      case 'no port':
        return `${protocol}//${hostname}`;
      case 'other host':
        return 'http://elsewhere.invalid';
    }
  }

  expire(userid: string): void {
    this.#sessions.expire(userid);
  }

  #bounce(target: string): DemoReply {
    if (this.#state.unifiedLogin === null) return redirectTo('/login?errorCode=invalidSession');
    const id = newSessionId();
    this.#wanted.set(id, target);
    const location = loginLocation(this.#state, this.#state.wiring.jwcService);
    return redirectTo(location, [`JSESSIONID=${id}; Path=/; HttpOnly`]);
  }
}

export const newSegment = (session: JwcSessionState, kind: SegmentKind): string => {
  const segment = letters(10);
  session.segments.set(kind, segment);
  return segment;
};

export const segmentHolds = (session: JwcSessionState, kind: SegmentKind, segment: string | undefined): boolean =>
  segment !== undefined && session.segments.get(kind) === segment;
