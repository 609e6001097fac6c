import type { Competitions } from '../../../domain/competitions/competitions.ts';
import { CompetitionRecord } from '../../../domain/competitions/records.ts';
import { integer, object } from '../../../domain/record.ts';
import { type Operation, operation } from '../operation.ts';

const { student_id, ...read } = CompetitionRecord.properties;

const CompetitionFullResponse = object('CompetitionFullResponse', 'Awards and the credits they count for.', {
  student_id,
  total_awards_count: integer('Length of `awards`.', 1),
  ...read,
});

export const competitionsOperations = (competitions: Competitions): Operation[] => [
  operation({
    level: 'TU',
    route: 'GET /jwc/competition/info',
    needs: ['competitions.record'],
    operationId: 'getCompetitionInfo',
    scope: 'academics:read',
    tag: 'Academic affairs',
    summary: 'Subject competitions',
    description: 'All awards declared by the student, and the credits they count for.',
    data: CompetitionFullResponse,
    message: '获取竞赛信息成功',
    run: async (call) => {
      const record = await competitions.record(call.student, call);
      return { ...record, total_awards_count: record.awards.length };
    },
  }),
];
