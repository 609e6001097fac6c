import type { DemoPortal, PortalState } from '../campus-state.ts';
import { captchaImage, captchaText } from '../captcha-image.ts';
import {
  type DemoCall,
  type DemoReply,
  type DemoRoute,
  htmlPage,
  redirectTo,
  reply,
  withCookies,
} from '../exchange.ts';
import { newTwfid } from '../ids.ts';
import type { DemoCampusSwitches } from '../types.ts';
import { originOf } from './mapping.ts';
import { refusal, SecondSteps, secondStep, sessionGone, twfidCookie, xml } from './second-steps.ts';

export const PORTAL_ANSWERS = {
  badCredentials: xml(
    '<Auth><Result>0</Result><ErrorCode>20004</ErrorCode><Message><![CDATA[Invalid username or password!]]></Message><Note><![CDATA[Invalid username or password!]]></Note></Auth>',
  ),
  attacked: refusal(20041, 'maybe attacked'),
  captcha: refusal(20023, 'CAPTCHA required', '<RndImg>1</RndImg>'),
  refused: refusal(20113, 'not allow to login now', '<Note><![CDATA[Server forbidden access!]]></Note>'),
  captchaWrong: xml(
    '<Auth><Result>0</Result><ErrorCode>20043</ErrorCode><Note><![CDATA[校验码错误或校验码已过期]]></Note></Auth>',
  ),
} as const;

/** Says no with a text and without a number. */
const inWords = (text: string): DemoReply =>
  xml(`<Auth><Result>0</Result><CurAuth>1</CurAuth><NextAuth>-1</NextAuth><Note><![CDATA[${text}]]></Note></Auth>`);

const captchaWords = {
  English: {
    wanted: inWords('Please enter the characters in the image'),
    wrong: inWords('The characters are incorrect or has expired!'),
  },
  Chinese: { wanted: inWords('请输入校验码'), wrong: inWords('校验码错误或校验码已过期') },
  number: { wanted: PORTAL_ANSWERS.captcha, wrong: PORTAL_ANSWERS.captchaWrong },
} as const;

const policy = {
  number: refusal(20048, 'No virtual portal access'),
  English: inWords('It fails to comply with the login policy. Access was denied!'),
  Chinese: inWords('不符合登录策略，拒绝访问！'),
} as const;

/** The redirect that a dead portal session meets: port 443 by name, wherever the portal actually listens. */
const portalRedirect = (state: PortalState, call: DemoCall): DemoReply => {
  const host = new URL(state.wiring.vpnUrl).hostname;
  const wanted = `${originOf(state, call.system)}${call.target}`;
  return {
    status: 302,
    headers: {
      Server: 'Sangine',
      Location: `https://${host}:443/?redirect_uri=${encodeURIComponent(wanted)}`,
      'Content-Type': 'text/html',
    },
    body: `<html>
<head><title>302 Found</title></head>
<body><center><h1>302 Found</h1></center><hr><center>Sangine</center></body>
</html>
`,
  };
};

const portalPage = (): DemoReply =>
  htmlPage(`<!DOCTYPE html>
<html><head><title>SSL VPN</title><script>var g_lines = []; var selectline_timeout = 3000;</script></head>
<body><noscript>Your browser does not support JavaScript</noscript>
<div class="sangfor-main"><form action="/por/login_psw.csp"><input name="svpn_name"></form>
<script src="/por/login_auth.csp"></script></div></body></html>
`);

const FIELDS = ['svpn_rand_code', 'mitm', 'svpn_req_randcode', 'svpn_name', 'svpn_password'] as const;

const FAILURES = 3;

/** Whether a password is taken only with the text of an image; `announced`: the challenge says so. */
const wantsImage = ({ portal, switches }: PortalState, when: 'announced' | 'ever'): boolean => {
  if (switches.captcha === 'after-3-failures') return portal.failures >= FAILURES;
  return switches.captcha === 'always' || (switches.captcha === 'unannounced' && when === 'ever');
};

/** A new image each time; the one before is dead then. */
const image = (state: PortalState, call: DemoCall): DemoReply => {
  const { captchaImage: kind } = state.switches;
  if (kind === 'html') return htmlPage('<html><body>error</body></html>');
  const text = captchaText();
  if (call.portalSession !== null) state.portal.shows(call.portalSession, text);
  state.onMessage?.({ at: state.clock.now(), path: call.path, userid: '', phone: 'image', text });
  const bytes = captchaImage(text);
  return reply(
    200,
    'application/octet-stream',
    kind === 'huge' ? Buffer.concat([bytes, Buffer.alloc(400_000)]) : bytes,
  );
};

const challenge = async (state: PortalState, call: DemoCall): Promise<DemoReply> => {
  // Without the version the gateway speaks to browsers.
  if (call.query.get('apiversion') !== '1') return portalPage();
  const { modulusHex, exponent } = await state.portalKey();
  const { twfid, code } = state.portal.challenge();
  const { omitCsrf, omitExponent } = state.switches;
  const lines = [
    '<ErrorCode>1</ErrorCode>',
    '<Message><![CDATA[login auth success]]></Message>',
    '<StartAuth>1</StartAuth>',
    `<TwfID>${twfid}</TwfID>`,
    `<RndImg>${wantsImage(state, 'announced') ? 1 : 0}</RndImg>`,
    ...(omitCsrf ? [] : [`<CSRF_RAND_CODE>${code}</CSRF_RAND_CODE>`]),
    `<RSA_ENCRYPT_KEY>${modulusHex}</RSA_ENCRYPT_KEY>`,
    ...(omitExponent ? [] : [`<RSA_ENCRYPT_EXP>${exponent}</RSA_ENCRYPT_EXP>`]),
  ];
  const body = `<Auth>\n${lines.map((line) => `\t${line}`).join('\n')}\n</Auth>`;
  return withCookies(xml(body), [twfidCookie(state, twfid)]);
};

/** The password in the message, when it carries the code of this challenge. */
const passwordIn = async (state: PortalState, call: DemoCall, code: string): Promise<string | null> => {
  const key = await state.portalKey();
  const message = key.decrypt(call.form.get('svpn_password') ?? '');
  if (message === null) return null;
  const announced = call.form.get('svpn_req_randcode');
  if (state.switches.omitCsrf) return announced === '' ? message : null;
  const cut = message.lastIndexOf('_');
  return cut >= 0 && announced === code && message.slice(cut + 1) === code ? message.slice(0, cut) : null;
};

const nextAuth = ({ plainNextAuth }: DemoCampusSwitches): string[] =>
  plainNextAuth === 'absent' ? [] : [`<NextAuth>${plainNextAuth.split(' ', 1)[0]}</NextAuth>`];

const accept = (
  state: PortalState,
  steps: SecondSteps,
  { path, userid: name }: DemoCall,
  { twfid, code }: { readonly twfid: string; readonly code: string },
): DemoReply => {
  const userid = name ?? '';
  const { switches, portal, students } = state;
  portal.noteSuccess(userid);
  const named = switches.rotateTwfid ? newTwfid() : twfid;
  const kind = students.get(userid)?.secondFactor ?? 'none';
  const isWhole =
    kind === 'none' &&
    switches.portalHolds &&
    switches.plainNextAuth !== '0 half' &&
    switches.alreadyLoggedIn !== 'half';
  const ids = new Set([twfid, named]);
  for (const id of ids) portal.open(id, userid, isWhole);
  if (kind !== 'none') {
    steps.begin(ids, userid, kind, path);
    return withCookies(secondStep(kind, switches.secondFactorForm), [twfidCookie(state, twfid)]);
  }
  const already = switches.alreadyLoggedIn !== 'off';
  const lines = [
    '<LBEnabled>0</LBEnabled>',
    `<Message><![CDATA[${already ? 'user had logged in' : 'password auth success'}]]></Message>`,
    '<Result>1</Result>',
    `<TwfID>${named}</TwfID>`,
    '<pwpErrorCode>0</pwpErrorCode>',
    `<ErrorCode>${already ? '20021' : '1'}</ErrorCode>`,
    '<CurAuth>1</CurAuth>',
    ...nextAuth(switches),
    ...(switches.omitCsrf ? [] : [`<CSRF_RAND_CODE>${code}</CSRF_RAND_CODE>`]),
    '<AuthInfo><![CDATA[]]></AuthInfo>',
  ];
  const body = `<Auth>\n${lines.map((line) => `\t${line}`).join('\n')}\n</Auth>`;
  return withCookies(xml(body), [twfidCookie(state, named)]);
};

const credentials = async (state: PortalState, steps: SecondSteps, call: DemoCall): Promise<DemoReply> => {
  if (call.query.get('type') !== 'cs') return portalPage();
  const asClient = call.query.get('anti_replay') === '1' && call.query.get('encrypt') === '1';
  if (!asClient || FIELDS.some((field) => !call.form.has(field)) || call.portalSession === null)
    return PORTAL_ANSWERS.refused;
  const code = state.portal.spend(call.portalSession);
  if (code === null) return PORTAL_ANSWERS.refused;
  const name = call.userid ?? '';
  if (state.portal.isLocked(name)) return PORTAL_ANSWERS.attacked;
  if (wantsImage(state, 'ever')) {
    const typed = call.form.get('svpn_rand_code') ?? '';
    const words = captchaWords[state.switches.captchaWords];
    if (typed === '') return words.wanted;
    if (typed !== state.portal.findShown(call.portalSession)) return words.wrong;
  }
  const password = await passwordIn(state, call, code);
  if (password === null) return PORTAL_ANSWERS.refused;
  const student = state.students.get(name);
  if (!student || student.vpnPassword !== password) {
    state.portal.noteFailure(name);
    return PORTAL_ANSWERS.badCredentials;
  }
  if (state.switches.loginPolicy !== 'off') return policy[state.switches.loginPolicy];
  return accept(state, steps, call, { twfid: call.portalSession, code });
};

export class SslVpn implements DemoPortal {
  readonly cookie = 'TWFID';
  readonly login = { path: '/por/login_psw.csp', nameField: 'svpn_name' };
  readonly routes: readonly DemoRoute[];
  readonly #state: PortalState;
  readonly #steps: SecondSteps;

  constructor(state: PortalState) {
    this.#state = state;
    const steps = new SecondSteps(state);
    this.#steps = steps;
    const isAlive = ({ portalSession }: DemoCall): boolean => state.portal.touch(portalSession);
    const version = xml('<Conf><Version>7.6.8</Version></Conf>');
    const resources = htmlPage(
      '<!DOCTYPE html>\n<html><head><title>Resources</title></head><body><ul></ul></body></html>\n',
    );
    const entrance = redirectTo(`${state.wiring.vpnUrl}/`);
    this.routes = [
      { method: 'GET', path: '/', handle: () => portalPage() },
      { method: 'GET', path: '/por/login_auth.csp', handle: (call) => challenge(state, call) },
      { method: 'POST', path: '/por/login_psw.csp', handle: (call) => credentials(state, steps, call) },
      { method: 'GET', path: '/por/rand_code.csp', handle: (call) => image(state, call) },
      ...steps.routes,
      { method: 'GET', path: '/por/conf.csp', handle: (call) => (isAlive(call) ? version : sessionGone) },
      { method: 'GET', path: '/por/index.csp', handle: (call) => (isAlive(call) ? resources : entrance) },
    ];
  }

  answerExpired(call: DemoCall, style: 'redirect' | 'page'): DemoReply {
    return style === 'page' ? portalPage() : portalRedirect(this.#state, call);
  }

  expire(userid: string): void {
    this.#state.portal.expire(userid);
  }

  totp(userid: string): string {
    return this.#steps.totp(userid);
  }
}
