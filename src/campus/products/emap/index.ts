import { Type } from '@sinclair/typebox';
import type { StatedCalendarText, StatedTermStart } from '../../../domain/academics/current-term.ts';
import { atCampus, examWindow } from '../../../domain/academics/exams.ts';
import type { CurrentScoreKey, ExamTerm, SectionTimes } from '../../../domain/academics/ports.ts';
import type { AcademicsCampus } from '../../../domain/academics/reads.ts';
import type { Term } from '../../../domain/academics/records.ts';
import type { CallContext, Student } from '../../../domain/context.ts';
import { campusDate, dayNumber, HOUR_MS } from '../../../lib/time.ts';
import { type Access, address, application } from '../../contract/driver.ts';
import { nameFailures, readAllPages } from '../../contract/kit.ts';
import { checkScoreCount, scoreNamed, scoreReads, scoresOfTerm } from '../../contract/listed-scores.ts';
import type { UpstreamSession } from '../../contract/upstream-session.ts';
import { NIGHT_MS, usualRow } from '../../contract/upstreams.ts';
import { unreadable } from '../../parsing/reading.ts';
import { EmapApplications, type EmapPage, ENTRANCE } from './applications.ts';
import { parseChanges, withChanges } from './changes.ts';
import { parseExams } from './parse-exams.ts';
import { type EmapScore, parseScores } from './parse-scores.ts';
import { firstDayOf, ownTermOf, parseCurrentTerm, parseTermList, parseTermStarts } from './parse-terms.ts';
import { parseTimetable } from './parse-timetable.ts';

const wdkb = (page: string, path: string, form: EmapPage['form'] = []): EmapPage => ({
  application: 'wdkb',
  page,
  path: `modules/${path}`,
  form,
});

/** Its conditions, as a script of the page builds them. */
const valid = [
  {
    name: 'SFYX',
    caption: '是否有效',
    linkOpt: 'AND',
    builderList: 'cbl_m_List',
    builder: 'm_value_equal',
    value: '1',
    value_display: '是',
  },
  {
    name: 'SHOWMAXCJ',
    caption: '显示最高成绩',
    linkOpt: 'AND',
    builderList: 'cbl_m_List',
    builder: 'm_value_equal',
    value: '0',
    value_display: '否',
  },
];

const scorePaging = { system: 'academics', what: 'score', size: 1_000, mostPages: 2 } as const;
const examPaging = { system: 'academics', what: 'exam', size: 100, mostPages: 5 } as const;

const pagesOf = ({ size }: { readonly size: number }, page: number): EmapPage['form'] => [
  ['pageSize', String(size)],
  ['pageNumber', String(page)],
];

const scoresPage = (termCode: string, page: number): EmapPage => {
  const ofTerm = { name: 'XNXQDM', value: ownTermOf(termCode), linkOpt: 'and', builder: 'equal' };
  const conditions = termCode === '' ? valid : [...valid, ofTerm];
  return {
    application: 'cjcx',
    page: 'scores',
    path: 'modules/cjcx/xscjcx.do',
    form: [
      ['querySetting', JSON.stringify(conditions)],
      ['*order', '-XNXQDM,-KCH,-KXH'],
      ...pagesOf(scorePaging, page),
    ],
  };
};

const examPages = (term: string, page: number): EmapPage[] => {
  const exams = { application: 'studentWdksapApp', page: 'exams' } as const;
  const order = [['XNXQDM', term] as const, ['*order', '-KSRQ,-KSSJMS'] as const];
  return [
    { ...exams, path: 'modules/wdksap/wdksap.do', form: [...order, ...pagesOf(examPaging, page)] },
    {
      ...exams,
      path: 'WdksapController/cxxsksap.do',
      form: [['requestParamStr', JSON.stringify({ XNXQDM: term })], ...pagesOf(examPaging, page)],
    },
  ];
};

/** Memo key of the current term, and when it was read. */
const TERM = 'term';
/** A session may live longer than its term. */
const TERM_MS = HOUR_MS;

const noSections: SectionTimes = { slots: [], semester: null };

/** The reads of one session. */
class EmapReads {
  readonly #applications: EmapApplications;
  readonly #clock: Access<unknown>['clock'];

  constructor({ clock, options }: Pick<Access<{ readonly ehall?: string }>, 'clock' | 'options'>) {
    this.#applications = new EmapApplications({ isElsewhere: options.ehall !== undefined, clock });
    this.#clock = clock;
  }

  async currentTerm(session: UpstreamSession): Promise<string> {
    const page = wdkb('current-term', 'jshkcb/dqxnxq.do');
    const { code } = await this.#applications.read(session, page, parseCurrentTerm);
    session.memo.set(TERM, `${code} ${this.#clock.now()}`);
    return code;
  }

  /** The same as this session has read it last, and when; null: it has not, or too long ago. */
  keptTerm(session: UpstreamSession): string | null {
    const kept = session.memo.get(TERM) ?? '';
    return this.#clock.now() - Number(kept.split(' ')[1] ?? 0) < TERM_MS ? kept : null;
  }

  async #term(session: UpstreamSession): Promise<string> {
    return this.keptTerm(session)?.split(' ')[0] ?? this.currentTerm(session);
  }

  async terms(session: UpstreamSession): Promise<Term[]> {
    const page = wdkb('terms', 'jshkcb/xnxqcx.do', [['*order', '-DM']]);
    const { rows } = await this.#applications.read(session, page, parseTermList);
    const current = await this.#term(session);
    const terms = rows.map((term) => ({ ...term, is_current: term.term_code === current }));
    if (terms.filter(({ is_current }) => is_current).length !== 1) throw unreadable('academics', 'no current term');
    return terms;
  }

  async calendarText(session: UpstreamSession): Promise<StatedCalendarText> {
    const code = await this.currentTerm(session);
    const [, academicYear = '', number = ''] = /^(\d{4}-\d{4})-(\d)/.exec(code) ?? [];
    return { academicYear, season: ['', '秋', '春', '夏'][Number(number)] ?? '', week: null, speaksOfEnd: false, code };
  }

  async termStart(session: UpstreamSession): Promise<StatedTermStart> {
    const own = ownTermOf(await this.#term(session));
    const form = [['XN', own.slice(0, 9)] as const, ['XQ', own.slice(10)] as const];
    const { rows } = await this.#applications.read(
      session,
      wdkb('term-start', 'jshkcb/cxjcs.do', form),
      parseTermStarts,
    );
    return { firstDay: firstDayOf(rows, own), weeks: 0 };
  }

  async schedule(session: UpstreamSession, termCode: string) {
    const term = ['XNXQDM', ownTermOf(termCode)] as const;
    const apps = this.#applications;
    const page = (name: string, path: string) => wdkb(name, `xskcb/${path}.do`, [term]);
    const tables = [page('timetable', 'cxxszhxqkb'), page('timetable', 'xskcb')];
    const { courses } = await apps.read(session, tables, parseTimetable);
    const changesPage = wdkb('changes', 'xskcb/xsdkkc.do', [term, ['*order', '-SQSJ']]);
    const { rows: changes } = await apps.read(session, changesPage, parseChanges);
    const others = [page('untimed', 'cxxsllsywpk'), page('untimed', 'xswpkc')];
    const untimed = (await apps.readOptional(session, others, parseTimetable))?.courses ?? [];
    const known = new Set(courses.map(({ key }) => key));
    const all = [...courses, ...untimed.filter(({ key }) => !known.has(key))];
    const after = withChanges(all, changes);
    session.noteDropped('changes', after.unclear);
    return { totalCredits: after.courses.reduce((sum, { credits }) => sum + credits, 0), courses: after.courses };
  }

  /** Those of a term; all of them for an empty code. */
  async scores(session: UpstreamSession, termCode: string): Promise<readonly EmapScore[]> {
    const { pages } = await readAllPages(scorePaging, (page) =>
      this.#applications.read(session, scoresPage(termCode, page), parseScores),
    );
    const all = checkScoreCount(pages.flat());
    if (termCode !== '') session.noteDropped('scores', all.filter(({ row }) => row.term_id === null).length);
    return scoresOfTerm(all, termCode);
  }

  async currentScores(session: UpstreamSession): Promise<readonly EmapScore[]> {
    return this.scores(session, await this.#term(session));
  }

  async exams(session: UpstreamSession, { termCode, window }: ExamTerm, timeZone: string) {
    const { pages } = await readAllPages(examPaging, (page) =>
      this.#applications.read(session, examPages(ownTermOf(termCode), page), parseExams, ['missing']),
    );
    const exams = pages.flat().map((exam) => atCampus(exam, timeZone));
    // What has no day yet is still to come.
    return exams.filter(({ date }) => dayNumber(date) === null || (date >= window.start && date <= window.end));
  }
}

type EmapDeps = Pick<Access<{ readonly ehall?: string }>, 'sessions' | 'clock' | 'options'>;

/** Leaves out what has no source: a summary, the student's file, plans. */
export const createEmapClient = ({ sessions, ...parts }: EmapDeps) => {
  const reads = new EmapReads(parts);
  const within = <T>(student: Student, context: CallContext, work: (session: UpstreamSession) => Promise<T>) =>
    sessions.with(student, 'emap', context, work);
  return {
    terms: (student, context) => within(student, context, (session) => reads.terms(session)),
    calendarText: (student, context) => within(student, context, (session) => reads.calendarText(session)),
    termStart: (student, context) => within(student, context, (session) => reads.termStart(session)),
    schedule: async (student, termCode, known, context) => {
      const work = within(student, context, (session) => reads.schedule(session, termCode));
      return { table: await nameFailures('courses', work), sections: known ?? noSections };
    },
    ...scoreReads({
      within,
      scores: (session, termCode) => reads.scores(session, termCode),
      currentScores: (session) => reads.currentScores(session),
    }),
    scoreComponents: (student, key: CurrentScoreKey, context) =>
      within(
        student,
        context,
        async (session) => scoreNamed(await reads.scores(session, key.termCode), key)?.components ?? [],
      ),
    exams: async (student, { now, timeZone, ofTerm }, context) => {
      const kept = await within(student, context, async (session) => reads.keptTerm(session));
      const [code = ''] = kept?.split(' ') ?? [];
      const term =
        kept === null ? await ofTerm() : { termCode: code, window: examWindow(code, campusDate(now, timeZone)) };
      const exams = await within(student, context, async (session) => {
        // The session may be another one by now.
        if (kept !== null) session.memo.set(TERM, kept);
        return reads.exams(session, term, timeZone);
      });
      return { seats: { value: [] }, university: { value: exams }, others: { value: [] } };
    },
  } satisfies Partial<AcademicsCampus>;
};

/** 金智 emap: applications below `/jwapp/sys/`, behind a unified login. */
export const emap = application({
  options: Type.Object({ url: address, ehall: Type.Optional(address) }),
  further: ['ehall'],
  row: {
    ...usualRow,
    system: 'academics',
    entry: { kind: 'learned-service', entrance: ENTRANCE },
    longestIdleMs: NIGHT_MS / 4,
  },
  supplies: ({ sessions, clock, options }) => ({ academics: createEmapClient({ sessions, clock, options }) }),
});
