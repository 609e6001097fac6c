import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { type SystemName, type SystemReport, type SystemState, systemNames } from '../../../domain/observation.ts';
import { exampleOf, listOf, object, oneOf, text, textOrNull } from '../../../domain/record.ts';
import { campusTimestamp } from '../../../lib/time.ts';
import type { Asset } from '../../../platform/docs/assets.ts';
import { escapedHtml, filled, htmlDocument, pageFile, policyOf } from '../../../platform/docs/pages.ts';
import { type Language, languageFor, type Words } from '../../../platform/languages.ts';
import { limiting } from '../../../platform/limits/limits.ts';
import type { SurfaceBDeps } from '../described.ts';
import type { Envelopes } from '../envelope.ts';
import { failureResponses } from '../failure-documents.ts';
import { answered, described } from './health.ts';

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
  service: oneOf(['works', 'fails'] as const, '`fails`: this service cannot reach its database.', 'works'),
  systems: listOf(System, 'In a fixed order.'),
});

const message = '获取服务状态成功';

const systemWords: Readonly<Record<SystemName, Words>> = {
  portal: { en: 'Campus portal (VPN)', zh: '校园门户（VPN）' },
  'unified-login': { en: 'Unified login', zh: '统一身份认证' },
  academics: { en: 'Academic affairs', zh: '教务系统' },
  'activity-score': { en: 'Activity score', zh: '活动分系统' },
  'labor-club': { en: 'Labor clubs', zh: '劳动俱乐部' },
  electricity: { en: 'Dormitory electricity', zh: '宿舍电费' },
  competitions: { en: 'Competitions', zh: '学科竞赛' },
  card: { en: 'Campus card', zh: '校园卡' },
};

const stateWords: Readonly<Record<SystemState, Words>> = {
  answers: { en: 'answers', zh: '正常' },
  fails: { en: 'no answer', zh: '无应答' },
  unknown: { en: 'not asked yet', zh: '尚未访问' },
  'not-offered': { en: 'not offered here', zh: '本校不提供' },
};

const style =
  ':root{color-scheme:light dark}body{max-width:38rem;margin:1.5rem auto;padding:0 1rem;font:1rem/1.6 system-ui,sans-serif;background:#fff;color:#1b1b1b}h1,h2{line-height:1.3}h2{font-size:1.15rem}ul{list-style:none;padding:0}li{display:flex;flex-wrap:wrap;gap:0 .75rem;justify-content:space-between;padding:.5rem 0;border-bottom:1px solid #8886}.answers{color:#0b6b3a}.fails{color:#b3261e;font-weight:600}a{color:#0b6b3a;display:inline-block;padding:.2rem 0}nav a,main p a{margin-right:1rem}@media(prefers-color-scheme:dark){body{background:#121212;color:#e8e8e8}.answers,a{color:#4ade80}.fails{color:#ff8a80}}';
const statusPolicy = policyOf(style);

interface Shown {
  readonly works: boolean;
  readonly systems: readonly SystemReport[];
  readonly at: string;
}

const templates: Words = { en: pageFile('status.en.html'), zh: pageFile('status.zh.html') };

const pageOf = (language: Language, { services, timeZone, docsUrl, place }: SurfaceBDeps, shown: Shown): Asset => {
  const line = (name: Words, state: SystemState, failsSince: number | null): string => {
    const time = failsSince === null ? '' : campusTimestamp(failsSince, timeZone).slice(5, 16);
    const since = failsSince === null ? '' : { en: ` since ${time}`, zh: `，自 ${time}` }[language];
    return `<li><span>${name[language]}</span><span class="${state}">${stateWords[state][language]}${since}</span></li>\n`;
  };
  const own = line({ en: 'This service', zh: '本服务' }, shown.works ? 'answers' : 'fails', null);
  const lines = shown.systems.map(({ name, state, failsSince }) => line(systemWords[name], state, failsSince));
  const { en, zh } = services.campus.name;
  const title = escapedHtml({ en: `Status of ${en}`, zh: `${zh}服务状态` }[language]);
  const body = filled(templates[language], {
    title,
    at: shown.at,
    lines: [own, ...lines].join(''),
    docs: escapedHtml(docsUrl[language]),
    page: place.pageUrl && escapedHtml(place.pageUrl),
  });
  return htmlDocument(language, title, style, body);
};

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
  ...described(
    'getStatus',
    { en: 'What works now', zh: '服务状态' },
    'Each system of the campus as this process has seen it while it asked for students; the campus is not asked. Browsers (`Accept: text/html`) get a page, in the language of `?lang=` or of the reader. 60 calls a minute and address.',
  ),
  querystring: Type.Object({ lang: Type.Optional(text('Of the page: `zh` or `en`.', 'zh')) }),
  response: {
    200: answered(Status, 'What was seen.', envelopes.success(message, exampleOf(Status))),
    ...failureResponses(['COOLDOWN', 'SERVICE_UNAVAILABLE'], 'GET /status', { level: '-' }, envelopes),
  },
});

export const addStatus = (app: FastifyInstance, deps: SurfaceBDeps): void => {
  const { services, http, timeZone, envelopes } = deps;
  const options = {
    config: { contentPolicy: statusPolicy, bodyless: true },
    onRequest: limiting(http.limits, 'status'),
    schema: schemaOf(envelopes),
  };
  app.get('/status', options, async (request, reply) => {
    const at = campusTimestamp(services.clock.now(), timeZone).slice(0, 16);
    const shown = { works: await services.ready(), systems: services.systemStates(), at };
    reply.header('Cache-Control', 'no-store').vary(['Accept', 'Accept-Language']);
    // Browsers name HTML; programs that take anything get JSON.
    if (!request.headers.accept?.includes('text/html')) return envelopes.success(message, dataOf(deps, shown));
    const page = pageOf(languageFor(request), deps, shown);
    return reply.type(page.type).serializer(String).send(page.body.toString());
  });
};
