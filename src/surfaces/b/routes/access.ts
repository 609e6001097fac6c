import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import { type AccessEntry, type AccessLog, accessOutcomes } from '../../../domain/accounts/access-log.ts';
import type { AccountExport } from '../../../domain/accounts/export.ts';
import { accessSources } from '../../../domain/context.ts';
import { integer, object, oneOf, text, textOrNull } from '../../../domain/record.ts';
import { campusTimestamp, offsetAt } from '../../../lib/campus-time.ts';
import { patterned } from '../../../platform/requests/findings.ts';
import { uncheckedRoute } from '../../../platform/requests/validation.ts';
import { type Operation, operation } from '../operation.ts';
import { deliverySchema } from '../operation-document.ts';

const Accesses = object('Accesses', 'What was done with the access to a student’s data.', {
  entries: Type.Array(
    object('Access', 'How often something was done within an hour, or within a day once it is two days old.', {
      source: oneOf(
        accessSources,
        'What it was done with: the token of a login, a personal token, a calendar feed, a hook that was told of an event; or `operator`.',
        'token',
      ),
      id: textOrNull('Id of the session, personal token, feed or hook; null: it has none.', '3c9a51e07b2d48f6'),
      name: textOrNull('Name of the personal token or feed; null: it has none.', '桌面小组件'),
      operation: text(
        '`operationId` of the documents, the type of the event that a hook was told, or the command of an operator.',
        'getSchedule',
      ),
      outcome: oneOf(
        accessOutcomes,
        '`refused`: what the caller did wrong or may not do; `failed`: anything else that went wrong.',
        'ok',
      ),
      from: text('Beginning of the hour or day, in campus time.', '2026-03-18 10:00:00'),
      count: integer('How often.', 12),
      first_at: text('In campus time.', '2026-03-18 10:04:11'),
      last_at: text('In campus time.', '2026-03-18 10:59:12'),
      asked_campus: integer('How many of them have asked the campus; the others were answered from what is stored.', 0),
      network: textOrNull(
        'Network of the last one, IPv4 by its /24 and IPv6 by its /64; null when it is not known.',
        '203.0.113.0/24',
      ),
    }),
    { description: 'The newest first, at most 2,000.' },
  ),
});

const sinceForm = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])( ([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d)?$';
const Since = Type.Object({
  since: Type.Optional(
    patterned(
      {
        pattern: sinceForm,
        description: 'Leaves out what ended before, in campus time: a day, or a day and a time.',
        examples: ['2026-03-01'],
      },
      { en: 'Should be YYYY-MM-DD or YYYY-MM-DD HH:MM:SS', zh: '应为 YYYY-MM-DD 或 YYYY-MM-DD HH:MM:SS' },
    ),
  ),
});

/** What was done with a student's tokens and feeds. */
export const accessOperations = (accessLog: AccessLog, timeZone: string): Operation[] => {
  const startOf = (since: string): number => {
    const asUtc = Date.parse(`${since.length === 10 ? `${since} 00:00:00` : since}Z`.replace(' ', 'T'));
    return asUtc - offsetAt(asUtc, timeZone);
  };
  const present = ({ source, id, name, operation, outcome, count, network, ...times }: AccessEntry) => ({
    ...{ source, id, name, operation, outcome, from: campusTimestamp(times.from, timeZone), count },
    first_at: campusTimestamp(times.firstAt, timeZone),
    last_at: campusTimestamp(times.lastAt, timeZone),
    ...{ asked_campus: times.asked, network },
  });
  return [
    operation('GET /account/access', 'listAccesses', {
      level: 'T',
      tag: 'Personal tokens',
      scope: 'login',
      summary: { en: 'What was done with tokens and feeds', zh: '令牌和订阅的访问记录' },
      description:
        'Counted per token, operation, outcome and hour for 90 days; hours over two days old are told by the day. Logins, polls of calendar feeds and commands of operators are in it. Counts are written every 30 seconds: what a killed process had not written is missing.',
      query: Since,
      data: Accesses,
      message: '获取访问记录成功',
      run: async (call) => {
        const { since } = call.query;
        const entries = await accessLog.list(call.student, since === undefined ? 0 : startOf(since));
        return { entries: entries.map(present) };
      },
    }),
  ];
};

const exported = {
  level: 'T',
  route: 'GET /account/export',
  operationId: 'exportAccount',
  scope: 'export',
  tag: 'Personal tokens',
  summary: { en: 'Everything that is stored of the student', zh: '导出我的全部数据' },
  description:
    'One JSON object: a list of rows for each table that holds anything of the student, in clear, images as base64, copies of reads with the time they were read at; `not_included` names what is left out and why. With a token of a login within 24 hours, or the scope `export`; once in ten minutes.',
  failures: ['LOGIN_AGAIN'],
} as const;

const delivered = {
  200: {
    description: 'The export.',
    headers: { 'Content-Disposition': { type: 'string', description: 'Suggests the name of a file.' } },
    content: { 'application/json; charset=utf-8': { schema: { type: 'object', additionalProperties: true } } },
  },
};

/** Streamed, because images are large: a connection that ends in the middle of it has not had all. */
export const exportOperation = (accountExport: AccountExport): Operation => ({
  level: 'T',
  add: (scope, { envelopes }) => {
    scope.get(
      '/account/export',
      {
        schema: deliverySchema(exported, delivered, envelopes),
        validatorCompiler: uncheckedRoute,
        config: { bodyless: true, findsStudent: true, operation: exported.operationId, need: exported.scope },
      },
      async ({ call }, reply) => {
        const pieces = await call.race(accountExport.begin(call.student));
        return reply
          .header('Cache-Control', 'no-store')
          .header('Content-Disposition', 'attachment; filename="campus-export.json"')
          .type('application/json; charset=utf-8')
          .serializer((payload: unknown) => payload as string)
          .send(Readable.from(pieces, { objectMode: false }));
      },
    );
  },
});
