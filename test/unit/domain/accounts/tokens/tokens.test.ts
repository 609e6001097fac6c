import { expect, it } from 'vitest';
import { clientOf, newToken } from '../../../../../src/domain/accounts/tokens/tokens.ts';
import { ManualClock } from '../../../../support/manual-clock.ts';

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
    { address: '198.51.100.7', userAgent: 'CampusApp/2.3' },
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

const webKit = 'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/A1) AppleWebKit/537.36 (KHTML, like Gecko)';
it.each([
  ['CampusApp/2.3 (Android 14; Pixel 8)', 'CampusApp'],
  ['CampusApp/1 CFNetwork/1494.0.7 Darwin/23.4.0', 'CampusApp'],
  ['curl', 'curl'],
  [`${webKit} Chrome/120.0.0.0 Mobile Safari/537.36`, 'Chrome'],
  [`${webKit} Chrome/120.0.0.0 Safari/537.36 Edg/120.0`, 'Edg'],
  [`${webKit} Version/17.1 Safari/605.1.15`, 'Safari'],
  [
    `${webKit} Chrome/107 Safari/537.36 XWEB/50 MMWEBSDK/2023 MMWEBID/25 MicroMessenger/8.0.38(0x28002651) NetType/WIFI`,
    'MicroMessenger',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0', 'Firefox'],
  ['Mozilla/5.0 (compatible; unclosed', 'Mozilla'],
  [`A${'b'.repeat(600)}`, `A${'b'.repeat(39)}`],
  ['2023000001', null],
  ['\u0000<script>', null],
  ['(a comment alone)', null],
  ['', null],
  [undefined, null],
])('a client that calls itself %j is known to its student as %j', (userAgent, client) => {
  expect(clientOf(userAgent)).toBe(client);
});
