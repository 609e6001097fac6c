import type { Academics } from '../../src/domain/academics/academics.ts';
import type { CurrentScore, ScoreComponent } from '../../src/domain/academics/current-scores.ts';
import type { CurrentTerm } from '../../src/domain/academics/current-term.ts';
import type { Exam, ExamFindings } from '../../src/domain/academics/exams.ts';
import type { PlanChoice } from '../../src/domain/academics/plan-choice.ts';
import type { PlanCompletion } from '../../src/domain/academics/plan-completion.ts';
import type { PlanEstimate } from '../../src/domain/academics/plan-estimate.ts';
import type { TrainingPlan } from '../../src/domain/academics/training-plan.ts';
import type { AcademicSummary, Schedule, ScorePage, ScoreRecord, Term } from '../../src/domain/academics/types.ts';
import type { Accounts } from '../../src/domain/accounts/accounts.ts';
import type { ActivityScore } from '../../src/domain/activity-score/activity-score.ts';
import type { ActivityCategory } from '../../src/domain/activity-score/types.ts';
import type { CalendarFeeds } from '../../src/domain/calendar/feeds.ts';
import type { Feed } from '../../src/domain/calendar/types.ts';
import type { Competitions } from '../../src/domain/competitions/competitions.ts';
import type { CompetitionRecord } from '../../src/domain/competitions/types.ts';
import type { Student } from '../../src/domain/context.ts';
import type { Electricity } from '../../src/domain/electricity/electricity.ts';
import { RoomIndex } from '../../src/domain/electricity/room-index.ts';
import type { ElectricityReading, RoomTree } from '../../src/domain/electricity/types.ts';
import { Failure } from '../../src/domain/errors.ts';
import type { Evaluation } from '../../src/domain/evaluation/evaluation.ts';
import type { EvaluationCourse } from '../../src/domain/evaluation/types.ts';
import type { CurrentView, PreviewView, TaskView } from '../../src/domain/evaluation/view.ts';
import type { JudgedApplication } from '../../src/domain/labor-club/clubs.ts';
import type { LaborClub } from '../../src/domain/labor-club/labor-club.ts';
import type { Decision, LaborClubEntry, ScanDecision } from '../../src/domain/labor-club/types.ts';
import type { ServiceWatch } from '../../src/domain/observation.ts';
import { createFileTickets } from '../../src/domain/profiles/file-tickets.ts';
import type { Profiles } from '../../src/domain/profiles/profiles.ts';
import { type AppProfile, defaultTheme, type UserProfile } from '../../src/domain/profiles/types.ts';
import { createEntityTags } from '../../src/domain/reads/entity-tags.ts';
import type { Services } from '../../src/services.ts';
import {
  exampleActivityDetail,
  exampleApplication,
  exampleCategory,
  exampleClub,
  exampleDirectory,
  exampleLaborActivities,
  exampleSignItems,
  exampleTotal,
} from './labor-examples.ts';
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

export const exampleStudent: Student = { userid: '2023000001' };
/** The only token the fake accounts accept unless told otherwise. */
export const exampleToken = 'dGVzdC10b2tlbi1vZi10aGUtZmFrZS1zZXJ2aWNlcy0';

export const exampleSummary: AcademicSummary = {
  coursesTaken: 30,
  coursesFailed: 1,
  coursesPending: 6,
  gpa: 3.2,
  currentTerm: '2025-2026-2-1',
  averageScore: 85.37,
  rank: 21,
  rankTotal: null,
};

export const exampleTerms: readonly Term[] = [
  { code: '2025-2026-2-1', name: '2025-2026学年下', isCurrent: true },
  { code: '2025-2026-1-1', name: '2025-2026学年上', isCurrent: false },
];

export const exampleScore: ScoreRecord = {
  sequence: 1,
  termCode: '2025-2026-1-1',
  courseCode: 'EX1001',
  courseClass: '01',
  courseName: '示例课程',
  courseNameEnglish: 'Example',
  credits: '2.0',
  hours: 32,
  courseType: '必修',
  examType: '考试',
  score: '95.7',
  retakeScore: null,
  makeupScore: null,
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

const examplePage: ScorePage = { page: 1, pageSize: 50, totalCount: 1, records: [exampleScore] };

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
  termCode: '2025-2026-2-1',
  courseCode: 'EX1001',
  courseClass: '02',
  examTime: ' 20260110',
  courseName: '示例课程',
  courseNameEnglish: 'Example',
  credits: '3',
  hours: 48,
  courseType: '必修',
  examType: '考试',
  score: '95.7',
  gradePoint: '4.5',
  classAverage: null,
  classHighest: null,
  classLowest: null,
  classRank: '3/78',
};

export const exampleComponent: ScoreComponent = {
  typeCode: '003',
  regular: '90',
  midterm: null,
  final: '88.5',
  total: '优秀',
  remark: '',
  regularWeight: 0.3,
  midtermWeight: null,
  finalWeight: 0.7,
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
  passedCourses: 1,
  failedCourses: 1,
  unreadCourses: 0,
  completedCredits: 2.5,
  matchedCourses: 2,
  scoreRecords: 12,
  termsRead: 4,
  courses: [
    {
      flagId: 'k1',
      parentId: 'n1',
      code: 'EX1001',
      passed: true,
      mark: { text: '63', passes: true, from: 'make-up', termCode: '2024-2025-2-1', credits: 3 },
      credits: 2.5,
      creditsFrom: 'plan',
    },
    {
      flagId: 'k2',
      parentId: 'n11',
      code: 'EX1002',
      passed: false,
      mark: { text: '不及格', passes: false, from: 'retake', termCode: '2024-2025-1-1', credits: null },
      credits: null,
      creditsFrom: null,
    },
  ],
  categories: [
    { flagId: 'c1', passedCourses: 1, failedCourses: 1, completedCredits: 2.5 },
    { flagId: 'c11', passedCourses: 0, failedCourses: 1, completedCredits: 0 },
  ],
};

export const exampleTerm: CurrentTerm = {
  academicYear: '2025-2026',
  season: '春',
  week: 3,
  startAt: '2026-03-02',
  isEnding: false,
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
  currentIndex: 0,
  countdown: 95,
  startedAt: Date.UTC(2026, 5, 20, 2, 15, 30),
  endedAt: null,
  fault: null,
  ran: true,
  progress: { kind: 'countdown', seconds: 95 },
};

export const exampleCurrent: CurrentView = {
  running: true,
  pending: 1,
  course: { name: '示例课程', teacher: '李四', index: 0, of: 1, countdown: 95 },
};

export const exampleCompetitions: CompetitionRecord = {
  studentId: '2023000001',
  awards: [
    {
      id: '101',
      name: '示例竞赛',
      level: '校级',
      prize: '一等奖',
      date: '2025/5/4',
      applicantId: '2023000009',
      applicantName: '李四',
      order: 2,
      credits: 1.5,
      bonus: 800,
      status: '提交',
      verificationStatus: '通过',
    },
  ],
  credits: {
    disciplineCompetition: 16.6,
    scientificResearch: null,
    transferableCompetition: 0,
    innovationPractice: 2,
    abilityCertification: null,
    otherProject: null,
  },
};

export const exampleRooms: RoomTree = {
  readAt: Date.UTC(2026, 2, 17, 19, 0, 0),
  buildings: [
    {
      code: '01',
      name: '示例1号公寓',
      floors: [
        { code: '0101', name: '1-1层', rooms: [{ code: '010101', name: '1-101' }] },
        { code: '0102', name: '1-2层', rooms: [] },
      ],
    },
    {
      code: '1',
      name: '示例公寓',
      floors: [{ code: '110', name: '一层', rooms: [{ code: '01', name: '北-1,东' }] }],
    },
  ],
};

export const exampleReading: ElectricityReading = {
  room: { code: '010101', name: '1-101', displayText: '示例1号公寓/1-1层/1-101' },
  balance: { purchased: -3.2, subsidy: 0 },
  usage: [{ time: '2026-03-18 00:05:00', amount: 1.2, meter: '1-101空调' }],
  payments: [{ time: '2026-03-01 11:30:00', amount: -1250.5, type: '下发补助' }],
};

const fakeElectricity = (): Faked<Electricity> => ({
  rooms: programmable(() => Promise.resolve(new RoomIndex(exampleRooms))),
  bindRoom: programmable(() => Promise.resolve()),
  boundRoom: programmable(() =>
    Promise.resolve<Awaited<ReturnType<Electricity['boundRoom']>>>({
      code: '010101',
      displayText: '示例1号公寓/1-1层/1-101',
    }),
  ),
  refreshRooms: programmable(() => Promise.resolve()),
  reading: programmable(() => Promise.resolve(exampleReading)),
});

const fakeAccounts = (): Faked<Accounts> => ({
  verifyInviteCode: programmable(() => Promise.resolve({ inviteToken: 'aW52aXRlLXRva2VuLW9mLXRoZS1mYWtlLXNlcnZpY2U' })),
  register: programmable(() => Promise.resolve({ token: exampleToken })),
  login: programmable(() => Promise.resolve({ token: exampleToken })),
  authenticate: programmable((token: string, _address?: string) =>
    token === exampleToken ? Promise.resolve(exampleStudent) : Promise.reject(new Failure('token-unknown')),
  ),
  // Nothing is known at once: every look goes through the method above.
  known: () => null,
  sessions: programmable(() =>
    Promise.resolve([
      {
        id: '5f2c8a1e9b3d4706',
        createdAt: Date.UTC(2026, 2, 2, 1, 14, 31),
        lastUsedAt: Date.UTC(2026, 2, 18, 2),
        network: '203.0.113.0/24' as string | null,
        current: true,
      },
    ]),
  ),
  endSession: programmable(() => Promise.resolve(true)),
  logout: programmable(() => Promise.resolve()),
  logoutAll: programmable(() => Promise.resolve()),
  deleteAccount: programmable(() => Promise.resolve()),
});

const fakeAcademics = (): Faked<Academics> => ({
  summary: programmable(() => Promise.resolve(exampleSummary)),
  terms: programmable(() => Promise.resolve(exampleTerms)),
  scorePage: programmable(() => Promise.resolve(examplePage)),
  allScores: programmable(() => Promise.resolve<readonly ScoreRecord[]>([exampleScore])),
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
  exams: programmable(() => Promise.resolve<ExamFindings>({ exams: [exampleExam], missing: [] })),
  evaluationCourses: programmable(() => Promise.resolve<readonly EvaluationCourse[]>([exampleEvaluationCourse])),
});

const fakeCompetitions = (): Faked<Competitions> => ({
  record: programmable(() => Promise.resolve(exampleCompetitions)),
});

const fakeActivityScore = (): Faked<ActivityScore> => ({
  total: programmable(() => Promise.resolve(exampleTotal)),
  categories: programmable(() => Promise.resolve<readonly ActivityCategory[]>([exampleCategory])),
});

const fakeLaborClub = (): Faked<LaborClub> => ({
  progress: programmable(() => Promise.resolve({ finished: 4, percentage: 40 })),
  joinedActivities: programmable(() => Promise.resolve(exampleLaborActivities)),
  joinedClubs: programmable(() => Promise.resolve<readonly LaborClubEntry[]>([exampleClub])),
  clubActivities: programmable(() => Promise.resolve(exampleLaborActivities)),
  clubs: programmable(() => Promise.resolve(exampleDirectory)),
  clubApplications: programmable(() => Promise.resolve<readonly JudgedApplication[]>([exampleApplication])),
  joinClub: programmable(() => Promise.resolve<Decision>({ code: 0, message: '申请已提交' })),
  signItems: programmable(() => Promise.resolve(exampleSignItems)),
  activityDetail: programmable(() => Promise.resolve(exampleActivityDetail)),
  signUp: programmable(() => Promise.resolve<Decision>({ code: 0, message: '报名成功' })),
  scan: programmable(() => Promise.resolve<ScanDecision>({ code: 0, message: '签到成功', details: {} })),
});

export const exampleProfile: UserProfile = { nickname: '小明', slogan: '你好', avatar: null };
const emptyAppProfile: AppProfile = { nickname: null, avatar: null, background: null, settings: null };

const fakeProfiles = (): Faked<Profiles> => ({
  userProfile: programmable(() => Promise.resolve(exampleProfile)),
  updateUserProfile: programmable(() => Promise.resolve(exampleProfile)),
  avatarMd5: programmable(() => Promise.reject(new Failure('profile-unknown'))),
  clientTheme: programmable(() => Promise.resolve(defaultTheme)),
  updateClientTheme: programmable(() => Promise.resolve(defaultTheme)),
  backgroundMd5: programmable(() => Promise.reject(new Failure('profile-unknown'))),
  appProfile: programmable(() => Promise.resolve(emptyAppProfile)),
  updateAppProfile: programmable(() => Promise.resolve(emptyAppProfile)),
  uploadImage: programmable(() => Promise.reject(new Failure('image-store-failed'))),
  openImage: programmable(() => Promise.reject(new Failure('image-unknown'))),
});

export const examplePreview: PreviewView = {
  courseKey: '5f70bf18a086007016e948b0',
  courseName: '示例课程',
  teacher: '李四',
  questionnaire: '理论课评价',
  ratings: [{ name: '0000000180', question: '老师备课充分', value: '5_1', choice: '非常同意' }],
  comments: [{ name: 'zgpj', question: '总体评价', text: '讲解清楚，收获很大' }],
};

const fakeEvaluation = (): Faked<Evaluation> => ({
  initialize: programmable(() => Promise.resolve({ kind: 'loaded' as const, view: exampleTask })),
  preview: programmable(() => Promise.resolve({ kind: 'shown' as const, preview: examplePreview })),
  start: programmable(() => Promise.resolve({ accepted: true as const, status: 'running' as const })),
  terminate: programmable(() => Promise.resolve({ accepted: true as const, status: 'terminated' as const })),
  status: programmable(() => Promise.resolve<TaskView | null>(exampleTask)),
  current: programmable(() => Promise.resolve<CurrentView | null>(exampleCurrent)),
  lastKnown: programmable(() => Promise.resolve('idle' as const)),
});

export const exampleFeed: Feed = {
  id: '7d1f0a94c2b85e36',
  name: '我的课表',
  parts: ['classes', 'exams'],
  alarmMinutes: 15,
  createdAt: Date.UTC(2026, 2, 18, 2),
  polledAt: null,
};
const exampleSecret = 'c2VjcmV0LW9mLXRoZS1mYWtlLWNhbGVuZGFyLWZlZWRz';

const fakeCalendarFeeds = (): Faked<CalendarFeeds> => ({
  create: programmable(() => Promise.resolve({ feed: exampleFeed, secret: exampleSecret })),
  list: programmable(() => Promise.resolve([exampleFeed])),
  revoke: programmable(() => Promise.resolve()),
  poll: programmable(() => Promise.reject(new Failure('feed-unknown'))),
});

/** Services in which nothing goes on. */
const idleWatch: ServiceWatch = {
  observe: () => {},
  sessionsHeld: () => 0,
  breakers: () => new Map(),
  lines: () => new Map(),
};

export interface FakeServices extends Services {
  readonly clock: ManualClock;
  readonly accounts: Faked<Accounts>;
  readonly academics: Faked<Academics>;
  readonly activityScore: Faked<ActivityScore>;
  readonly electricity: Faked<Electricity>;
  readonly laborClub: Faked<LaborClub>;
  readonly competitions: Faked<Competitions>;
  readonly evaluation: Faked<Evaluation>;
  readonly profiles: Faked<Profiles>;
  readonly calendarFeeds: Faked<CalendarFeeds>;
  readonly ready: Programmable<[], boolean>;
  readonly close: Programmable<[], void>;
}

/** A fresh, independent set of fakes. */
export const fakeServices = (clock = new ManualClock()): FakeServices => ({
  clock,
  accounts: fakeAccounts(),
  academics: fakeAcademics(),
  activityScore: fakeActivityScore(),
  electricity: fakeElectricity(),
  laborClub: fakeLaborClub(),
  competitions: fakeCompetitions(),
  evaluation: fakeEvaluation(),
  profiles: fakeProfiles(),
  calendarFeeds: fakeCalendarFeeds(),
  fileTickets: createFileTickets([Buffer.alloc(32, 5)], clock),
  entityTags: createEntityTags(Buffer.alloc(32, 5)),
  watch: idleWatch,
  ready: programmable<[], boolean>(() => Promise.resolve(true)),
  close: programmable<[], void>(() => Promise.resolve()),
});
