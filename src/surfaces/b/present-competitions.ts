import type { Static } from '@sinclair/typebox';
import type { Award, CompetitionRecord } from '../../domain/competitions/types.ts';
import type { AwardProject, CompetitionFullResponse } from './schemas/competitions.ts';

const presentAward = (award: Award): Static<typeof AwardProject> => ({
  project_id: award.id,
  project_name: award.name,
  level: award.level,
  grade: award.prize,
  award_date: award.date,
  applicant_id: award.applicantId,
  applicant_name: award.applicantName,
  order: award.order,
  credits: award.credits,
  bonus: award.bonus,
  status: award.status,
  verification_status: award.verificationStatus,
});

export const presentCompetitions = (record: CompetitionRecord): Static<typeof CompetitionFullResponse> => ({
  student_id: record.studentId,
  total_awards_count: record.awards.length,
  awards: record.awards.map(presentAward),
  credits_summary: {
    discipline_competition_credits: record.credits.disciplineCompetition,
    scientific_research_credits: record.credits.scientificResearch,
    transferable_competition_credits: record.credits.transferableCompetition,
    innovation_practice_credits: record.credits.innovationPractice,
    ability_certification_credits: record.credits.abilityCertification,
    other_project_credits: record.credits.otherProject,
  },
});
