import { describe, expect, it } from 'vitest';
import type { CourseTable, SectionTimes } from '../../../../src/domain/academics/ports.ts';
import type { AcademicsCampus } from '../../../../src/domain/academics/reads.ts';
import type { ScorePage } from '../../../../src/domain/academics/records.ts';
import { AcademicService } from '../../../../src/domain/academics/service.ts';
import { type CallContext, silentLog } from '../../../../src/domain/context.ts';
import { Failure } from '../../../../src/domain/errors.ts';
import { Deadline } from '../../../../src/lib/time.ts';
import { exampleSummary } from '../../../support/fake-services.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { testReads } from '../../../support/test-reads.ts';

const day = 24 * 60 * 60 * 1000;
const term = '2025-2026-1-1';
const anna = { userid: '2023000001' };
const bo = { userid: '2023000002' };
const context: CallContext = {
  traceId: '0'.repeat(32),
  signal: new AbortController().signal,
  deadline: new Deadline(30_000),
  log: silentLog,
  address: '',
};

const sectionsNamed = (name: string): SectionTimes => ({
  slots: [{ session: 1, name, startTime: '0800', endTime: '0845', length: '45', block: 1 }],
  semester: null,
});
const tableOf = (userid: string): CourseTable => ({ totalCredits: Number(userid), courses: [] });
const page: ScorePage = { page_num: 2, page_size: 20, total_count: 21, records: [] };

/** A campus that records how often the sections were asked for. */
const start = () => {
  const clock = new ManualClock();
  const asked: Array<[userid: string, sections: 'asked' | 'known']> = [];
  const upstream: { sections: SectionTimes; failure: Failure | null } = {
    sections: sectionsNamed('第一节'),
    failure: null,
  };
  const calls: unknown[] = [];
  const campus: AcademicsCampus = {
    summary: async (student) => {
      calls.push(['summary', student]);
      return { ...exampleSummary, currentTerm: term };
    },
    terms: async (student) => {
      calls.push(['terms', student]);
      return [{ term_code: term, term_name: '2025-2026学年上', is_current: true }];
    },
    scorePage: async (student, query) => {
      calls.push(['scorePage', student, query]);
      return page;
    },
    allScores: async (student, termCode) => {
      calls.push(['allScores', student, termCode]);
      return [];
    },
    schedule: async (student, _termCode, known) => {
      asked.push([student.userid, known === null ? 'asked' : 'known']);
      if (upstream.failure) throw upstream.failure;
      return { table: tableOf(student.userid), sections: known ?? upstream.sections };
    },
    wholeRecord: () => Promise.reject(new Error('not asked for here')),
    studentFile: () => Promise.reject(new Error('not asked for here')),
    trainingPlan: () => Promise.reject(new Error('not asked for here')),
    planEntry: () => Promise.reject(new Error('not asked for here')),
    chosenPlan: () => Promise.reject(new Error('not asked for here')),
    currentScores: () => Promise.reject(new Error('not asked for here')),
    scoreComponents: () => Promise.reject(new Error('not asked for here')),
    courseSelection: () => Promise.reject(new Error('not asked for here')),
    calendarText: () => Promise.reject(new Error('not asked for here')),
    termStart: () => Promise.reject(new Error('not asked for here')),
    exams: () => Promise.reject(new Error('not asked for here')),
    evaluationCourses: () => Promise.reject(new Error('not asked for here')),
  };
  return {
    clock,
    asked,
    upstream,
    calls,
    academics: new AcademicService({ campus, reads: testReads(clock), clock, timeZone: 'Asia/Shanghai' }),
  };
};

describe('section times', () => {
  it('are asked for once a day for all students, the courses every time', async () => {
    const { academics, asked } = start();
    const first = await academics.schedule(anna, term, context);
    const second = await academics.schedule(bo, term, context);
    expect(asked).toEqual([
      [anna.userid, 'asked'],
      [bo.userid, 'known'],
    ]);
    expect(first).toEqual({ ...tableOf(anna.userid), sections: sectionsNamed('第一节') });
    expect(second).toEqual({ ...tableOf(bo.userid), sections: sectionsNamed('第一节') });
  });

  it('are asked for again after a day', async () => {
    const { academics, asked, clock, upstream } = start();
    await academics.schedule(anna, term, context);
    upstream.sections = sectionsNamed('新');
    clock.advance(day - 1);
    expect((await academics.schedule(anna, term, context)).sections.slots[0]?.name).toBe('第一节');
    clock.advance(1);
    expect((await academics.schedule(anna, term, context)).sections.slots[0]?.name).toBe('新');
    expect(asked.map(([, how]) => how)).toEqual(['asked', 'known', 'asked']);
  });

  it('do not live longer for being used', async () => {
    const { academics, asked, clock } = start();
    for (let hour = 0; hour <= 24; hour += 6) {
      await academics.schedule(anna, term, context);
      clock.advance(day / 4);
    }
    expect(asked.map(([, how]) => how)).toEqual(['asked', 'known', 'known', 'known', 'asked']);
  });

  it('are not kept for longer than a day over a clock that is set back', async () => {
    const { academics, asked, clock } = start();
    await academics.schedule(anna, term, context);
    clock.correct(-10 * day);
    clock.advance(day);
    await academics.schedule(anna, term, context);
    expect(asked.map(([, how]) => how)).toEqual(['asked', 'asked']);
  });

  it('are not kept when the answer failed or was empty', async () => {
    const { academics, asked, upstream } = start();
    upstream.failure = new Failure('upstream-unavailable', { system: 'academics', part: 'sections' });
    await expect(academics.schedule(anna, term, context)).rejects.toBe(upstream.failure);
    upstream.failure = null;
    upstream.sections = { slots: [], semester: null };
    expect((await academics.schedule(anna, term, context)).sections.slots).toEqual([]);
    upstream.sections = sectionsNamed('第一节');
    await academics.schedule(anna, term, context);
    await academics.schedule(anna, term, context);
    expect(asked.map(([, how]) => how)).toEqual(['asked', 'asked', 'asked', 'known']);
  });

  it('that are kept do not hide a failure of the courses', async () => {
    const { academics, upstream } = start();
    await academics.schedule(anna, term, context);
    upstream.failure = new Failure('session-lost', { system: 'academics' });
    await expect(academics.schedule(bo, term, context)).rejects.toBe(upstream.failure);
  });
});

describe('the other reads', () => {
  it('are passed to the campus each time, unchanged', async () => {
    const { academics, calls } = start();
    const query = { termCode: 'x', courseCode: 'C', courseName: '名', page: 2, pageSize: 20 };
    expect(await academics.summary(anna, context)).toMatchObject({ coursesTaken: 30 });
    expect(await academics.terms(bo, context)).toHaveLength(1);
    expect(await academics.scorePage(anna, query, context)).toBe(page);
    expect(await academics.allScores(bo, term, context)).toEqual([]);
    await academics.summary(anna, context);
    expect(calls).toEqual([
      ['summary', anna],
      ['terms', bo],
      ['scorePage', anna, query],
      ['allScores', bo, term],
      ['summary', anna],
    ]);
  });
});
