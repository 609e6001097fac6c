import { Type } from '@sinclair/typebox';
import { integer, object, orNull, text } from '../../records/atoms.ts';
import { scheduleSchema, scoreMembers } from '../../records/schemas.ts';

/** `2025-2026-1-1`: years, term (1 autumn, 2 spring), index. */
export const TermCode = Type.String({
  pattern: '^\\d{4}-\\d{4}-\\d+-\\d+$',
  maxLength: 32,
  description: 'Term code: year-year-term-index, e.g. `2025-2026-1-1`; term 1 is autumn, 2 is spring.',
});

export const TermPath = Type.Object({ term_code: TermCode });

export const AcademicInfo = object('AcademicInfo', 'Academic summary of the student.', {
  completed_courses: integer('Courses finished.'),
  failed_courses: integer('Courses failed.'),
  pending_courses: integer('Courses to take this term.'),
  gpa: Type.Number({ description: 'Grade point average.' }),
  current_term: text('Term code; empty when unknown.'),
  current_term_name: text('e.g. `2025-2026春季学期`; the code itself for other terms.'),
  average_score: orNull(
    Type.Number(),
    'Average mark, 0 to 100, as the campus has it, not rounded; null when it states none.',
  ),
  rank: orNull(Type.Integer(), 'Place by average mark, 1 is best; null when the campus states none.'),
  rank_total: orNull(
    Type.Integer(),
    'Students ranked; null when the campus states none. It does not say which ones they are.',
  ),
});

export const TermItem = object('TermItem', 'A term.', {
  term_code: text('Term code, e.g. `2025-2026-1-1`.'),
  term_name: text('Name of the term, as the campus writes it.'),
  is_current: Type.Boolean({ description: 'It is the term of today.' }),
});

export const TermItems = Type.Array(TermItem, { description: 'All terms, newest first.' });

export const ScoreRecord = object('ScoreRecord', 'One row of a score page.', scoreMembers);

export const TermScoreResponse = object('TermScoreResponse', 'The scores of a term.', {
  total_count: integer('Length of `records`.'),
  records: Type.Array(ScoreRecord, { description: 'All rows of the term.' }),
});

export const ScheduleData = scheduleSchema(
  object,
  Type.Boolean({ description: 'True: the course has no concrete time.' }),
);
