import { Type } from '@sinclair/typebox';
import { requireTermCode } from '../../../domain/academics/current-term.ts';
import { byTimeOfDay, type ExamFindings } from '../../../domain/academics/exams.ts';
import type { AcademicSummary } from '../../../domain/academics/ports.ts';
import { mayUse } from '../../../domain/accounts/tokens/personal-tokens.ts';
import { ActivityTotal } from '../../../domain/activity-score/records.ts';
import { type Capability, evaluating, lackOf } from '../../../domain/capabilities.ts';
import type { CallContext, Student } from '../../../domain/context.ts';
import { ElectricityReading } from '../../../domain/electricity/records.ts';
import { type FailureMembers, isFailure } from '../../../domain/errors.ts';
import { nextOf } from '../../../domain/home/next.ts';
import { HomeNext, HomeToday } from '../../../domain/home/records.ts';
import { todayOf } from '../../../domain/home/today.ts';
import { LaborProgress } from '../../../domain/labor-club/records.ts';
import { integer, listOf, object, orNull, type RecordOf, textOrNull } from '../../../domain/record.ts';
import type { Scope } from '../../../domain/scopes.ts';
import type { Services } from '../../../domain/services.ts';
import type { FailureWording } from '../error-codes.ts';
import { AcademicInfo, presentSummary } from './academics.ts';
import { CardBalance, withoutState } from './card.ts';
import {
  CurrentTermInfo,
  presentCurrentTerm,
  presentExams,
  presentExamWithExtras,
  UnifiedExamInfo,
} from './term-and-exams.ts';

const { room_code, room_display, balance } = ElectricityReading.properties;

/** The schema of each part, in the order in which parts are read and answered. */
export const homeSchemas = {
  term: CurrentTermInfo,
  today: HomeToday,
  next: HomeNext,
  exams: object('HomeExams', 'The next exams.', {
    exams: listOf(UnifiedExamInfo, 'From today on, at most 5, in the order of `/jwc/exam/info`.'),
    total_count: integer('All exams of `/jwc/exam/info`.'),
  }),
  summary: AcademicInfo,
  card: CardBalance,
  electricity: object('HomeElectricity', 'Electricity of the bound room.', { room_code, room_display, balance }),
  activity: ActivityTotal,
  labor: LaborProgress,
  evaluation: object('HomeEvaluation', 'The evaluation task, as this service has it.', {
    task_status: textOrNull('As in `/jwc/evaluation/status`; null without a task.'),
    total_courses: integer('Courses of its list.'),
    pending_courses: orNull(
      Type.Integer(),
      'Courses that are not evaluated; null without a task, because only a task knows.',
    ),
    success_count: integer('Courses that it has evaluated.'),
    fail_count: integer('Courses that it could not evaluate.'),
  }),
} as const;

export type PartName = keyof typeof homeSchemas;

export type PartData = { [K in PartName]: RecordOf<(typeof homeSchemas)[K]> }[PartName];

const mostExams = 5;

export interface PartCall {
  readonly student: Student;
  readonly context: CallContext;
  readonly date: string;
  /** `YYYY-MM-DD HH:MM:SS` at the campus. */
  readonly now: string;
  /** Readings that several parts need, made once. */
  readonly once: <V>(name: string, read: (context: CallContext) => Promise<V>) => Promise<V>;
}

interface PartRow {
  readonly scope: Scope;
  readonly needs: readonly Capability[];
  /** The system to name when a reading takes too long; left out: it is not at the campus. */
  readonly of?: FailureMembers;
  readonly wording?: FailureWording;
  read(call: PartCall): Promise<PartData>;
}

/** Failures that are the whole call's, not of a part. */
export const isOfWholeCall = (error: unknown): boolean =>
  isFailure(
    error,
    'token-unknown',
    'token-user-gone',
    'client-gone',
    'stored-credentials-refused',
    'stored-credentials-unreadable',
  );

export const homeParts = (services: Services): Readonly<Record<PartName, PartRow>> => {
  const { academics, card, electricity, activityScore, laborClub, evaluation, adjustments } = services;
  const termOf = ({ student, once }: PartCall) =>
    once('term', async (context) => academics.currentTerm(student, context));
  const summaryOf = ({ student, once }: PartCall): Promise<AcademicSummary> =>
    once('summary', (context) => academics.summary(student, context));
  const examsOf = (call: PartCall): Promise<ExamFindings> =>
    call.once('exams', (context) => academics.exams(call.student, context, 'whole', () => summaryOf(call)));
  const timetableOf = (call: PartCall) =>
    call.once('timetable', async (context) => {
      const term = await termOf(call);
      const code = requireTermCode(term);
      return { term: { ...term, code }, schedule: await academics.schedule(call.student, code, context) };
    });
  /** The exams, or why there are none to look at. */
  const examsForNext = async (call: PartCall) => {
    if (lackOf(services.campus, examNeeds) !== null) return 'not_offered';
    if (!mayUse(call.student, 'exams:read')) return 'scope';
    try {
      return (await examsOf(call)).exams;
    } catch (error) {
      if (isOfWholeCall(error)) throw error;
      return 'failed';
    }
  };
  const examNeeds = ['academics.exams'] as const;
  const termNeeds = ['academics.calendarText', 'academics.termStart'] as const;
  const ofAcademics = { of: { system: 'academics' } } as const;
  return {
    term: {
      ...ofAcademics,
      needs: termNeeds,
      scope: 'academics:read',
      async read(call) {
        return presentCurrentTerm(await termOf(call));
      },
    },
    today: {
      needs: [...termNeeds, 'academics.schedule'],
      ...ofAcademics,
      scope: 'schedule:read',
      async read(call) {
        const { term, schedule } = await timetableOf(call);
        return todayOf(call.date, term, schedule, adjustments);
      },
    },
    next: {
      needs: [...termNeeds, 'academics.schedule'],
      ...ofAcademics,
      scope: 'schedule:read',
      async read(call) {
        const [{ term, schedule }, exams] = await Promise.all([timetableOf(call), examsForNext(call)]);
        return nextOf({ now: call.now, term, schedule, adjustments, exams });
      },
    },
    exams: {
      needs: examNeeds,
      ...ofAcademics,
      scope: 'exams:read',
      async read(call) {
        const findings = await examsOf(call);
        const { total_count } = presentExams(findings);
        const next = byTimeOfDay(findings.exams).filter((exam) => exam.date >= call.date);
        return { exams: next.slice(0, mostExams).map(presentExamWithExtras), total_count };
      },
    },
    summary: {
      ...ofAcademics,
      needs: ['academics.summary'],
      scope: 'scores:read',
      read: async (call) => presentSummary(await summaryOf(call)),
    },
    card: {
      needs: ['card.balance'],
      scope: 'card:read',
      of: { system: 'card' },
      async read({ student, context }) {
        return { balance: await card.balance(student, context), ...withoutState };
      },
    },
    electricity: {
      needs: ['electricity.readMeter'],
      scope: 'electricity:read',
      of: { system: 'electricity' },
      async read({ student, context }) {
        const reading = await electricity.reading(student, context);
        return { room_code: reading.room_code, room_display: reading.room_display, balance: reading.balance };
      },
    },
    activity: {
      needs: ['activityScore.total'],
      scope: 'activity:read',
      of: { system: 'activity-score' },
      wording: 'applications',
      read: ({ student, context }) => activityScore.total(student, context),
    },
    labor: {
      needs: ['laborClub.finishedCount'],
      scope: 'labor:read',
      of: { system: 'labor-club' },
      wording: 'applications',
      read: ({ student, context }) => laborClub.progress(student, context),
    },
    evaluation: {
      needs: evaluating,
      scope: 'evaluation:read',
      async read({ student }) {
        const task = await evaluation.status(student);
        return {
          task_status: task?.status ?? null,
          total_courses: task?.total ?? 0,
          pending_courses: task?.pending ?? null,
          success_count: task?.successCount ?? 0,
          fail_count: task?.failCount ?? 0,
        };
      },
    },
  };
};
