import type { AcademicState } from '../campus-state.ts';
import { errorPage, jsonBody, page } from '../exchange.ts';
import type { DemoEvaluationCourse } from '../records/evaluation.ts';
import type { JwcHandler, JwcRoutes } from './session.ts';

const frame = (content: string) =>
  page(
    '教学评估',
    `<script type="text/javascript">
  function tip(open) { if (!open) { urp.alert("对不起，评估开关已关闭！"); } }
</script>
<div class="main-content"><div class="page-content"><div id="page-content-template">
${content}
</div></div></div>`,
  );

const evaluationIndex =
  (state: AcademicState): JwcHandler =>
  (_call, _student, session) =>
    state.switches.evaluationOpen
      ? frame(`  <input type="hidden" id="tokenValue" value="${session.evaluationToken}">
  <table id="codeTable"><tbody id="jxpgtbody"></tbody></table>`)
      : frame('  <div class="alert alert-block alert-danger">对不起，评估开关已关闭！</div>');

const rowOf = (course: DemoEvaluationCourse) => ({
  id: {
    evaluatedPeople: course.staffNumber,
    coureSequenceNumber: course.sequence,
    evaluationContentNumber: course.contentNumber,
    questionnaireCoding: course.questionnaire.number,
  },
  questionnaire: course.questionnaireHidden
    ? null
    : { questionnaireNumber: course.questionnaire.number, questionnaireName: course.questionnaire.name },
  evaluatedPeople: course.teacher,
  isEvaluated: course.done ? '是' : '否',
  evaluationContent: course.courseName,
});

/** The courses, as many as fit; the counts are those of all. */
export const evaluationList =
  (state: AcademicState): JwcHandler =>
  (call, student) => {
    const pageSize = Number(call.form.get('pagesize'));
    if (call.form.get('optType') !== '1' || !(pageSize >= 1))
      return errorPage(400, 'Required parameter is not present');
    const courses = state.switches.evaluationOpen ? student.evaluation : [];
    return jsonBody({
      result: 'success',
      msg: '',
      notFinishedNum: courses.filter(({ done }) => !done).length,
      evaluationNum: courses.length,
      data: courses.slice(0, pageSize).map(rowOf),
    });
  };

export const evaluationRoutes: JwcRoutes = (state) => [
  ['GET', '/student/teachingEvaluation/evaluation/index', evaluationIndex(state)],
  ['POST', '/student/teachingEvaluation/teachingEvaluation/search', evaluationList(state)],
];
