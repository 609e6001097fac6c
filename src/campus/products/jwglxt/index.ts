import { Type } from '@sinclair/typebox';
import type { TermStart } from '../../../domain/academics/current-term.ts';
import { atCampus } from '../../../domain/academics/exams.ts';
import type { CurrentScoreKey, SectionTimes } from '../../../domain/academics/ports.ts';
import type { AcademicsCampus } from '../../../domain/academics/reads.ts';
import type { Term } from '../../../domain/academics/records.ts';
import type { CallContext, Student } from '../../../domain/context.ts';
import { isRecord } from '../../../lib/text.ts';
import { type Clock, HOUR_MS } from '../../../lib/time.ts';
import { address, application, service } from '../../contract/driver.ts';
import { nameFailures, readAllPages, readAnswer } from '../../contract/kit.ts';
import { checkScoreCount, scoreNamed, scoreReads, scoresOfTerm } from '../../contract/listed-scores.ts';
import type { Fields } from '../../contract/sign-in.ts';
import type { SessionAccess, UpstreamSession } from '../../contract/upstream-session.ts';
import { NIGHT_MS, usualRow } from '../../contract/upstreams.ts';
import { type PageReader, unreadable } from '../../parsing/reading.ts';
import { isMissing, saysDead, showsLogin } from './pages.ts';
import {
  componentsAlive,
  type GridPage,
  type JwglxtScore,
  mergeScores,
  parseComponents,
  parseScores,
} from './parse-scores.ts';
import { fileAlive, parseExams, parseFile, parseSummary, summaryAlive } from './parse-student.ts';
import { areaAlive, calendarTextOf, parseArea, parseTermsPage, termsPageAlive } from './parse-terms.ts';
import { parseSections, parseTimetable } from './parse-timetable.ts';
import { byEitherName, dataRequest, functionOf, pageRequest, refuseForeignOwner, termOf } from './requests.ts';
import { jwglxtSignIn, memoOf } from './sign-in.ts';

/** Memo keys: the current term with the time of its reading, names of courses by class, whether there are no sections. */
const [TERM, COURSES, NO_SECTIONS] = ['term', 'courses', 'no-sections'];

type Paged = { readonly page: string; readonly form: Fields; readonly whole?: boolean };

const rowsAtOnce = 5_000;
const mostPages = 20;

class Client {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The page of the timetable lists the terms. */
  async terms(session: UpstreamSession): Promise<readonly Term[]> {
    const path = `/kbcx/xskbcx_cxXskbcxIndex.html?gnmkdm=${functionOf(session, 'timetable')}&layout=default`;
    const { terms } = await readAnswer(session, pageRequest('terms', path, termsPageAlive), parseTermsPage);
    const code = terms.find(({ is_current }) => is_current)?.term_code;
    session.memo.set(TERM, JSON.stringify({ code, at: this.#clock.now() }));
    return terms;
  }

  /** Known for an hour. */
  async currentTerm(session: UpstreamSession): Promise<string> {
    return this.#keptTerm(session) ?? (await this.#selectedTerm(session));
  }

  #keptTerm(session: UpstreamSession): string | null {
    const kept: unknown = JSON.parse(session.memo.get(TERM) ?? 'null');
    if (!isRecord(kept) || typeof kept.code !== 'string' || typeof kept.at !== 'number') return null;
    return this.#clock.now() - kept.at < HOUR_MS ? kept.code : null;
  }

  async #selectedTerm(session: UpstreamSession): Promise<string> {
    const terms = await this.terms(session);
    return terms.find(({ is_current }) => is_current)?.term_code ?? '';
  }

  async calendarText(session: UpstreamSession) {
    return calendarTextOf(await this.#selectedTerm(session));
  }

  async termStart(session: UpstreamSession): Promise<TermStart> {
    const { termCode, start } = await byEitherName(session, ['index_cxAreaSix', 'index_cxAreaFive'], (name) => {
      const request = pageRequest('term-start', `/xtgl/${name}.html?localeKey=zh_CN&gnmkdm=index`, areaAlive);
      return readAnswer(
        session,
        { ...request, method: 'POST', form: [], headers: { 'x-requested-with': 'XMLHttpRequest' } },
        parseArea,
      );
    });
    // In vacations the two pages may speak of different terms.
    const selected = this.#keptTerm(session);
    if (termCode !== null && selected !== null && termCode !== selected)
      throw unreadable('academics', 'first day of another term');
    return start;
  }

  async schedule(session: UpstreamSession, termCode: string, known: SectionTimes | null) {
    const form: Fields = [...termOf(termCode), ['kzlx', 'ck'], ['xsdm', ''], ['kclbdm', ''], ['kclxdm', '']];
    const read = () =>
      byEitherName(session, ['xskbcx_cxXsgrkb', 'xskbcx_cxXsKb'], (name) => {
        const path = `/kbcx/${name}.html?gnmkdm=${functionOf(session, 'timetable')}`;
        return readAnswer(session, dataRequest('timetable', path, form), parseTimetable);
      });
    let found = await read();
    if (found === null) {
      // One school wants its page to be opened first.
      await this.terms(session);
      found = await read();
    }
    if (found === null) throw unreadable('academics', 'timetable of nobody');
    refuseForeignOwner(session, 'timetable', found.owner);
    return { table: found.table, sections: known ?? (await this.#sections(session, form)) };
  }

  /** A school that states no times has none. @throws Failure of the part `sections` */
  async #sections(session: UpstreamSession, form: Fields): Promise<SectionTimes> {
    const none = { slots: [], semester: null };
    if (session.memo.get(NO_SECTIONS) !== undefined) return none;
    try {
      const path = `/kbcx/xskbcx_cxRjc.html?gnmkdm=${functionOf(session, 'timetable')}`;
      const sections = await nameFailures(
        'sections',
        readAnswer(session, dataRequest('sections', path, form), parseSections),
      );
      if (sections.slots.length === 0) session.memo.set(NO_SECTIONS, '1');
      return sections;
    } catch (error) {
      if (!isMissing(error)) throw error;
      session.memo.set(NO_SECTIONS, '1');
      return none;
    }
  }

  /** All rows of a list that comes in pages. Rows of another student are no rows of this one. */
  async #rows<T>(
    session: UpstreamSession,
    path: string,
    { page, form, whole }: Paged,
    parser: PageReader<GridPage<T>>,
  ) {
    const { pages } = await readAllPages(
      { system: 'academics', what: page, size: rowsAtOnce, mostPages },
      async (at) => {
        const request = dataRequest(page, path, [...form, ...this.#grid(at)], { whole });
        const found = await readAnswer(session, request, parser);
        refuseForeignOwner(session, page, ...found.owners);
        return found;
      },
    );
    return pages.flat();
  }

  /** What a table of the product sends with each question; one school wants the names of its library, too. */
  #grid(page: number): Fields {
    return Object.entries({
      _search: 'false',
      nd: String(this.#clock.now()),
      'queryModel.showCount': String(rowsAtOnce),
      'queryModel.currentPage': String(page),
      'queryModel.sortName': '',
      'queryModel.sortOrder': 'asc',
      time: '0',
      page: String(page),
      rows: String(rowsAtOnce),
      sidx: '',
      sord: 'asc',
    });
  }

  /** Some schools fill only one of the two lists, so an empty one proves nothing until it has had rows. */
  async scores(session: UpstreamSession, termCode: string): Promise<readonly JwglxtScore[]> {
    const form: Fields = [...termOf(termCode), ['sfzgcj', ''], ['kcbj', '']];
    const found = await byEitherName(
      session,
      ['cjcx_cxXsgrcj', 'cjcx_cxDgXscj'],
      (name) => {
        const path = `/cjcx/${name}.html?doType=query&gnmkdm=${functionOf(session, 'scores')}`;
        return this.#rows(session, path, { page: 'scores', form, whole: true }, parseScores);
      },
      (rows) => rows.length > 0,
    );
    checkScoreCount(found);
    const placed = found.map((score) => ({
      ...score,
      row: { ...score.row, term_id: score.row.term_id ?? (termCode || null) },
    }));
    const scores = mergeScores(scoresOfTerm(placed, termCode));
    if (found.length > 0 && scores.length === 0) throw unreadable('academics', 'scores of other terms');
    const courses = Object.fromEntries(
      scores.map(({ key, row }) => [key, [termCode, row.course_code, row.course_class, row.course_name_cn]]),
    );
    if (termCode !== '') session.memo.set(COURSES, JSON.stringify(courses));
    return scores;
  }

  /** The name of a course of a list that this session has read, by which the campus finds its components. */
  #courseName(
    session: UpstreamSession,
    { termCode, courseCode, courseClass, examTime }: CurrentScoreKey,
  ): string | null {
    const kept: unknown = JSON.parse(session.memo.get(COURSES) ?? '{}');
    const found: unknown = isRecord(kept) ? kept[examTime] : null;
    const [term, code, group, name] = Array.isArray(found) ? found : [];
    return term === termCode && code === courseCode && group === courseClass && typeof name === 'string' ? name : null;
  }

  async components(session: UpstreamSession, key: CurrentScoreKey) {
    const { termCode, examTime } = key;
    let name = this.#courseName(session, key);
    name ??= scoreNamed(await this.scores(session, termCode), key)?.row.course_name_cn ?? null;
    if (name === null || examTime === '') return [];
    const path = `/cjcx/cjcx_cxCjxqGjh.html?time=${this.#clock.now()}&gnmkdm=${functionOf(session, 'scores')}`;
    const form: Fields = [['jxb_id', examTime], ...termOf(termCode), ['kcmc', name]];
    const headers = { 'x-requested-with': 'XMLHttpRequest' };
    const request = pageRequest('components', path, componentsAlive, { method: 'POST', form, headers });
    return readAnswer(session, request, parseComponents);
  }

  async exams(session: UpstreamSession, timeZone: string) {
    const more = Object.entries({ ksmcdmb_id: '', kch: '', kc: '', ksrq: '', kkbm_id: '' });
    const form: Fields = [...termOf(await this.currentTerm(session)), ...more];
    const path = `/kwgl/kscx_cxXsksxxIndex.html?doType=query&gnmkdm=${functionOf(session, 'exams')}`;
    const exams = await this.#rows(session, path, { page: 'exams', form }, parseExams);
    const value = exams.map((exam) => atCampus(exam, timeZone));
    return { seats: { value: [] }, university: { value }, others: { value: [] } };
  }

  async file(session: UpstreamSession) {
    const path = `/xsxxxggl/xsgrxxwh_cxXsgrxx.html?gnmkdm=${functionOf(session, 'file')}&layout=default`;
    const { number, file } = await readAnswer(session, pageRequest('student-file', path, fileAlive), parseFile);
    refuseForeignOwner(session, 'file', number);
    return file;
  }

  async summary(session: UpstreamSession) {
    const path = `/xsxy/xsxyqk_cxXsxyqkIndex.html?gnmkdm=${functionOf(session, 'summary')}&layout=default`;
    const request = pageRequest('summary', path, summaryAlive, { whole: true, slow: true });
    const summary = await readAnswer(session, request, parseSummary);
    return { ...summary, currentTerm: await this.currentTerm(session) };
  }
}

/** Leaves out what has no source: plans, the selection of courses, evaluation. */
export const createJwglxtClient = (sessions: SessionAccess, clock: Clock) => {
  const client = new Client(clock);
  // Requests of one session race at one school, so they go one after the other.
  const within = <T>(student: Student, context: CallContext, work: (session: UpstreamSession) => Promise<T>) =>
    sessions.with(student, 'jwglxt', context, async (session) => {
      using _turn = await session.takeTurn('read');
      return await work(session);
    });
  const current = async (session: UpstreamSession) => client.scores(session, await client.currentTerm(session));
  return {
    terms: (student, context) => within(student, context, (session) => client.terms(session)),
    calendarText: (student, context) => within(student, context, (session) => client.calendarText(session)),
    termStart: (student, context) => within(student, context, (session) => client.termStart(session)),
    schedule: (student, termCode, known, context) =>
      within(student, context, (session) => client.schedule(session, termCode, known)),
    ...scoreReads({
      within,
      scores: (session, termCode) => client.scores(session, termCode),
      currentScores: current,
    }),
    scoreComponents: (student, key, context) => within(student, context, (session) => client.components(session, key)),
    exams: (student, { timeZone }, context) => within(student, context, (session) => client.exams(session, timeZone)),
    studentFile: (student, context) => within(student, context, (session) => client.file(session)),
    summary: (student, context) => within(student, context, (session) => client.summary(session)),
  } satisfies Partial<AcademicsCampus>;
};

/** 正方 jwglxt, V5 to V9: with its own login, or entered through a unified one. */
export const jwglxt = application({
  options: Type.Object({ url: address, service: Type.Optional(service) }),
  row: {
    ...usualRow,
    system: 'academics',
    entry: { kind: 'service-ticket', landing: { path: /\/index_initMenu\.html$/, read: memoOf } },
    deadPath: /\/login_slogin/,
    deadStatuses: [901],
    showsLogin,
    showsDeath: saysDead,
    longestIdleMs: NIGHT_MS,
  },
  ownLogin: () => jwglxtSignIn(),
  challenges: ['captcha', 'elsewhere'],
  supplies: ({ sessions, clock }) => ({ academics: createJwglxtClient(sessions, clock) }),
});
