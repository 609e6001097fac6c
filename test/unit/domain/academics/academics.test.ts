import { describe, expect, it } from 'vitest';
import type { CourseTable, SectionTimes } from '../../../../src/domain/academics/ports.ts';
import { createAcademics } from '../../../../src/domain/academics/service.ts';
import { portsOf, type Supplies } from '../../../../src/domain/capabilities.ts';
import { type Failure, failures } from '../../../../src/domain/errors.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { testReads } from '../../../support/test-reads.ts';

const day = 24 * 60 * 60 * 1000;
const term = '2025-2026-1-1';
const anna = { userid: '2023000001' };
const bo = { userid: '2023000002' };
const context = callContext();

const sectionsNamed = (name: string): SectionTimes => ({
  slots: [{ session: 1, name, startTime: '0800', endTime: '0845', length: '45', block: 1 }],
  semester: null,
});
const tableOf = (userid: string): CourseTable => ({ totalCredits: Number(userid), courses: [] });

/** A campus that records how often the sections were asked for. */
const start = () => {
  const clock = new ManualClock();
  const asked: Array<[userid: string, sections: 'asked' | 'known']> = [];
  const upstream: { sections: SectionTimes; failure: Failure | null } = {
    sections: sectionsNamed('第一节'),
    failure: null,
  };
  const campus: Supplies['academics'] = {
    schedule: async (student, _termCode, known) => {
      asked.push([student.userid, known === null ? 'asked' : 'known']);
      if (upstream.failure) throw upstream.failure;
      return { table: tableOf(student.userid), sections: known ?? upstream.sections };
    },
  };
  const { academics: port } = portsOf([{ academics: campus }]);
  return {
    clock,
    asked,
    upstream,
    academics: createAcademics({ campus: port, reads: testReads(clock), clock, timeZone: 'Asia/Shanghai' }),
  };
};

describe('section times', () => {
  it('are asked for once a day for all students, the courses every time', async () => {
    const { academics, asked, clock, upstream } = start();
    const known = sectionsNamed('第一节');
    expect(await academics.schedule(anna, term, context)).toEqual({ ...tableOf(anna.userid), sections: known });
    upstream.sections = sectionsNamed('新');
    clock.advance(day - 1);
    expect(await academics.schedule(bo, term, context)).toEqual({ ...tableOf(bo.userid), sections: known });
    clock.advance(1);
    expect((await academics.schedule(anna, term, context)).sections).toEqual(upstream.sections);
    expect(asked).toEqual([
      [anna.userid, 'asked'],
      [bo.userid, 'known'],
      [anna.userid, 'asked'],
    ]);
  });

  it('are not cached when the answer failed or was empty', async () => {
    const { academics, asked, upstream } = start();
    upstream.failure = failures.upstreamUnavailable('academics', undefined, { part: 'sections' });
    await expect(academics.schedule(anna, term, context)).rejects.toBe(upstream.failure);
    upstream.failure = null;
    upstream.sections = { slots: [], semester: null };
    expect((await academics.schedule(anna, term, context)).sections.slots).toEqual([]);
    upstream.sections = sectionsNamed('第一节');
    await academics.schedule(anna, term, context);
    await academics.schedule(anna, term, context);
    expect(asked.map(([, how]) => how)).toEqual(['asked', 'asked', 'asked', 'known']);
  });

  it('that are cached do not hide a failure of the courses', async () => {
    const { academics, upstream } = start();
    await academics.schedule(anna, term, context);
    upstream.failure = failures.sessionLost('academics');
    await expect(academics.schedule(bo, term, context)).rejects.toBe(upstream.failure);
  });
});
