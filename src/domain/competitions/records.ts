import { Type } from '@sinclair/typebox';
import { ofRecord } from '../read-row.ts';
import type { PortOf } from '../reads/plain-reads.ts';
import { decimal, integer, listOf, object, orNull, type RecordOf, text } from '../record.ts';

/** Texts are those of the campus; a number that cannot be read is 0 and the award stays. */
export interface Award extends RecordOf<typeof Award> {}
export const Award = object('AwardProject', 'An award that was declared.', {
  project_id: text('Declaration id.', '101'),
  project_name: text('Name of the competition or project.', '示例竞赛'),
  level: text('School, province, national …', '校级'),
  grade: text('Prize.', '一等奖'),
  award_date: text('`YYYY/M/D`, not padded.', '2025/5/4'),
  applicant_id: text('Student id of the person who declared it.', '2023000009'),
  applicant_name: text('Name of the person who declared it.', '李四'),
  order: integer('Position among the participants.', 2),
  credits: decimal('Credits granted for it.', 1.5),
  bonus: decimal('Money, in yuan.', 0),
  status: text('State of the declaration.', '提交'),
  verification_status: text('State of the review by the school.', '通过'),
});

const creditsOf = (what: string, example: number | null) => orNull(Type.Number(), `Credits of ${what}.`, example);

const AwardCredits = object('CreditsSummary', 'Null where the campus states no number.', {
  discipline_competition_credits: creditsOf('subject competitions', 1.5),
  scientific_research_credits: creditsOf('research', null),
  transferable_competition_credits: creditsOf('competitions that count for courses', null),
  innovation_practice_credits: creditsOf('innovation practice', null),
  ability_certification_credits: creditsOf('certificates of ability', null),
  other_project_credits: creditsOf('other projects', null),
});

export interface CompetitionRecord extends RecordOf<typeof CompetitionRecord> {}
export const CompetitionRecord = Type.Object({
  student_id: text('As the campus page states it.', '2023000001'),
  awards: listOf(Award, 'In the order of the campus.'),
  credits_summary: orNull(AwardCredits, 'Credits by kind; null where the campus page has no summary.'),
});

export const competitionReads = { record: ofRecord(CompetitionRecord, 'competitions', 'competitions') } as const;

/**
 * Implemented by campus/products/competition, which reads all pages: a record is complete or a failure.
 * @throws Failure sign-in kinds, `upstream-unavailable`, `upstream-unreadable`, `session-lost`, `timed-out`
 */
export interface CompetitionsCampus extends PortOf<typeof competitionReads> {}
