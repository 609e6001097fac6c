import { describe, expect, it } from 'vitest';
import type { PlanCategory } from '../../../src/domain/academics/plans.ts';
import { appUnderTest } from '../../support/app.ts';
import { exampleCompletion, exampleExam, exampleToken } from '../../support/fake-services.ts';

const headers = { authorization: `Bearer ${exampleToken}` };

describe('GET /jwc/exam/info', () => {
  const url = '/jwc/exam/info';

  it('sorts the exams of a day by their time, and keeps what appears twice', async () => {
    const { app, services } = await appUnderTest();
    const at = (time: string) => ({ ...exampleExam, time });
    services.academics.exams.returns({ exams: [at('14:00'), at('08:30'), at('14:00')], missing: [] });
    const { data } = (await app.inject({ url, headers })).json();
    expect(data.exams.map((exam: { exam_time: string }) => exam.exam_time)).toEqual(['08:30', '14:00', '14:00']);
    expect(data.total_count).toBe(3);
  });
});

describe('GET /jwc/plan/current', () => {
  it('sends a tree that is 1,500 parts deep', async () => {
    const { app, services } = await appUnderTest();
    const [part] = exampleCompletion.categories;
    if (part === undefined) throw new Error('no example');
    let tree: PlanCategory = { ...part, subcategories: [] };
    for (let depth = 1; depth < 1_500; depth += 1) tree = { ...part, courses: [], subcategories: [tree] };
    services.academics.planCompletion.returns({ ...exampleCompletion, categories: [tree] });
    const answer = await app.inject({ url: '/jwc/plan/current', headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.body.match(/"subcategories"/g)).toHaveLength(1_500);
    expect(answer.body).toContain('"course_code":"EX1001"');
  });
});
