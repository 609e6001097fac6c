import { type Static, Type } from '@sinclair/typebox';
import type { CurrentTerm } from '../../../domain/academics/current-term.ts';
import { byTimeOfDay, type Exam, type ExamFindings } from '../../../domain/academics/exams.ts';
import { ExamExtras } from '../../../domain/academics/records.ts';
import { flag, integer, object, text, textOrNull, unsaidOf } from '../../../domain/record.ts';
import { examMembers, presentExam as presentBare } from '../../common/timetable.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';

export const CurrentTermInfo = object('CurrentTermInfo', 'The current term and week.', {
  academic_year: text('`YYYY-YYYY`', '2025-2026'),
  current_term_name: text(
    '`秋`, `春` or `夏`, in words for people; empty where the campus names none. Operations take `term_code`.',
    '春',
  ),
  week_number: integer('Teaching week; 0 is outside teaching weeks.', 3),
  start_at: text('First day of the term, `YYYY-MM-DD`.', '2026-03-02'),
  is_end: flag('The term is ending.', false),
  weekday: integer('Of today at the campus; 0 is Monday, 6 Sunday. (`class_day` of timetables counts from 1.)', 2, {
    minimum: 0,
    maximum: 6,
  }),
  term_code: textOrNull(
    'Code of the term, as the list of terms has it. Null where the campus names no term, or one that its list does not have.',
    '2025-2026-2-1',
  ),
});

export const UnifiedExamInfo = object('UnifiedExamInfo', 'An exam.', { ...examMembers, ...ExamExtras.properties });

const ExamInfoResponse = object('ExamInfoResponse', 'Exams of the current term.', {
  exams: Type.Array(UnifiedExamInfo, { description: 'Sorted by date, then time, as text.' }),
  total_count: integer('Length of `exams`.', 1),
});

export const presentCurrentTerm = (term: CurrentTerm): Static<typeof CurrentTermInfo> => ({
  academic_year: term.academicYear,
  current_term_name: term.season,
  week_number: term.week,
  start_at: term.startAt,
  is_end: term.isEnding,
  weekday: term.weekday,
  term_code: term.code,
});

const noExtras = unsaidOf(ExamExtras);

export const presentExamWithExtras = (exam: Exam): Static<typeof UnifiedExamInfo> => ({
  ...presentBare(exam),
  ...(exam.extras ?? noExtras),
});

/** @throws Failure of the first source that is missing: this surface shows no incomplete list */
export const presentExams = ({ exams, missing }: ExamFindings): Static<typeof ExamInfoResponse> => {
  const [first] = missing;
  if (first !== undefined) throw first.failure;
  return { exams: byTimeOfDay(exams).map(presentExamWithExtras), total_count: exams.length };
};

const defaults = { level: 'TU', tag: 'Academic affairs' } as const;

export const termAndExamOperations = ({ services: { academics } }: SurfaceBDeps): Operation[] => [
  operation('GET /jwc/term/current', 'getCurrentTerm', {
    ...defaults,
    needs: ['academics.calendarText', 'academics.termStart'],
    scope: 'academics:read',
    summary: { en: 'Current term and week', zh: '当前学期和周次' },
    description: 'Of today, in the time zone of the campus.',
    data: CurrentTermInfo,
    message: '获取当前学期信息成功',
    async run(call) {
      return presentCurrentTerm(await academics.currentTerm(call.student, call));
    },
  }),
  operation('GET /jwc/exam/info', 'getExamInfo', {
    ...defaults,
    needs: ['academics.exams'],
    scope: 'exams:read',
    summary: { en: 'Exams of the current term', zh: '本学期考试' },
    description:
      'University-wide exams from today on and all other exams of the term; a list that is complete or fails.',
    data: ExamInfoResponse,
    message: '获取考试信息成功',
    parts: ['term'],
    run: async (call) => presentExams(await academics.exams(call.student, call, 'whole')),
  }),
];
