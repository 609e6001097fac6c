import { describe, expect, it } from 'vitest';
import { runCampus } from '../../../src/cli/run.ts';
import { CliWorld, now } from '../../support/cli-world.ts';

const userid = '2023000001';
const run = async (...args: string[]) => {
  const world = new CliWorld();
  world.users = [{ userid, createdAt: now, lastLoginAt: null, tokens: 1 }];
  world.feeds = [
    { id: '7d1f0a94c2b85e36', parts: ['classes', 'exams'], createdAt: now, polledAt: now + 3_600_000 },
    { id: '00aa11bb22cc33dd', parts: ['activities'], createdAt: now, polledAt: null },
  ];
  const code = await runCampus(['feeds', ...args], world);
  return { code, out: world.printed, err: world.complained, left: world.feeds.map(({ id }) => id) };
};

describe('campus feeds', () => {
  it('lists the feeds of a student', async () => {
    expect(await run(userid)).toMatchObject({
      code: 0,
      out: [
        'FEED              HOLDS          CREATED              LAST POLL',
        '7d1f0a94c2b85e36  classes,exams  2026-03-18 10:00:00  2026-03-18 11:00:00',
        '00aa11bb22cc33dd  activities     2026-03-18 10:00:00  never',
      ],
    });
  });

  it('revokes one of them, or all', async () => {
    expect(await run(userid, '--revoke', '7d1f0a94c2b85e36')).toMatchObject({
      code: 0,
      out: [`${userid}: 1 calendar feed revoked`],
      left: ['00aa11bb22cc33dd'],
    });
    expect(await run(userid, '--revoke-all')).toMatchObject({
      code: 0,
      out: [`${userid}: 2 calendar feeds revoked`],
      left: [],
    });
  });

  it.each([
    [['2023999999'], 1, 'no user 2023999999'],
    [[userid, '--revoke', 'x'], 1, `${userid}: no calendar feed x`],
    [[], 2, 'campus: USERID is missing'],
    [[userid, '--revoke', 'x', '--revoke-all'], 2, 'campus: either --revoke ID or --revoke-all'],
  ])('with %j fails and changes nothing', async (args, code, message) => {
    const ended = await run(...args);
    expect([ended.code, ended.err[0], ended.left.length]).toEqual([code, message, 2]);
  });
});
