import { describe, expect, it } from 'vitest';
import { exampleEvaluationCourse, exampleExam, examplePlan } from '../../support/fake-services.ts';
import { signedIn, surfaceA } from './support.ts';

describe('the training plan', () => {
  it('without a summary has no term and no count', async () => {
    const { post, services } = await surfaceA();
    services.academics.planOverview.returns({ plan: examplePlan, summary: null });
    expect((await post('/jwc/fetch_education_plan_info', signedIn)).json()).toEqual({
      code: 200,
      message: '培养方案信息获取成功',
      data: { pyfa: '2023级示例专业本科培养方案', term: '', courseCount: 0, major: '示例专业', grade: '2023' },
    });
  });
});

describe('the evaluation list', () => {
  it('has null for identifiers and questionnaire that are not there', async () => {
    const { post, services } = await surfaceA();
    services.academics.evaluationCourses.returns([{ ...exampleEvaluationCourse, id: null, questionnaire: null }]);
    expect((await post('/jwc/fetch_evaluation_course_list', signedIn)).json().data).toEqual([
      { id: null, questionnaire: null, evaluatedPeople: '李四', isEvaluated: '否', evaluationContent: '示例课程' },
    ]);
  });

  it('without courses says so', async () => {
    const { post, services } = await surfaceA();
    services.academics.evaluationCourses.returns([]);
    expect((await post('/jwc/fetch_evaluation_course_list', signedIn)).json()).toEqual({
      code: 200,
      message: '暂无需要评教的课程',
      data: [],
    });
  });
});

describe('exams', () => {
  it('leave out a calendar entry that is nothing but a name, and only that', async () => {
    const { post, services } = await surfaceA();
    const bare = { ...exampleExam, time: '', location: '' };
    services.academics.exams.returns({
      exams: [bare, { ...bare, location: '操场' }, { ...bare, time: '08:30' }, { ...bare, kind: 'other' }],
      missing: [],
    });
    const { data } = (await post('/jwc/fetch_exam_info', signedIn)).json();
    expect(data.total_count).toBe(3);
    expect(data.exams.map((exam: { exam_location: string }) => exam.exam_location)).toEqual(['操场', '', '']);
  });
});
