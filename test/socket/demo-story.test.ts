import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { damaged, first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

const at = (moment: string): number => Date.parse(`${moment.replace(' ', 'T')}+08:00`);

// biome-ignore lint/suspicious/noExplicitAny: answers are inspected member by member
type Json = any;

const read = async (gateway: Gateway, token: string, path: string): Promise<Json> => {
  const { status, body, text } = await gateway.b('GET', path, { token });
  expect([status, body.success], `${path} ${text}`).toEqual([200, true]);
  return body.data;
};

const asked = async (gateway: Gateway, path: string, body: unknown): Promise<Json> => {
  const answer = await gateway.a(path, body);
  expect(answer.body.code, `${path} ${answer.text}`).toBe(200);
  return answer.body.data;
};

const warnings = (gateway: Gateway): string[] =>
  gateway
    .log()
    .split('\n')
    .filter((line) => /"level":"(warn|error|fatal)"/.test(line));

/** The courses of a plan, with what their categories count. */
const coursesOf = (categories: Json[]): Json[] =>
  categories.flatMap(({ courses, subcategories, ...counted }) => {
    const all = [...courses, ...coursesOf(subcategories)];
    const passed = all.filter(({ is_passed }) => is_passed);
    expect(counted).toMatchObject({
      passed_courses: passed.length,
      failed_courses: all.filter(({ status_description }) => status_description === '未通过').length,
      completed_credits: passed.reduce((sum, { credits }) => sum + credits, 0),
    });
    return all;
  });

/** The mark that counts, as a number where it is one. */
const markOf = ({ score, makeup_score, retake_score }: Json): unknown => {
  const numbers = [score, makeup_score, retake_score].map(Number).filter((mark) => mark > 0);
  return numbers.length === 0 ? score : Math.max(...numbers);
};

const tells = async (gateway: Gateway, token: string): Promise<void> => {
  const b = (path: string) => read(gateway, token, path);
  const a = (path: string, request?: unknown) =>
    asked(gateway, path, request === undefined ? { token } : { request, AuthmeRequest: { token } });
  const info = await b('/jwc/academic/info');
  const terms: Json[] = await b('/jwc/term/all');
  expect(await a('/jwc/fetch_academic_info')).toEqual({
    count: info.completed_courses,
    countNotPass: info.failed_courses,
    gpa: info.gpa,
  });
  expect(terms.find(({ is_current }) => is_current)?.term_code).toBe(info.current_term);
  expect(Object.keys(await a('/jwc/fetch_all_terms'))).toEqual(terms.map(({ term_code }) => term_code));

  const scores: Json[] = [];
  const schedules = new Map<string, Json>();
  for (const { term_code } of terms) {
    const { total_count, records } = await b(`/jwc/score/${term_code}/list`);
    const sheet = await a('/jwc/fetch_term_score', { term_id: term_code });
    expect([sheet.total_count, sheet.records]).toEqual([total_count, records]);
    expect(records).toHaveLength(total_count);
    scores.push(...records);
    const schedule = await b(`/jwc/schedule/${term_code}/table`);
    // What surface B tells besides, surface A has no place for.
    expect(schedule).toMatchObject(await a('/jwc/fetch_course_schedule', { plan_code: term_code }));
    expect(schedule.total_units).toBe(schedule.courses.reduce((sum: number, { unit }: Json) => sum + unit, 0));
    for (const course of schedule.courses) schedules.set(`${course.course_code}_${course.course_sequence}`, course);
    for (const { course_code, course_class, course_name_cn } of records) {
      expect(schedules.get(`${course_code}_${course_class}`)?.course_name).toBe(course_name_cn);
    }
    if (term_code === info.current_term) expect(schedule.courses).toHaveLength(info.pending_courses);
  }
  expect(scores).toHaveLength(info.completed_courses);

  const { options } = await b('/jwc/plan/options');
  const plans =
    options.length === 0
      ? [await b('/jwc/plan/current')]
      : await Promise.all(options.map(({ plan_id }: Json) => b(`/jwc/plan/current?plan_id=${plan_id}`)));
  const training = await b('/jwc/academic/training_plan');
  expect(plans.some(({ plan_name }) => plan_name.startsWith(training.plan_name))).toBe(true);
  expect((await a('/jwc/fetch_education_plan_info')).courseCount).toBe(info.completed_courses);
  const planned = plans.flatMap(({ categories }) => coursesOf(categories));
  const completed = planned.filter(({ status_description }) => status_description !== '未修读');
  expect(completed.map(({ course_code }) => course_code).toSorted()).toEqual(
    scores.map(({ course_code }) => course_code).toSorted(),
  );
  expect(completed.filter(({ is_passed }) => !is_passed)).toHaveLength(info.failed_courses);
  for (const row of scores) {
    const course = completed.find(({ course_code }) => course_code === row.course_code);
    expect([course.course_name, String(course.credits), course.course_type]).toEqual([
      row.course_name_cn,
      row.credits,
      row.course_type,
    ]);
    expect(Number(course.score) || course.score).toBe(markOf(row));
  }

  const { records: current } = await b('/jwc/score/current/list');
  for (const row of current) {
    expect(schedules.get(`${row.course_code}_${row.course_class}`)?.course_name).toBe(row.course_name_cn);
    const score = scores.find(({ course_code }) => course_code === row.course_code);
    expect(row.is_published).toBe(score !== undefined);
    const { course_code, course_class, exam_time } = row;
    const query = new URLSearchParams({ term_code: row.term_id, course_code, course_class, exam_time });
    const { items } = await b(`/jwc/score/current/detail?${query}`);
    expect(items.map(({ total }: Json) => total)).toEqual(score === undefined ? [] : [score.score]);
  }

  const names = new Set([...schedules.values()].map(({ course_name }) => course_name));
  const exams = await b('/jwc/exam/info');
  expect(exams).toMatchObject(await a('/jwc/fetch_exam_info'));
  for (const { course_name } of exams.exams) expect(names).toContain(course_name);
  const evaluation: Json[] = await a('/jwc/fetch_evaluation_course_list');
  expect((await b('/jwc/evaluation/courses')).map(({ evaluationContent }: Json) => evaluationContent)).toEqual(
    evaluation.map(({ evaluationContent }) => evaluationContent),
  );
  for (const { id, evaluatedPeople, evaluationContent } of evaluation) {
    const course = schedules.get(`${id.evaluationContentNumber}_${id.coureSequenceNumber}`);
    expect(course?.course_name).toBe(evaluationContent);
    expect(course?.teacher_name.split(' ').join('')).toContain(evaluatedPeople.split(' ').join(''));
  }

  const list: Json[] = await b('/aac/credit/list');
  expect((await b('/aac/credit/info')).TotalScore).toBe(list.reduce((sum, { TotalScore }) => sum + TotalScore, 0));
  expect(await a('/aac/fetch_score_list')).toEqual(list);
  const { data: joined } = await b('/ldjlb/labor/joined/activities');
  const over = joined.filter(({ StateName }: Json) => StateName === '已结束');
  expect((await b('/ldjlb/labor/progress')).finish_count).toBe(over.length);
  for (const activity of joined) {
    const { data } = await b(`/ldjlb/labor/${activity.ID}/detail`);
    expect(data).toMatchObject({ MemberNum: activity.MemberNum, Title: activity.Title, IsMember: true });
  }
  const { data: clubs } = await b('/ldjlb/labor/joined/clubs');
  const { data: directory } = await b('/ldjlb/labor/clubs');
  for (const { ID, Name, MemberNum, PeopleNum } of clubs) {
    expect(directory.find((club: Json) => club.ID === ID)).toMatchObject({ Name, MemberNum, PeopleNum, IsJoin: true });
  }
  const { awards, credits_summary } = await b('/jwc/competition/info');
  expect(credits_summary.discipline_competition_credits).toBe(
    awards.reduce((sum: number, each: Json) => sum + (each.verification_status === '通过' ? each.credits : 0), 0),
  );
};

describe.each(['2026-11-22 09:00:00', '2027-03-01 00:00:05', '2027-06-30 20:00:00', '2027-08-01 12:00:00'])(
  'at %s',
  (moment) => {
    let gateway: Gateway;
    beforeAll(async () => {
      gateway = await startGateway({ clock: new ManualClock(at(moment)).skipping(300) });
    });
    afterAll(() => gateway.close());

    it.each([
      ['first', first],
      ['second', second],
    ] as const)('both surfaces tell one story of the %s student, and nothing of it is damaged', async (_, student) => {
      await tells(gateway, await gateway.register(student));
      expect(warnings(gateway)).toEqual([]);
    });
  },
);

it('the pages of the third student are damaged, and the log says so', async () => {
  const gateway = await startGateway({ clock: new ManualClock().skipping(300) });
  try {
    const token = await gateway.register(damaged);
    const { total_count, records } = await read(gateway, token, '/jwc/score/2024-2025-2-1/list');
    expect(records.length).toBe(total_count);
    await read(gateway, token, '/jwc/plan/current');
    expect(warnings(gateway).length).toBeGreaterThan(1);
  } finally {
    await gateway.close();
  }
});

it('a scan sign works as the documents tell, once', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/use/clients.md'), 'utf8');
  const [, form = '', location = ''] = /"content":"([A-Z]+\|)'\$SIGN'","location":"([\d.,]+)"/.exec(guide) ?? [];
  const clock = new ManualClock(at('2026-11-22 09:00:00'));
  const gateway = await startGateway({ clock: clock.skipping(300) });
  try {
    const token = await gateway.register(first);
    const { data } = await read(gateway, token, '/ldjlb/labor/joined/activities');
    const [item] = (await read(gateway, token, `/ldjlb/labor/${data[0].ID}/sign_list`)).data;
    const scan = () =>
      gateway.b('POST', '/ldjlb/labor/scan_sign', { token, body: { content: form + item.ID, location } });
    expect((await scan()).body).toMatchObject({ success: true, message: '签到成功' });
    expect((await read(gateway, token, `/ldjlb/labor/${data[0].ID}/sign_list`)).data[0].IsSign).toBe(true);
    clock.advance(60_000);
    expect((await scan()).body).toMatchObject({ success: false, message: '已签到，请勿重复签到' });
  } finally {
    await gateway.close();
  }
});
