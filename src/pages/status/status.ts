import type { SystemName, SystemReport, SystemState } from '../../domain/observation.ts';
import type { Language, Words } from '../../http/languages.ts';
import type { ContentPolicy } from '../../http/server/headers.ts';
import { campusTimestamp } from '../../lib/time.ts';
import type { Asset } from '../assets.ts';
import { escapeHtml, fill, htmlDocument, pageBar, pageFile, policyOf, textStyle } from '../html.ts';

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

const style = textStyle();
export const statusPolicy: ContentPolicy = policyOf(style);

/** What works as this process has seen it; `at` in campus time. */
export interface ServiceState {
  readonly works: boolean;
  readonly systems: readonly SystemReport[];
  readonly at: string;
}

export interface StatusPlace {
  readonly campus: Words;
  readonly timeZone: string;
  readonly docsUrl: Words;
  /** The page on which a student answers a challenge; null: its address is unknown. */
  readonly pageUrl: string | null;
  readonly hasStudentPage: boolean;
}

const templates: Words = { en: pageFile('status/status.en.html'), zh: pageFile('status/status.zh.html') };

/** The page of `GET /status` for people. */
export const renderStatus = (
  language: Language,
  { campus, timeZone, docsUrl, pageUrl, hasStudentPage }: StatusPlace,
  shown: ServiceState,
): Asset => {
  const line = (name: Words, state: SystemState, failsSince: number | null): string => {
    const time = failsSince === null ? '' : campusTimestamp(failsSince, timeZone).slice(5, 16);
    const since = failsSince === null ? '' : { en: ` since ${time}`, zh: `，自 ${time}` }[language];
    return `<li><span>${name[language]}</span><span class="${state}">${stateWords[state][language]}${since}</span></li>\n`;
  };
  const own = line({ en: 'This service', zh: '本服务' }, shown.works ? 'answers' : 'fails', null);
  const lines = shown.systems.map(({ name, state, failsSince }) => line(systemWords[name], state, failsSince));
  const { en, zh } = campus;
  const title = escapeHtml({ en: `Status of ${en}`, zh: `${zh}服务状态` }[language]);
  const body = fill(templates[language], {
    title,
    at: shown.at,
    lines: [own, ...lines].join(''),
    docs: escapeHtml(docsUrl[language]),
    page: pageUrl && escapeHtml(pageUrl),
    app: hasStudentPage ? 'app/' : null,
  });
  return htmlDocument(language, title, style, pageBar(language, 'status', hasStudentPage) + body);
};
