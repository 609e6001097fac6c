import type { DemoPortal, PortalState } from './campus-state.ts';
import { type DemoCall, type DemoReply, htmlPage, redirectTo, reply, withCookies } from './exchange.ts';
import { newTwfid } from './ids.ts';
import { originOf } from './mapping.ts';

const XML_TYPE = 'text/xml;charset=UTF-8';
const xml = (body: string): DemoReply => reply(200, XML_TYPE, `<?xml version="1.0" encoding="utf-8"?>\n${body}\n`);

export const PORTAL_ANSWERS = {
  badCredentials: xml(
    '<Auth><Result>0</Result><ErrorCode>20004</ErrorCode><Message><![CDATA[Invalid username or password!]]></Message><Note><![CDATA[Invalid username or password!]]></Note></Auth>',
  ),
  attacked: xml(
    '<Auth><Result>0</Result><ErrorCode>20021</ErrorCode><Message><![CDATA[maybe attacked]]></Message></Auth>',
  ),
  captcha: xml(
    '<Auth><Result>0</Result><ErrorCode>20023</ErrorCode><RndImg>1</RndImg><Message><![CDATA[CAPTCHA required]]></Message></Auth>',
  ),
  refused: xml(
    '<Auth><Result>0</Result><ErrorCode>20113</ErrorCode><Note><![CDATA[Server forbidden access!]]></Note><Message><![CDATA[not allow to login now]]></Message></Auth>',
  ),
  secondFactor: xml(
    '<Auth><Result>2</Result><ErrorCode>2</ErrorCode><NextAuth>2</NextAuth><NextService><![CDATA[auth/sms]]></NextService><Message><![CDATA[second authentication required]]></Message></Auth>',
  ),
} as const;

/** The redirect that a dead portal session meets: port 443 by name, wherever the portal really listens. */
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

/** The same news as a page with status 200. */
const portalPage = (): DemoReply =>
  htmlPage(`<!DOCTYPE html>
<html><head><title>SSL VPN</title><script>var g_lines = []; var selectline_timeout = 3000;</script></head>
<body><noscript>Your browser does not support JavaScript</noscript>
<div class="sangfor-main"><form action="/por/login_psw.csp"><input name="svpn_name"></form>
<script src="/por/login_auth.csp"></script></div></body></html>
`);

const FIELDS = ['svpn_rand_code', 'mitm', 'svpn_req_randcode', 'svpn_name', 'svpn_password'] as const;

const twfidCookie = (state: PortalState, twfid: string): string =>
  `TWFID=${twfid}; Path=/; Domain=${state.wiring.vpnDomain}; HttpOnly`;

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
    '<RndImg>0</RndImg>',
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

const accepted = (state: PortalState, twfid: string, code: string, userid: string): DemoReply => {
  state.portal.succeeded(userid);
  state.portal.open(twfid, userid);
  const named = state.switches.rotateTwfid ? newTwfid() : twfid;
  if (named !== twfid) state.portal.open(named, userid);
  const lines = [
    '<LBEnabled>0</LBEnabled>',
    '<Message><![CDATA[password auth success]]></Message>',
    '<Result>1</Result>',
    `<TwfID>${named}</TwfID>`,
    '<pwpErrorCode>0</pwpErrorCode>',
    '<ErrorCode>1</ErrorCode>',
    '<CurAuth>1</CurAuth>',
    '<NextAuth>-1</NextAuth>',
    ...(state.switches.omitCsrf ? [] : [`<CSRF_RAND_CODE>${code}</CSRF_RAND_CODE>`]),
    '<AuthInfo><![CDATA[]]></AuthInfo>',
  ];
  const body = `<Auth>\n${lines.map((line) => `\t${line}`).join('\n')}\n</Auth>`;
  return withCookies(xml(body), [twfidCookie(state, named)]);
};

const credentials = async (state: PortalState, call: DemoCall): Promise<DemoReply> => {
  if (call.query.get('type') !== 'cs') return portalPage();
  const asClient = call.query.get('anti_replay') === '1' && call.query.get('encrypt') === '1';
  if (!asClient || FIELDS.some((field) => !call.form.has(field)) || call.portalSession === null)
    return PORTAL_ANSWERS.refused;
  const code = state.portal.spend(call.portalSession);
  if (code === null) return PORTAL_ANSWERS.refused;
  const name = call.userid ?? '';
  if (state.portal.locked(name)) return PORTAL_ANSWERS.attacked;
  const password = await passwordIn(state, call, code);
  if (password === null) return PORTAL_ANSWERS.refused;
  const student = state.students.get(name);
  if (!student || student.vpnPassword !== password) {
    state.portal.failed(name);
    return PORTAL_ANSWERS.badCredentials;
  }
  return accepted(state, call.portalSession, code, name);
};

/** The SSL-VPN portal. */
export const createVpn = (state: PortalState): DemoPortal => ({
  cookie: 'TWFID',
  login: { path: '/por/login_psw.csp', nameField: 'svpn_name' },
  expired: (call, style) => (style === 'page' ? portalPage() : portalRedirect(state, call)),
  routes: [
    { method: 'GET', path: '/', handle: () => portalPage() },
    { method: 'GET', path: '/por/login_auth.csp', handle: (call) => challenge(state, call) },
    { method: 'POST', path: '/por/login_psw.csp', handle: (call) => credentials(state, call) },
    {
      method: 'GET',
      path: '/por/index.csp',
      handle: (call) =>
        state.portal.touch(call.portalSession)
          ? htmlPage('<!DOCTYPE html>\n<html><head><title>Resources</title></head><body><ul></ul></body></html>\n')
          : redirectTo(`${state.wiring.vpnUrl}/`),
    },
  ],
  expire: (userid) => state.portal.expire(userid),
});
