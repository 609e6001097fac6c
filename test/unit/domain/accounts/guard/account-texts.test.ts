import { expect, it } from 'vitest';
import { storedBad } from '../../../../../src/domain/accounts/guard/breaker.ts';
import { askOutcomeOf, impossibleStep } from '../../../../../src/domain/accounts/sign-in/ask.ts';
import { failures } from '../../../../../src/domain/errors.ts';

it.each([
  ['locked', failures.signInGuarded('portal', undefined, { passwords: 'locked' })],
  ['closed', failures.signInUnavailable('unified-login', undefined, { passwords: 'closed' })],
  ['person', failures.personNeeded('unified-login', undefined, { wanted: 'password-change' })],
] as const)(
  'a text that speaks of this account, or of a closed place, is not bad for the others: %s',
  (type, failure) => {
    const outcome = askOutcomeOf(failure);
    expect(outcome.type).toBe(type);
    expect(storedBad(outcome, false)).toBeNull();
  },
);

it('an attack marker is', () => {
  expect(storedBad(askOutcomeOf(failures.signInGuarded('portal')), false)).not.toBeNull();
});

it('a number that nobody has is refused, and says nothing of the password', () => {
  const refusal = failures.credentialsRefused('unified-login', 'unknown user', { passwords: 'unsent' });
  expect(askOutcomeOf(refusal)).toEqual({ type: 'refused', step: 'unified-login', unsent: true });
  expect(askOutcomeOf(failures.credentialsRefused('unified-login'))).toEqual({
    type: 'refused',
    step: 'unified-login',
  });
});

it('what names no half is booked as no refusal and as no step', () => {
  expect(askOutcomeOf(failures.credentialsRefused(undefined))).toEqual({ type: 'unknown' });
  expect(askOutcomeOf(failures.personNeeded(undefined, undefined, { wanted: 'sms' }))).toEqual({ type: 'unknown' });
});

it.each([
  ['  ', 'unified-login'],
  ['p'.repeat(9), 'unified-login'],
  ['right', null],
] as const)(
  'a password that cannot be one is refused at the half that the campus takes, not at its copy: %j',
  (password, step) => {
    const campus = { longestPassword: (half: string) => (half === 'portal' ? null : 8) };
    expect(impossibleStep({ password, vpnPassword: password }, campus)).toBe(step);
  },
);
