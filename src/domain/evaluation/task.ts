import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { sha256 } from '../../lib/hash.ts';
import { type RecordOf, stored, withDefault } from '../record.ts';

const oneOf = <T extends string>(...values: readonly T[]) => Type.Union(values.map((value) => Type.Literal(value)));
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const moment = Type.Number();

const Course = stored<'id' | 'questionnaire' | 'teacher' | 'courseName' | 'evaluated'>()({
  /** Null when the campus sends none: such a course cannot be evaluated by a program. */
  id: orNull(
    Type.Object({
      /** Of the person evaluated. */
      staffNumber: Type.String(),
      sequence: Type.String(),
      /** Course number. */
      contentNumber: Type.String(),
      /** Number of the questionnaire where `questionnaire` is null; often `""`. */
      questionnaireCoding: Type.String(),
    }),
  ),
  questionnaire: orNull(Type.Object({ number: Type.String(), name: Type.String() })),
  teacher: Type.String(),
  courseName: Type.String(),
  /** `是` is done; anything else, also `""`, is pending. As the campus writes it. */
  evaluated: Type.String(),
});

/**
 * Why an attempt failed: the page could not be read, it asks something else than what was previewed, the campus refused
 * the answers, it took them and its list does not show them, or what became of them is unknown.
 */
export const AttemptFault = oneOf('page_failed', 'preview_outdated', 'refused', 'unconfirmed', 'interrupted');
export type AttemptFault = Static<typeof AttemptFault>;

const Phase = Type.Union([
  Type.Object({ kind: Type.Literal('waiting') }),
  Type.Object({ kind: Type.Literal('opening') }),
  /** The page is open since `openedAt`; it may be submitted from `dueAt` on. */
  Type.Object({ kind: Type.Literal('counting'), openedAt: moment }),
  Type.Object({ kind: Type.Literal('submitting') }),
  /** The submission is over, the list has not been read since. `reads` have failed; the next is due at `nextReadAt`. */
  Type.Object({
    kind: Type.Literal('verifying'),
    outcome: oneOf('accepted', 'refused', 'not-yet', 'unknown'),
    reads: Type.Number(),
    nextReadAt: moment,
    /** Of `refused`: nothing was sent. */
    unsent: Type.Optional(Type.Boolean()),
  }),
  /** `skipped`: the course was evaluated elsewhere. `interrupted`: neither success nor failure. */
  Type.Object({
    kind: Type.Literal('done'),
    result: oneOf('success', 'failure', 'skipped', 'interrupted'),
    /** Of a failure; the name is kept because later lists may lack the course. Earlier versions stored neither. */
    fault: Type.Optional(AttemptFault),
    courseName: Type.Optional(Type.String()),
  }),
]);

/**
 * Answers that were shown to the student before they are sent, with what may be chosen and written instead, which
 * earlier versions did not keep. `key`: see `courseKey`.
 */
const Preview = stored<'key' | 'title' | 'questions' | 'ratings' | 'comments'>()({
  key: Type.String(),
  title: Type.String(),
  /** Tells whether another page asks the same. */
  questions: Type.String(),
  ratings: Type.Array(
    Type.Object({
      name: Type.String(),
      question: Type.String(),
      value: Type.String(),
      choice: Type.String(),
      options: Type.Optional(Type.Array(Type.Object({ value: Type.String(), choice: Type.String() }))),
    }),
  ),
  comments: Type.Array(
    Type.Object({
      name: Type.String(),
      question: Type.String(),
      text: Type.String(),
      /** Most UTF-16 units, as pages count; null: no limit. */
      maxLength: Type.Optional(orNull(Type.Number())),
    }),
  ),
});

type FirstOfRun = 'plan' | 'fellBack' | 'timing' | 'count' | 'attempts' | 'lastOpenedAt' | 'pauseUntil';

const Run = stored<FirstOfRun | 'stopRequestedAt' | 'lastResult'>()({
  plan: oneOf('overlapped', 'sequential'),
  /** An overlapped run that continues one course at a time; happens once at most. */
  fellBack: Type.Boolean(),
  timing: stored<'waitMs' | 'pauseMs' | 'openEveryMs'>()({
    /** From the answer of the questionnaire page to its submission. */
    waitMs: Type.Number(),
    /** Between two courses of the sequential plan. */
    pauseMs: Type.Number(),
    /** Between two openings of the overlapped plan. */
    openEveryMs: Type.Number(),
  }),
  /** Pending courses of the run at the start; the campus wants the number with every page. */
  count: Type.Number(),
  /** The courses of this run, in the order in which they are evaluated. `key`: see `courseKey`. */
  attempts: Type.Array(stored<'key' | 'phase'>()({ key: Type.String(), phase: Phase })),
  /** Open pages that ended with their campus session before they were submitted. */
  pagesLost: withDefault(Type.Number(), 0),
  /** Keys of the pending courses that this run leaves alone: excluded at the start, or listed after it. */
  excluded: withDefault(Type.Array(Type.String()), []),
  lastOpenedAt: orNull(moment),
  pauseUntil: orNull(moment),
  stopRequestedAt: orNull(moment),
  /** Replicas of the release before, which resume runs, do not read a snapshot without it. */
  refreshDue: withDefault(Type.Boolean(), false),
  lastResult: orNull(Type.Object({ courseName: Type.String(), success: Type.Boolean() })),
  /** The campus wants a second step of the student: since when, and when that is looked at again. */
  person: withDefault(orNull(Type.Object({ since: moment, lookAt: moment })), null),
});

type FirstOfTask = 'status' | 'courses' | 'startedAt' | 'endedAt' | 'fault' | 'successCount' | 'failCount' | 'run';

const Task = stored<FirstOfTask>()({
  status: oneOf('idle', 'initializing', 'running', 'paused', 'completed', 'failed', 'terminated'),
  /** The latest list, evaluated courses included. */
  courses: Type.Array(Course),
  startedAt: orNull(moment),
  endedAt: orNull(moment),
  /** Why the task failed; the surface has the words. */
  fault: orNull(
    oneOf(
      'season-closed',
      'index-failed',
      'list-failed',
      'list-empty',
      'sign-in-failed',
      'person-needed',
      'interrupted',
      'unexpected',
    ),
  ),
  successCount: Type.Number(),
  failCount: Type.Number(),
  /** At most one for each course; none once the task has ended, unless it was stopped. */
  previews: withDefault(Type.Array(Preview), []),
  /** Before the start: keys of the pending courses that the run stopped before had left alone. */
  excluded: withDefault(Type.Array(Type.String()), []),
  run: orNull(Run),
});

/** The evaluation task of one student: plain data, stored as it is. Times are epoch milliseconds. */
export type EvaluationTask = RecordOf<typeof Task>;
/** A course in the evaluation list of a student, whether evaluated already or not. */
export type EvaluationCourse = EvaluationTask['courses'][number];
export type EvaluationRun = NonNullable<EvaluationTask['run']>;
export type Attempt = EvaluationRun['attempts'][number];
export type Preview = EvaluationTask['previews'][number];
export type AttemptPhase = Attempt['phase'];
export type RunTiming = EvaluationRun['timing'];
export type EvaluationPlan = EvaluationRun['plan'];
export type TaskStatus = EvaluationTask['status'];
export type TaskFault = NonNullable<EvaluationTask['fault']>;

export const writeSnapshot = (task: EvaluationTask): string => JSON.stringify(task);

/** An inconsistent snapshot is never worked on: `unreadable` names the member. */
export const readSnapshot = (snapshot: string): EvaluationTask | { readonly unreadable: string } => {
  let value: unknown;
  try {
    // Members that earlier versions did not store get the value of that time.
    value = Value.Default(Task, JSON.parse(snapshot));
  } catch {
    return { unreadable: 'not JSON' };
  }
  if (Value.Check(Task, value)) return value;
  return { unreadable: Value.Errors(Task, value).First()?.path ?? '' };
};

/** How long a submission that is on its way is awaited when the run is terminated. */
export const STOP_GRACE_MS = 5_000;

/** When an open page may be submitted: the rule that everything obeys which waits, guards or counts down. */
export const dueAt = ({ timing }: EvaluationRun, { openedAt }: { readonly openedAt: number }): number =>
  openedAt + timing.waitMs;

/** How long a run waits for its student (a challenge takes minutes), and how often it looks for his sign-in. */
export const PERSON_WAIT_MS = 30 * 60_000;
export const PERSON_LOOK_MS = 10_000;

/** It waits for its student, and does not ask the campus. */
export const awaitsPerson = ({ run }: EvaluationTask): boolean => run !== null && run.person !== null;

/** When a run that is to stop ends, with anything still on its way; null until it is to stop. */
export const stopAt = (run: EvaluationRun | null): number | null =>
  run === null || run.stopRequestedAt === null ? null : run.stopRequestedAt + STOP_GRACE_MS;

/**
 * Tells the courses of a run apart: staff number, sequence and course number. Without the number of the person or of
 * the course, their names are used: a sequence alone is shared by many courses, which would pass for one. The
 * questionnaire is no part of it: the list stops naming it once a course is evaluated.
 */
export const courseKey = ({ id, teacher, courseName }: EvaluationCourse): string => {
  const numbers = id === null ? [] : [id.staffNumber, id.sequence, id.contentNumber];
  const isNamed = id !== null && id.staffNumber !== '' && id.contentNumber !== '';
  return JSON.stringify(isNamed ? numbers : [...numbers.filter((number) => number !== ''), teacher, courseName]);
};

export const isPending = ({ evaluated }: EvaluationCourse): boolean => evaluated !== '是';

/** Makes the name of a course for clients: opaque, and so long (96 bits) that no two courses of a list meet. */
export const publicKey = (key: string): string => sha256(key).slice(0, 24);

/**
 * A list with what tells its courses apart (`key`) and what clients call them (`name`): never the same twice. Rows with
 * one key are one course to a run; from the second on their names carry their number.
 */
export const namedCourses = (courses: readonly EvaluationCourse[]) => {
  const seen = new Map<string, number>();
  return courses.map((course) => {
    const key = courseKey(course);
    const number = (seen.get(key) ?? 0) + 1;
    seen.set(key, number);
    return { course, key, name: number === 1 ? publicKey(key) : `${publicKey(key)}.${number}` };
  });
};

/** The pending courses, each once. */
export const pendingKeys = ({ courses }: EvaluationTask): readonly string[] => [
  ...new Set(courses.filter(isPending).map(courseKey)),
];

/** Maps the names for clients to the `courseKey`s. */
export const keysByName = ({ courses }: EvaluationTask): ReadonlyMap<string, string> =>
  new Map(namedCourses(courses).map(({ name, key }) => [name, key]));

/** Keys of the pending courses that the run leaves alone, or will unless its start says otherwise. */
export const excludedKeys = ({ run, excluded }: EvaluationTask): readonly string[] => (run ?? { excluded }).excluded;

export const previewOf = ({ previews }: EvaluationTask, key: string): Preview | null =>
  previews.find((preview) => preview.key === key) ?? null;

export const isFinal = (status: TaskStatus): boolean =>
  status === 'completed' || status === 'failed' || status === 'terminated';

/** A process has to work on it. `paused` is never reached, but counts should a stored task say so. */
export const isBusy = (status: TaskStatus): boolean => status !== 'idle' && !isFinal(status);

/** Says why a task cannot be started or previewed; null where it has its list. */
export const unready = (task: EvaluationTask | null): 'not-initialized' | 'initializing' | null => {
  if (task === null || isFinal(task.status)) return 'not-initialized';
  return task.status === 'initializing' ? 'initializing' : null;
};

/** Attempts that have not ended; the first of them is submitted next. */
export const unfinished = (run: EvaluationRun): readonly Attempt[] =>
  run.attempts.filter(({ phase }) => phase.kind !== 'done');

/** Of several rows with one key the pending one is meant. */
export const courseOf = ({ courses }: EvaluationTask, key: string): EvaluationCourse | null => {
  const rows = courses.filter((course) => courseKey(course) === key);
  return rows.find(isPending) ?? rows[0] ?? null;
};

/** The course is pending and its page is not open: answers to it may still be drawn and changed. */
export const isUnopened = (task: EvaluationTask, key: string): boolean => {
  const course = courseOf(task, key);
  if (course === null || !isPending(course)) return false;
  if (task.status !== 'running' || task.run === null) return task.status === 'idle';
  const { attempts, stopRequestedAt } = task.run;
  return stopRequestedAt === null && attempts.some((each) => each.key === key && each.phase.kind === 'waiting');
};

/** Whether a page may be opened to draw answers: not where the campus bears one open page at a time. */
export const isDrawable = (task: EvaluationTask, key: string): boolean =>
  isUnopened(task, key) && (task.run === null || task.run.plan === 'overlapped');
