import { describe, expect, it } from 'vitest';
import {
  calmState,
  type GuardDecision,
  type GuardEvent,
  type GuardFacts,
  type GuardVerdict,
  guard,
  neither,
} from '../../../../src/domain/accounts/login-guard.ts';
import type { GuardState } from '../../../../src/domain/accounts/ports.ts';

const now = 1_000_000;
const both = { portal: true, 'unified-login': true };
const portalOnly = { portal: true, 'unified-login': false };
const unifiedOnly = { portal: false, 'unified-login': true };

const facts = (over: Partial<GuardFacts> = {}): GuardFacts => ({
  now,
  stored: 'good',
  equalAt: neither,
  impossibleAt: null,
  healthySession: false,
  ...over,
});
const state = (over: Partial<GuardState> = {}): GuardState => ({ ...calmState, ...over });

const coolingDown = state({ loginCoolDownUntil: now + 30_500 });
const paused = state({ pauseUntil: now + 45_000, pauseSeconds: 60 });
const coolingDownAndPaused = state({ ...paused, loginCoolDownUntil: now + 30_500 });
const allOver = state({
  loginCoolDownUntil: now,
  registrationCoolDownUntil: now,
  pauseUntil: now,
  pauseSeconds: 60,
});

const refuse = {
  loginCoolDown: { type: 'refuse', why: 'login-cool-down', retryAfterSeconds: 31 },
  paused: { type: 'refuse', why: 'paused', retryAfterSeconds: 45 },
} as const satisfies Record<string, GuardVerdict>;

const unchanged = (verdict: GuardVerdict, next: GuardState): GuardDecision => ({ verdict, next, setAside: null });

interface WantedRow {
  readonly name: string;
  readonly state: GuardState;
  readonly facts: GuardFacts;
  readonly verdict: GuardVerdict;
}

describe('login wanted', () => {
  const event: GuardEvent = { type: 'login-wanted' };
  const equal = facts({ equalAt: both });
  const equalHealthy = facts({ equalAt: both, healthySession: true });
  const equalRefused = facts({ equalAt: both, stored: 'portal', healthySession: true });
  const other = facts();
  const impossible = facts({ impossibleAt: 'portal' });

  const rows: WantedRow[] = [
    { name: 'another pair in calm asks the campus', state: calmState, facts: other, verdict: { type: 'ask-campus' } },
    {
      name: 'another pair with a healthy session still asks the campus',
      state: calmState,
      facts: facts({ healthySession: true }),
      verdict: { type: 'ask-campus' },
    },
    {
      name: 'only the portal secret equal, healthy session: asks the campus',
      state: calmState,
      facts: facts({ equalAt: portalOnly, healthySession: true }),
      verdict: { type: 'ask-campus' },
    },
    {
      name: 'only the unified-login secret equal, healthy session: asks the campus',
      state: calmState,
      facts: facts({ equalAt: unifiedOnly, healthySession: true }),
      verdict: { type: 'ask-campus' },
    },
    {
      name: 'the equal pair without a healthy session asks the campus',
      state: calmState,
      facts: equal,
      verdict: { type: 'ask-campus' },
    },
    {
      name: 'the equal pair with a healthy session skips the campus',
      state: calmState,
      facts: equalHealthy,
      verdict: { type: 'skip-campus' },
    },
    {
      name: 'the equal pair that the campus refused asks the campus again, healthy session or not',
      state: calmState,
      facts: equalRefused,
      verdict: { type: 'ask-campus' },
    },
    {
      name: 'no readable stored pair asks the campus',
      state: calmState,
      facts: facts({ stored: 'none' }),
      verdict: { type: 'ask-campus' },
    },
    {
      name: 'an equality without a stored pair is worth nothing',
      state: coolingDown,
      facts: facts({ stored: 'none', equalAt: both, healthySession: true }),
      verdict: refuse.loginCoolDown,
    },
    {
      name: 'an impossible pair is refused at its step',
      state: calmState,
      facts: impossible,
      verdict: { type: 'refuse', why: 'credentials-refused', step: 'portal' },
    },
    { name: 'cool-down refuses another pair', state: coolingDown, facts: other, verdict: refuse.loginCoolDown },
    {
      name: 'cool-down lets the equal pair through without a healthy session',
      state: coolingDown,
      facts: equal,
      verdict: { type: 'let-through' },
    },
    {
      name: 'cool-down lets the equal pair through with a healthy session',
      state: coolingDown,
      facts: equalHealthy,
      verdict: { type: 'let-through' },
    },
    {
      name: 'cool-down refuses the equal pair that the campus refused',
      state: coolingDown,
      facts: equalRefused,
      verdict: refuse.loginCoolDown,
    },
    {
      name: 'cool-down comes before an impossible pair',
      state: coolingDown,
      facts: impossible,
      verdict: refuse.loginCoolDown,
    },
    { name: 'a pause refuses another pair', state: paused, facts: other, verdict: refuse.paused },
    { name: 'a pause refuses the equal pair without a session', state: paused, facts: equal, verdict: refuse.paused },
    {
      name: 'a pause does not concern the equal pair with a healthy session',
      state: paused,
      facts: equalHealthy,
      verdict: { type: 'skip-campus' },
    },
    { name: 'a pause refuses the refused equal pair', state: paused, facts: equalRefused, verdict: refuse.paused },
    {
      name: 'an impossible pair comes before the pause',
      state: paused,
      facts: facts({ impossibleAt: 'unified-login' }),
      verdict: { type: 'refuse', why: 'credentials-refused', step: 'unified-login' },
    },
    {
      name: 'cool-down comes before the pause for another pair',
      state: coolingDownAndPaused,
      facts: other,
      verdict: refuse.loginCoolDown,
    },
    {
      name: 'cool-down and pause: the equal pair is let through without asking',
      state: coolingDownAndPaused,
      facts: equal,
      verdict: { type: 'let-through' },
    },
    { name: 'what is over counts no more', state: allOver, facts: other, verdict: { type: 'ask-campus' } },
    {
      name: 'a registration cool-down is no login cool-down',
      state: state({ registrationCoolDownUntil: now + 1000 }),
      facts: other,
      verdict: { type: 'ask-campus' },
    },
  ];
  it.each(rows)('$name', (row) => {
    expect(guard(row.state, row.facts, event)).toEqual(unchanged(row.verdict, row.state));
  });
});

describe('registration wanted', () => {
  const event: GuardEvent = { type: 'registration-wanted' };
  const none = facts({ stored: 'none' });
  const cooling = state({ registrationCoolDownUntil: now + 300_000 });
  const coolDown: GuardVerdict = { type: 'refuse', why: 'registration-cool-down', retryAfterSeconds: 300 };
  const rows: WantedRow[] = [
    { name: 'calm asks the campus', state: calmState, facts: none, verdict: { type: 'ask-campus' } },
    { name: 'cool-down refuses', state: cooling, facts: none, verdict: coolDown },
    {
      name: 'cool-down comes before an impossible pair and a pause',
      state: state({ ...cooling, ...{ pauseUntil: now + 45_000, pauseSeconds: 60 } }),
      facts: facts({ stored: 'none', impossibleAt: 'portal' }),
      verdict: coolDown,
    },
    {
      name: 'an impossible pair is refused at its step, before a pause',
      state: paused,
      facts: facts({ stored: 'none', impossibleAt: 'unified-login' }),
      verdict: { type: 'refuse', why: 'credentials-refused', step: 'unified-login' },
    },
    { name: 'a pause refuses', state: paused, facts: none, verdict: refuse.paused },
    { name: 'a login cool-down does not concern it', state: coolingDown, facts: none, verdict: { type: 'ask-campus' } },
    { name: 'what is over counts no more', state: allOver, facts: none, verdict: { type: 'ask-campus' } },
  ];
  it.each(rows)('$name', (row) => {
    expect(guard(row.state, row.facts, event)).toEqual(unchanged(row.verdict, row.state));
  });
});

describe('a data call needs a sign-in', () => {
  const event: GuardEvent = { type: 'data-wanted' };
  const rows: WantedRow[] = [
    { name: 'calm asks the campus', state: calmState, facts: facts(), verdict: { type: 'ask-campus' } },
    {
      name: 'the cool-down that a guesser caused does not concern it',
      state: coolingDown,
      facts: facts(),
      verdict: { type: 'ask-campus' },
    },
    {
      name: 'a pair set aside is refused at once',
      state: calmState,
      facts: facts({ stored: 'unified-login' }),
      verdict: { type: 'refuse', why: 'set-aside', step: 'unified-login' },
    },
    {
      name: 'a pair set aside comes before the pause',
      state: paused,
      facts: facts({ stored: 'portal' }),
      verdict: { type: 'refuse', why: 'set-aside', step: 'portal' },
    },
    { name: 'a pause refuses', state: paused, facts: facts(), verdict: refuse.paused },
    {
      name: 'without a stored pair there is nothing to sign in with',
      state: calmState,
      facts: facts({ stored: 'none' }),
      verdict: { type: 'refuse', why: 'no-pair' },
    },
    { name: 'a pause that is over counts no more', state: allOver, facts: facts(), verdict: { type: 'ask-campus' } },
  ];
  it.each(rows)('$name', (row) => {
    expect(guard(row.state, row.facts, event)).toEqual(unchanged(row.verdict, row.state));
  });
});

describe('account deletion wanted', () => {
  const event: GuardEvent = { type: 'deletion-wanted' };
  const rows: WantedRow[] = [
    {
      name: 'the equal pair proves it',
      state: calmState,
      facts: facts({ equalAt: both }),
      verdict: { type: 'proven' },
    },
    {
      name: 'the equal pair proves it although the campus refused it',
      state: calmState,
      facts: facts({ equalAt: both, stored: 'portal' }),
      verdict: { type: 'proven' },
    },
    {
      name: 'cool-down does not keep the owner from it',
      state: coolingDown,
      facts: facts({ equalAt: both }),
      verdict: { type: 'proven' },
    },
    {
      name: 'cool-down refuses the equal pair that the campus refused',
      state: coolingDown,
      facts: facts({ equalAt: both, stored: 'portal' }),
      verdict: refuse.loginCoolDown,
    },
    { name: 'cool-down refuses another pair', state: coolingDown, facts: facts(), verdict: refuse.loginCoolDown },
    {
      name: 'a pause does not concern it: the campus is not asked',
      state: paused,
      facts: facts({ equalAt: both }),
      verdict: { type: 'proven' },
    },
  ];
  it.each(rows)('$name', (row) => {
    expect(guard(row.state, row.facts, event)).toEqual(unchanged(row.verdict, row.state));
  });

  it('another pair is refused and starts the login cool-down', () => {
    expect(guard(calmState, facts({ equalAt: portalOnly }), event)).toEqual({
      verdict: { type: 'refuse', why: 'proof-refused' },
      next: state({ loginCoolDownUntil: now + 60_000 }),
      setAside: null,
    });
  });
});

describe('the campus refused', () => {
  interface RefusedRow {
    readonly name: string;
    readonly event: Extract<GuardEvent, { type: 'refused' }>;
    readonly facts: GuardFacts;
    readonly next: GuardState;
    readonly setAside: GuardDecision['setAside'];
  }
  const afterLogin = state({ loginCoolDownUntil: now + 60_000 });
  const login = { type: 'refused', purpose: 'login' } as const;
  const data = { type: 'refused', purpose: 'data' } as const;
  const rows: RefusedRow[] = [
    {
      name: 'a guess at the portal: cool-down of 60 s, the stored pair stays good',
      event: { ...login, step: 'portal' },
      facts: facts(),
      next: afterLogin,
      setAside: null,
    },
    {
      name: 'a guess at the unified login: cool-down of 60 s, the stored pair stays good',
      event: { ...login, step: 'unified-login' },
      facts: facts(),
      next: afterLogin,
      setAside: null,
    },
    {
      name: 'the stored portal secret at login: set aside',
      event: { ...login, step: 'portal' },
      facts: facts({ equalAt: both }),
      next: afterLogin,
      setAside: 'portal',
    },
    {
      name: 'the stored portal secret together with another unified-login secret: set aside',
      event: { ...login, step: 'portal' },
      facts: facts({ equalAt: portalOnly }),
      next: afterLogin,
      setAside: 'portal',
    },
    {
      name: 'the stored unified-login secret behind another portal secret: set aside',
      event: { ...login, step: 'unified-login' },
      facts: facts({ equalAt: unifiedOnly }),
      next: afterLogin,
      setAside: 'unified-login',
    },
    {
      name: 'another portal secret says nothing about the stored one, although the unified-login secret is equal',
      event: { ...login, step: 'portal' },
      facts: facts({ equalAt: unifiedOnly }),
      next: afterLogin,
      setAside: null,
    },
    {
      name: 'another unified-login secret says nothing about the stored one, although the portal secret is equal',
      event: { ...login, step: 'unified-login' },
      facts: facts({ equalAt: portalOnly }),
      next: afterLogin,
      setAside: null,
    },
    {
      name: 'a pair set aside already is not marked again',
      event: { ...login, step: 'portal' },
      facts: facts({ equalAt: both, stored: 'portal' }),
      next: afterLogin,
      setAside: null,
    },
    {
      name: 'registration: cool-down of 300 s',
      event: { type: 'refused', purpose: 'registration', step: 'unified-login' },
      facts: facts({ stored: 'none' }),
      next: state({ registrationCoolDownUntil: now + 300_000 }),
      setAside: null,
    },
    {
      name: 'a data call at the portal: set aside, no cool-down for the student who logs in anew',
      event: { ...data, step: 'portal' },
      facts: facts(),
      next: calmState,
      setAside: 'portal',
    },
    {
      name: 'a data call at the unified login: set aside',
      event: { ...data, step: 'unified-login' },
      facts: facts(),
      next: calmState,
      setAside: 'unified-login',
    },
  ];
  it.each(rows)('$name', (row) => {
    expect(guard(calmState, row.facts, row.event)).toEqual({
      verdict: { type: 'refuse', why: 'credentials-refused', step: row.event.step },
      next: row.next,
      setAside: row.setAside,
    });
  });

  it('keeps a pause history', () => {
    const before = state({ pauseUntil: now - 1, pauseSeconds: 120 });
    expect(guard(before, facts(), { ...login, step: 'portal' }).next.pauseSeconds).toBe(120);
  });
});

describe('the campus accepted', () => {
  const full = state({
    loginCoolDownUntil: now - 1,
    registrationCoolDownUntil: now + 5,
    pauseUntil: now - 1,
    pauseSeconds: 240,
  });
  const calm = { pauseUntil: null, pauseSeconds: 0 };
  it.each([
    { purpose: 'login', next: { ...full, ...calm, loginCoolDownUntil: null } },
    { purpose: 'registration', next: { ...full, ...calm, registrationCoolDownUntil: null } },
    { purpose: 'data', next: { ...full, ...calm } },
  ] as const)('$purpose: forgets the pauses and ends its own cool-down only', ({ purpose, next }) => {
    expect(guard(full, facts(), { type: 'accepted', purpose })).toEqual({
      verdict: { type: 'proven' },
      next,
      setAside: null,
    });
  });
});

describe('the campus showed a captcha, an attack marker or a second factor', () => {
  const guardedAfter = (before: GuardState) => guard(before, facts(), { type: 'guarded' });

  it.each([
    [0, 60],
    [60, 120],
    [120, 240],
    [240, 300],
    [300, 300],
  ])('after a pause of %i s the next one is %i s', (last, next) => {
    const decision = guardedAfter(state({ pauseUntil: last === 0 ? null : now - 1, pauseSeconds: last }));
    expect(decision).toEqual({
      verdict: { type: 'refuse', why: 'paused', retryAfterSeconds: next },
      next: state({ pauseUntil: now + next * 1000, pauseSeconds: next }),
      setAside: null,
    });
  });

  it('during a running pause starts it anew without doubling', () => {
    expect(guardedAfter(paused).next).toEqual(state({ pauseUntil: now + 60_000, pauseSeconds: 60 }));
  });

  it('leaves the cool-downs as they are', () => {
    expect(guardedAfter(coolingDown).next.loginCoolDownUntil).toBe(coolingDown.loginCoolDownUntil);
  });

  it('never sets the stored pair aside', () => {
    expect(guard(calmState, facts({ equalAt: both }), { type: 'guarded' }).setAside).toBeNull();
  });
});

describe('the campus did not answer', () => {
  it.each(['unavailable', 'timed-out'] as const)('%s starts no cool-down and marks nothing', (type) => {
    for (const before of [calmState, coolingDown, paused]) {
      expect(guard(before, facts({ equalAt: both }), { type })).toEqual(unchanged({ type: 'unanswered' }, before));
    }
  });
});
