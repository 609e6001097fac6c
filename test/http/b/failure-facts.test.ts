import { describe, expect, it } from 'vitest';
import { type Failure, type FailureKind, failureOf, failures, signInSteps } from '../../../src/domain/errors.ts';
import { answerOf as answerOfA } from '../../../src/surfaces/a/failures.ts';
import { errorTable, type FailureWording, failureReasons } from '../../../src/surfaces/b/error-codes.ts';
import { answerOf, failureFactsOf, kindOfOperation, type OperationKind } from '../../../src/surfaces/b/failures.ts';
import { appUnderTest } from '../../support/app.ts';
import { failureKinds } from '../../support/failure-kinds.ts';
import { documentedOperations } from '../../support/openapi-operations.ts';

const wordings: readonly FailureWording[] = ['data', 'applications', 'login', 'register'];

/** The failure in every form whose answer differs. */
const forms = (kind: FailureKind): Failure[] => [
  ...[...signInSteps.map((step) => ({ step })), { system: 'academics' as const }, {}].flatMap((where) => [
    failureOf(kind, where),
    failureOf(kind, { ...where, upstreamStatus: 500 }),
  ]),
];

/** What the campus says of itself and of an account. */
const said = {
  locked: failures.signInGuarded('unified-login', undefined, { passwords: 'locked' }),
  lockedToOwner: failures.signInGuarded('unified-login', undefined, { passwords: 'locked', forOwner: true }),
  closed: failures.signInUnavailable('unified-login', undefined, { passwords: 'closed', campusSays: 'closed' }),
  blocked: failures.signInGuarded('unified-login', undefined, { campusSays: 'blocked' }),
  change: failures.personNeeded('unified-login', undefined, { wanted: 'password-change' }),
};

const told = (failure: Failure, wording: FailureWording, operation: OperationKind) => {
  const { code } = answerOf(failure, wording);
  return { code, ...failureFactsOf(errorTable[code].status, operation, failure) };
};

const retryableKinds = (operation: OperationKind): FailureKind[] =>
  failureKinds.filter((kind) => forms(kind).some((failure) => told(failure, 'data', operation).retryable));

const ownLimits = [
  'login-cool-down',
  'registration-cool-down',
  'userid-erasing',
  'rate-limited',
  'room-refresh-running',
  'room-refresh-cool-down',
  'feed-lost',
  'feeds-off',
  'overloaded',
];
const campusReads = [
  'sign-in-guarded',
  'sign-in-unavailable',
  'ticket-unavailable',
  'upstream-unavailable',
  'upstream-refused',
  'upstream-empty',
  'campus-busy',
  'session-lost',
  'timed-out',
];

describe('the words of a failure at the campus', () => {
  const wordsOf = (kind: FailureKind, wording: FailureWording = 'data') =>
    answerOf(failureOf(kind, { system: 'academics' }), wording).message;

  it('name its system, and do not say of an answer that there was none', () => {
    expect(wordsOf('upstream-unavailable')).toBe('教务系统暂时无法使用');
    expect(wordsOf('upstream-unreadable')).toBe('教务系统的回答无法识别');
    expect(wordsOf('upstream-refused')).toBe('教务系统拒绝了这次请求');
    expect(answerOf(failures.signInUnavailable('portal')).message).toBe('校园门户（VPN）暂时无法使用');
  });

  it('name none to who logs in, and where none is known', () => {
    const { message } = errorTable.REMOTE_SERVICE_ERROR;
    expect(answerOf(failures.signInUnavailable('portal'), 'login').message).toBe(message);
    expect([answerOf(failures.imageStoreFailed()).message, wordsOf('image-store-failed')]).toEqual([message, message]);
  });
});

describe('retryable', () => {
  it('is true for reads that the campus or a limit refused for now, and not for an unreadable page', () => {
    expect(retryableKinds('read').toSorted()).toEqual([...ownLimits, ...campusReads, 'image-store-failed'].toSorted());
  });

  it('is never true for a change that failed at the campus, because its outcome may be unknown', () => {
    expect(retryableKinds('change').toSorted()).toEqual(ownLimits.toSorted());
  });

  it('is never true for what judges passwords, codes or proofs', () => {
    expect(retryableKinds('credentials')).toEqual([]);
    for (const { status } of Object.values(errorTable))
      expect(failureFactsOf(status, 'credentials').retryable).toBe(false);
  });

  it.each([
    ['GET', undefined, 'read'],
    ['HEAD', undefined, 'read'],
    ['POST', undefined, 'change'],
    ['PUT', false, 'change'],
    ['DELETE', true, 'credentials'],
    ['GET', true, 'credentials'],
  ])('goes by what the operation does: %s, credentials %s', (method, credentials, kind) => {
    expect(kindOfOperation(method, credentials)).toBe(kind);
  });
});

describe('system and reason', () => {
  it('name the application that takes the password itself, else the step, and no failure of our own', () => {
    const both = { step: 'portal', system: 'labor-club' } as const;
    const named = failureKinds.filter((kind) => told(failureOf(kind, both), 'data', 'read').system !== undefined);
    expect(told(failureOf('timed-out', both), 'data', 'read').system).toBe('labor-club');
    expect(told(failures.timedOut(undefined, { step: 'portal' }), 'data', 'read').system).toBe('portal');
    expect(named.toSorted()).toEqual(
      [
        ...campusReads,
        'credentials-refused',
        'login-challenge',
        'outcome-unknown',
        'person-needed',
        'stored-credentials-refused',
        'upstream-unreadable',
      ].toSorted(),
    );
  });

  it('tell strangers, at login and registration, nothing that the other surface does not say in its words', () => {
    const byWordsOfA = new Map<string, Set<string>>();
    for (const kind of failureKinds) {
      for (const failure of forms(kind)) {
        // Passwords are refused at a step, never at an application.
        if (kind.endsWith('credentials-refused') && failure.system !== undefined) continue;
        // Only the portal has asked for a person so far, and the words name it.
        if ((kind === 'person-needed' || kind === 'login-challenge') && failure.step !== 'portal') continue;
        const words = answerOfA(failure, 'user').message;
        for (const wording of ['login', 'register'] as const) {
          const { system, reason } = told(failure, wording, 'credentials');
          if (system === undefined && reason === undefined) continue;
          byWordsOfA.set(words, (byWordsOfA.get(words) ?? new Set()).add(`${system} ${reason}`));
        }
      }
    }
    expect(Object.fromEntries([...byWordsOfA].map(([words, facts]) => [words, [...facts]]))).toEqual({
      用户不存在: ['undefined unknown_user'],
      'VPN登录失败，请检查用户名和密码': ['portal portal_refused'],
      '大学登录失败，请检查用户名和密码': ['unified-login login_refused'],
      '登录状态已失效，请重新登录': ['undefined stored_unreadable'],
      用户名或密码错误: ['undefined wrong_pair'],
      '学校VPN门户要求本人验证，请先在门户网站登录一次，再回到这里重新登录': ['portal undefined'],
      '学校VPN门户要求本人验证，请在应用中完成验证': ['portal undefined'],
    });
  });

  it('have a kind of failure for every reason', () => {
    const every = [...failureKinds.flatMap(forms), ...Object.values(said)];
    const given = every.map((each) => told(each, 'data', 'change').reason);
    const reasons = new Set(given.filter((reason) => reason !== undefined));
    expect([...reasons].toSorted()).toEqual(Object.keys(failureReasons).toSorted());
  });
});

describe('the examples of the document', () => {
  it('show for every failure what its answer tells', async () => {
    const { app } = await appUnderTest();
    const { document } = documentedOperations(app);
    const answerAt = ($ref: string) => document.components.responses[$ref.split('/').at(-1) ?? ''];
    // An answer tells more exactly where it failed than an example can.
    const whole = (facts: object) => JSON.stringify({ ...facts, system: undefined });
    const kindsCodes = failureKinds.flatMap((kind) =>
      wordings.flatMap((wording) => forms(kind).map((failure) => answerOf(failure, wording).code)),
    );
    const refusals = Object.entries(errorTable).filter(([code]) => !kindsCodes.some((each) => each === code));
    const possibleFor = (kind: OperationKind) =>
      new Set([
        ...refusals.map(([code, { status }]) => whole({ code, ...failureFactsOf(status, kind) })),
        ...failureKinds.flatMap((each) =>
          wordings.flatMap((wording) => forms(each).map((failure) => whole(told(failure, wording, kind)))),
        ),
      ]);
    const possible = {
      read: possibleFor('read'),
      change: possibleFor('change'),
      credentials: possibleFor('credentials'),
    };
    const wrong: string[] = [];
    let seen = 0;
    for (const [path, item] of Object.entries<Record<string, Record<string, object>>>(document.paths)) {
      if (path.startsWith('/api/v1')) continue;
      for (const [method, operation] of Object.entries(item)) {
        const body = JSON.stringify(operation.requestBody ?? {});
        const asksPerson = method === 'post' && path.startsWith('/auth/challenges');
        const judges = asksPerson || /password|invite_|challenge/.test(body);
        const kind = kindOfOperation(method.toUpperCase(), judges);
        for (const response of Object.values<Record<string, unknown>>(Object(operation.responses))) {
          const { content } = typeof response.$ref === 'string' ? answerAt(response.$ref) : Object(response);
          for (const { value } of Object.values<{ value: never }>(content?.['application/json']?.examples ?? {})) {
            const { error } = Object(value);
            if (error === null || error === undefined) continue;
            seen += 1;
            const { message: _, trace_id: __, details: ___, ...facts } = error;
            if (!possible[kind].has(whole(facts))) wrong.push(`${method} ${path} ${facts.code}`);
          }
        }
      }
    }
    expect(seen).toBeGreaterThan(300);
    expect(wrong).toEqual([]);
  });

  it('tell what the campus says of an account to its student alone', () => {
    const unread = failures.signInUnavailable('unified-login', undefined, { passwords: 'unread' });
    for (const wording of ['login', 'register'] as const) {
      const answers = [said.locked, unread].map((failure) => [
        told(failure, wording, 'credentials'),
        answerOf(failure, wording),
        answerOfA(failure, 'user'),
      ]);
      expect(answers[0]).toEqual(answers[1]);
    }
    const owner = told(said.lockedToOwner, 'login', 'credentials');
    expect([owner.reason, owner.system, owner.retryable]).toEqual(['account_locked', undefined, false]);
    expect(told(said.locked, 'data', 'read').reason).toBe('account_locked');
    for (const words of [
      answerOfA(said.lockedToOwner, 'user'),
      answerOfA(said.locked, 'academics'),
      answerOf(said.lockedToOwner, 'login'),
    ]) {
      expect(words.message).toContain('账号被锁定');
    }
  });

  it('tell anybody what the campus says to everybody, and both surfaces say it in words', () => {
    const facts = Object.entries({ closed: '不开放', blocked: '拒绝了本服务', change: '修改密码' } as const);
    for (const [name, words] of facts) {
      const failure = said[name as 'closed' | 'blocked' | 'change'];
      for (const wording of ['data', 'login', 'register'] as const) {
        expect(answerOf(failure, wording).message).toContain(words);
        const { reason } = told(failure, wording, wording === 'data' ? 'read' : 'credentials');
        expect(reason).toBe({ closed: 'campus_closed', blocked: 'campus_blocked', change: 'confirm_at_campus' }[name]);
      }
      for (const group of ['user', 'academics'] as const) expect(answerOfA(failure, group).message).toContain(words);
    }
    const refusal = failures.upstreamRefused('academics');
    expect(told(refusal, 'data', 'read')).toMatchObject({ reason: 'application_refused', system: 'academics' });
    expect(answerOfA(refusal, 'academics').message).toContain('没有受理');
  });
});
