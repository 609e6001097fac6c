import { type TProperties, Type } from '@sinclair/typebox';
import { scheduleSchema, scoreMembers } from '../../records/schemas.ts';

/** `2025-2026-1-1`: years, term (1 autumn, 2 spring), index. */
export const TermCode = Type.String({
  pattern: '^\\d{4}-\\d{4}-\\d+-\\d+$',
  maxLength: 32,
  description: 'Term code: year-year-term-index, e.g. `2025-2026-1-1`; term 1 is autumn, 2 is spring.',
});

export const TermPath = Type.Object({ term_code: TermCode });

export const AcademicInfo = Type.Object(
  {
    completed_courses: Type.Integer({ description: 'Courses finished.' }),
    failed_courses: Type.Integer({ description: 'Courses failed.' }),
    pending_courses: Type.Integer({ description: 'Courses to take this term.' }),
    gpa: Type.Number({ description: 'Grade point average.' }),
    current_term: Type.String({ description: 'Term code; empty when unknown.' }),
    current_term_name: Type.String({ description: 'e.g. `2025-2026春季学期`; the code itself for other terms.' }),
    average_score: Type.Union([Type.Number(), Type.Null()], {
      description: 'Average mark, 0 to 100, as the campus has it, not rounded; null when it states none.',
    }),
    rank: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Place by average mark, 1 is best; null when the campus states none.',
    }),
    rank_total: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Students ranked; null when the campus states none. It does not say which ones they are.',
    }),
  },
  { title: 'AcademicInfo', description: 'Academic summary of the student.' },
);

export const TermItem = Type.Object(
  {
    term_code: Type.String({ description: 'Term code, e.g. `2025-2026-1-1`.' }),
    term_name: Type.String({ description: 'Name of the term, as the campus writes it.' }),
    is_current: Type.Boolean({ description: 'It is the term of today.' }),
  },
  { title: 'TermItem', description: 'A term.' },
);

export const TermItems = Type.Array(TermItem, { description: 'All terms, newest first.' });

const object = <T extends TProperties>(title: string, members: T, description: string) =>
  Type.Object(members, { title, description });

export const ScoreRecord = object('ScoreRecord', scoreMembers, 'One row of a score page.');

export const TermScoreResponse = Type.Object(
  {
    total_count: Type.Integer({ description: 'Length of `records`.' }),
    records: Type.Array(ScoreRecord, { description: 'All rows of the term.' }),
  },
  { title: 'TermScoreResponse', description: 'The scores of a term.' },
);

export const ScheduleData = scheduleSchema(
  object,
  Type.Boolean({ description: 'True: the course has no concrete time.' }),
);
