import {
  type SessionAccess,
  SessionDead,
  type UpstreamRequest,
  type UpstreamSession,
} from '../../src/campus/contract/upstream-session.ts';
import type { Application } from '../../src/campus/contract/upstreams.ts';
import type { CallContext, Student } from '../../src/domain/context.ts';
import { failures } from '../../src/domain/errors.ts';
import { KeyLock } from '../../src/lib/single-flight.ts';
import { sessionOver } from './inline-pages.ts';

export const student: Student = { userid: '2023000001' };

type Sent = Omit<UpstreamRequest, 'page'>;
type Answer = (request: UpstreamRequest) => string | Promise<string>;

/**
 * One student's session of a ticket application in the manner of the session core: a refused round is repeated once
 * with a new ticket and an empty memo. Answers are set by path; every request is recorded.
 */
export class FakeTicketCampus implements SessionAccess {
  /** Without the name of the page, which is not sent. */
  readonly requests: Sent[] = [];
  readonly systems: Application[] = [];
  renewals = 0;
  readonly #answers = new Map<string, Answer>();
  readonly #locks = new KeyLock();
  #memo = new Map<string, string>();

  /** Answers this for a path, with any query. Values other than texts are sent as JSON. */
  answers(path: string, answer: unknown): void {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    this.#answers.set(path, () => text);
  }

  does(path: string, answer: Answer): void {
    this.#answers.set(path, answer);
  }

  get paths(): string[] {
    return this.requests.map(({ path }) => path.replace(/\?.*/, ''));
  }

  async with<T>(
    { userid }: Student,
    system: Application,
    context: CallContext,
    work: (session: UpstreamSession) => Promise<T>,
  ): Promise<T> {
    this.systems.push(system);
    const session = () => {
      const send = (request: UpstreamRequest) => this.#text(request);
      return sessionOver({ userid, memo: this.#memo, locks: this.#locks }, context, send);
    };
    try {
      return await work(session());
    } catch (error) {
      if (!(error instanceof SessionDead)) throw error;
      this.renewals += 1;
      this.#memo = new Map();
      try {
        return await work(session());
      } catch (again) {
        if (!(again instanceof SessionDead)) throw again;
        throw again.otherwise ?? failures.sessionLost(undefined);
      }
    }
  }

  async #text(request: UpstreamRequest): Promise<string> {
    const { page: _page, ...sent } = request;
    this.requests.push(sent);
    await Promise.resolve();
    const answer = this.#answers.get(request.path.replace(/\?.*/, ''));
    if (!answer) throw new Error(`unexpected request ${request.path}`);
    return answer(request);
  }
}

export const formOf = ({ form = [] }: Sent): Record<string, string> => Object.fromEntries(form);
