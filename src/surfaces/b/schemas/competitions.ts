import { Type } from '@sinclair/typebox';

const text = (description: string) => Type.String({ description });
const credits = (of: string) => Type.Union([Type.Number(), Type.Null()], { description: `Credits of ${of}.` });

export const AwardProject = Type.Object(
  {
    project_id: Type.String({ description: 'Declaration id.' }),
    project_name: text('Name of the competition or project.'),
    level: Type.String({ description: 'School, province, national …' }),
    grade: Type.String({ description: 'Prize.' }),
    award_date: Type.String({ description: '`YYYY/M/D`, not padded.' }),
    applicant_id: text('Student id of whoever declared it.'),
    applicant_name: text('Name of whoever declared it.'),
    order: Type.Integer({ description: 'Position among the participants.' }),
    credits: Type.Number({ description: 'Credits granted for it.' }),
    bonus: Type.Number({ description: 'Money, in yuan.' }),
    status: Type.String({ description: 'State of the declaration.' }),
    verification_status: Type.String({ description: 'State of the review by the school.' }),
  },
  { title: 'AwardProject', description: 'An award that was declared.' },
);

export const CreditsSummary = Type.Object(
  {
    discipline_competition_credits: credits('subject competitions'),
    scientific_research_credits: credits('research'),
    transferable_competition_credits: credits('competitions that count for courses'),
    innovation_practice_credits: credits('innovation practice'),
    ability_certification_credits: credits('certificates of ability'),
    other_project_credits: credits('other projects'),
  },
  { title: 'CreditsSummary', description: 'Null where the campus states no number.' },
);

export const CompetitionFullResponse = Type.Object(
  {
    student_id: Type.String({ description: 'As the campus page states it.' }),
    total_awards_count: Type.Integer({ description: 'Length of `awards`.' }),
    awards: Type.Array(AwardProject, { description: 'In the order of the campus.' }),
    credits_summary: Type.Union([CreditsSummary, Type.Null()], {
      description: 'Credits by kind; null where the campus page has no summary.',
    }),
  },
  { title: 'CompetitionFullResponse', description: 'Awards and the credits they count for.' },
);
