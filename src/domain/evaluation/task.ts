import { type Static, Type } from '@sinclair/typebox';
import { sha256 } from '../../lib/hash.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import { literals, nullable, type RecordOf, stateReader, storedRecord, withDefault } from '../record.ts';

const moment = Type.Number();

const Course = storedRecord<'id' | 'questionnaire' | 'teacher' | 'courseName' | 'evaluated'>()({
  /** Null where the campus sends none: no program can evaluate such a course. */
  id: nullable(
    Type.Object({
      staffNumber: Type.String(),
      sequence: Type.String(),
      /** Course number. */
      contentNumber: Type.String(),
      /** Number of the questionnaire where `questionnaire` is null; often `""`. */
      questionnaireCoding: Type.String(),
    }),
  ),
  questionnaire: nullable(Type.Object({ number: Type.String(), name: Type.String() })),
  teacher: Type.String(),
  courseName: Type.String(),
  /** `是` is done; anything else, also `""`, is pending. As the campus writes it. */
  evaluated: Type.String(),
});

/**
 * Why an attempt failed: the page could not be read, it has changed since the preview, the campus refused the answers,
 * it took them but its list does not show them, or it is unknown whether they arrived.
 */
export const AttemptFault = literals(['page_failed', 'preview_outdated', 'refused', 'unconfirmed', 'interrupted']);
export type AttemptFault = Static<typeof AttemptFault>;

const Phase = Type.Union([
  Type.Object({ kind: Type.Literal('waiting') }),
  Type.Object({ kind: Type.Literal('opening') }),
  /** The page was opened at `openedAt`, and may be submitted from `dueAt` on. */
  Type.Object({ kind: Type.Literal('counting'), openedAt: moment }),
  Type.Object({ kind: Type.Literal('submitting') }),
  /** Awaits a reading of the list. `reads` have failed; the next is due at `nextReadAt`. */
  Type.Object({
    kind: Type.Literal('verifying'),
    outcome: literals(['accepted', 'refused', 'not-yet', 'spent', 'unknown']),
    reads: Type.Number(),
    nextReadAt: moment,
    /** For `refused`: nothing was sent. */
    unsent: Type.Optional(Type.Boolean()),
  }),
  /** `skipped`: the course was evaluated elsewhere. `interrupted`: neither success nor failure. */
  Type.Object({
    kind: Type.Literal('done'),
    result: literals(['success', 'failure', 'skipped', 'interrupted']),
    /** Kept for a failure, with the name because later lists may lack the course. 1.0 stored neither. */
    fault: Type.Optional(AttemptFault),
    courseName: Type.Optional(Type.String()),
    /** For a failure `interrupted`: nothing was sent. */
    unsent: Type.Optional(Type.Boolean()),
  }),
]);

/** Answers that a student was shown before they are sent. 1.0 stored no `options` and no `maxLength`. */
const Preview = storedRecord<'key' | 'title' | 'questions' | 'ratings' | 'comments'>()({
  /** `courseKeyOf` of its course. */
  key: Type.String(),
  title: Type.String(),
  /** Fingerprint of the page. */
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
      maxLength: Type.Optional(nullable(Type.Number())),
    }),
  ),
});

type FirstOfRun = 'plan' | 'fellBack' | 'timing' | 'count' | 'attempts' | 'lastOpenedAt' | 'pauseUntil';

const TaskRun = storedRecord<FirstOfRun | 'stopRequestedAt' | 'lastResult'>()({
  plan: literals(['overlapped', 'sequential']),
  /** An overlapped run has continued one course at a time. */
  fellBack: Type.Boolean(),
  timing: storedRecord<'waitMs' | 'pauseMs' | 'openEveryMs'>()({
    /** From the answer of the questionnaire page to its submission. */
    waitMs: Type.Number(),
    /** Between two courses of the sequential plan. */
    pauseMs: Type.Number(),
    /** Between two openings of the overlapped plan. */
    openEveryMs: Type.Number(),
  }),
  /** Courses of the run at its start; the campus wants the number with every page. */
  count: Type.Number(),
  /** The courses of this run by their `courseKeyOf`, in the order in which they are evaluated. */
  attempts: Type.Array(
    storedRecord<'key' | 'phase'>()({
      key: Type.String(),
      phase: Phase,
      /** It was sent once to a page that was spent, and is sent again. */
      resent: withDefault(Type.Boolean(), false),
    }),
  ),
  /** Open pages that ended with their campus session before they were submitted. */
  pagesLost: withDefault(Type.Number(), 0),
  /** Keys of pending courses that this run leaves alone: excluded at its start, or listed later. */
  excluded: withDefault(Type.Array(Type.String()), []),
  lastOpenedAt: nullable(moment),
  pauseUntil: nullable(moment),
  stopRequestedAt: nullable(moment),
  /** A page could not be opened or has changed since the last reading of the list, which may name its course as evaluated. */
  listDue: withDefault(Type.Boolean(), false),
  /** Replicas of the release before, which resume runs, do not read a snapshot without it. */
  refreshDue: withDefault(Type.Boolean(), false),
  lastResult: nullable(Type.Object({ courseName: Type.String(), success: Type.Boolean() })),
  /** The campus wants a second step: since when, and when the run asks again. */
  person: withDefault(nullable(Type.Object({ since: moment, lookAt: moment })), null),
});

export const TaskStatus = literals(['idle', 'initializing', 'running', 'paused', 'completed', 'failed', 'terminated']);
export type TaskStatus = Static<typeof TaskStatus>;

type FirstOfTask = 'status' | 'courses' | 'startedAt' | 'endedAt' | 'fault' | 'successCount' | 'failCount' | 'run';

const Task = storedRecord<FirstOfTask>()({
  status: TaskStatus,
  /** The latest list, evaluated courses included. */
  courses: Type.Array(Course),
  startedAt: nullable(moment),
  endedAt: nullable(moment),
  fault: nullable(
    literals([
      'season-closed',
      'index-failed',
      'list-failed',
      'list-empty',
      'sign-in-failed',
      'person-needed',
      'interrupted',
      'unexpected',
    ]),
  ),
  successCount: Type.Number(),
  failCount: Type.Number(),
  /** At most one per course, dropped when the task ends unless it was stopped. */
  previews: withDefault(Type.Array(Preview), []),
  /** Before the start: keys of pending courses that the stopped run before left alone. */
  excluded: withDefault(Type.Array(Type.String()), []),
  run: nullable(TaskRun),
});

/** The evaluation task of a student, stored as it is. Times are epoch milliseconds. */
export type EvaluationTask = RecordOf<typeof Task>;
export type EvaluationCourse = EvaluationTask['courses'][number];
export type EvaluationRun = NonNullable<EvaluationTask['run']>;
export type Attempt = EvaluationRun['attempts'][number];
export type Preview = EvaluationTask['previews'][number];
export type AttemptPhase = Attempt['phase'];
export type RunTiming = EvaluationRun['timing'];
export type EvaluationPlan = EvaluationRun['plan'];
export type TaskFault = NonNullable<EvaluationTask['fault']>;

const taskIn = stateReader(Task);

/** Reads a snapshot; `unreadable` names the member that is inconsistent. */
export const readSnapshot = (snapshot: string): EvaluationTask | { readonly unreadable: string } => {
  let unreadable = '';
  const task = taskIn(snapshot, (member) => {
    unreadable = member;
  });
  return task ?? { unreadable };
};

/** A terminated run that has sent a submission ends after this long; the last second is for a reading of the list. */
export const STOP_GRACE_MS = 5_000;
export const LAST_READ_MS = 1_000;

/** When an open page may be submitted: the one rule for waiting, guarding and counting down. */
export const dueAt = ({ timing }: EvaluationRun, { openedAt }: { readonly openedAt: number }): number =>
  openedAt + timing.waitMs;

/** A run waits this long for its student (a challenge takes minutes), and looks for a sign-in this often. */
export const PERSON_WAIT_MS = 30 * MINUTE_MS;
export const PERSON_LOOK_MS = 10_000;

/** The run waits for its student, and asks the campus nothing. */
export const awaitsPerson = ({ run }: EvaluationTask): boolean => run !== null && run.person !== null;

/** When a run that is to stop ends, even with a submission on its way; null until it is to stop. */
export const stopAt = (run: EvaluationRun | null): number | null =>
  run === null || run.stopRequestedAt === null ? null : run.stopRequestedAt + STOP_GRACE_MS;

/**
 * Identifies a course by staff number, sequence and course number. Where the first or last is missing, names are added:
 * many courses share a sequence. The questionnaire is left out: the list drops it once a course is evaluated.
 */
export const courseKeyOf = ({ id, teacher, courseName }: EvaluationCourse): string => {
  const numbers = id === null ? [] : [id.staffNumber, id.sequence, id.contentNumber];
  const isNamed = id !== null && id.staffNumber !== '' && id.contentNumber !== '';
  return JSON.stringify(isNamed ? numbers : [...numbers.filter((number) => number !== ''), teacher, courseName]);
};

export const isPending = ({ evaluated }: EvaluationCourse): boolean => evaluated !== '是';

/** The name of a course for clients: opaque, and with 96 bits so long that no two courses of a list collide. */
export const publicKey = (key: string): string => sha256(key).slice(0, 24);

/**
 * A list with the key of each course and its name for clients, which is unique: of several rows with one key, which are
 * one course to a run, the later ones carry their number.
 */
export const namedCourses = (courses: readonly EvaluationCourse[]) => {
  const seen = new Map<string, number>();
  return courses.map((course) => {
    const key = courseKeyOf(course);
    const number = (seen.get(key) ?? 0) + 1;
    seen.set(key, number);
    return { course, key, name: number === 1 ? publicKey(key) : `${publicKey(key)}.${number}` };
  });
};

export const pendingKeys = ({ courses }: EvaluationTask): readonly string[] => [
  ...new Set(courses.filter(isPending).map(courseKeyOf)),
];

export const keysByName = ({ courses }: EvaluationTask): ReadonlyMap<string, string> =>
  new Map(namedCourses(courses).map(({ name, key }) => [name, key]));

/** Keys of pending courses that the run leaves alone, or will leave alone unless its start says otherwise. */
export const excludedKeys = ({ run, excluded }: EvaluationTask): readonly string[] => (run ?? { excluded }).excluded;

export const previewOf = ({ previews }: EvaluationTask, key: string): Preview | null =>
  previews.find((preview) => preview.key === key) ?? null;

export const taskStatusOf = (task: EvaluationTask | null): TaskStatus => task?.status ?? 'idle';

export const isFinal = (status: TaskStatus): boolean =>
  status === 'completed' || status === 'failed' || status === 'terminated';

export const isTaskBusy = (status: TaskStatus): boolean => status !== 'idle' && !isFinal(status);

/** Why a task cannot be started or previewed; null where it has its list. */
export const unreadyReason = (task: EvaluationTask | null): 'not-initialized' | 'initializing' | null => {
  if (task === null || isFinal(task.status)) return 'not-initialized';
  return task.status === 'initializing' ? 'initializing' : null;
};

/** Attempts that have not ended. The first one is submitted next. */
export const unfinishedCourses = (run: EvaluationRun): readonly Attempt[] =>
  run.attempts.filter(({ phase }) => phase.kind !== 'done');

/** The course with this key; of several rows a pending one. */
export const findCourse = ({ courses }: EvaluationTask, key: string): EvaluationCourse | null => {
  const rows = courses.filter((course) => courseKeyOf(course) === key);
  return rows.find(isPending) ?? rows[0] ?? null;
};

/** Whether the course is pending and its page unopened, so that its answers may still change. */
export const isUnopened = (task: EvaluationTask, key: string): boolean => {
  const course = findCourse(task, key);
  if (course === null || !isPending(course)) return false;
  if (task.status !== 'running' || task.run === null) return task.status === 'idle';
  const { attempts, stopRequestedAt } = task.run;
  return stopRequestedAt === null && attempts.some((each) => each.key === key && each.phase.kind === 'waiting');
};

/** Whether its page may be opened to draw answers, which a campus that accepts only one open page at a time forbids. */
export const isDrawable = (task: EvaluationTask, key: string): boolean =>
  isUnopened(task, key) && (task.run === null || task.run.plan === 'overlapped');
