import { examWindow } from '../../domain/academics/exams.ts';
import { plainAcademicReads } from '../../domain/academics/reads.ts';
import { activityScoreReads } from '../../domain/activity-score/records.ts';
import type { BackgroundCall } from '../../domain/background-call.ts';
import type { CampusPorts, Capability } from '../../domain/capabilities.ts';
import { rangeOf } from '../../domain/card/card.ts';
import { cardReads, type DayRange } from '../../domain/card/records.ts';
import { competitionReads } from '../../domain/competitions/records.ts';
import type { Student } from '../../domain/context.ts';
import { isFailure } from '../../domain/errors.ts';
import { laborClubReads } from '../../domain/labor-club/reads.ts';
import { plainOfferingReads } from '../../domain/offerings/records.ts';
import { type Clock, campusDate } from '../../lib/time.ts';
import type { RecordedReading } from './recording.ts';

/** What a recording never asks for: writes, and a questionnaire, at which the campus's clock starts. */
type Write = 'evaluation.open' | 'evaluation.submit' | 'laborClub.signUp' | 'laborClub.joinClub' | 'laborClub.scan';

/** The rows of reads that pass on what the campus answers. */
export const plainRows = {
  academics: plainAcademicReads,
  offerings: plainOfferingReads,
  activityScore: activityScoreReads,
  competitions: competitionReads,
  laborClub: laborClubReads,
  card: cardReads,
} as const;

type AskingNothing<Rows> = {
  [M in keyof Rows]: Rows[M] extends { readonly paramsOf: unknown } ? never : M;
}[keyof Rows] &
  string;

/** A read of which nothing is asked but the student's own. */
type PlainRead = {
  [A in keyof typeof plainRows]: `${A}.${AskingNothing<(typeof plainRows)[A]>}`;
}[keyof typeof plainRows] &
  Capability;

const rowedReads = Object.entries(plainRows).flatMap(([area, rows]) =>
  Object.entries(rows)
    .filter(([, row]) => !('paramsOf' in row))
    // The names are those of the ports, which the compiler cannot follow.
    .map(([name]) => `${area}.${name}` as PlainRead),
);

type Result<C extends Capability> = C extends `${infer A extends keyof CampusPorts}.${infer M}`
  ? M extends keyof CampusPorts[A]
    ? CampusPorts[A][M] extends (...args: never[]) => Promise<infer R>
      ? R
      : never
    : never
  : never;

/** What was read so far. */
type KnownRecords = { readonly [C in Capability]?: Result<C> };

interface CallFacts {
  /** `YYYY-MM-DD` at the campus. */
  readonly today: string;
  /** The room that the student names, to which the session at the campus is bound; null: none. */
  readonly room: string | null;
}

/** The parameters of a call, made of what the campus has shown; null: there is nothing to ask for. */
type Parameters = (known: KnownRecords, asked: CallFacts) => readonly unknown[] | null;

const none: Parameters = () => [];

const listGiven = (...parameters: readonly unknown[]): readonly unknown[] | null =>
  parameters.includes(undefined) ? null : parameters;

const currentTerm = ({ 'academics.terms': terms, 'academics.summary': summary }: KnownRecords): string | undefined =>
  summary?.currentTerm || terms?.find(({ is_current }) => is_current)?.term_code;

/** A term with scores: the current one mostly has none yet. */
const scoredTerm = (known: KnownRecords): string | undefined => {
  const scored = known['academics.wholeRecord']?.records.find(({ term_id }) => term_id)?.term_id;
  const current = currentTerm(known) ?? '';
  const codes = known['academics.terms']?.map(({ term_code }) => term_code) ?? [];
  return (
    scored ??
    codes
      .filter((code) => code < current)
      .toSorted()
      .at(-1) ??
    currentTerm(known)
  );
};

const days: Parameters = (_known, { today }) => {
  const range: DayRange | string = rangeOf({}, today);
  return typeof range === 'string' ? null : [range];
};

const offeredTerm = ({ 'offerings.offeringTerms': terms }: KnownRecords): string | undefined =>
  terms?.find(({ is_default }) => is_default)?.term_code;

const classQuery = (known: KnownRecords) => {
  const filters = known['offerings.classFilters'];
  const termCode = filters?.terms[0]?.term_code;
  const departmentCode = filters?.departments[0]?.department_code;
  if (termCode === undefined || departmentCode === undefined) return undefined;
  const majorCode = known['offerings.classMajors']?.[0]?.major_code ?? '';
  return { termCode, departmentCode, majorCode, grade: filters?.grades[0] ?? '', page: 1 };
};

const scoreKey = ({ 'academics.currentScores': scores }: KnownRecords) => {
  const score = scores?.find((each) => each.score !== null) ?? scores?.[0];
  return (
    score && {
      termCode: score.term_id,
      courseCode: score.course_code,
      courseClass: score.course_class,
      examTime: score.exam_time,
    }
  );
};

const activity = (known: KnownRecords): string | undefined =>
  known['laborClub.joinedActivities']?.data[0]?.ID ?? known['laborClub.clubActivities']?.data[0]?.ID;

type Listed = Readonly<
  Record<Exclude<Capability, Write | PlainRead>, Parameters> & Partial<Record<PlainRead, Parameters>>
>;

/**
 * In the order in which they are asked: what names something stands before what needs it. A read with a row and without
 * parameters may be left out, and is asked last.
 */
const listed: Listed = {
  'academics.terms': none,
  'academics.summary': none,
  'academics.studentFile': none,
  'academics.calendarText': none,
  'academics.termStart': none,
  'offerings.offeringTerms': none,
  'offerings.offerings': (known) => listGiven(offeredTerm(known), 1),
  'academics.wholeRecord': none,
  'academics.allScores': (known) => listGiven(scoredTerm(known)),
  'academics.scorePage': (known) => {
    const termCode = scoredTerm(known);
    return termCode === undefined ? null : [{ termCode, courseCode: '', courseName: '', page: 1, pageSize: 10 }];
  },
  'academics.currentScores': none,
  'academics.scoreComponents': (known) => listGiven(scoreKey(known)),
  'academics.schedule': (known) => listGiven(currentTerm(known), null),
  'academics.trainingPlan': none,
  'academics.planEntry': none,
  'academics.chosenPlan': ({ 'academics.planEntry': entry }) =>
    listGiven(entry?.kind === 'choice' ? entry.choice.options[0] : undefined),
  'academics.courseSelection': none,
  'academics.exams': (known) => listGiven(currentTerm(known)),
  'academics.evaluationCourses': none,
  'evaluation.season': none,
  'evaluation.courses': (known) => [known['academics.evaluationCourses']?.total ?? 0],
  'offerings.classFilters': none,
  'offerings.classMajors': (known) => listGiven(known['offerings.classFilters']?.departments[0]?.department_code),
  'offerings.classes': (known) => listGiven(classQuery(known)),
  'offerings.classSchedule': (known) =>
    listGiven(classQuery(known)?.termCode, known['offerings.classes']?.classes[0]?.class_code),
  'activityScore.total': none,
  'activityScore.categories': none,
  'competitions.record': none,
  'laborClub.finishedCount': none,
  'laborClub.joinedActivities': none,
  'laborClub.joinedClubs': none,
  'laborClub.clubApplications': none,
  'laborClub.directoryPage': () => [{ page: 1, pageSize: 10, keyword: '' }],
  'laborClub.directory': none,
  'laborClub.clubActivities': (known) => {
    const clubId = known['laborClub.joinedClubs']?.data[0]?.ID ?? known['laborClub.directoryPage']?.data[0]?.ID;
    return clubId === undefined ? null : [{ clubId, page: 1, pageSize: 10 }];
  },
  'laborClub.signItems': (known) => listGiven(activity(known)),
  'laborClub.activityDetail': (known) => listGiven(activity(known)),
  'card.balance': none,
  'card.state': none,
  'card.transactions': days,
  'card.purchases': days,
  'electricity.readRooms': none,
  'electricity.readMeter': (_known, { room }) => (room === null ? null : [{ code: room, displayText: '' }]),
  'offerings.offeringsOf': (known) =>
    listGiven(offeredTerm(known), known['offerings.offerings']?.rows[0]?.course.course_code),
};

const parameters: ReadonlyMap<string, Parameters> = new Map<string, Parameters>([
  ...Object.entries(listed),
  ...rowedReads.filter((name) => !(name in listed)).map((name) => [name, none] as const),
]);

/** Every read, whether a campus offers it or not. */
const readCapabilities = [...parameters.keys()].map((name) => name as Capability);

/** A draft of the room tree that lacks one list of each kind: the whole tree of a campus is hundreds of requests. */
class FirstOfEach<V> extends Map<string, readonly V[]> {
  readonly #asked = new Set<string>();

  override get(path: string): readonly V[] | undefined {
    const kind = path.slice(0, path.lastIndexOf('/'));
    if (this.has(path) || !this.#asked.has(kind)) {
      this.#asked.add(kind);
      return super.get(path);
    }
    return [];
  }
}

export interface CallWorld {
  readonly ports: CampusPorts;
  readonly student: Student;
  readonly clock: Pick<Clock, 'now'>;
  readonly timeZone: string;
  /** Begins one call, which has a deadline until the end of the block. */
  beginCall(): BackgroundCall;
}

type Method = (student: Student, ...more: readonly unknown[]) => Promise<unknown>;

/** Parameters are plain data, which a file can hold; what a port wants beside that is made here. */
const listCalled = (page: Capability, parameters: readonly unknown[], world: CallWorld): readonly unknown[] => {
  const { clock, timeZone } = world;
  if (page === 'electricity.readRooms') return [new FirstOfEach()];
  if (page !== 'academics.exams') return parameters;
  const termCode = String(parameters[0]);
  const today = campusDate(clock.now(), timeZone);
  return [{ now: clock.now(), timeZone, ofTerm: async () => ({ termCode, window: examWindow(termCode, today) }) }];
};

/** A request that a replay cannot answer. */
export class NotRecorded extends Error {}

export const makeCall = async (
  { page, parameters }: Pick<RecordedReading, 'page' | 'parameters'>,
  world: CallWorld,
): Promise<RecordedReading> => {
  const [area = '', name = ''] = page.split('.');
  try {
    // Capabilities are made of the names of ports and methods, which the compiler cannot follow back.
    const port = world.ports[area as keyof CampusPorts] as unknown as Readonly<Record<string, Method>>;
    using call = world.beginCall();
    const answer = await port[name]?.(world.student, ...listCalled(page, parameters, world), call.context);
    // As a file holds it.
    const record: unknown = JSON.parse(JSON.stringify(answer ?? null));
    return { page, parameters, record, failure: null };
  } catch (error) {
    if (error instanceof NotRecorded) return { page, parameters, record: null, failure: 'not-recorded' };
    if (!isFailure(error)) throw error;
    return { page, parameters, record: null, failure: error.kind };
  }
};

interface RecordingReads extends CallWorld {
  readonly offered: ReadonlySet<Capability>;
  readonly room: string | null;
  /** Called before each call. */
  begins(page: Capability): void | Promise<void>;
  ended(reading: RecordedReading): void;
}

/** Asks for everything that the campus offers, one after the other, each once. */
export const readOnce = async (reads: RecordingReads): Promise<readonly RecordedReading[]> => {
  const { offered, room, clock, timeZone } = reads;
  const asked = { today: campusDate(clock.now(), timeZone), room };
  const readings: RecordedReading[] = [];
  const known: Partial<Record<Capability, unknown>> = {};
  for (const page of readCapabilities) {
    if (!offered.has(page)) continue;
    // What was read under a name is what the port of that name answers.
    const found = parameters.get(page)?.(known as KnownRecords, asked) ?? null;
    if (found === null) continue;
    await reads.begins(page);
    const reading = await makeCall({ page, parameters: found }, reads);
    if (reading.failure === null) known[page] = reading.record;
    readings.push(reading);
    reads.ended(reading);
  }
  return readings;
};
