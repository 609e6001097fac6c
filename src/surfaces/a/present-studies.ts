import type { Static } from '@sinclair/typebox';
import type { Exam, ExamFindings, ExamPart } from '../../domain/academics/exams.ts';
import type { PlanOverview } from '../../domain/academics/plan-overview.ts';
import { termDisplayName } from '../../domain/academics/term-names.ts';
import { presentExam } from '../records/present.ts';
import type { ExamInfoResponse, TrainingPlanInfo } from './schemas/studies.ts';

export const presentPlan = ({ plan, summary }: PlanOverview): Static<typeof TrainingPlanInfo> => ({
  pyfa: plan.name,
  term: termDisplayName(summary?.currentTerm ?? ''),
  courseCount: summary?.coursesTaken ?? 0,
  major: plan.major,
  grade: plan.grade,
});

/** A calendar entry that is nothing but a name is no exam to this surface's clients. */
const isNameOnly = ({ kind, time, location }: Exam): boolean => kind === 'university' && time === '' && location === '';

export const presentExams = ({ exams }: ExamFindings): Static<typeof ExamInfoResponse> => {
  const shown = exams.filter((exam) => !isNameOnly(exam)).map(presentExam);
  return { exams: shown, total_count: shown.length };
};

const partNames: Readonly<Record<ExamPart, string>> = {
  'university-exams': '校统考信息',
  'other-exams': '其他考试信息',
  'exam-seats': '座位信息',
};

export const completeExams = '考试信息获取成功';

/** What is missing is said, so that a short list is not taken for all there is. */
export const examMessage = ({ missing }: { readonly missing: ReadonlyArray<{ readonly part: ExamPart }> }): string =>
  missing.length === 0
    ? completeExams
    : `考试信息部分获取成功，${missing.map(({ part }) => partNames[part]).join('、')}暂不可用`;
