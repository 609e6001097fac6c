import { describe, expect, it } from 'vitest';
import { everyWork, signedIn, studentOperations, surfaceA, termScore } from './support.ts';

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

it.each(studentOperations)('%s asks once, for the student of the token', async (path, body) => {
  const { post, services } = await surfaceA();
  services.accounts.authenticate.returns({ userid: '2023000099' });
  await post(path, body);
  const asked = everyWork(services).flatMap(({ calls }) => calls.map(([student]) => student));
  expect(asked).toMatchObject([{ userid: '2023000099' }]);
});
