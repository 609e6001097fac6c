import type { DemoFault, DemoStudentSwitches } from '../../src/demo/types.ts';

export const DELAY_MS = 500;

/** Every fault of the campus; a new kind does not compile until it stands here. */
const faultsOfKind: Readonly<Record<DemoFault['kind'], readonly DemoFault[]>> = {
  delay: [{ kind: 'delay', ms: DELAY_MS }],
  hang: [{ kind: 'hang' }],
  reset: [{ kind: 'reset' }],
  'reset-after': [{ kind: 'reset-after' }],
  status: [
    { kind: 'status', status: 403 },
    { kind: 'status', status: 404 },
    { kind: 'status', status: 500 },
    { kind: 'status', status: 503 },
  ],
  empty: [{ kind: 'empty' }],
  html: [{ kind: 'html' }],
  'login-redirect': [{ kind: 'login-redirect' }],
  'login-page': [{ kind: 'login-page' }],
  'portal-redirect': [{ kind: 'portal-redirect' }],
  'portal-page': [{ kind: 'portal-page', marker: 'svpn_name' }],
  captcha: [{ kind: 'captcha' }],
  attacked: [{ kind: 'attacked' }],
  'second-factor': [{ kind: 'second-factor' }],
  malformed: [{ kind: 'malformed' }],
  truncated: [{ kind: 'truncated' }],
  cut: [{ kind: 'cut' }],
  huge: [{ kind: 'huge', bytes: 9 * 1024 * 1024 }],
  drip: [{ kind: 'drip', bytesPerTick: 1, tickMs: 50 }],
  gbk: [{ kind: 'gbk' }],
  body: [
    { kind: 'body', type: 'application/json', body: '{"code":1,"msg":"系统繁忙","data":null}' },
    { kind: 'body', type: 'application/json', body: '{"status":500,"error":"Internal Server Error","path":"/x"}' },
  ],
  'redirect-loop': [{ kind: 'redirect-loop' }],
  'redirect-away': [{ kind: 'redirect-away' }],
  'redirect-nowhere': [{ kind: 'redirect-nowhere' }],
};

const credentialAnswers: ReadonlySet<DemoFault['kind']> = new Set(['captcha', 'attacked', 'second-factor']);

/** Where a fault is armed: at the application, at one of the two logins on the way to it, or everywhere at once. */
export type FaultPlace = 'application' | 'portal' | 'unified login' | 'everywhere';

/** All faults that can hit requests at that place. */
export const faultsAt = (place: FaultPlace): readonly DemoFault[] =>
  Object.values(faultsOfKind)
    .flat()
    .filter(({ kind }) => place === 'portal' || place === 'everywhere' || !credentialAnswers.has(kind));

/**
 * Operations that meet every fault at the application: one for each application and surface, a write, and those that sign
 * in themselves. Every fault at the portal meet those that sign in and the first read, because it comes before any
 * application; at the unified login, one for each way in which it lets somebody enter. All others go the same way as one of
 * these, so they meet a few at both logins and must be answered as it is, and at the application those that may lead to
 * something else there.
 */
export const everyFault: ReadonlySet<string> = new Set([
  'POST /auth/login/next',
  'POST /auth/register/next',
  'POST /auth/challenges',
  'GET /jwc/academic/info',
  'GET /jwc/competition/info',
  'GET /card/balance',
  'GET /aac/credit/list',
  'GET /isim/elec/info',
  'GET /ldjlb/labor/joined/clubs',
  'POST /ldjlb/labor/activity/{activity_id}/apply',
  'POST /api/v1/user/login',
  'POST /api/v1/user/register',
  'POST /api/v1/jwc/fetch_academic_info',
  'POST /api/v1/aac/fetch_score_list',
]);
/** Applications that the unified login opens in the way of another, whose operation meets everything there. */
export const enteredLike: Readonly<Record<string, string>> = { ldjlb: 'aac' };
/** For all others: time runs out, an answer that is none, and (at the portal) one that is told with its wait. */
export const usualAtLogins: ReadonlySet<string> = new Set(['hang', 'status 500', 'captcha']);

/** Of those, and of ends of sessions, what the golden recording has for each of them, to the byte. */
export const recordedToo: ReadonlySet<string> = new Set([
  'status 500',
  'application session over',
  'all sessions over',
]);

/**
 * Pairs of faults that only the transport or the session can tell apart, before any page is read. A plain read meets
 * one of a pair where both are answered alike to the operation that represents its application.
 */
export const alikeAtApplication: Readonly<Record<string, string>> = {
  delay: 'gbk',
  drip: 'hang',
  'reset-after': 'reset',
  cut: 'reset',
  huge: 'reset',
  'status 403': 'status 500',
  'status 404': 'status 500',
  'status 503': 'status 500',
  'redirect-loop': 'status 500',
  'redirect-away': 'status 500',
  'redirect-nowhere': 'status 500',
  'login-page': 'login-redirect',
  'portal-page': 'portal-redirect',
};

export const faultName = (fault: DemoFault): string => {
  if (fault.kind === 'status') return `status ${fault.status}`;
  if (fault.kind !== 'body') return fault.kind;
  return fault.body.startsWith('{"code"') ? 'JSON refusal' : 'JSON error';
};

/** The application itself says no: to a write that is its decision. */
export const isRefusal = (fault: DemoFault): boolean => faultName(fault) === 'JSON refusal';

/** No answer will come: only time ends the request. */
export const isEndless = ({ kind }: DemoFault): boolean => kind === 'hang' || kind === 'drip';

/** The real answer arrives all the same. */
export const isHarmless = ({ kind }: DemoFault): boolean => kind === 'delay' || kind === 'gbk';

/** Sessions that end at the campus: no fault for the student, who must not notice. */
export const endings: Readonly<Record<string, (student: DemoStudentSwitches) => void>> = {
  'portal session over': (student) => student.expirePortal(),
  'application session over': (student) => {
    for (const system of ['jwc', 'isim', 'competition', 'card'] as const) student.expireService(system);
    for (const system of ['aac', 'ldjlb'] as const) student.expireTicket(system);
  },
  'all sessions over': (student) => {
    endings['application session over']?.(student);
    student.expireUnifiedLogin();
    student.expirePortal();
  },
};
