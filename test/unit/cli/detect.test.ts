import { describe, expect, it } from 'vitest';
import { detect } from '../../../src/cli/detect.ts';
import type { Probe } from '../../../src/composition/probe.ts';
import { driverNames } from '../../../src/composition/services.ts';

interface Page {
  readonly status?: number;
  readonly text?: string;
  readonly location?: string;
  readonly cookies?: readonly string[];
}

const notFound: Page = { status: 404, text: '<html><head><title>Not Found</title></head></html>' };

/** What is told of a host that serves these pages, by path and query, and nothing else. */
const tell = async (address: string, pages: Record<string, Page | 'silent'>, drivers = driverNames) => {
  const asked: string[] = [];
  const get: Probe['get'] = async (url) => {
    asked.push(`${url.pathname}${url.search}`);
    expect(url.origin).toBe(new URL(address).origin);
    const page = pages[`${url.pathname}${url.search}`] ?? notFound;
    if (page === 'silent') return { kind: 'no-answer', fault: 'timed-out' };
    const { status = 200, text = '', location, cookies = [] } = page;
    return { kind: 'answer', status, location, setCookies: cookies, text };
  };
  const { lines, told } = await detect(new URL(address), { get }, drivers);
  const verdicts = lines.filter((line) => /^(?:sure|likely|unknown) /.test(line));
  const drafts = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  return { asked, lines, told, verdicts, drafts };
};

const jwglxt = `<html><head><title>教学综合信息服务平台</title></head><body>
<form action="/jwglxt/xtgl/login_slogin.html" method="post"><h5>用户登录</h5>
<input type="hidden" id="csrftoken" name="csrftoken" value="b9247990-1111-2222-3333-444444444444,b924799011112222333344444444444"/>
<input type="text" name="yhm" id="yhm" value=""></form></body></html>`;
const urp = `<form action="/j_spring_security_check" method="POST"><input id="input_username" name="j_username"></form>`;
const ticketPage = '<form><input name="lt" value="LT-1"><input name=execution value="e1s1"></form>';
const login = 'https://jw.example.edu/jwglxt/xtgl/login_slogin.html';
const every = new Set([...driverNames, 'jwglxt', 'eams5', 'authserver', 'emap', 'cas-croypto']);

describe.each<[string, string, Record<string, Page>, string, object | null]>([
  [
    'jwglxt',
    'https://jw.example.edu',
    { '/jwglxt/xtgl/login_slogin.html': { text: jwglxt } },
    '正方 jwglxt',
    { application: ['jwglxt', '/jwglxt'] },
  ],
  [
    'jwglxt below a path',
    'https://jw.example.edu/jw',
    { '/jw/xtgl/login_slogin.html': { text: jwglxt } },
    '正方 jwglxt',
    { application: ['jwglxt', '/jw'] },
  ],
  [
    'jwglxt without a path',
    'https://jw.example.edu',
    { '/': { status: 302, location: '/xtgl/login_slogin.html' }, '/xtgl/login_slogin.html': { text: jwglxt } },
    '正方 jwglxt',
    { application: ['jwglxt', ''] },
  ],
  [
    'jwglxt as typed',
    login,
    { [new URL(login).pathname]: { text: jwglxt } },
    '正方 jwglxt',
    { application: ['jwglxt', '/jwglxt'] },
  ],
  [
    'eams5',
    'https://jw.example.edu',
    { '/student/login-salt': { text: '"11111111-2222-3333-4444-555555555555"' } },
    '树维 EAMS 5',
    { application: ['eams5', '/student'] },
  ],
  [
    'eams5 by a redirect',
    'https://jw.example.edu',
    { '/': { status: 302, location: '/student/for-std/home' } },
    '树维 EAMS 5',
    { application: ['eams5', '/student'] },
  ],
  [
    'emap at the hall that opens it',
    'https://ehall.example.edu/appShow?appId=1',
    { '/appShow?appId=1': { status: 302, location: 'https://jw.example.edu/jwapp/sys/wdkb/*default/index.do' } },
    '金智 emap',
    { application: ['emap', ''] },
  ],
  [
    'qiangzhi',
    'https://jw.example.edu',
    { '/jsxsd/': { text: '<form action="/jsxsd/xk/LoginToXk"></form>' } },
    '强智',
    null,
  ],
  [
    'authserver',
    'https://ids.example.edu',
    { '/authserver/login': { text: '<input id="pwdEncryptSalt" value="x">' } },
    '金智 authserver',
    { login: ['authserver', '/authserver'] },
  ],
  ['URP', 'https://jw.example.edu', { '/login': { text: urp } }, 'URP, its own login', { application: ['jwc', ''] }],
  [
    'an SSL VPN',
    'https://vpn.example.edu',
    { '/por/login_auth.csp?apiversion=1': { text: '<?xml version="1.0"?><Auth><TwfID>1</TwfID></Auth>' } },
    'Sangfor SSL VPN',
    { portal: ['ssl-vpn', ''] },
  ],
  [
    'aTrust',
    'https://atrust.example.edu',
    { '/passport/v1/public/authConfig': { text: '{"code":0,"data":{"antiReplayRand":"1"}}' } },
    'aTrust',
    null,
  ],
  [
    'emap',
    'https://ehall.example.edu',
    { '/': { status: 302, location: '/jwapp/sys/wdkb/*default/index.do' } },
    '金智 emap',
    { application: ['emap', ''] },
  ],
  [
    'EAMS before 5',
    'https://jw.example.edu/eams/',
    { '/eams/': { text: '<form action="/eams/loginExt.action">' } },
    '树维 EAMS before 5',
    null,
  ],
  ['qingguo', 'https://jw.example.edu', { '/': { text: '<form action="cas/login.action">' } }, '青果', null],
  [
    'croypto',
    'https://sso.example.edu/login',
    { '/login': { text: '<p id="login-croypto">ASNFZ4mrze8=</p><input name="execution">' } },
    '联奕 login',
    { login: ['cas-croypto', ''] },
  ],
  [
    'tpass',
    'https://id.example.edu',
    { '/': { text: '<input name="rsa"><input name="ul"><input name="pl"><input name="lt"><input name="execution">' } },
    'tpass login',
    null,
  ],
  [
    'lyuapServer',
    'https://id.example.edu',
    { '/': { status: 302, location: '/lyuapServer/login' } },
    'lyuapServer login',
    null,
  ],
  [
    'Wengine',
    'https://webvpn.example.edu',
    { '/': { cookies: ['wengine_vpn_ticketexample=1; Path=/'] } },
    'Wengine VPN',
    null,
  ],
  [
    'old zhengfang',
    'https://jw.example.edu',
    { '/': { status: 302, location: '/default2.aspx' } },
    '正方 before jwglxt',
    null,
  ],
  [
    'a firewall',
    'https://jw.example.edu',
    { '/': { status: 412, text: "<script>$_ts=window['$_ts'];</script>" } },
    '瑞数 firewall',
    null,
  ],
])('%s', (_, address, pages, name, wanted) => {
  it('is told for sure, and drafted where a driver speaks with it', async () => {
    const { verdicts, drafts, told, asked } = await tell(address, pages, every);
    expect(verdicts).toHaveLength(1);
    expect([verdicts[0], told]).toEqual([expect.stringMatching(`^sure +${name}`), true]);
    expect(asked.length).toBeLessThanOrEqual(6);
    const [part, [driver, path]] = Object.entries(wanted ?? { none: ['', ''] })[0] as [string, [string, string]];
    if (wanted === null) return expect(drafts).toEqual([]);
    const drafted = { driver, url: `${new URL(address).origin}${path}` };
    const key = part === 'application' ? 'applications' : part;
    expect(drafts).toMatchObject([{ [key]: part === 'application' ? [drafted] : drafted }]);
  });

  it('is told without a draft while it has no driver', async () => {
    const { verdicts, drafts } = await tell(address, pages, new Set());
    expect([verdicts, drafts]).toEqual([[expect.stringContaining('no driver')], []]);
  });
});

describe('an address that shows no sure mark', () => {
  it('is asked six times at most, and told as unknown with what was seen', async () => {
    const { asked, lines, verdicts, told } = await tell('https://www.example.edu', {});
    expect(asked).toEqual([
      '/',
      '/jwglxt/xtgl/login_slogin.html',
      '/student/login-salt',
      '/jsxsd/',
      '/authserver/login',
      '/login',
    ]);
    expect(verdicts).toEqual(['unknown  no mark of a product that we know']);
    expect([told, lines[0]]).toEqual([false, 'asked    /: 404, Not Found']);
  });

  it('may be a CAS of either kind, and both are drafted', async () => {
    const { verdicts, drafts } = await tell('https://cas.example.edu/cas/login?service=x', {
      '/cas/login?service=x': { text: ticketPage },
    });
    expect(verdicts).toEqual([
      expect.stringMatching(/^likely +CAS with DES/),
      expect.stringMatching(/^likely +CAS without/),
    ]);
    const url = 'https://cas.example.edu/cas';
    expect(drafts.map((draft) => draft.login)).toEqual([
      { driver: 'cas', url },
      { driver: 'cas-plain', url },
    ]);
  });

  it.each([
    ['a page of text about logins', { text: '<p>用户名或密码错误 token execution of a plan, lt</p>' }],
    [
      'a page of everything that answers 200 everywhere',
      { text: '<html><title>欢迎</title><form><input name="username"></form>' },
    ],
    ['a short text', { text: 'ok' }],
    ['JSON', { text: '{"data":{"pubKey":"1"}}' }],
    ['nothing', { text: '' }],
  ])('is not told from %s', async (_, page) => {
    const { verdicts } = await tell('https://www.example.edu', { '/': page, '/login': page, '/jsxsd/': page });
    expect(verdicts).toEqual([expect.stringMatching(/^unknown/)]);
  });

  it('is named where a redirect leads, and never asked there', async () => {
    const { verdicts, asked } = await tell('https://jw.example.edu', {
      '/': { status: 302, location: 'https://cas.example.edu/cas/login?service=x' },
    });
    expect(verdicts).toEqual([
      'likely   the login is at https://cas.example.edu, detect it too',
      expect.stringMatching(/^unknown/),
    ]);
    expect(asked).toHaveLength(6);
  });

  it('is asked on when a page is silent, and not when the host is', async () => {
    expect((await tell('https://jw.example.edu', { '/': 'silent' })).asked).toHaveLength(6);
    const get: Probe['get'] = async () => ({ kind: 'no-answer', fault: 'not-sent', broke: 'proxy' });
    const { lines } = await detect(new URL('https://jw.example.edu'), { get }, driverNames);
    expect(lines).toEqual(['asked    /: not-sent, proxy', expect.stringMatching(/^unknown/)]);
  });
});

it('names two products that both show a sure mark, and drafts neither', async () => {
  const { verdicts, drafts } = await tell('https://jw.example.edu', { '/': { text: jwglxt + urp } }, every);
  expect([verdicts.length, drafts]).toEqual([2, []]);
});

it('asks first what the host is named for', async () => {
  expect((await tell('https://vpn.example.edu', {})).asked.slice(1, 3)).toEqual([
    '/por/login_auth.csp?apiversion=1',
    '/passport/v1/public/authConfig',
  ]);
  expect((await tell('https://sso.example.edu', {})).asked.slice(1, 3)).toEqual(['/authserver/login', '/login']);
});

it('prints what a page says in one short line, and drafts nothing that it says', async () => {
  const title = `a\n\u001b[31mb\u202e${'x'.repeat(500)}`;
  const location = `https://evil.example.edu/\u001b]0;x\u0007${'y'.repeat(500)}`;
  const { lines, drafts } = await tell('https://jw.example.edu', {
    '/': { status: 302, text: `<title>${title}</title>`, location, cookies: [`\u001b[2J${'z'.repeat(500)}=1`] },
    '/login': { text: `${urp}<title>evil</title>` },
  });
  expect(lines.filter((line) => /[\p{Cc}\p{Cf}]/u.test(line))).toEqual([]);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(420);
  expect(JSON.stringify(drafts)).not.toContain('evil');
});
