import { describe, expect, it } from 'vitest';
import { Guard } from '../../../../../src/domain/accounts/guard/guard.ts';
import {
  emptyGateway,
  emptyStudent,
  type GatewayRow,
  type StudentRow,
} from '../../../../../src/domain/accounts/guard/row.ts';
import { beginsStored } from '../../../../../src/domain/accounts/guard/stored-pair.ts';
import type { GuardStore } from '../../../../../src/domain/accounts/guard/stored-rows.ts';
import { silentLog } from '../../../../../src/domain/context.ts';
import { type SignInStep, signInSteps } from '../../../../../src/domain/errors.ts';
import { ManualClock } from '../../../../support/manual-clock.ts';

/** What is told of these rows for a sign-in with nobody there. */
const told = (
  taken: readonly SignInStep[],
  stored: 'good' | SignInStep,
  { student = emptyStudent, gateway = emptyGateway }: { student?: StudentRow; gateway?: GatewayRow } = {},
) => {
  const text = (row: object) => ({ memory: JSON.stringify(row), expiresAt: 0 });
  const texts = { student: [text(student)], gateway: text(gateway) };
  const guards: GuardStore = {
    read: async () => texts,
    change: async (_userid, _lock, _until, decide) => decide(texts).result,
  };
  const guard = new Guard({ guards, clock: new ManualClock(), log: silentLog, perDay: 4, taken });
  return guard.decide('2023000001', (draft, at) => beginsStored(draft, { stored, tag: 'tag' }, at));
};

const now = new ManualClock().now();
const open = { since: now, nextAt: now, by: 'step', wanted: 'sms' } as const;
const openedBySteps = { gateway: { ...emptyGateway, stored: { bad: [], good: [], open } } };
const markedAt = (step: SignInStep) => ({
  student: { ...emptyStudent, mark: { at: now, wanted: 'sms', step } as const },
});

describe.each([
  ['both passwords', signInSteps, 'portal', 'portal'],
  ['one password', ['unified-login'], 'unified-login', 'unified-login'],
] as const)('at a campus that takes %s', (_, taken, first, ofPortal) => {
  it('steps that stop everybody are told of the login that is asked first', async () => {
    expect(await told(taken, 'good', openedBySteps)).toMatchObject({ limit: 'sign-in-breaker', step: first });
  });

  it('a refused pair and a step that a student met are told of a login that there is', async () => {
    expect(await told(taken, 'portal')).toMatchObject({ limit: 'set-aside', step: ofPortal });
    expect(await told(taken, 'unified-login')).toMatchObject({ limit: 'set-aside', step: 'unified-login' });
    expect(await told(taken, 'good', markedAt('portal'))).toMatchObject({ limit: 'second-step', step: ofPortal });
    expect(await told(taken, 'good', markedAt('unified-login'))).toMatchObject({ step: 'unified-login' });
  });
});
