import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { type SystemReport, type SystemState, systemNames } from '../../../domain/observation.ts';
import { exampleOf, listOf, object, oneOf, text, textOrNull } from '../../../domain/record.ts';
import { languageFor } from '../../../http/languages.ts';
import { limitHook } from '../../../http/limits/limits.ts';
import { campusTimestamp } from '../../../lib/time.ts';
import type { SurfaceBDeps } from '../described.ts';
import type { Envelopes } from '../envelope.ts';
import { failureResponses } from '../failure-documents.ts';
import { describeRoute, documentAnswer } from './health.ts';

const states = ['answers', 'fails', 'unknown', 'not-offered'] as const satisfies readonly SystemState[];

const System = object('SystemStatus', 'A system of the campus, as this process has seen it.', {
  name: oneOf(systemNames, 'As in `error.system`, logs and metrics.', 'academics'),
  state: oneOf(
    states,
    '`answers`; `fails`: three requests in a row, or it is left alone for a while; `unknown`: nothing was asked of it yet; `not-offered`: this campus has none.',
    'fails',
  ),
  fails_since: textOrNull(
    'Of the first failure since its last answer, in campus time; null where it does not fail.',
    '2026-03-18 02:10:00',
  ),
  answered_at: textOrNull('When it answered last, in campus time; null: not yet.', '2026-03-18 02:09:41'),
});

const Status = object('ServiceStatus', 'What works now.', {
  campus: object('StatusCampus', 'The campus behind this service.', {
    zh: text('In Chinese.', '演示大学'),
    en: text('In English.', 'Demo University'),
  }),
  service: oneOf(
    ['works', 'fails'] as const,
    '`fails`: this service cannot reach its database, or not write to it.',
    'works',
  ),
  systems: listOf(System, 'In a fixed order.'),
});

const message = '获取服务状态成功';

interface Shown {
  readonly works: boolean;
  readonly systems: readonly SystemReport[];
  readonly at: string;
}

const timeOrNull = (at: number | null, timeZone: string): string | null =>
  at === null ? null : campusTimestamp(at, timeZone);

const dataOf = ({ services, timeZone }: SurfaceBDeps, { works, systems }: Shown): Static<typeof Status> => ({
  campus: services.campus.name,
  service: works ? 'works' : 'fails',
  systems: systems.map(({ name, state, failsSince, answeredAt }) => ({
    name,
    state,
    fails_since: timeOrNull(failsSince, timeZone),
    answered_at: timeOrNull(answeredAt, timeZone),
  })),
});

const schemaOf = (envelopes: Envelopes) => ({
  ...describeRoute(
    'getStatus',
    { en: 'What works now', zh: '服务状态' },
    'Each system of the campus as this process has seen it while it asked for students; the campus is not asked. Browsers (`Accept: text/html`) get a page, in the language of `?lang=` or of the reader. 60 calls a minute and address.',
  ),
  querystring: Type.Object({ lang: Type.Optional(text('Of the page: `zh` or `en`.', 'zh')) }),
  response: {
    200: documentAnswer(Status, 'What was seen.', envelopes.success(message, exampleOf(Status))),
    ...failureResponses(['COOLDOWN', 'SERVICE_UNAVAILABLE'], 'GET /status', { level: '-' }, envelopes),
  },
});

export const addStatus = (app: FastifyInstance, deps: SurfaceBDeps): void => {
  const { services, http, timeZone, envelopes } = deps;
  const options = {
    config: { contentPolicy: deps.statusPage.policy, bodyless: true },
    onRequest: limitHook(http.limits, 'status'),
    schema: schemaOf(envelopes),
  };
  app.get('/status', options, async (request, reply) => {
    const at = campusTimestamp(services.clock.now(), timeZone).slice(0, 16);
    const shown = { works: await services.ready(), systems: services.systemStates(), at };
    reply.header('Cache-Control', 'no-store').vary(['Accept', 'Accept-Language']);
    // Browsers name HTML; programs that take anything get JSON.
    if (!request.headers.accept?.includes('text/html')) return envelopes.success(message, dataOf(deps, shown));
    const page = deps.statusPage.render(languageFor(request), shown);
    return reply.type(page.type).serializer(String).send(page.body.toString());
  });
};
