import type { TSchema } from '@sinclair/typebox';
import type { CurrentTerm } from '../../src/domain/academics/current-term.ts';
import type { Exam, ExamFindings } from '../../src/domain/academics/exams.ts';
import type { PlanChoice, PlanCompletion, TrainingPlan } from '../../src/domain/academics/plans.ts';
import type { AcademicSummary, Schedule } from '../../src/domain/academics/ports.ts';
import { plainAcademicReads } from '../../src/domain/academics/reads.ts';
import {
  type CurrentScore,
  type PlanEstimate,
  type ScoreComponent,
  type ScorePage,
  ScoreRecord,
  type Term,
  type WholeRecord,
} from '../../src/domain/academics/records.ts';
import type { Academics } from '../../src/domain/academics/service.ts';
import type { Accounts } from '../../src/domain/accounts/accounts.ts';
import type { AccountExport } from '../../src/domain/accounts/export.ts';
import type { ChallengeOperations } from '../../src/domain/accounts/sign-in/challenges.ts';
import type { LoggedIn } from '../../src/domain/accounts/sign-in/login.ts';
import { noGrants, type PersonalTokens, type SettledGrants } from '../../src/domain/accounts/tokens/personal-tokens.ts';
import {
  type ActivityCategory,
  type ActivityScoreCampus,
  activityScoreReads,
} from '../../src/domain/activity-score/records.ts';
import type { CalendarFeeds } from '../../src/domain/calendar/feeds.ts';
import type { Adjustments } from '../../src/domain/calendar/types.ts';
import type { CampusFacts } from '../../src/domain/capabilities.ts';
import type { CardCampus } from '../../src/domain/card/records.ts';
import type { Challenge } from '../../src/domain/challenge.ts';
import type { CompetitionsCampus } from '../../src/domain/competitions/records.ts';
import type { Student } from '../../src/domain/context.ts';
import type { Electricity } from '../../src/domain/electricity/electricity.ts';
import { failures } from '../../src/domain/errors.ts';
import type { Evaluation } from '../../src/domain/evaluation/evaluation.ts';
import type { PreviewView } from '../../src/domain/evaluation/preview.ts';
import type { EvaluationCourse } from '../../src/domain/evaluation/task.ts';
import type { CurrentView, TaskView } from '../../src/domain/evaluation/view.ts';
import type { ChangeEvents } from '../../src/domain/events/events.ts';
import type { JournalPage } from '../../src/domain/events/ports.ts';
import type { Hooks } from '../../src/domain/hooks/hooks.ts';
import type { LaborClub } from '../../src/domain/labor-club/labor-club.ts';
import type { ServiceWatch, SystemReport } from '../../src/domain/observation.ts';
import type { Offerings } from '../../src/domain/offerings/offerings.ts';
import type { OfferedCourse } from '../../src/domain/offerings/records.ts';
import { createFileTickets } from '../../src/domain/profiles/images.ts';
import type { Profiles } from '../../src/domain/profiles/profiles.ts';
import { type AppProfile, defaultTheme, type UserProfile } from '../../src/domain/profiles/types.ts';
import type { ReadOfRecord } from '../../src/domain/read-row.ts';
import type { PortOf } from '../../src/domain/reads/plain-reads.ts';
import { exampleOf, unsaidOf } from '../../src/domain/record.ts';
import type { Services } from '../../src/domain/services.ts';
import { createEntityTags } from '../../src/lib/hash.ts';
import { wholeCampus } from './addresses-of.ts';
import { exampleCategory, exampleTotal } from './labor-examples.ts';
import { ManualClock } from './manual-clock.ts';

/**
 * Stand-ins for the domain. Every method is a `Programmable`: it records its arguments and answers what the test set,
 * by default the examples below.
 */
export interface Programmable<A extends unknown[], R> {
  (...args: A): Promise<R>;
  /** Arguments of all calls so far, oldest first. */
  readonly calls: A[];
  /** From now on answers this value. */
  returns(value: R): void;
  /** From now on rejects with this error. */
  fails(error: unknown): void;
  /** From now on runs this. */
  does(work: (...args: A) => Promise<R>): void;
}

export const programmable = <A extends unknown[], R>(
  initial: (...args: NoInfer<A>) => Promise<R>,
): Programmable<A, R> => {
  let work: (...args: A) => Promise<R> = initial;
  const calls: A[] = [];
  const run = (...args: A): Promise<R> => {
    calls.push(args);
    return work(...args);
  };
  return Object.assign(run, {
    calls,
    returns: (value: R) => {
      work = () => Promise.resolve(value);
    },
    fails: (error: unknown) => {
      work = () => Promise.reject(error);
    },
    does: (next: (...args: A) => Promise<R>) => {
      work = next;
    },
  });
};

type Faked<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => Promise<infer R> ? Programmable<A, R> : T[K];
};

type RecordsOf<Rows> = {
  readonly [M in keyof Rows as Rows[M] extends Pick<ReadOfRecord<TSchema>, 'record'> ? M : never]: Rows[M];
};

/** The reads of rows that have a record, each with what the record shows. */
const shownBy = <Rows extends object>(rows: Rows) =>
  // Only those with a record, each of which says what it gives.
  Object.fromEntries(
    Object.entries<Partial<ReadOfRecord<TSchema>>>(rows as never).flatMap(([name, { record }]) =>
      record === undefined ? [] : [[name, programmable(async () => exampleOf(record))]],
    ),
  ) as unknown as Faked<PortOf<RecordsOf<Rows>>>;

export const exampleStudent: Student = { userid: '2023000001', tag: '5f0c1d2e3a4b' };
/** The only token the fake accounts accept unless told otherwise. */
export const exampleToken = 'dGVzdC10b2tlbi1vZi10aGUtZmFrZS1zZXJ2aWNlcy0';

export const exampleSummary: AcademicSummary = {
  coursesTaken: 30,
  coursesFailed: 1 as number | null,
  coursesPending: 6,
  gpa: 3.2,
  currentTerm: '2025-2026-2-1',
  averageScore: 85.37,
  rank: 21,
  rankTotal: null,
};

export const exampleTerms: readonly Term[] = [
  { term_code: '2025-2026-2-1', term_name: '2025-2026学年下', is_current: true },
  { term_code: '2025-2026-1-1', term_name: '2025-2026学年上', is_current: false },
];

export const exampleScore: ScoreRecord = {
  sequence: 1,
  term_id: '2025-2026-1-1',
  course_code: 'EX1001',
  course_class: '01',
  course_name_cn: '示例课程',
  course_name_en: 'Example',
  credits: '2.0',
  hours: 32,
  course_type: '必修',
  exam_type: '考试',
  score: '95.7',
  ...unsaidOf(ScoreRecord),
};

export const exampleSchedule: Schedule = {
  totalCredits: 20.5,
  courses: [
    {
      name: '示例课程',
      code: 'EX1001',
      sequence: '01',
      teachers: '张三 李四',
      nature: '必修',
      examType: '考试',
      credits: 4.5,
      places: [
        {
          weekday: 1,
          firstSession: 1,
          sessionCount: 2,
          weekMask: '111111111111111100000000',
          weekDescription: '1-16周',
          campus: '示例校区',
          building: '一号楼',
          room: '101',
        },
      ],
    },
    {
      name: '无时间课程',
      code: 'EX1002',
      sequence: '02',
      teachers: '',
      nature: '选修',
      examType: '考查',
      credits: 1,
      places: [],
    },
  ],
  sections: {
    slots: [{ session: 1, name: '第一节', startTime: '0800', endTime: '0845', length: '45', block: 1 }],
    semester: { totalWeeks: '20', weekDescription: '第1-20周', totalSessions: '12', firstDay: '1' },
  },
};

const examplePage: ScorePage = { page_num: 1, page_size: 50, total_count: 1, records: [exampleScore] };

export const examplePlan: TrainingPlan = { name: '2023级示例专业本科培养方案', major: '示例专业', grade: '2023' };

export const exampleCompletion: PlanCompletion = {
  planId: '7352',
  plan: examplePlan,
  categories: [
    {
      flagId: 'c1',
      name: '通识通修',
      minCredits: 68,
      completedCredits: 34.4,
      totalCourses: 26,
      passedCourses: 25,
      failedCourses: 1,
      missingRequiredCourses: 12,
      subcategories: [
        {
          flagId: 'c11',
          name: '思政类(一)',
          minCredits: 0,
          completedCredits: 0,
          totalCourses: 0,
          passedCourses: 0,
          failedCourses: 0,
          missingRequiredCourses: 0,
          subcategories: [],
          courses: [
            {
              flagId: 'k2',
              flagType: 'kch',
              code: 'EX1002',
              name: '体育(一)',
              state: 'unread',
              credits: null,
              score: null,
              examDate: null,
              type: '',
              parentId: 'n11',
              level: 2,
            },
          ],
        },
      ],
      courses: [
        {
          flagId: 'k1',
          flagType: 'kch',
          code: 'EX1001',
          name: '示例课程',
          state: 'passed',
          credits: 2.5,
          score: '87.0',
          examDate: '20250119',
          type: '必修',
          parentId: 'n1',
          level: 2,
        },
      ],
    },
  ],
  totalCourses: 2,
  passedCourses: 1,
  failedCourses: 0,
  unreadCourses: 1,
};

export const exampleCurrentScore: CurrentScore = {
  term_id: '2025-2026-2-1',
  course_code: 'EX1001',
  course_class: '02',
  exam_time: ' 20260110',
  course_name_cn: '示例课程',
  course_name_en: 'Example',
  credits: '3',
  hours: 48,
  course_type: '必修',
  exam_type: '考试',
  score: '95.7',
  grade_point: '4.5',
  class_average: null,
  class_highest: null,
  class_lowest: null,
  class_rank: '3/78',
};

export const exampleComponent: ScoreComponent = {
  score_type_code: '003',
  regular: '90',
  midterm: null,
  final: '88.5',
  total: '优秀',
  remark: '',
  regular_weight: 0.3,
  midterm_weight: null,
  final_weight: 0.7,
  weight: 1,
};

export const exampleChoice: PlanChoice = {
  hint: '您有多个培养方案',
  options: [
    { id: '7410', name: '2024级法学本科培养方案(辅修)', kind: 'minor' },
    { id: '7352', name: '2023级示例专业本科培养方案(主修)', kind: 'major' },
    { id: '202503110042', name: '数字法治（微专业）教学计划', kind: 'micro-major' },
  ],
};

export const exampleEstimate: PlanEstimate = {
  passed_courses: 1,
  failed_courses: 1,
  unread_courses: 0,
  completed_credits: 2.5,
  matched_courses: 2,
  score_records: 12,
  terms_read: 4,
  courses: [
    {
      flag_id: 'k1',
      parent_id: 'n1',
      course_code: 'EX1001',
      is_passed: true,
      score: '63',
      score_source: 'makeup_score',
      term_id: '2024-2025-2-1',
      credits: 2.5,
      credits_source: 'plan',
    },
    {
      flag_id: 'k2',
      parent_id: 'n11',
      course_code: 'EX1002',
      is_passed: false,
      score: '不及格',
      score_source: 'retake_score',
      term_id: '2024-2025-1-1',
      credits: null,
      credits_source: null,
    },
  ],
  categories: [
    { category_id: 'c1', passed_courses: 1, failed_courses: 1, completed_credits: 2.5 },
    { category_id: 'c11', passed_courses: 0, failed_courses: 1, completed_credits: 0 },
  ],
};

export const exampleTerm: CurrentTerm = {
  academicYear: '2025-2026',
  season: '春',
  week: 3,
  startAt: '2026-03-02',
  isEnding: false,
  code: '2025-2026-2-1',
  stated: null,
  weeks: 18,
  weekday: 2,
};

export const exampleExam: Exam = {
  courseName: '示例课程',
  date: '2026-06-24',
  time: '08:30-10:30',
  location: '示例校区 一号楼 一号楼-101',
  kind: 'university',
  note: '座位号: 12',
};

export const exampleEvaluationCourse: EvaluationCourse = {
  id: { staffNumber: 'T0012', sequence: '01', contentNumber: 'EX1001', questionnaireCoding: '' },
  questionnaire: { number: 'Q001', name: '理论课评价' },
  teacher: '李四',
  courseName: '示例课程',
  evaluated: '否',
};

/** A task in the countdown of its first course. */
export const exampleTask: TaskView = {
  status: 'running',
  courses: [{ ...exampleEvaluationCourse, courseKey: '5f70bf18a086007016e948b0', excluded: false }],
  total: 1,
  pending: 1,
  successCount: 0,
  failCount: 0,
  failed: [],
  currentIndex: 0,
  countdown: 95,
  startedAt: Date.UTC(2026, 5, 20, 2, 15, 30),
  endedAt: null,
  fault: null,
  ran: true,
  progress: { kind: 'countdown', seconds: 95 },
};

export const exampleCurrent: CurrentView = {
  status: 'running',
  pending: 1,
  course: { name: '示例课程', teacher: '李四', index: 0, of: 1, countdown: 95 },
};

const fakeAccounts = (): Faked<Accounts> => ({
  verifyInviteCode: programmable(() => Promise.resolve({ inviteToken: 'aW52aXRlLXRva2VuLW9mLXRoZS1mYWtlLXNlcnZpY2U' })),
  register: programmable(() => Promise.resolve({ token: exampleToken })),
  login: programmable(() => Promise.resolve<LoggedIn>({ token: exampleToken, grants: noGrants })),
  authenticate: programmable((token: string, _address?: string) =>
    token === exampleToken ? Promise.resolve(exampleStudent) : Promise.reject(failures.tokenUnknown()),
  ),
  sessions: programmable(() =>
    Promise.resolve([
      {
        id: '5f2c8a1e9b3d4706',
        createdAt: Date.UTC(2026, 2, 2, 1, 14, 31),
        lastUsedAt: Date.UTC(2026, 2, 18, 2),
        network: '203.0.113.0/24' as string | null,
        client: 'CampusApp' as string | null,
        current: true as boolean,
      },
    ]),
  ),
  endSession: programmable<Parameters<Accounts['endSession']>, SettledGrants | null>(() => Promise.resolve(noGrants)),
  logout: programmable(() => Promise.resolve()),
  logoutAll: programmable(() => Promise.resolve<SettledGrants>(noGrants)),
  deleteAccount: programmable(() => Promise.resolve<'erased' | 'erasing'>('erased')),
});

/** A code by SMS that was not requested yet. */
export const exampleChallenge: Challenge = {
  id: 'ZXhhbXBsZS1jaGFsbGVuZ2UtZm9yLXRoZS1kb2N1bWVudC0',
  purpose: 'login',
  step: 'portal',
  asked: { kind: 'sms', targets: [], sent: 'unknown', stillValid: false, resendAfter: 0 },
  last: 'none',
  answersLeft: 3,
  resendAfter: 0,
  expiresAt: Date.UTC(2026, 2, 18, 2, 5),
};

const fakeAcademics = (): Faked<Academics> => ({
  ...shownBy(plainAcademicReads),
  summary: programmable(() => Promise.resolve(exampleSummary)),
  terms: programmable(() => Promise.resolve(exampleTerms)),
  knowsTerm: programmable(() => Promise.resolve(true as boolean)),
  scorePage: programmable(() => Promise.resolve(examplePage)),
  allScores: programmable(() => Promise.resolve<readonly ScoreRecord[]>([exampleScore])),
  wholeRecord: programmable(() => Promise.resolve<WholeRecord>({ source: 'scheme', groups: [], records: [] })),
  schedule: programmable(() => Promise.resolve(exampleSchedule)),
  trainingPlan: programmable(() => Promise.resolve(examplePlan)),
  planOverview: programmable(() => Promise.resolve({ plan: examplePlan, summary: exampleSummary })),
  planChoice: programmable(() => Promise.resolve(exampleChoice)),
  planCompletion: programmable(() => Promise.resolve(exampleCompletion)),
  planEstimate: programmable(() => Promise.resolve<PlanEstimate | null>(exampleEstimate)),
  currentScores: programmable(() => Promise.resolve<readonly CurrentScore[]>([exampleCurrentScore])),
  scoreComponents: programmable(() => Promise.resolve<readonly ScoreComponent[]>([exampleComponent])),
  courseSelection: programmable(() => Promise.resolve({ open: false })),
  currentTerm: programmable(() => Promise.resolve(exampleTerm)),
  codeOfCurrentTerm: programmable(() => Promise.resolve('2025-2026-1-1')),
  exams: programmable(() => Promise.resolve<ExamFindings>({ exams: [exampleExam], missing: [] })),
  evaluationCourses: programmable(() => Promise.resolve<readonly EvaluationCourse[]>([exampleEvaluationCourse])),
});

export const exampleOffered: OfferedCourse = {
  course_code: 'MAT1102004',
  course_sequence: '05',
  course_name: '线性代数(B)',
  unit: 2.5,
  hours: 40,
  department: '数学学院',
  exam_type: '考试',
  category: '专业必修课',
  campus_name: '东校区',
  selection_mode: '直选',
  restriction: null,
  remark: null,
  for_classes: '会计231',
  capacity: 60,
  places_left: -2,
  students: 48,
};
const fakeActivityScore = (): Faked<ActivityScoreCampus> => ({
  ...shownBy(activityScoreReads),
  total: programmable(() => Promise.resolve(exampleTotal)),
  categories: programmable(() => Promise.resolve<readonly ActivityCategory[]>([exampleCategory])),
});

export const exampleProfile: UserProfile = { nickname: '小明', slogan: '你好', avatar: null };
const emptyAppProfile: AppProfile = { nickname: null, avatar: null, background: null, settings: null };

const fakeProfiles = (): Faked<Profiles> => ({
  userProfile: programmable(() => Promise.resolve(exampleProfile)),
  updateUserProfile: programmable(() => Promise.resolve(exampleProfile)),
  avatarMd5: programmable(() => Promise.reject(failures.profileUnknown())),
  clientTheme: programmable(() => Promise.resolve(defaultTheme)),
  updateClientTheme: programmable(() => Promise.resolve(defaultTheme)),
  backgroundMd5: programmable(() => Promise.reject(failures.profileUnknown())),
  appProfile: programmable(() => Promise.resolve(emptyAppProfile)),
  updateAppProfile: programmable(() => Promise.resolve({ profile: emptyAppProfile, imagesRefused: false })),
  uploadImage: programmable(() => Promise.reject(failures.imageStoreFailed())),
  openImage: programmable(() => Promise.reject(failures.imageUnknown())),
});

export const examplePreview: PreviewView = {
  courseKey: '5f70bf18a086007016e948b0',
  courseName: '示例课程',
  teacher: '李四',
  questionnaire: '理论课评价',
  ratings: [
    {
      name: '0000000180',
      question: '老师备课充分',
      value: '5_1',
      choice: '非常同意',
      options: [{ value: '5_1', choice: '非常同意' }],
    },
  ],
  comments: [{ name: 'zgpj', question: '总体评价', text: '讲解清楚，收获很大', maxLength: 500 }],
};

const fakeEvaluation = (): Faked<Evaluation> => ({
  initialize: programmable(() => Promise.resolve({ kind: 'loaded' as const, view: exampleTask })),
  preview: programmable(() => Promise.resolve({ kind: 'shown' as const, preview: examplePreview })),
  editPreview: programmable(() => Promise.resolve({ kind: 'stored' as const, preview: examplePreview })),
  start: programmable(() => Promise.resolve({ accepted: true as const, status: 'running' as const })),
  terminate: programmable(() => Promise.resolve({ accepted: true as const, status: 'terminated' as const })),
  status: programmable(() => Promise.resolve<TaskView | null>(exampleTask)),
  current: programmable(() => Promise.resolve<CurrentView | null>(exampleCurrent)),
  lastKnown: programmable(() => Promise.resolve('idle' as const)),
});

const fakeChangeEvents = (): Omit<Faked<ChangeEvents>, 'close' | 'open' | 'tokensEnded'> &
  Pick<ChangeEvents, 'close' | 'open' | 'tokensEnded'> => ({
  open: 0,
  page: programmable(() => Promise.resolve<JournalPage>({ entries: [], next: 0, gap: false, account: 1 })),
  stream: programmable(() => Promise.reject(failures.overloaded(undefined))),
  tokensEnded: () => {},
  close: async () => {},
});

/** A fake without defaults: each method refuses until the test sets it. */
const unset = <T extends object>(): Faked<T> => {
  const methods = new Map<PropertyKey, unknown>();
  const methodOf = (name: PropertyKey) => {
    const known = methods.get(name) ?? programmable(() => Promise.reject(failures.internal()));
    methods.set(name, known);
    return known;
  };
  return new Proxy(Object.create(null), { get: (_target, name) => methodOf(name) });
};

/** Services that do nothing. */
const idleWatch: ServiceWatch = {
  observe: () => {},
  sessionsHeld: () => 0,
  breakers: () => new Map(),
  pausedStudents: () => new Map(),
  queues: () => new Map(),
  lastBackup: async () => null,
  evaluationRuns: () => 0,
  eventStreams: () => 0,
};

export interface FakeServices extends Services {
  readonly clock: ManualClock;
  readonly accounts: Faked<Accounts>;
  readonly challenges: Faked<ChallengeOperations>;
  readonly personalTokens: Faked<PersonalTokens>;
  readonly accountExport: Faked<AccountExport>;
  readonly academics: Faked<Academics>;
  readonly activityScore: Faked<ActivityScoreCampus>;
  readonly electricity: Faked<Electricity>;
  readonly laborClub: Faked<LaborClub>;
  readonly competitions: Faked<CompetitionsCampus>;
  readonly offerings: Faked<Offerings>;
  readonly card: Faked<CardCampus>;
  readonly adjustments: Adjustments;
  campus: CampusFacts;
  readonly evaluation: Faked<Evaluation>;
  readonly profiles: Faked<Profiles>;
  readonly calendarFeeds: Faked<CalendarFeeds>;
  readonly hooks: Faked<Hooks>;
  readonly changeEvents: ReturnType<typeof fakeChangeEvents>;
  readonly ready: Programmable<[], boolean>;
  systemStates(): readonly SystemReport[];
  readonly close: Programmable<[], void>;
}

/** A fresh, independent set of fakes. */
export const fakeServices = (
  clock = new ManualClock(),
  challenges: Faked<ChallengeOperations> = unset(),
): FakeServices => ({
  clock,
  accounts: fakeAccounts(),
  challenges,
  personalTokens: unset(),
  accountExport: unset(),
  academics: fakeAcademics(),
  activityScore: fakeActivityScore(),
  electricity: unset(),
  laborClub: unset(),
  competitions: unset(),
  offerings: unset(),
  card: unset(),
  campus: wholeCampus,
  adjustments: { daysOff: [], moved: [] },
  evaluation: fakeEvaluation(),
  profiles: fakeProfiles(),
  calendarFeeds: unset(),
  hooks: unset(),
  changeEvents: fakeChangeEvents(),
  fileTickets: createFileTickets([Buffer.alloc(32, 5)], clock),
  entityTags: createEntityTags(Buffer.alloc(32, 5)),
  watch: idleWatch,
  ready: programmable<[], boolean>(() => Promise.resolve(true)),
  systemStates: () => [{ name: 'academics', state: 'answers', failsSince: null, answeredAt: 0 }],
  close: programmable<[], void>(() => Promise.resolve()),
});
