import { type Failure, failures, isFailure } from '../../../domain/errors.ts';
import type { Clock } from '../../../lib/time.ts';
import type { Fields } from '../../contract/sign-in.ts';
import type { PageText, UpstreamRequest, UpstreamSession } from '../../contract/upstream-session.ts';
import { type PageReader, unreadable } from '../../parsing/reading.ts';

const system = 'academics';

/** Each is opened once in a session before it answers, by an id that is the same at every school. */
const applications = {
  wdkb: '4770397878132218',
  cjcx: '4768574631264620',
  studentWdksapApp: '4768687067472349',
} as const;
type EmapApplication = keyof typeof applications;

/** `*default` stands in it as it is. */
const indexOf = (name: EmapApplication): string => `/jwapp/sys/${name}/*default/index.do`;

/** A page that leads everybody without a session to the login. */
export const ENTRANCE = indexOf('wdkb');

/** The page of a read, below its application. */
export interface EmapPage {
  readonly application: EmapApplication;
  /** For operators. */
  readonly page: string;
  readonly path: string;
  readonly form: Fields;
}

const requestOf = ({ application, page, path, form }: EmapPage): UpstreamRequest => ({
  page,
  method: 'POST',
  path: `/jwapp/sys/${application}/${path}`,
  form,
  headers: { 'x-requested-with': 'XMLHttpRequest' },
  referer: indexOf(application),
  expect: 'json',
  whole: true,
  optional: true,
});

/** `missing`: the school has no such page. `forbidden`: not for this student, although its application is open. */
type Lack = 'missing' | 'forbidden';

const lackFailure = (lack: Lack): Failure =>
  lack === 'missing'
    ? failures.upstreamUnavailable(system, 'status 404', { upstreamStatus: 404 })
    : failures.upstreamRefused(system, 'no access to this application', {
        upstreamMessage: '学校没有向该账号开放此应用',
      });

const NONE = '';
const memoKey = (pages: readonly EmapPage[]): string => `page ${pages[0]?.page}`;

const isForbidden = (error: unknown): boolean =>
  isFailure(error, 'upstream-unavailable') && error.upstreamStatus === 403;

/** What a page has beside its rows. */
interface EmapPageFacts {
  readonly students: readonly string[];
  readonly dropped: number;
}

/** Opens applications and asks their pages. `isElsewhere`: they are opened at the `ehall` of the manifest. */
export class EmapApplications {
  readonly #isElsewhere: boolean;
  readonly #clock: Clock;

  constructor({ isElsewhere, clock }: { readonly isElsewhere: boolean; readonly clock: Clock }) {
    this.#isElsewhere = isElsewhere;
    this.#clock = clock;
  }

  /** One page, of the names that schools have for it. */
  async read<T extends EmapPageFacts>(
    session: UpstreamSession,
    pages: EmapPage | readonly EmapPage[],
    parser: PageReader<T>,
    passes: readonly Lack[] = ['missing', 'forbidden'],
  ): Promise<T> {
    const answer = await this.#askFirst(session, [pages].flat(), { passes, mayReopen: true });
    if (typeof answer === 'string') throw lackFailure(answer);
    return this.#parse(session, parser, answer);
  }

  /** Null where the school has none of these pages. One that has answered in this session is not none. */
  async readOptional<T extends EmapPageFacts>(
    session: UpstreamSession,
    pages: readonly EmapPage[],
    parser: PageReader<T>,
  ): Promise<T | null> {
    const known = session.memo.get(memoKey(pages)) ?? NONE;
    // It is asked after another page of the same application, which has answered.
    const answer = await this.#askFirst(session, pages, { passes: ['missing', 'forbidden'], mayReopen: false });
    if (typeof answer !== 'string') return this.#parse(session, parser, answer);
    if (known !== NONE) throw lackFailure(answer);
    session.memo.set(memoKey(pages), NONE);
    return null;
  }

  async #parse<T extends EmapPageFacts>(session: UpstreamSession, parser: PageReader<T>, answer: PageText): Promise<T> {
    const found = await session.parse(parser, answer);
    const isOwn = (number: string) => number.toUpperCase() === session.userid.toUpperCase();
    if (!found.students.every(isOwn)) throw unreadable(system, 'rows of another student');
    session.noteDropped(answer.page, found.dropped);
    return found;
  }

  /** The first page that the school has, which is remembered, as is that there is none. */
  async #askFirst(
    session: UpstreamSession,
    pages: readonly EmapPage[],
    { passes, mayReopen }: { readonly passes: readonly Lack[]; readonly mayReopen: boolean },
  ): Promise<PageText | Lack> {
    const known = session.memo.get(memoKey(pages));
    let lack: Lack = 'missing';
    const inTurn = known === NONE ? [] : pages.toSorted((a, b) => Number(b.path === known) - Number(a.path === known));
    for (const page of inTurn) {
      // An application that was opened once more for one page is open for the next.
      const answer = await this.#ask(session, page, mayReopen && lack !== 'forbidden');
      if (typeof answer !== 'string') {
        session.memo.set(memoKey(pages), page.path);
        return answer;
      }
      lack = answer;
      if (!passes.includes(answer)) return answer;
    }
    return lack;
  }

  async #ask(session: UpstreamSession, page: EmapPage, mayReopen: boolean): Promise<PageText | Lack> {
    for (let again = !mayReopen; ; again = true) {
      let opened: string | null = null;
      try {
        opened = await this.#open(session, page.application);
        const answer = await session.text(requestOf(page));
        return answer.text === '' ? 'missing' : answer;
      } catch (error) {
        if (!isForbidden(error)) throw error;
        if (again || opened === null) return 'forbidden';
        session.memo.drop(page.application, opened);
      }
    }
  }

  /** Returns the sign under which it is remembered as open. */
  async #open(session: UpstreamSession, application: EmapApplication): Promise<string> {
    using _turn = await session.takeTurn(`open ${application}`);
    const known = session.memo.get(application);
    if (known !== undefined) return known;
    const place = this.#isElsewhere
      ? { path: `/appShow?appId=${applications[application]}`, at: 'ehall' }
      : { path: indexOf(application) };
    // Its page is a shell of scripts that bears no mark. Whether it has opened the application, its reads show.
    const shell = { page: 'application', method: 'GET', expect: 'page', optional: true, opens: true } as const;
    await session.text({ ...shell, ...place });
    const sign = String(this.#clock.now());
    session.memo.set(application, sign);
    return sign;
  }
}
