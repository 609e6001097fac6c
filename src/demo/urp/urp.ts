import type { AcademicState, DemoUpstream } from '../campus-state.ts';
import { type DemoReply, type DemoRoute, page } from '../exchange.ts';
import { evaluationIndex, evaluationList } from './evaluation.ts';
import { examCalendar, examPage, otherExams } from './exams.ts';
import {
  academicSummary,
  calendarPage,
  homePage,
  sectionData,
  selectionStatus,
  studentFile,
  termIndex,
  timetableData,
} from './home.ts';
import { classIndex, classSearch, classTimetable, majorList, offeringsIndex, offeringsRows } from './offerings.ts';
import { chosenPlan, planIndex, planList } from './plans.ts';
import { questionnairePage, questionnaireSubmission } from './questionnaires.ts';
import {
  schemeData,
  schemeIndex,
  scoreComponents,
  scoreData,
  scoreIndex,
  thisTermIndex,
  thisTermScores,
} from './scores.ts';
import { type JwcHandler, JwcSessions } from './session.ts';

/** A static page of the intranet: behind the portal, but without its own sign-in. */
const staticPage = () => page('电子资源', '<ul class="list"></ul>');

const SCORES = '/student/integratedQuery/scoreQuery';
const PLAN = '/student/integratedQuery/planCompletion';
const OFFERINGS = '/student/integratedQuery/course/courseSchdule';
const CLASSES = '/student/teachingResources/classCurriculum';
const EVALUATION = '/student/teachingEvaluation/teachingEvaluation';

/** Opens a session for a student whom its own login has let in. */
interface AcademicUpstream extends DemoUpstream {
  open(userid: string, location: string): DemoReply;
}

export const createJwc = (state: AcademicState): AcademicUpstream => {
  const sessions = new JwcSessions(state);
  const route = (method: DemoRoute['method'], path: string, handler: JwcHandler): DemoRoute => ({
    method,
    path,
    handle: sessions.whenSignedIn(handler),
  });
  const callback = '/student/courseSelect/thisSemesterCurriculum/*/ajaxStudentSchedule/past/callback';
  const components = `${SCORES}/*/thisterm/coursePropertyScores/serchScoreDetail`;
  return {
    routes: [
      { method: 'GET', path: '/dzzy/list.htm', handle: staticPage },
      { method: 'GET', path: '/j_spring_cas_security_check', handle: (call) => sessions.redeem(call) },
      route('GET', '/', homePage),
      route('GET', '/index', homePage),
      route('GET', '/index.jsp', homePage),
      route('GET', '/indexCalendar', calendarPage),
      route('POST', '/main/academicInfo', academicSummary),
      route('GET', '/student/courseSelect/calendarSemesterCurriculum/index', termIndex),
      route('GET or POST', callback, timetableData),
      route('POST', '/ajax/getSectionAndTime', sectionData),
      route('GET', `${SCORES}/allTermScores/index`, scoreIndex),
      route('POST', `${SCORES}/*/allTermScores/data`, scoreData(state)),
      route('GET', `${SCORES}/thisTermScores/index`, thisTermIndex),
      route('GET', `${SCORES}/*/thisTermScores/data`, thisTermScores),
      route('POST', components, scoreComponents),
      route('GET', `${SCORES}/schemeScores/index`, schemeIndex(state)),
      route('GET', `${SCORES}/*/schemeScores/callback`, schemeData(state)),
      route('GET', `${SCORES}/schemeScores/callback`, schemeData(state)),
      route('GET', '/student/rollManagement/rollInfo/index', studentFile(state)),
      route('GET', `${OFFERINGS}/index`, offeringsIndex),
      route('POST', `${OFFERINGS}/courseInfo`, offeringsRows(state)),
      route('GET', `${CLASSES}/index`, classIndex),
      route('GET', '/student/teachingResources/gradeAndClassCurriculum/subjectJson', majorList),
      route('POST', `${CLASSES}/search`, classSearch),
      route('GET', `${CLASSES}/searchCurriculumInfo/callback`, classTimetable(state)),
      route('GET', '/main/showPyfaInfo', planList),
      route('GET', `${PLAN}/index`, planIndex),
      route('GET', `${PLAN}/getPyfaIndex/*`, chosenPlan),
      route('GET or POST', '/main/checkSelectCourseStatus', selectionStatus),
      route('GET', '/student/examinationManagement/examPlan/index', examPage),
      route('GET', '/student/examinationManagement/examPlan/detail', examCalendar),
      route('POST', '/student/examinationManagement/othersExamPlan/queryScores', otherExams(state)),
      route('GET', '/student/teachingEvaluation/evaluation/index', evaluationIndex(state)),
      route('POST', `${EVALUATION}/search`, evaluationList(state)),
      route('POST', `${EVALUATION}/evaluationPage`, questionnairePage(state)),
      route('POST', `${EVALUATION}/assessment`, questionnaireSubmission(state)),
    ],
    expire: (userid) => sessions.expire(userid),
    open: (userid, location) => sessions.open(userid, location),
  };
};
