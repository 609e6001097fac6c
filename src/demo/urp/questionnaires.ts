import { randomBytes } from 'node:crypto';
import type { AcademicState } from '../campus-state.ts';
import { type DemoCall, type DemoReply, escapeHtml, htmlPage, jsonBody, page } from '../exchange.ts';
import type { DemoEvaluationCourse } from '../records/evaluation.ts';
import {
  type DemoComment,
  type DemoQuestionnaire,
  type DemoRating,
  questionnaires,
} from '../records/questionnaires.ts';
import type { DemoStudent } from '../students.ts';
import type { JwcHandler, JwcRoutes } from './session.ts';

const LONGEST_COMMENT = 1_000;
const SHORTEST_COMMENT = 4;

const notice = (text: string): DemoReply =>
  page('教学评估', `<div class="page-content"><div class="alert alert-block alert-danger">${text}</div></div>`);

const radios = ({ name }: DemoRating, { options }: DemoQuestionnaire): string =>
  options
    .map(
      ({ value, label }) =>
        `<label><input type="radio" class="ace" name="${name}" value="${value}"><span class="lbl">${label}</span></label>`,
    )
    .join('\n       ');

const ratingRow = (rating: DemoRating, index: number, questionnaire: DemoQuestionnaire): string => {
  const inCategory = questionnaire.ratings.filter(({ category }) => category === rating.category);
  const first = questionnaire.ratings[index - 1]?.category !== rating.category;
  const category = first ? `<td rowspan="${inCategory.length}">${rating.category}</td>` : '';
  return `  <tr>${category}<td>${rating.text}</td>
   <td>${radios(rating, questionnaire)}</td></tr>`;
};

const commentRow = ({ name, text, maxLength }: DemoComment): string =>
  `  <tr><td>${text}</td><td><textarea name="${name}"${maxLength ? ` maxlength="${maxLength}"` : ''}></textarea></td></tr>`;

const questionnaireHtml = (course: DemoEvaluationCourse, questionnaire: DemoQuestionnaire, token: string): DemoReply =>
  htmlPage(`<html><body><div class="page-content">
<div class="title">${questionnaire.title}</div>
<form id="StEvalForm" name="StEvalForm" method="post">
 <input type="hidden" id="tokenValue" name="tokenValue" value="${token}">
 <input type="hidden" name="wjdm" value="${course.questionnaire.number}">
 <input type="hidden" name="bprdm" value="${course.staffNumber}">
 <input type="hidden" name="pgnr" value="${escapeHtml(course.contentNumber)}">
 <table class="table table-bordered">
  <tr><td>被评人</td><td>${escapeHtml(course.teacher)}</td><td>评价内容</td><td>${escapeHtml(course.courseName)}</td></tr>
${questionnaire.ratings.map((rating, index) => ratingRow(rating, index, questionnaire)).join('\n')}
${questionnaire.comments.map(commentRow).join('\n')}
 </table></form></div></body></html>
`);

const courseOf = (student: DemoStudent, contentNumber: string | null): DemoEvaluationCourse | null =>
  student.evaluation.find((course) => course.contentNumber === contentNumber) ?? null;

const PAGE_FIELDS = [
  'count',
  'evaluatedPeople',
  'evaluatedPeopleNumber',
  'questionnaireCode',
  'questionnaireName',
  'coureSequenceNumber',
  'evaluationContentNumber',
  'evaluationContentContent',
  'tokenValue',
];

/** A questionnaire of one course. Opening it starts the time that must pass before it may be submitted. */
const questionnairePage =
  (state: AcademicState): JwcHandler =>
  (call, student, session) => {
    const { form } = call;
    if (PAGE_FIELDS.some((name) => !form.has(name))) return notice('参数不完整');
    if (form.get('tokenValue') !== session.evaluationToken) return notice('页面已失效，请重新进入！');
    const course = courseOf(student, form.get('evaluationContentNumber'));
    const questionnaire = course && questionnaires.get(course.questionnaire.number);
    if (!course || !questionnaire || form.get('questionnaireCode') !== course.questionnaire.number) {
      return notice('没有找到评估内容！');
    }
    const token = randomBytes(16).toString('hex');
    const openedAt = state.clock.now();
    if (state.switches.evaluationClock === 'latest') session.questionnaires.clear();
    session.questionnaires.set(token, { contentNumber: course.contentNumber, openedAt });
    session.lastOpenedAt = openedAt;
    return questionnaireHtml(course, questionnaire, token);
  };

const refusal = (msg: string): DemoReply => jsonBody({ result: 'error', msg });

const HEAD_FIELDS = 'optType tokenValue questionnaireCode evaluationContent evaluatedPeopleNumber count'.split(' ');

/** Null when the answers are complete, known and within their limits. */
const defectOf = ({ form }: DemoCall, course: DemoEvaluationCourse): string | null => {
  const questionnaire = questionnaires.get(course.questionnaire.number);
  if (!questionnaire || HEAD_FIELDS.some((name) => form.getAll(name).length !== 1)) return '参数不完整！';
  const { ratings, comments, options } = questionnaire;
  const known = new Set([...HEAD_FIELDS, 'sf_request_type', ...[...ratings, ...comments].map(({ name }) => name)]);
  if ([...form.keys()].some((name) => !known.has(name))) return '提交了未知的题目！';
  const rated = ratings.every(({ name }) => {
    const values = form.getAll(name);
    return values.length === 1 && options.some(({ value }) => value === values[0]);
  });
  if (!rated) return '还有题目没有评价！';
  const written = comments.every(({ name, maxLength = LONGEST_COMMENT }) => {
    const text = form.get(name) ?? '';
    return text.length >= SHORTEST_COMMENT && text.length <= maxLength && !/\s|(.)\1\1/u.test(text);
  });
  return written ? null : '评语不符合要求！';
};

const questionnaireSubmission =
  (state: AcademicState): JwcHandler =>
  (call, student, session) => {
    const { form } = call;
    const course = courseOf(student, form.get('evaluationContent'));
    if (!course || form.get('optType') !== 'submit') return refusal('没有找到评估内容！');
    course.received += 1;
    const token = form.get('tokenValue') ?? '';
    const opened = session.questionnaires.get(token);
    session.questionnaires.delete(token);
    if (opened?.contentNumber !== course.contentNumber) return refusal('页面已失效，请重新进入！');
    const since = state.switches.evaluationClock === 'session' ? session.lastOpenedAt : opened.openedAt;
    if (state.clock.now() - since < state.switches.evaluationWaitSeconds * 1000) {
      return refusal('评价时间不足，请稍后再提交！');
    }
    if (!state.switches.evaluationOpen) return refusal('对不起，评估开关已关闭！');
    if (course.done) return refusal('该课程已经评价，不能重复评价！');
    if (course.refusal !== undefined) return refusal(course.refusal);
    const sameCourse =
      form.get('questionnaireCode') === course.questionnaire.number &&
      form.get('evaluatedPeopleNumber') === course.staffNumber;
    const defect = sameCourse ? defectOf(call, course) : '提交的课程不一致！';
    if (defect !== null) return refusal(defect);
    course.done = true;
    course.stored += 1;
    course.answers = new Map([...form].filter(([name]) => !HEAD_FIELDS.includes(name)));
    return jsonBody({ result: 'success', msg: '保存成功！' });
  };

const EVALUATION = '/student/teachingEvaluation/teachingEvaluation';

export const questionnaireRoutes: JwcRoutes = (state) => [
  ['POST', `${EVALUATION}/evaluationPage`, questionnairePage(state)],
  ['POST', `${EVALUATION}/assessment`, questionnaireSubmission(state)],
];
