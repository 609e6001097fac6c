import { Type } from '@sinclair/typebox';

const text = Type.String();
const credits = Type.Union([Type.Number(), Type.Null()]);

export const AwardProject = Type.Object(
  {
    project_id: Type.String({ description: 'Declaration id.' }),
    project_name: text,
    level: Type.String({ description: 'School, province, national …' }),
    grade: Type.String({ description: 'Prize.' }),
    award_date: Type.String({ description: '`YYYY/M/D`, not padded.' }),
    applicant_id: text,
    applicant_name: text,
    order: Type.Integer({ description: 'Position among the participants.' }),
    credits: Type.Number(),
    bonus: Type.Number({ description: 'Money.' }),
    status: Type.String({ description: 'State of the declaration.' }),
    verification_status: Type.String({ description: 'State of the review by the school.' }),
  },
  { title: 'AwardProject' },
);

export const CreditsSummary = Type.Object(
  {
    discipline_competition_credits: credits,
    scientific_research_credits: credits,
    transferable_competition_credits: credits,
    innovation_practice_credits: credits,
    ability_certification_credits: credits,
    other_project_credits: credits,
  },
  { title: 'CreditsSummary', description: 'Null where the campus states no number.' },
);

export const CompetitionFullResponse = Type.Object(
  {
    student_id: Type.String({ description: 'As the campus page states it.' }),
    total_awards_count: Type.Integer({ description: 'Length of `awards`.' }),
    awards: Type.Array(AwardProject),
    credits_summary: Type.Union([CreditsSummary, Type.Null()]),
  },
  { title: 'CompetitionFullResponse' },
);
