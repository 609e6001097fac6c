import type { Competitions } from '../../../domain/competitions/competitions.ts';
import { type Operation, studentOperation } from '../operation.ts';
import { presentCompetitions } from '../present-competitions.ts';
import { CompetitionFullResponse } from '../schemas/competitions.ts';

export const competitionsOperations = (competitions: Competitions): Operation[] => [
  studentOperation({
    level: 'TU',
    method: 'GET',
    url: '/jwc/competition/info',
    operationId: 'getCompetitionInfo',
    tag: 'Academic affairs',
    summary: 'Subject competitions',
    description: 'All awards declared by the student, and the credits they count for.',
    data: CompetitionFullResponse,
    message: '获取竞赛信息成功',
    example: {
      data: {
        student_id: '2023000001',
        total_awards_count: 1,
        awards: [
          {
            project_id: '101',
            project_name: '示例竞赛',
            level: '校级',
            grade: '一等奖',
            award_date: '2025/5/4',
            applicant_id: '2023000009',
            applicant_name: '李四',
            order: 2,
            credits: 1.5,
            bonus: 0,
            status: '提交',
            verification_status: '通过',
          },
        ],
        credits_summary: {
          discipline_competition_credits: 1.5,
          scientific_research_credits: null,
          transferable_competition_credits: null,
          innovation_practice_credits: null,
          ability_certification_credits: null,
          other_project_credits: null,
        },
      },
    },
    run: async ({ student, context }) => presentCompetitions(await competitions.record(student, context)),
  }),
];
