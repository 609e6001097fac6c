import { Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { ActivityTotal } from '../../src/domain/activity-score/records.ts';
import { AuthmeRequest, envelope } from '../../src/surfaces/a/envelope.ts';
import { AuthmeStatusData } from '../../src/surfaces/a/routes/user.ts';
import { successEnvelope } from '../../src/surfaces/b/envelope.ts';
import { TermPath, TermScoreResponse } from '../../src/surfaces/b/routes/academics.ts';
import { AliveResponse } from '../../src/surfaces/b/routes/health.ts';
import { dutifulServer } from './duties.ts';
import { benchUserid, scoreRows, timestamp } from './load.ts';
import { addMeter } from './meter.ts';

/**
 * Nothing but the framework and the schemas: what the same answers cost without any of our work. `BENCH_DUTIES`: with so many
 * of the duties that no promise lets us leave out.
 */
const { app, answering } = await dutifulServer(Number(process.env.BENCH_DUTIES ?? 0));
const ofBody = ({ body }: FastifyRequest): string => String(Object(body).token);
const ofHeader = ({ headers }: FastifyRequest): string => String(headers.authorization).slice('Bearer '.length);
const inline = (schema: object): object =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === '$id' ? undefined : value)));

app.get(
  '/alive',
  { ...answering('probe', ofHeader), schema: { response: { 200: inline(successEnvelope(AliveResponse)) } } },
  async () => ({
    success: true,
    message: 'service is alive',
    data: { message: 'service is alive' },
    error: null,
    timestamp,
  }),
);
app.post(
  '/api/v1/user/authme',
  {
    ...answering('token check', ofBody),
    schema: { body: AuthmeRequest, response: { 200: inline(envelope('AuthmeResponse', AuthmeStatusData)) } },
  },
  async () => ({ code: 200, message: '验证成功', data: { is_logged_in: true, userid: benchUserid } }),
);
const tag = 'W/"0123456789abcdefghijkl"';
const total = { TotalScore: 83.5, IsTypeAdopt: false, TypeAdoptResult: '示例学分不足' };
app.get(
  '/aac/credit/info',
  {
    ...answering('read', ofHeader),
    schema: {
      headers: Type.Object({ authorization: Type.String() }),
      response: { 200: inline(successEnvelope(ActivityTotal)), 304: { type: 'null' } },
    },
  },
  async (request, reply) => {
    reply.header('etag', tag);
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return { success: true, message: '获取成功', data: total, error: null, timestamp };
  },
);
app.get(
  '/jwc/score/:term_code/list',
  {
    ...answering('read', ofHeader),
    schema: {
      params: TermPath,
      headers: Type.Object({ authorization: Type.String() }),
      response: { 200: inline(successEnvelope(TermScoreResponse)) },
    },
  },
  async () => ({
    success: true,
    message: '获取成绩单成功',
    data: { total_count: scoreRows.length, records: scoreRows },
    error: null,
    timestamp,
  }),
);
addMeter();
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
