import type { DemoSystem } from '../../src/demo/types.ts';
import type { allReads } from '../../src/domain/all-reads.ts';
import type { Answer, Gateway } from './gateway-rig.ts';
import { activityId, clubId } from './labor-calls.ts';

export type ReadName = keyof typeof allReads;

/** How a declared read is called: over surface B, or over surface A where B has none. */
export interface StudentRead {
  readonly surface: 'a' | 'b';
  readonly path: string;
  /** The body of surface A, where it is not the token alone. */
  readonly body?: (token: string) => unknown;
  /** The application that it asks. */
  readonly system: Exclude<DemoSystem, 'vpn' | 'cas'>;
  /** The path is that of its operation, and needs no query. */
  readonly isPlain?: true;
}

const term = '2025-2026-1-1';
/** With values in its path or a query. */
const asking = (system: StudentRead['system'], path: string): StudentRead => ({ surface: 'b', path, system });
const b = (system: StudentRead['system'], path: string): StudentRead => ({ ...asking(system, path), isPlain: true });
const a = (
  system: StudentRead['system'],
  path: string,
  body = (token: string): unknown => ({ token }),
): StudentRead => ({ surface: 'a', path, body, system });

/** Every declared read; a new one does not compile until it stands here. */
export const studentReads: Readonly<Record<ReadName, StudentRead>> = {
  summary: b('jwc', '/jwc/academic/info'),
  terms: b('jwc', '/jwc/term/all'),
  scorePage: a('jwc', '/jwc/fetch_term_score', (token) => ({ request: { term_id: term }, AuthmeRequest: { token } })),
  allScores: asking('jwc', `/jwc/score/${term}/list`),
  wholeRecord: b('jwc', '/jwc/score/all'),
  studentFile: b('jwc', '/profile/student'),
  schedule: asking('jwc', `/jwc/schedule/${term}/table`),
  trainingPlan: b('jwc', '/jwc/academic/training_plan'),
  planChoice: b('jwc', '/jwc/plan/options'),
  planCompletion: b('jwc', '/jwc/plan/current'),
  currentScores: b('jwc', '/jwc/score/current/list'),
  scoreComponents: asking(
    'jwc',
    '/jwc/score/current/detail?term_code=2025-2026-2-1&course_code=KJ3202003&course_class=03&exam_time=20260313',
  ),
  courseSelection: b('jwc', '/jwc/academic/course_selection_status'),
  currentTerm: b('jwc', '/jwc/term/current'),
  exams: b('jwc', '/jwc/exam/info'),
  evaluationCourses: a('jwc', '/jwc/fetch_evaluation_course_list'),
  activityTotal: b('aac', '/aac/credit/info'),
  activityCategories: b('aac', '/aac/credit/list'),
  competitions: b('competition', '/jwc/competition/info'),
  finishedCount: b('ldjlb', '/ldjlb/labor/progress'),
  joinedActivities: b('ldjlb', '/ldjlb/labor/joined/activities'),
  joinedClubs: b('ldjlb', '/ldjlb/labor/joined/clubs'),
  directoryPage: b('ldjlb', '/ldjlb/labor/clubs'),
  directory: asking('ldjlb', `/ldjlb/labor/clubs?keyword=${encodeURIComponent('社')}`),
  clubApplications: b('ldjlb', '/ldjlb/labor/club/applications'),
  clubActivities: asking('ldjlb', `/ldjlb/labor/club/${clubId(10)}/activities`),
  signItems: asking('ldjlb', `/ldjlb/labor/${activityId(1)}/sign_list`),
  activityDetail: asking('ldjlb', `/ldjlb/labor/${activityId(1)}/detail`),
  cardBalance: b('card', '/card/balance'),
  cardState: asking('card', '/card/balance?state=true'),
  cardTransactions: b('card', '/card/transactions'),
  cardPurchases: b('card', '/card/electricity_purchases'),
  electricity: b('isim', '/isim/elec/info'),
};

export const readNames = Object.keys(studentReads).filter((name): name is ReadName => name in studentReads);

/** Calls a read with these headers beside the token. */
export const callRead = async (
  url: string,
  { surface, path, body }: StudentRead,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const response =
    surface === 'b'
      ? await fetch(url + path, { headers: { ...headers, authorization: `Bearer ${token}` } })
      : await fetch(`${url}/api/v1${path}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body?.(token)),
        });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === '' ? null : JSON.parse(text) };
};

/** The reading of electricity needs a room. */
export const bindRoom = async (gateway: Gateway, token: string, room = '010101'): Promise<void> => {
  const { status, text } = await gateway.b('POST', '/isim/room/bind', { token, body: { room_id: room } });
  if (status !== 200) throw new Error(`no room: ${status} ${text}`);
};
