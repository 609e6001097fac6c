import type { Probe } from '../composition/probe.ts';

// Tells the product behind an address from public pages. Nothing is typed, posted or followed elsewhere.

interface ProbedPage {
  readonly status: number;
  readonly path: string;
  /** Of a redirect, else empty. */
  readonly location: string;
  readonly cookies: readonly string[];
  readonly text: string;
  /** Values of `id` and `name`, which stand unquoted on some pages. */
  readonly names: ReadonlySet<string>;
}

type DriverNames = { readonly [part in 'portal' | 'login' | 'application']?: string };

/** One product and its mark. */
interface DetectedProduct {
  readonly name: string;
  readonly mark: (seen: ProbedPage) => boolean;
  /** Its driver, by the part of a manifest; left out: no driver speaks with it. */
  readonly draft?: DriverNames;
  /** The path of its address, where the typed one says nothing else. */
  readonly base?: string;
  /** What follows its address in those of its pages. */
  readonly pages?: RegExp;
  /** What helps where there is no driver. */
  readonly instead?: string;
  /** The mark is that of several products. */
  readonly likely?: true;
}

const says =
  (...marks: readonly string[]) =>
  ({ text, location }: ProbedPage): boolean =>
    marks.some((mark) => text.includes(mark) || location.includes(mark));
const hasFields =
  (...wanted: readonly string[]) =>
  ({ names }: ProbedPage): boolean =>
    wanted.every((name) => names.has(name));
const isSalt = ({ status, path, text }: ProbedPage): boolean =>
  status === 200 &&
  path.endsWith('/login-salt') &&
  /^"?(?:[0-9a-f-]{20,64}|[\da-z]{8}(?:-[\da-z]{4}){3}-[\da-z]{12})"?$/i.test(text.trim());
const isFirewallPage = ({ status, text }: ProbedPage): boolean =>
  status === 202 || status === 412 || text.includes('$_ts');
const isWengine = ({ cookies, location, path }: ProbedPage): boolean =>
  cookies.some((name) => name.startsWith('wengine_vpn_ticket')) ||
  /\/https?(?:-\d+)?\/77726476706e6973/.test(`${location} ${path}`);
const isSslVpn = ({ text, cookies }: ProbedPage): boolean =>
  (text.includes('<?xml') && text.includes('<Auth>')) || text.includes('TWFID') || cookies.includes('TWFID');
const isGateConfig = ({ path, text }: ProbedPage): boolean =>
  path.endsWith('/authConfig') && text.trimStart().startsWith('{') && /"(?:antiReplayRand|pubKey)"/.test(text);
const isTicketPage = (seen: ProbedPage): boolean => hasFields('lt', 'execution')(seen);
const loginPage = /\/login(?:\.html)?$/;
const proxied = 'run its client beside the service, and name its proxy (CAMPUS_PROXY)';

const products: readonly DetectedProduct[] = [
  {
    name: '正方 jwglxt, its own login',
    mark: hasFields('csrftoken', 'yhm'),
    draft: { application: 'jwglxt' },
    base: '/jwglxt',
    pages: /\/xtgl\/.*$/,
  },
  {
    name: '树维 EAMS 5',
    mark: (seen) => isSalt(seen) || says('/for-std/', '<title>登入页面')(seen),
    draft: { application: 'eams5' },
    base: '/student',
    pages: /\/(?:login-salt|login|for-std.*)$/,
  },
  { name: '强智', mark: (seen) => says('LoginToXk', 'Logon.do')(seen) || hasFields('userAccount', 'encoded')(seen) },
  {
    name: '金智 authserver',
    mark: says('pwdEncryptSalt', 'pwdDefaultEncryptSalt', 'casLoginForm'),
    draft: { login: 'authserver' },
    base: '/authserver',
    pages: loginPage,
  },
  {
    name: 'URP, its own login',
    mark: says('j_spring_security_check'),
    draft: { application: 'jwc' },
    pages: loginPage,
  },
  {
    name: 'Sangfor SSL VPN (EasyConnect)',
    mark: isSslVpn,
    draft: { portal: 'ssl-vpn' },
    pages: /\/por\/.*$/,
  },
  { name: 'aTrust', mark: isGateConfig, instead: proxied },
  {
    name: '金智 emap',
    // Also where it redirects to its login for that service.
    mark: says('/jwapp/sys/', '%2Fjwapp%2Fsys%2F'),
    draft: { application: 'emap' },
    pages: /\/(?:jwapp\/|appShow).*$/,
  },
  { name: '树维 EAMS before 5', mark: says('courseTableForStd', 'loginExt.action') },
  { name: '青果', mark: says('cas/login.action', 'frame/droplist/getDropLists.action', 'wsxk.xskcb10319.jsp') },
  {
    name: '联奕 login',
    mark: hasFields('login-croypto'),
    draft: { login: 'cas-croypto' },
    base: '/cas',
    pages: loginPage,
  },
  { name: 'tpass login', mark: hasFields('rsa', 'ul', 'pl', 'lt') },
  { name: 'lyuapServer login', mark: says('lyuapServer') },
  { name: 'Wengine VPN', mark: isWengine, instead: proxied },
  { name: '正方 before jwglxt', mark: says('default2.aspx') },
  { name: '瑞数 firewall', mark: isFirewallPage, instead: 'a server cannot pass it' },
  { name: 'CAS with DES', mark: isTicketPage, draft: { login: 'cas' }, base: '/cas', pages: loginPage, likely: true },
  {
    name: 'CAS without encryption',
    mark: hasFields('execution'),
    draft: { login: 'cas-plain' },
    base: '/cas',
    pages: loginPage,
    likely: true,
  },
];

const paths = {
  vpn: ['/por/login_auth.csp?apiversion=1', '/passport/v1/public/authConfig'],
  login: ['/authserver/login', '/login'],
  academics: ['/jwglxt/xtgl/login_slogin.html', '/student/login-salt', '/jsxsd/'],
};

/** The rows that the first label of a host makes likely come first. */
const pathsFor = ({ hostname, pathname }: URL): readonly string[] => {
  const label = hostname.split('.')[0] ?? '';
  const base = pathname.replace(/\/+$/, '');
  const academics = base === '' ? paths.academics : [`${base}/xtgl/login_slogin.html`, ...paths.academics.slice(1)];
  if (/^(?:vpn|webvpn|sslvpn|atrust)$/.test(label)) return [...paths.vpn, ...academics, ...paths.login];
  if (/^(?:auth|cas|ids|sso|id|idp)$/.test(label)) return [...paths.login, ...academics, ...paths.vpn];
  return [...academics, ...paths.login, ...paths.vpn];
};

/** What of an answer may be shown: one line, without anything that a terminal obeys. */
const show = (text: string): string =>
  text
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim()
    .slice(0, 120)
    .toWellFormed();

const titleOf = (text: string): string => {
  const begin = text.search(/<title[\s>]/i);
  const open = begin < 0 ? -1 : text.indexOf('>', begin);
  return open < 0 ? '' : show(text.slice(open + 1, open + 500).split('<')[0] ?? '');
};

const fieldNamesIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/\b(?:id|name)\s{0,3}=\s{0,3}["']?([\w-]{1,64})/gi)].map(([, name = '']) => name));

/** Answers only choose between the typed path and those that we know: nothing of them stands in a draft. */
const baseOf = (typed: URL, { base = '', pages = /$^/ }: DetectedProduct, found: string): string => {
  const path = typed.pathname.replace(pages, '').replace(/\/(?:[^/]*\.[^/]*)?$/, '');
  return [path, base].find((each) => each !== '' && found.startsWith(each)) ?? (found === '/' ? base : '');
};

const manifestDraftOf = (typed: URL, product: DetectedProduct, found: string): string => {
  const url = `${typed.origin}${baseOf(typed, product, found)}`;
  const { portal, login, application } = product.draft ?? {};
  const part = (name: string | undefined, more = {}) => (name === undefined ? null : { driver: name, url, ...more });
  return JSON.stringify({
    name: { zh: '示例大学', en: 'Example University' },
    time_zone: 'Asia/Shanghai',
    portal: part(portal, { domain: typed.hostname }),
    login: part(login),
    applications: [part(application)].filter((each) => each !== null),
  });
};

const MOST_REQUESTS = 6;
const isRedirectStatus = (status: number): boolean => status >= 300 && status < 400;

/**
 * Asks at most six pages of the origin, and stops at a sure mark.
 * @param drivers the names of those that exist
 * @returns what to print, and whether a product was told
 */
export const detect = async (typed: URL, { get }: Probe, drivers: ReadonlySet<string>) => {
  const lines: string[] = [];
  const likely = new Map<DetectedProduct, string>();
  const logins = new Set<string>();
  const waiting = [`${typed.pathname}${typed.search}`, ...pathsFor(typed)];
  const asked: string[] = [];
  const say = (product: DetectedProduct, how: 'sure' | 'likely', found: string | null): void => {
    const driver = Object.values(product.draft ?? {}).find((name) => drivers.has(name));
    const what = driver === undefined ? 'no driver' : `driver ${driver}`;
    lines.push(`${how.padEnd(8)} ${[`${product.name}: ${what}`, product.instead ?? []].flat().join('; ')}`);
    if (driver !== undefined && found !== null) lines.push(manifestDraftOf(typed, product, found));
  };
  for (let path = waiting.shift(); path !== undefined && asked.length < MOST_REQUESTS; path = waiting.shift()) {
    if (asked.includes(path)) continue;
    asked.push(path);
    const answer = await get(new URL(path, typed.origin));
    if (answer.kind === 'no-answer') {
      lines.push(`asked    ${path}: ${answer.fault}${answer.broke === undefined ? '' : `, ${answer.broke}`}`);
      if (answer.fault === 'not-sent') break;
      continue;
    }
    const { status, text } = answer;
    const location = isRedirectStatus(status) ? (answer.location ?? '') : '';
    const cookies = answer.setCookies.map((line) => line.split('=')[0]?.trim() ?? '');
    const what = [titleOf(text), show(location) && `to ${show(location)}`, show(cookies.join(' '))].filter(Boolean);
    lines.push(`asked    ${[`${path}: ${status}`, ...what].join(', ')}`);
    const seen = { status, path: path.split('?')[0] ?? '', location, cookies, text, names: fieldNamesIn(text) };
    const marked = products.filter(({ mark }) => mark(seen));
    const sure = marked.filter((product) => product.likely === undefined);
    for (const product of sure) say(product, 'sure', sure.length === 1 ? seen.path : null);
    if (sure.length > 0) return { lines, told: true };
    for (const product of marked) likely.set(product, seen.path);
    const target = location === '' ? null : URL.parse(location, new URL(path, typed.origin).href);
    if (target?.origin === typed.origin && asked.length === 1) waiting.unshift(`${target.pathname}${target.search}`);
    else if (target && target.origin !== typed.origin) logins.add(show(target.origin));
  }
  for (const [product, found] of likely) say(product, 'likely', found);
  for (const origin of logins) lines.push(`likely   the login is at ${origin}, detect it too`);
  if (likely.size === 0) lines.push('unknown  no mark of a product that we know');
  return { lines, told: likely.size > 0 };
};
