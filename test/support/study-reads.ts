import type { Answer, Gateway } from './gateway-rig.ts';

/** A read of plans, exams, term, selection, evaluation list or competitions, over the surface that has it. */
export interface StudyRead {
  readonly surface: 'a' | 'b';
  readonly system: 'jwc' | 'competition';
  readonly ask: (gateway: Gateway, token: string) => Promise<Answer>;
}

const overA = (path: string): StudyRead => ({
  surface: 'a',
  system: 'jwc',
  ask: (gateway, token) => gateway.a(`/jwc/${path}`, { token }),
});
const overB = (path: string, system: StudyRead['system'] = 'jwc'): StudyRead => ({
  surface: 'b',
  system,
  ask: (gateway, token) => gateway.b('GET', `/jwc/${path}`, { token }),
});

export const studyReads = {
  planA: overA('fetch_education_plan_info'),
  evaluationList: overA('fetch_evaluation_course_list'),
  examsA: overA('fetch_exam_info'),
  examsB: overB('exam/info'),
  planB: overB('academic/training_plan'),
  selection: overB('academic/course_selection_status'),
  term: overB('term/current'),
  planOptions: overB('plan/options'),
  completion: overB('plan/current'),
  estimate: overB('plan/current?estimate=true'),
  competitions: overB('competition/info', 'competition'),
} as const satisfies Record<string, StudyRead>;

export type StudyName = keyof typeof studyReads;
export const studyNames = Object.keys(studyReads) as StudyName[];

/** 2026-06-10 12:00 at the campus: a Wednesday in week 15 of the spring term. */
export const springNoon = Date.UTC(2026, 5, 10, 4);

/** Where the pages of these reads stand. */
export const paths = {
  summary: '/main/academicInfo',
  plan: '/main/showPyfaInfo',
  selection: '/main/checkSelectCourseStatus',
  home: '/',
  calendar: '/indexCalendar',
  planPage: '/student/integratedQuery/planCompletion/index',
  chosenPlan: '/student/integratedQuery/planCompletion/getPyfaIndex/*',
  examPage: '/student/examinationManagement/examPlan/index',
  examCalendar: '/student/examinationManagement/examPlan/detail',
  otherExams: '/student/examinationManagement/othersExamPlan/queryScores',
  evaluationList: '/student/teachingEvaluation/teachingEvaluation/search',
  competition: '/xsXmMain.aspx',
} as const;
