import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { type SystemName, type SystemReport, type SystemState, systemNames } from '../../../domain/observation.ts';
import { exampleOf, listOf, object, oneOf, text, textOrNull } from '../../../domain/record.ts';
import { campusTimestamp } from '../../../lib/time.ts';
import { inLanguages } from '../../../platform/docs/openapi.ts';
import { htmlDocument, policyOf } from '../../../platform/docs/pages.ts';
import { type Language, languageOf, type Words } from '../../../platform/languages.ts';
import { limiting } from '../../../platform/limits/limits.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Envelopes, successEnvelope } from '../envelope.ts';
import { failureResponses, shownEnvelope } from '../failure-documents.ts';

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

const escaped = (words: string): string => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const pageOf = (language: Language, { services, timeZone, docsUrl, place }: SurfaceBDeps, shown: Shown) => {
  const { campus } = services;
  const { pageUrl } = place;
  const say = (words: Words): string => escaped(words[language]);
  const since = (at: number | null): string =>
    at === null ? '' : `${say({ en: ' since ', zh: '，自 ' })}${campusTimestamp(at, timeZone).slice(5, 16)}`;
  const line = (name: string, state: SystemState, words: string): string =>
    `<li><span>${name}</span><span class="${state}">${words}</span></li>\n`;
  const own = { en: 'This service', zh: '本服务' };
  const lines = [
    line(say(own), shown.works ? 'answers' : 'fails', say(stateWords[shown.works ? 'answers' : 'fails'])),
    ...shown.systems.map(({ name, state, failsSince }) =>
      line(say(systemWords[name]), state, say(stateWords[state]) + since(failsSince)),
    ),
  ];
  const other = language === 'zh' ? { query: 'en', word: 'English' } : { query: 'zh', word: '中文' };
  const title = say({ en: `Status of ${campus.name.en}`, zh: `${campus.name.zh}服务状态` });
  const links = [
    [docsUrl[language], { en: 'Interface and documents', zh: '接口与文档' }],
    ['/privacy', { en: 'What is stored of you', zh: '会保存你的哪些信息' }],
    ...(pageUrl === null ? [] : [[pageUrl, { en: 'Log in or register on a page', zh: '在网页上登录或注册' }] as const]),
  ] as const;
  const body = `<nav><a href="/status?lang=${other.query}" hreflang="${other.query}">${other.word}</a></nav>
<main>
<h1>${title}</h1>
<p>${say({ en: 'What this service has seen while it asked the campus for its students; nothing was asked for this page.', zh: '以下是本服务替学生访问校园系统时看到的情况；打开本页不会访问校园系统。' })} ${shown.at}</p>
<ul>
${lines.join('')}</ul>
<h2>${say({ en: 'An account', zh: '账号' })}</h2>
<p>${say({ en: 'Ask the operator for an invite code, and register in your app with your campus id and passwords. While a system does not answer, apps show what was read last, with its time.', zh: '向运营者索取邀请码，用学号和校园密码在应用里注册。校园系统无应答时，应用会显示最近一次读到的内容和时间。' })}</p>
<p>${links.map(([url, words]) => `<a href="${escaped(url)}">${say(words)}</a>`).join(' ')}</p>
</main>
`;
  return htmlDocument(language, title, style, body);
};

/** Browsers name HTML; programs that take anything get JSON. */
const wantsPage = (accept: string | undefined): boolean => accept?.includes('text/html') === true;

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
  operationId: 'getStatus',
  tags: ['Home and health'],
  ...inLanguages({ en: 'What works now', zh: '服务状态' }),
  description:
    'Each system of the campus as this process has seen it while it asked for students; the campus is not asked. Browsers (`Accept: text/html`) get a page, in the language of `?lang=` or of the reader. 60 calls a minute and address.',
  security: [],
  querystring: Type.Object({ lang: Type.Optional(text('Of the page: `zh` or `en`.', 'zh')) }),
  response: {
    200: {
      ...successEnvelope(Status),
      'x-response-description': 'What was seen.',
      'x-examples': { success: shownEnvelope(envelopes.success(message, exampleOf(Status))) },
    },
    ...failureResponses(['COOLDOWN', 'SERVICE_UNAVAILABLE'], 'GET /status', { level: '-' }, envelopes),
  },
});

/** Serves what works now, as a page for people and as JSON for programs. The campus is not asked. */
export const addStatus = (app: FastifyInstance, deps: SurfaceBDeps): void => {
  const { services, http, timeZone, envelopes } = deps;
  const options = {
    config: { contentPolicy: statusPolicy, bodyless: true },
    onRequest: limiting(http.limits, 'status'),
    schema: schemaOf(envelopes),
  };
  app.get('/status', options, async ({ headers, query }, reply) => {
    const at = campusTimestamp(services.clock.now(), timeZone).slice(0, 16);
    const shown = { works: await services.ready(), systems: services.systemStates(), at };
    reply.header('Cache-Control', 'no-store').vary(['Accept', 'Accept-Language']);
    if (!wantsPage(headers.accept)) return envelopes.success(message, dataOf(deps, shown));
    const { lang } = query as { readonly lang?: unknown };
    const language = lang === 'zh' || lang === 'en' ? lang : languageOf(headers['accept-language']);
    const page = pageOf(language, deps, shown);
    return reply.type(page.type).serializer(String).send(page.body.toString());
  });
};
