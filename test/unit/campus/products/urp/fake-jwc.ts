import type {
  SessionAccess,
  UpstreamRequest,
  UpstreamSession,
} from '../../../../../src/campus/contract/upstream-session.ts';
import type { Application } from '../../../../../src/campus/contract/upstreams.ts';
import type { CallContext } from '../../../../../src/domain/context.ts';
import { KeyLock } from '../../../../../src/lib/single-flight.ts';
import { sessionOver } from '../../../../support/inline-pages.ts';
import { fixture } from './fixtures.ts';

export const student = { userid: '2023000001' };

const scoresIndex = '/student/integratedQuery/scoreQuery/allTermScores/index';
const calendarIndex = '/student/courseSelect/calendarSemesterCurriculum/index';

/** The subject of a request, for any segment. */
export const nameOf = (path: string): string => {
  if (path === scoresIndex) return 'scores-index';
  if (path === calendarIndex) return 'calendar';
  if (path.endsWith('/allTermScores/data')) return 'scores';
  if (/\/ajaxStudentSchedule\/(?:past\/)?callback$/.test(path)) return 'courses';
  if (path === '/ajax/getSectionAndTime') return 'sections';
  if (path === '/main/academicInfo?sf_request_type=ajax') return 'summary';
  return path;
};

type Sent = Omit<UpstreamRequest, 'page'>;
type Answer = (request: UpstreamRequest) => string | Promise<string>;

/**
 * One student's live session in front of the strictest upstream: every index page issues a new segment and retires
 * the one before. Answers may be replaced by name; all requests are recorded.
 */
export class FakeJwc implements SessionAccess {
  /** Without the name of the page, which is not sent. */
  readonly requests: Sent[] = [];
  readonly memo = new Map<string, string>();
  readonly systems: Application[] = [];
  /** Rows that could not be used, in order. */
  readonly dropped: unknown[] = [];
  readonly #locks = new KeyLock();
  readonly #answers = new Map<string, Answer>();
  readonly #live = { scores: '', schedule: '' };
  #issued = 0;

  /** Replaces the answer of one kind of request. */
  answers(name: string, answer: string | Answer): void {
    this.#answers.set(name, typeof answer === 'string' ? () => answer : answer);
  }

  /** The requests, in order. */
  get names(): string[] {
    return this.requests.map((request) => nameOf(request.path));
  }

  /** The upstream forgets the segments it issued; the session keeps them. */
  retireSegments(): void {
    this.#live.scores = 'none';
    this.#live.schedule = 'none';
  }

  with<T>(
    { userid }: { userid: string },
    system: Application,
    context: CallContext,
    work: (session: UpstreamSession) => Promise<T>,
  ): Promise<T> {
    this.systems.push(system);
    const send = (request: UpstreamRequest) => this.#text(request);
    const drop = (page: string, dropped: number) => void (dropped > 0 && this.dropped.push({ page, dropped }));
    return work(sessionOver({ userid, memo: this.memo, locks: this.#locks }, context, send, drop));
  }

  async #text(request: UpstreamRequest): Promise<string> {
    const { page: _page, ...sent } = request;
    this.requests.push(sent);
    // Arrival and answer are two moments: others act between them.
    await Promise.resolve();
    const replaced = this.#answers.get(nameOf(request.path));
    return replaced ? await replaced(request) : this.genuine(request);
  }

  /** The answer of the upstream itself. */
  genuine(request: UpstreamRequest): string {
    switch (nameOf(request.path)) {
      case 'scores-index':
        this.#live.scores = this.#issue();
        return fixture('score-index.html').replace('M7x2kQ9bTz', this.#live.scores);
      case 'calendar':
        this.#live.schedule = this.#issue();
        return fixture('calendar.html').replace('Q4mZ81xTcd', this.#live.schedule);
      case 'scores':
        return request.path.includes(`/${this.#live.scores}/`)
          ? fixture('scores.json')
          : '{"result":"error","msg":"请求失效"}';
      case 'courses':
        return request.path.includes(`/${this.#live.schedule}/`)
          ? fixture('courses.json')
          : fixture('courses-stale.json');
      case 'sections':
        return fixture('sections.json');
      case 'summary':
        return fixture('academic-summary.json');
      default:
        throw new Error(`unexpected request ${request.path}`);
    }
  }

  #issue(): string {
    this.#issued += 1;
    return `segment${this.#issued}`;
  }
}
