import type { Academics } from '../../src/domain/academics/academics.ts';
import type { AcademicSummary, Schedule, ScorePage, ScoreRecord, Term } from '../../src/domain/academics/types.ts';
import type { Accounts } from '../../src/domain/accounts/accounts.ts';
import type { Student } from '../../src/domain/context.ts';
import { Failure } from '../../src/domain/errors.ts';
import type { Services } from '../../src/services.ts';
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
  [K in keyof T]: T[K] extends (...args: infer A) => Promise<infer R> ? Programmable<A, R> : never;
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

const fakeAccounts = (): Faked<Accounts> => ({
  verifyInviteCode: programmable(() => Promise.resolve({ inviteToken: 'aW52aXRlLXRva2VuLW9mLXRoZS1mYWtlLXNlcnZpY2U' })),
  register: programmable(() => Promise.resolve({ token: exampleToken })),
  login: programmable(() => Promise.resolve({ token: exampleToken })),
  authenticate: programmable((token: string) =>
    token === exampleToken ? Promise.resolve(exampleStudent) : Promise.reject(new Failure('token-unknown')),
  ),
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
});

export interface FakeServices extends Services {
  readonly clock: ManualClock;
  readonly accounts: Faked<Accounts>;
  readonly academics: Faked<Academics>;
  readonly ready: Programmable<[], boolean>;
  readonly close: Programmable<[], void>;
}

/** A fresh, independent set of fakes. */
export const fakeServices = (): FakeServices => ({
  clock: new ManualClock(),
  accounts: fakeAccounts(),
  academics: fakeAcademics(),
  ready: programmable<[], boolean>(() => Promise.resolve(true)),
  close: programmable<[], void>(() => Promise.resolve()),
});
