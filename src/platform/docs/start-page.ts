import { personalDays } from '../../domain/accounts/personal-tokens.ts';
import { isWriting, scopeNames, scopes } from '../../domain/scopes.ts';
import type { Project } from '../../lib/build.ts';
import type { Language, Words } from '../languages.ts';
import { scopesZh } from './chinese.ts';
import type { Operator } from './openapi.ts';

/** How visitors may try a service with the demo campus; its passwords are no secrets. */
export interface DemoAccess {
  readonly students: ReadonlyArray<{
    readonly userid: string;
    readonly password: string;
    /** Missing where the campus has no portal. */
    readonly vpn_password?: string;
  }>;
  readonly invite: string;
}

const words = {
  demo: {
    en: 'This is the demo campus: no account needed. Log in as one of its students, and every call below carries the token.',
    zh: '这是演示校园，不需要账号。以下面的学生登录后，页面上的每个调用都会带上令牌。',
  },
  real: {
    en: 'Log in, and every call below carries the token, on both surfaces. What you type goes to this service and nowhere else; the token is forgotten with this tab.',
    zh: '登录后，页面上两套接口的每个调用都会带上令牌。输入的内容只发给本服务；关闭标签页后令牌即被忘记。',
  },
  as: { en: 'Log in as', zh: '登录为' },
  userid: { en: 'Student id', zh: '学号' },
  password: { en: 'Password', zh: '密码' },
  vpn: { en: 'VPN password', zh: 'VPN 密码' },
  login: { en: 'Log in', zh: '登录' },
  forget: { en: 'Forget the token', zh: '清除令牌' },
  other: { en: 'Somebody else', zh: '其他学生' },
  invite: { en: 'Invite code', zh: '邀请码' },
  wait: { en: 'Logging in …', zh: '正在登录…' },
  done: { en: 'Every call carries the token of', zh: '已登录，调用都会带上令牌：' },
  again: { en: 'Every call carries the token of this tab.', zh: '调用都会带上本标签页的令牌。' },
  lost: { en: 'The service cannot be reached.', zh: '无法连接服务。' },
  reload: { en: 'Reload the page to use this token for all calls.', zh: '刷新页面后，所有调用都会带上这个令牌。' },
  operator: { en: 'Operated by', zh: '运营者：' },
  contact: { en: 'Contact the operator', zh: '联系运营者' },
  source: { en: 'Source code', zh: '源代码' },
  bugs: { en: 'Ask, or report a problem', zh: '提问与反馈' },
  personal: { en: 'Personal token', zh: '个人令牌' },
  what: {
    en: 'For a widget, a script or an assistant: it may do what you choose here, on both surfaces, and nothing else.',
    zh: '给小组件、脚本或助手使用：两套接口通用，只能做下面所选的事。',
  },
  name: { en: 'Name', zh: '名称' },
  widget: { en: 'widget', zh: '小组件' },
  copies: { en: 'copies only: it never asks the campus', zh: '只读副本：从不访问校园系统' },
  days: { en: 'days', zh: '天' },
  make: { en: 'Make the token', zh: '创建令牌' },
  making: { en: 'Making the token …', zh: '正在创建令牌…' },
  choose: { en: 'Choose at least one scope.', zh: '请至少选择一项权限。' },
  made: { en: 'Your new token, shown this once:', zh: '新令牌，只显示这一次：' },
  carries: {
    en: 'Every call carries the personal token; what it may not do is refused.',
    zh: '调用都会带上这个个人令牌，权限之外的调用会被拒绝。',
  },
  bearer: { en: 'With a bearer header', zh: '带 Bearer 头的接口' },
  member: { en: 'Below /api/v1', zh: '/api/v1 下的接口' },
} as const satisfies Record<string, Words>;

/** Where a reader goes from here. */
const ways: ReadonlyArray<readonly [address: string, words: Words]> = [
  ['/docs/quick-start', { en: 'Quick start', zh: '快速上手' }],
  ['/docs/clients', { en: 'In your language', zh: '各语言示例' }],
  ['/docs/errors', { en: 'Errors', zh: '错误说明' }],
  ['/docs/freshness', { en: 'Freshness', zh: '数据时效' }],
  ['/status', { en: 'Status', zh: '服务状态' }],
  ['/privacy', { en: 'Privacy', zh: '隐私说明' }],
];

/** The settings for the script of the page. */
export const startSettings = (
  language: Language,
  tags: ReadonlyArray<{ readonly name: string }>,
  demo: DemoAccess | null,
) => {
  const isV1 = (name: string): boolean => /^v1 /.test(name);
  const names = tags.map(({ name }) => name);
  return {
    language,
    demo,
    words: Object.fromEntries(Object.entries(words).map(([name, text]) => [name, text[language]])),
    groups: [
      { name: words.bearer[language], tags: names.filter((name) => !isV1(name)) },
      { name: words.member[language], tags: names.filter(isV1) },
    ],
  };
};

const style = `
#bar{font:14px/1.5 system-ui,sans-serif;padding:.6rem 1rem;display:grid;gap:.5rem;background:#14532d;color:#fff}
#bar p{margin:0}#bar a{color:#bbf7d0;margin-right:1rem;white-space:nowrap}#bar nav{display:flex;flex-wrap:wrap}
#bar form{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
#bar input{font:inherit;width:9.5rem;padding:.3rem .5rem;border:0;border-radius:.3rem;background:#fff;color:#111}
#bar button{font:inherit;padding:.3rem .8rem;border:0;border-radius:.3rem;background:#bbf7d0;color:#14532d;cursor:pointer}
#bar [hidden]{display:none}#scopes{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:.2rem .8rem;flex-basis:100%}
#bar label{display:flex;gap:.4rem;align-items:baseline}#bar input[type=checkbox]{width:auto;flex:none}#bar label:has(:disabled){opacity:.5}
#make>span{flex-basis:100%}#bar select{font:inherit;padding:.3rem}#secret{overflow-wrap:anywhere;user-select:all}
#bar>div{display:flex;flex-wrap:wrap;gap:.6rem}#bar summary{cursor:pointer;margin-bottom:.4rem}#bar code{color:#fef08a}
#told{font-weight:600}#told.bad{color:#fecaca}#bar p:has(#told:empty):has(#forget[hidden]){display:none}
@media(max-width:600px){#bar input{width:100%;flex:1 1 100%}}
`;

const field = (name: string, label: string, value: string, type: string, most = 256): string =>
  `<input id="${name}" name="${name}" type="${type}" placeholder="${label}" aria-label="${label}" value="${value}" autocomplete="off" maxlength="${most}" required>`;

const demoBar = (language: Language, { students, invite }: DemoAccess): string => {
  const buttons = students.map(
    ({ userid }, at) => `<button type="button" data-student="${at}">${words.as[language]} ${userid}</button>`,
  );
  const pairs = students.map(
    ({ userid, password, vpn_password }) =>
      `<code>${[userid, password, vpn_password].filter((part) => part !== undefined).join(' / ')}</code>`,
  );
  return `<p>${words.demo[language]} ${pairs.join(' · ')} · ${words.invite[language]} <code>${invite}</code></p>
<div>${buttons.join(' ')}</div>`;
};

/** Hidden until a student has logged in. */
const tokenForm = (language: Language): string => {
  const say = (words: Words): string => words[language];
  const boxes = scopeNames.map((scope) => {
    const what = language === 'zh' ? scopesZh[scope] : scopes[scope];
    const writes = isWriting(scope) ? ' data-writes' : '';
    return `<label><input type="checkbox" name="scope" value="${scope}"${writes}><span><code>${scope}</code> ${what}</span></label>`;
  });
  const days = personalDays.map((count) => `<option value="${count}">${count} ${say(words.days)}</option>`);
  return `<details id="personal" hidden><summary>${say(words.personal)}</summary><form id="make"><span>${say(words.what)}</span>
<div id="scopes">${boxes.join('')}</div>
${field('name', say(words.name), say(words.widget), 'text', 50)}
<select id="days" aria-label="${say(words.days)}">${days.join('')}</select>
<label><input type="checkbox" id="copies"> ${say(words.copies)}</label>
<button>${say(words.make)}</button></form></details>`;
};

const escaped = (text: string): string => text.replace(/[&<>"]/g, (mark) => `&#${mark.codePointAt(0)};`);

/** Who runs the service, and how to reach them, as far as that is known. */
const operatorLine = (language: Language, { name, contact }: Operator): string => {
  if (name === null && contact === null) return '';
  const said = name === null ? '' : `${words.operator[language]} ${escaped(name)}`;
  const address = escaped(contact?.replace('mailto:', '') ?? '');
  const label = name === null ? `${words.contact[language]} ${address}` : address;
  return `<span>${said} ${contact === null ? '' : `<a href="${escaped(contact)}">${label}</a>`}</span>`;
};

/** The page around the reference: a bar to log in, and the way to the documents. */
export const startPage = (
  language: Language,
  versions: { readonly reference: string; readonly start: string },
  demo: DemoAccess | null,
  {
    hasPortal,
    operator,
    project,
  }: { readonly hasPortal: boolean; readonly operator: Operator; readonly project: Project },
): string => {
  const other = language === 'zh' ? ['en', 'English'] : ['zh', '中文'];
  const links = [
    ...ways.map(([address, text]) => [`${address}?lang=${language}`, text[language]] as const),
    ...(project.repository === '' ? [] : [[project.repository, words.source[language]] as const]),
    ...(project.bugs === '' ? [] : [[project.bugs, words.bugs[language]] as const]),
  ].map(([address, text]) => `<a href="${escaped(address)}">${text}</a>`);
  const pair = demo?.students[0];
  const fields = [
    field('userid', words.userid[language], pair?.userid ?? '', 'text'),
    field('password', words.password[language], pair?.password ?? '', demo ? 'text' : 'password'),
    ...(hasPortal
      ? [field('vpn_password', words.vpn[language], pair?.vpn_password ?? '', demo ? 'text' : 'password')]
      : []),
  ];
  const form = `<form id="login">${fields.join('')}<button>${words.login[language]}</button></form>`;
  return `<!doctype html>
<html lang="${language}">
  <head>
    <title>Campus Gateway API</title>
    <meta charset="utf-8" />
    <link rel="icon" type="image/svg+xml" href="/favicon.ico" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <style>${style}</style>
  </head>
  <body>
    <section id="bar" aria-label="Campus Gateway">
      <nav>${links.join('')}<a href="/docs?lang=${other[0]}">${other[1]}</a>${operatorLine(language, operator)}</nav>
      ${demo ? demoBar(language, demo) : `<p>${words.real[language]}</p>`}
      ${demo ? `<details><summary>${words.other[language]}</summary>${form}</details>` : form}
      ${tokenForm(language)}
      <p id="made" hidden>${words.made[language]} <code id="secret"></code></p>
      <p><span id="told" role="status"></span> <button id="forget" type="button" hidden>${words.forget[language]}</button></p>
    </section>
    <div id="app"></div>
    <script src="/docs/reference.js?v=${versions.reference}"></script>
    <script src="/docs/start.js?lang=${language}&v=${versions.start}"></script>
  </body>
</html>
`;
};
