import type { CampusState, DemoUpstream } from './campus-state.ts';
import { htmlPage, jsonBody } from './exchange.ts';
import { evaluationIndex, evaluationList } from './jwc-evaluation.ts';
import { examCalendar, examPage, otherExams } from './jwc-exams.ts';
import { academicSummary, calendarPage, homePage } from './jwc-home.ts';
import { chosenPlan, planIndex, planList } from './jwc-plans.ts';
import { questionnairePage, questionnaireSubmission } from './jwc-questionnaires.ts';
import { sectionData, termIndex, timetableData } from './jwc-schedule.ts';
import { scoreData, scoreIndex } from './jwc-scores.ts';
import { type JwcHandler, JwcSessions } from './jwc-session.ts';
import { withMovedDays } from './jwc-terms.ts';
import { scoreComponents, thisTermIndex, thisTermScores } from './jwc-this-term.ts';

/** Whether courses can be chosen: `1` while they can, as number or text. */
const selectionStatus: JwcHandler = (_call, student) =>
  jsonBody({ zxjxjhm: '2025-2026学年春', retString: student.selection, jhrxxqztx: '0' });

/** A static page of the intranet: behind the portal, but without any sign-in of its own. */
const staticPage = () =>
  htmlPage('<!DOCTYPE html>\n<html><head><title>电子资源</title></head><body><ul class="list"></ul></body></html>\n');

/** Academic affairs. */
export const createJwc = (state: CampusState): DemoUpstream => {
  const sessions = new JwcSessions(state);
  const home = sessions.signedIn(homePage);
  const others = otherExams(state);
  return {
    routes: [
      { method: 'GET', path: '/dzzy/list.htm', handle: staticPage },
      { method: 'GET', path: '/j_spring_cas_security_check', handle: (call) => sessions.redeem(call) },
      { method: 'GET', path: '/', handle: home },
      { method: 'GET', path: '/index', handle: home },
      { method: 'GET', path: '/index.jsp', handle: home },
      { method: 'GET', path: '/indexCalendar', handle: sessions.signedIn(calendarPage) },
      { method: 'POST', path: '/main/academicInfo', handle: sessions.signedIn(academicSummary) },
      {
        method: 'GET',
        path: '/student/courseSelect/calendarSemesterCurriculum/index',
        handle: sessions.signedIn(termIndex),
      },
      {
        method: 'GET or POST',
        path: '/student/courseSelect/thisSemesterCurriculum/*/ajaxStudentSchedule/past/callback',
        handle: sessions.signedIn(timetableData),
      },
      { method: 'POST', path: '/ajax/getSectionAndTime', handle: sessions.signedIn(sectionData) },
      {
        method: 'GET',
        path: '/student/integratedQuery/scoreQuery/allTermScores/index',
        handle: sessions.signedIn(scoreIndex),
      },
      {
        method: 'POST',
        path: '/student/integratedQuery/scoreQuery/*/allTermScores/data',
        handle: sessions.signedIn(scoreData),
      },
      {
        method: 'GET',
        path: '/student/integratedQuery/scoreQuery/thisTermScores/index',
        handle: sessions.signedIn(thisTermIndex),
      },
      {
        method: 'GET',
        path: '/student/integratedQuery/scoreQuery/*/thisTermScores/data',
        handle: sessions.signedIn(thisTermScores),
      },
      {
        method: 'POST',
        path: '/student/integratedQuery/scoreQuery/*/thisterm/coursePropertyScores/serchScoreDetail',
        handle: sessions.signedIn(scoreComponents),
      },
      { method: 'GET', path: '/main/showPyfaInfo', handle: sessions.signedIn(planList) },
      {
        method: 'GET',
        path: '/student/integratedQuery/planCompletion/index',
        handle: sessions.signedIn(planIndex),
      },
      {
        method: 'GET',
        path: '/student/integratedQuery/planCompletion/getPyfaIndex/*',
        handle: sessions.signedIn(chosenPlan),
      },
      {
        method: 'GET or POST',
        path: '/main/checkSelectCourseStatus',
        handle: sessions.signedIn(selectionStatus),
      },
      {
        method: 'GET',
        path: '/student/examinationManagement/examPlan/index',
        handle: sessions.signedIn(examPage),
      },
      {
        method: 'GET',
        path: '/student/examinationManagement/examPlan/detail',
        handle: sessions.signedIn(examCalendar),
      },
      {
        method: 'POST',
        path: '/student/examinationManagement/othersExamPlan/queryScores',
        handle: sessions.signedIn((call, ...rest) => withMovedDays(others(call, ...rest), call.present.term)),
      },
      {
        method: 'GET',
        path: '/student/teachingEvaluation/evaluation/index',
        handle: sessions.signedIn(evaluationIndex(state)),
      },
      {
        method: 'POST',
        path: '/student/teachingEvaluation/teachingEvaluation/search',
        handle: sessions.signedIn(evaluationList(state)),
      },
      {
        method: 'POST',
        path: '/student/teachingEvaluation/teachingEvaluation/evaluationPage',
        handle: sessions.signedIn(questionnairePage(state)),
      },
      {
        method: 'POST',
        path: '/student/teachingEvaluation/teachingEvaluation/assessment',
        handle: sessions.signedIn(questionnaireSubmission(state)),
      },
    ],
    expire: (userid) => sessions.expire(userid),
  };
};
