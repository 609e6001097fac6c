import { readFileSync } from 'node:fs';
import { plainRows } from '../../src/campus/recordings/calls.ts';
import type { DemoSystem } from '../../src/demo/types.ts';
import { allReads } from '../../src/domain/all-reads.ts';
import type { ReadRow } from '../../src/domain/reads/types.ts';
import type { Answer, Gateway } from './gateway-rig.ts';
import { activityId, clubId } from './labor-calls.ts';
import { systemNames } from './system-names.ts';

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

const listed: Readonly<Partial<Record<ReadName, StudentRead>>> = {
  scorePage: a('jwc', '/jwc/fetch_term_score', (token) => ({ request: { term_id: term }, AuthmeRequest: { token } })),
  allScores: asking('jwc', `/jwc/score/${term}/list`),
  wholeRecord: b('jwc', '/jwc/score/all'),
  schedule: asking('jwc', `/jwc/schedule/${term}/table`),
  planChoice: b('jwc', '/jwc/plan/options'),
  planCompletion: b('jwc', '/jwc/plan/current'),
  scoreComponents: asking(
    'jwc',
    '/jwc/score/current/detail?term_code=2025-2026-2-1&course_code=KJ3202003&course_class=03&exam_time=20260313',
  ),
  currentTerm: b('jwc', '/jwc/term/current'),
  exams: b('jwc', '/jwc/exam/info'),
  evaluationCourses: a('jwc', '/jwc/fetch_evaluation_course_list'),
  directoryPage: b('ldjlb', '/ldjlb/labor/clubs'),
  directory: asking('ldjlb', `/ldjlb/labor/clubs?keyword=${encodeURIComponent('社')}`),
  clubActivities: asking('ldjlb', `/ldjlb/labor/club/${clubId(10)}/activities`),
  signItems: asking('ldjlb', `/ldjlb/labor/${activityId(1)}/sign_list`),
  activityDetail: asking('ldjlb', `/ldjlb/labor/${activityId(1)}/detail`),
  cardBalance: b('card', '/card/balance'),
  cardState: asking('card', '/card/balance?state=true'),
  cardTransactions: b('card', '/card/transactions'),
  cardPurchases: b('card', '/card/electricity_purchases'),
  electricity: b('isim', '/isim/elec/info'),
};

interface Described {
  readonly 'x-capabilities'?: readonly string[];
  readonly parameters?: ReadonlyArray<{ readonly name?: string }>;
}
const { paths }: { readonly paths: Readonly<Record<string, { readonly get?: Described }>> } = JSON.parse(
  readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8'),
);

/** The path of the operation that needs this capability and no other, and takes no parameters but the usual headers. */
const pathOf = (capability: string): string | undefined =>
  Object.keys(paths).find((path) => {
    const { 'x-capabilities': needs, parameters = [] }: Partial<Described> = paths[path]?.get ?? {};
    return needs?.join() === capability && parameters.every(({ name }) => name === undefined);
  });

const isCalled = (system: DemoSystem): system is StudentRead['system'] => system !== 'vpn' && system !== 'cas';
const systems = Object.keys(systemNames).map((name) => name as DemoSystem);

/** A read that passes on the answer, over the operation that is made of it. */
const describedCall = (row: Pick<ReadRow<never>, 'name' | 'application'>): StudentRead | undefined => {
  const [area, rows] = Object.entries(plainRows).find(([, each]) => Object.values<unknown>(each).includes(row)) ?? [];
  const [method] = Object.entries<unknown>(rows ?? {}).find(([, each]) => each === row) ?? [];
  const path = pathOf(`${area}.${method}`);
  const system = systems.filter(isCalled).find((each) => systemNames[each] === row.application);
  return path === undefined || system === undefined ? undefined : b(system, path);
};

/** Every declared read. @throws Error for one that is neither listed nor described: `npm run documents` describes it */
export const studentReads = Object.fromEntries(
  Object.entries(allReads).map(([name, row]) => {
    const call = listed[name as ReadName] ?? describedCall(row);
    if (call === undefined) throw new Error(`${name} is neither listed here nor has an operation in openapi.json`);
    return [name, call];
  }),
) as Readonly<Record<ReadName, StudentRead>>;

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
