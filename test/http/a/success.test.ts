import { describe, expect, it, vi } from 'vitest';
import { exampleSchedule, exampleSummary } from '../../support/fake-services.ts';
import { academicOperations, schedule, signedIn, surfaceA, taskOperations, termScore } from './support.ts';

describe('academic operations that succeed', () => {
  it('pass page, size and filters of a score query on, and the defaults where they are left out', async () => {
    const { post, services } = await surfaceA();
    await post('/jwc/fetch_term_score', termScore);
    await post('/jwc/fetch_term_score', {
      AuthmeRequest: signedIn,
      request: { term_id: 'x', course_code: 'CS', course_name: '设计', page_num: '2', page_size: 100.0 },
    });
    expect(services.academics.scorePage.calls.map(([, query]) => query)).toEqual([
      { termCode: '2024-2025-2-1', courseCode: '', courseName: '', page: 1, pageSize: 50 },
      { termCode: 'x', courseCode: 'CS', courseName: '设计', page: 2, pageSize: 100 },
    ]);
  });

  it('send retake and make-up grades, and grades as text unchanged', async () => {
    const { post, services } = await surfaceA();
    const { records, ...page } = await services.academics.scorePage(
      { userid: '2023000001' },
      { termCode: '', courseCode: '', courseName: '', page: 1, pageSize: 50 },
      Object.create(null),
    );
    const record = records[0]!;
    services.academics.scorePage.returns({
      ...page,
      records: [{ ...record, score: '优秀', retake_score: '60', makeup_score: '0' }],
    });
    const data = (await post('/jwc/fetch_term_score', termScore)).json().data;
    expect(data.records[0]).toMatchObject({ score: '优秀', retake_score: '60', makeup_score: '0' });
  });

  it('send an empty semester block as an empty object', async () => {
    const { post, services } = await surfaceA();
    services.academics.schedule.returns({
      ...exampleSchedule,
      sections: { ...exampleSchedule.sections, semester: null },
    });
    expect((await post('/jwc/fetch_course_schedule', schedule)).json().data.semester_info).toEqual({});
  });

  it('pass a term code on unchecked', async () => {
    const { post, services } = await surfaceA();
    await post('/jwc/fetch_course_schedule', { ...schedule, request: { plan_code: 'anything' } });
    expect(services.academics.schedule.calls[0]?.[1]).toBe('anything');
  });
});

describe('students at the same time', () => {
  it('each get their own answer, whatever the order in which the campus answers', async () => {
    const { post, services } = await surfaceA();
    services.accounts.authenticate.does(async (token) => ({ userid: token }));
    const gates = new Map<string, () => void>();
    services.academics.summary.does(async ({ userid }) => {
      await new Promise<void>((resolve) => gates.set(userid, resolve));
      return { ...exampleSummary, coursesTaken: Number(userid) };
    });
    const answers = ['1', '2', '3'].map((token) => post('/jwc/fetch_academic_info', { token }));
    await vi.waitFor(() => expect(gates.size).toBe(3));
    for (const userid of ['3', '1', '2']) gates.get(userid)?.();
    const counts = (await Promise.all(answers)).map((response) => response.json().data.count);
    expect(counts).toEqual([1, 2, 3]);
  });
});

describe('every operation', () => {
  it.each(academicOperations)('%s asks the campus for the student of the token', async (path, body) => {
    const { post, services } = await surfaceA();
    services.accounts.authenticate.returns({ userid: '2023000099' });
    await post(path, body);
    const asked = Object.values(services.academics).flatMap(({ calls }) => calls.map(([student]) => student.userid));
    expect(asked).toEqual(['2023000099']);
  });

  it.each(taskOperations)(
    '%s asks the task of the student of the token, and no data of the campus',
    async (path, body) => {
      const { post, services } = await surfaceA();
      services.accounts.authenticate.returns({ userid: '2023000099' });
      await post(path, body);
      const asked = Object.values(services.evaluation).flatMap(({ calls }) => calls.map(([student]) => student.userid));
      expect(asked).toEqual(['2023000099']);
      expect(Object.values(services.academics).filter(({ calls }) => calls.length > 0)).toEqual([]);
    },
  );
});
