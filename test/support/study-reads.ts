/** 2026-06-10 12:00 at the campus: a Wednesday in week 15 of the spring term. */
export const springNoon = Date.UTC(2026, 5, 10, 4);

/** Paths of pages of academic affairs. */
export const paths = {
  planPage: '/student/integratedQuery/planCompletion/index',
  chosenPlan: '/student/integratedQuery/planCompletion/getPyfaIndex/*',
  examPage: '/student/examinationManagement/examPlan/index',
  examCalendar: '/student/examinationManagement/examPlan/detail',
  otherExams: '/student/examinationManagement/othersExamPlan/queryScores',
} as const;
