import type { Static } from '@sinclair/typebox';
import type { PlanOverview } from '../../domain/academics/academics.ts';
import type { Exam, ExamFindings, ExamPart } from '../../domain/academics/exams.ts';
import { termDisplayName } from '../../domain/academics/term-names.ts';
import type { AcademicSummary, ScorePage, Term } from '../../domain/academics/types.ts';
import type { Student } from '../../domain/context.ts';
import type { TaskView } from '../../domain/evaluation/view.ts';
import { dataUri } from '../../domain/profiles/image-text.ts';
import { mediaTypeOf } from '../../domain/profiles/images/image-types.ts';
import type { AppProfile, StoredImage } from '../../domain/profiles/types.ts';
import { presentExam, presentScore } from '../records/present.ts';
import { presentCourseInfo, presentTaskState } from '../records/present-evaluation.ts';
import type { AcademicInfo, TermScoreResponse, Terms } from './schemas/academics.ts';
import type { EvaluationStatsData, InitializeData } from './schemas/evaluation.ts';
import type { UserProfileData } from './schemas/profiles.ts';
import type { ExamInfoResponse, TrainingPlanInfo } from './schemas/studies.ts';

export const presentSummary = (summary: AcademicSummary): Static<typeof AcademicInfo> => ({
  count: summary.coursesTaken,
  countNotPass: summary.coursesFailed,
  gpa: summary.gpa,
});

export const presentTerms = (terms: readonly Term[]): Static<typeof Terms> =>
  Object.fromEntries(terms.map(({ code, name }) => [code, name]));

export const presentScorePage = (page: ScorePage): Static<typeof TermScoreResponse> => ({
  page_size: page.pageSize,
  page_num: page.page,
  total_count: page.totalCount,
  records: page.records.map(presentScore),
});

const presentImage = (image: StoredImage | null): string | null =>
  image && dataUri(mediaTypeOf(image.type), image.bytes);

export const presentProfile = (
  { userid }: Student,
  { nickname, avatar, background, settings }: AppProfile,
): Static<typeof UserProfileData> => ({
  userid,
  avatar: presentImage(avatar),
  background: presentImage(background),
  nickname,
  settings,
});

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

export const presentInitialized = ({ total, pending, courses }: TaskView): Static<typeof InitializeData> => ({
  total_courses: total,
  pending_courses: pending,
  course_list: courses.map(presentCourseInfo),
});

export const notInitialized: Static<typeof InitializeData> = { total_courses: 0, pending_courses: 0, course_list: [] };

export const presentTask = (view: TaskView, timeZone: string): Static<typeof EvaluationStatsData> => ({
  ...presentTaskState(view, timeZone),
  course_list: view.courses.map(presentCourseInfo),
});
