import { CompetitionRecord } from '../../../domain/competitions/records.ts';
import { integer, object } from '../../../domain/record.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';

const { student_id, ...awards } = CompetitionRecord.properties;

export const competitionsOperations = ({ services: { competitions } }: SurfaceBDeps): Operation[] => [
  operation('GET /jwc/competition/info', 'getCompetitionInfo', {
    level: 'TU',
    tag: 'Academic affairs',
    needs: ['competitions.record'],
    scope: 'academics:read',
    summary: { en: 'Subject competitions', zh: '学科竞赛' },
    description: 'All awards declared by the student, and the credits they count for.',
    data: object('CompetitionFullResponse', 'Awards and the credits they count for.', {
      student_id,
      total_awards_count: integer('Length of `awards`.', 1),
      ...awards,
    }),
    message: '获取竞赛信息成功',
    run: async (call) => {
      const record = await competitions.record(call.student, call);
      return { ...record, total_awards_count: record.awards.length };
    },
  }),
];
