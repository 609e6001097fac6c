import { Type } from '@sinclair/typebox';
import { integer, object, orNull, text } from '../../records/atoms.ts';

const credits = (of: string) => Type.Union([Type.Number(), Type.Null()], { description: `Credits of ${of}.` });

export const AwardProject = object('AwardProject', 'An award that was declared.', {
  project_id: text('Declaration id.'),
  project_name: text('Name of the competition or project.'),
  level: text('School, province, national …'),
  grade: text('Prize.'),
  award_date: text('`YYYY/M/D`, not padded.'),
  applicant_id: text('Student id of whoever declared it.'),
  applicant_name: text('Name of whoever declared it.'),
  order: integer('Position among the participants.'),
  credits: Type.Number({ description: 'Credits granted for it.' }),
  bonus: Type.Number({ description: 'Money, in yuan.' }),
  status: text('State of the declaration.'),
  verification_status: text('State of the review by the school.'),
});

const CreditsSummary = object('CreditsSummary', 'Null where the campus states no number.', {
  discipline_competition_credits: credits('subject competitions'),
  scientific_research_credits: credits('research'),
  transferable_competition_credits: credits('competitions that count for courses'),
  innovation_practice_credits: credits('innovation practice'),
  ability_certification_credits: credits('certificates of ability'),
  other_project_credits: credits('other projects'),
});

export const CompetitionFullResponse = object('CompetitionFullResponse', 'Awards and the credits they count for.', {
  student_id: text('As the campus page states it.'),
  total_awards_count: integer('Length of `awards`.'),
  awards: Type.Array(AwardProject, { description: 'In the order of the campus.' }),
  credits_summary: orNull(CreditsSummary, 'Credits by kind; null where the campus page has no summary.'),
});
