import { describe, expect, it } from 'vitest';
import { academicOperations, signedIn, surfaceA, taskOperations, termScore } from './support.ts';

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
