import { describe, expect, it } from 'vitest';
import { createLaborClub } from '../../../../src/domain/labor-club/labor-club.ts';
import type { LaborClubCampus, Scan } from '../../../../src/domain/labor-club/ports.ts';
import { ScanPace } from '../../../../src/domain/labor-club/scan-pace.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { exampleActivityDetail, exampleLaborActivities, exampleSignItems } from '../../../support/labor-examples.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const one = { userid: '2023000001' };
const two = { userid: '2023000002' };

const build = (finished = 4) => {
  const clock = new ManualClock();
  const scans: Scan[] = [];
  const campus: LaborClubCampus = {
    finishedCount: async () => finished,
    joinedActivities: async () => exampleLaborActivities,
    joinedClubs: async () => [],
    clubActivities: async () => exampleLaborActivities,
    signItems: async () => exampleSignItems,
    activityDetail: async () => exampleActivityDetail,
    signUp: async () => ({ code: 0, message: '' }),
    scan: async (_student, scan) => {
      scans.push(scan);
      return { code: 0, message: '', details: {} };
    },
  };
  return { clock, scans, labor: createLaborClub({ campus, clock }) };
};

describe('progress', () => {
  it.each([
    [0, 0],
    [4, 40],
    [10, 100],
    [12, 100],
  ])('of %d finished activities is %d percent', async (finished, percentage) => {
    const { labor } = build(finished);
    expect(await labor.progress(one, callContext())).toEqual({ finished, percentage });
  });
});

describe('scans', () => {
  const scan = { content: ' SIGN|1 ', location: '120.1 ,\t30.2' };

  it('lose the blanks around the comma of the location and nothing of the content', async () => {
    const { labor, scans } = build();
    await labor.scan(one, scan, callContext());
    expect(scans).toEqual([{ content: ' SIGN|1 ', location: '120.1,30.2' }]);
  });

  it('are refused for three seconds after the last one of the same student, without asking the campus', async () => {
    const { labor, scans, clock } = build();
    await labor.scan(one, scan, callContext());
    clock.advance(2_001);
    await expect(labor.scan(one, scan, callContext())).rejects.toMatchObject({
      kind: 'rate-limited',
      retryAfterSeconds: 1,
    });
    await labor.scan(two, scan, callContext());
    clock.advance(999);
    await labor.scan(one, scan, callContext());
    expect(scans).toHaveLength(3);
  });

  it('that are refused do not prolong the pause', async () => {
    const { labor, clock } = build();
    await labor.scan(one, scan, callContext());
    clock.advance(2_999);
    await expect(labor.scan(one, scan, callContext())).rejects.toMatchObject({ kind: 'rate-limited' });
    clock.advance(1);
    await expect(labor.scan(one, scan, callContext())).resolves.toBeDefined();
  });
});

describe('the pace of scans', () => {
  it('remembers students for three seconds, and at most 10,000 of them', () => {
    const clock = new ManualClock();
    const pace = new ScanPace(clock);
    for (let number = 0; number < 10_050; number += 1) pace.take(`student-${number}`);
    expect(pace.size).toBe(10_000);
    expect(() => pace.take('student-10049')).toThrow();
    clock.advance(3_000);
    pace.take('student-10049');
    expect(pace.size).toBe(1);
  });

  it('locks nobody out when the clock is set back', () => {
    const clock = new ManualClock();
    const pace = new ScanPace(clock);
    pace.take('a');
    clock.advance(-3_600_000);
    expect(() => pace.take('a')).not.toThrow();
  });
});
