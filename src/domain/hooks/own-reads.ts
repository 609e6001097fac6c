import type { Academics } from '../academics/service.ts';
import { type CampusFacts, type Capability, lackOf } from '../capabilities.ts';
import type { CallContext, Student } from '../context.ts';
import type { Electricity } from '../electricity/electricity.ts';
import type { EventType } from '../events/types.ts';
import type { LaborClub } from '../labor-club/labor-club.ts';
import { readRows } from '../reads/rows.ts';
import type { OwnReading, ReadRow } from '../reads/types.ts';
import type { RefreshCandidate } from './refresh.ts';

/** A read as the service makes it on its own. `param`: the one of its row, `''` where that has none. */
export interface OwnRead {
  readonly name: string;
  readonly use: OwnReading;
  read(student: Student, param: string, context: CallContext): Promise<unknown>;
}

interface OwnReadsDeps {
  readonly campus: Pick<CampusFacts, 'capabilities'>;
  readonly academics: Academics;
  readonly electricity: Electricity;
  readonly laborClub: LaborClub;
}

/** What of it this campus has. */
export const createOwnReads = ({ campus, academics, electricity, laborClub }: OwnReadsDeps): readonly OwnRead[] => {
  const own = <V>(row: ReadRow<V>, needs: readonly Capability[], read: OwnRead['read']): OwnRead[] => {
    const { name, ownReading: use } = row;
    return use === undefined || lackOf(campus, needs) !== null ? [] : [{ name, use, read }];
  };
  const current = own(readRows.currentScores, ['academics.currentScores'], (student, _, context) =>
    academics.currentScores(student, context),
  );
  const ofTerm = own(readRows.allScores, ['academics.allScores'], (student, term, context) =>
    academics.allScores(student, term, context),
  );
  return [
    ...(current.length > 0 ? current : ofTerm),
    ...own(readRows.exams, ['academics.exams', 'academics.summary'], (student, _, context) =>
      academics.exams(student, context),
    ),
    ...own(readRows.schedule, ['academics.schedule'], (student, term, context) =>
      academics.schedule(student, term, context),
    ),
    ...own(readRows.currentTerm, ['academics.calendarText', 'academics.termStart'], (student, _, context) =>
      academics.currentTerm(student, context),
    ),
    ...own(readRows.evaluationCourses, ['academics.evaluationCourses'], (student, _, context) =>
      academics.evaluationCourses(student, context),
    ),
    ...own(readRows.joinedActivities, ['laborClub.joinedActivities'], (student, _, context) =>
      laborClub.joinedActivities(student, context),
    ),
    ...own(readRows.electricity, ['electricity.readMeter'], (student, _, context) =>
      electricity.reading(student, context),
    ),
  ];
};

/** When something was read last, by name and parameters as copies are kept under. */
export interface LastReading {
  readonly read: string;
  /** JSON of the list of parameters. */
  readonly params: string;
  readonly readAt: number;
}

/** What parameters stand for, as copies tell; null: they do not. */
export type OwnParams = Readonly<Record<'term' | 'room', string | null>>;

/** A read that may be made now. */
export interface OwnCandidate extends RefreshCandidate {
  readonly read: OwnRead;
  readonly param: string;
}

/** Terms begin and end in holidays, when nobody looks. */
const TERM_KNOWN_MS = 7 * 86_400_000;

/** The reads that may tell one of these events. */
export const candidatesFor = (
  reads: readonly OwnRead[],
  types: readonly EventType[],
  params: OwnParams,
  last: readonly LastReading[],
  now: number,
): OwnCandidate[] => {
  const ofTerm = JSON.stringify([params.term]);
  const candidate = (read: OwnRead, param: string): OwnCandidate => {
    const { first = false, shownBy = [] } = read.use;
    const key = JSON.stringify(param === '' ? [] : [param]);
    const showing = last.filter((one) =>
      one.read === read.name ? one.params === key : shownBy.includes(one.read) && ['[]', ofTerm].includes(one.params),
    );
    return { name: read.name, first, read, param, readAt: Math.max(0, ...showing.map(({ readAt }) => readAt)) };
  };
  const termRead = reads.find(({ name }) => name === readRows.currentTerm.name);
  return reads.flatMap((read) => {
    const { tells, of } = read.use;
    if (!tells.some((type) => types.includes(type))) return [];
    const param = of === undefined ? '' : params[of];
    const own = param === null ? [] : [candidate(read, param)];
    if (of !== 'term' || termRead === undefined) return own;
    // Which term it is has to be known, and lately.
    const term = candidate(termRead, '');
    return param === null || now - term.readAt >= TERM_KNOWN_MS ? [...own, term] : own;
  });
};
