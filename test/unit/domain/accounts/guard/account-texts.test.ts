import { expect, it } from 'vitest';
import { storedBad } from '../../../../../src/domain/accounts/guard/breaker.ts';
import { outcomeOf } from '../../../../../src/domain/accounts/sign-in/ask.ts';
import { Failure } from '../../../../../src/domain/errors.ts';

it.each([
  ['locked', new Failure('sign-in-guarded', { step: 'portal', passwords: 'locked' })],
  ['closed', new Failure('sign-in-unavailable', { step: 'unified-login', passwords: 'closed' })],
  ['person', new Failure('person-needed', { step: 'unified-login', wanted: 'password-change' })],
] as const)(
  'a text that speaks of this account, or of a closed place, is not bad for the others: %s',
  (type, failure) => {
    const outcome = outcomeOf(failure);
    expect(outcome.type).toBe(type);
    expect(storedBad(outcome, false)).toBeNull();
  },
);

it('an attack marker is', () => {
  expect(storedBad(outcomeOf(new Failure('sign-in-guarded', { step: 'portal' })), false)).not.toBeNull();
});
