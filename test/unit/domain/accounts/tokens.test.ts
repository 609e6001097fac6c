import { expect, it } from 'vitest';
import { newToken } from '../../../../src/domain/accounts/tokens.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const DAY_MS = 86_400_000;
const clock = new ManualClock();
const days = (moment: number): number => (moment - clock.now()) / DAY_MS;

const issued = (maxDays: number, drawn: number, ttlDays = 30) =>
  newToken(
    {
      clock,
      random: () => drawn,
      settings: { tokenTtlMs: ttlDays * DAY_MS, tokenMaxMs: maxDays * DAY_MS, refusalsPerAddress: 60 },
    },
    'token',
    '198.51.100.7',
  );

it.each([
  { maxDays: 180, drawn: 0, ends: 180 },
  { maxDays: 180, drawn: 0.5, ends: 165 },
  { maxDays: 180, drawn: 1, ends: 150 },
  { maxDays: 1_000, drawn: 1, ends: 970 },
  // A short life is not drawn away.
  { maxDays: 60, drawn: 1, ends: 50 },
])('a token of at most $maxDays days ends after $ends where $drawn is drawn', ({ maxDays, drawn, ends }) => {
  expect(days(issued(maxDays, drawn).tokenEndsAt)).toBe(ends);
});

it('without use it ends after its usual life, and never later than its longest', () => {
  expect(days(issued(180, 0).tokenExpiresAt)).toBe(30);
  expect(days(issued(12, 1).tokenExpiresAt)).toBe(10);
});
