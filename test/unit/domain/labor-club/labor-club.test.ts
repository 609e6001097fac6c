import { describe, expect, it } from 'vitest';
import { portsOf, type Supplies } from '../../../../src/domain/capabilities.ts';
import { createLaborClub } from '../../../../src/domain/labor-club/labor-club.ts';
import type { Scan } from '../../../../src/domain/labor-club/reads.ts';
import { createLeases } from '../../../../src/domain/lease.ts';
import { openAccountStores } from '../../../support/account-stores.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { testReads, testWrites } from '../../../support/test-reads.ts';

const one = { userid: '2023000001' };
const two = { userid: '2023000002' };

const build = async (finished = 4) => {
  const { clock, leases: store } = await openAccountStores();
  const scans: Scan[] = [];
  const campus: Supplies['laborClub'] = {
    finishedCount: async () => finished,
    scan: async (_student, scan) => {
      scans.push(scan);
      return { code: 0, message: '', details: {} };
    },
  };
  const { laborClub: port } = portsOf([{ laborClub: campus }]);
  const replica = () =>
    createLaborClub({
      campus: port,
      leases: createLeases(store, clock),
      reads: testReads(clock),
      writes: testWrites(clock),
    });
  return { clock, scans, replica, labor: replica() };
};

describe('progress', () => {
  it.each([
    [0, 0],
    [4, 40],
    [10, 100],
    [12, 100],
  ])('of %d finished activities is %d percent', async (finished, percentage) => {
    const { labor } = await build(finished);
    expect(await labor.progress(one, callContext())).toEqual({
      data: finished,
      finish_count: finished,
      progress_percentage: percentage,
    });
  });
});

describe('scans', () => {
  const scan = { content: ' SIGN|1 ', location: '120.1 ,\t30.2' };

  it('lose the blanks around the comma of the location and nothing of the content', async () => {
    const { labor, scans } = await build();
    await labor.scan(one, scan, callContext());
    expect(scans).toEqual([{ content: ' SIGN|1 ', location: '120.1,30.2' }]);
  });

  it('are refused for three seconds after the last one of the same student, without asking the campus', async () => {
    const { labor, scans, clock } = await build();
    await labor.scan(one, scan, callContext());
    clock.advance(2_001);
    await expect(labor.scan(one, scan, callContext())).rejects.toMatchObject({
      kind: 'rate-limited',
      retryAfterSeconds: 3,
    });
    await labor.scan(two, scan, callContext());
    clock.advance(999);
    await labor.scan(one, scan, callContext());
    expect(scans).toHaveLength(3);
  });

  it('of which two meet two replicas reach the campus once', async () => {
    const { labor, replica, scans } = await build();
    const outcomes = await Promise.allSettled(
      [labor, replica()].map((service) => service.scan(one, scan, callContext())),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(scans).toHaveLength(1);
  });
});
