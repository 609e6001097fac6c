import type { CampusState } from '../campus-state.ts';
import { type DemoCall, type DemoReply, escapeHtml, page, withCookies } from '../exchange.ts';
import { croyptoPage, newCroyptoKey } from './croypto.ts';

const tip = {
  fresh: '<div id="tipMsg"></div>',
  refused:
    '<div id="tipMsg" class="errors">用户名或密码错误 <span lang="en">Invalid username or password.</span></div>',
  misread: '<div id="tipMsg" class="errors">验证码错误</div>',
} as const;

const captcha =
  '<img id="captchaImg" src="/cas/captcha?r=1"> <input id="captcha" name="captchaResponse" type="text">\n  ';

const phoneForm = `<form id="phone" action="/cas/mobile" style="display:none">
  <input name="mobile" type="text"><input name="captchaResponse" type="text">
  <input type="hidden" name="lt" value="LT-of-phones" /><input type="hidden" name="execution" value="phone" />
</form>
`;
const salt = '<input type="hidden" id="pwdEncryptSalt" value="Qw3rTyKp8sDfGh2J" />\n  ';

export const loginPage = (
  state: CampusState,
  call: DemoCall,
  service: string | null,
  kind: keyof typeof tip = 'fresh',
): DemoReply => {
  const { unifiedLoginWords: words } = state.switches;
  const said = kind === 'refused' && words ? `<div id="msg" class="errors">${words.text}</div>` : tip[kind];
  const sent = call.system === 'cas' ? (call.cookies.get('JSESSIONID') ?? null) : null;
  const { unifiedLoginCroypto: cipher } = state.switches;
  const key = cipher === null ? undefined : newCroyptoKey(cipher);
  const { lt, execution, sessionId } = state.unifiedLogin.page(sent, key);
  const action = service === null ? '/cas/login' : `/cas/login?service=${encodeURIComponent(service)}`;
  const shown = page(
    'Unified Login',
    key !== undefined
      ? croyptoPage(key, execution, said)
      : `${state.switches.unifiedLoginForms === 'two' ? phoneForm : ''}<form id="fm1" action="${escapeHtml(action)}" method="post">
  <input id="username" name="username" type="text">
  <input id="password" name="password" type="password">
  ${state.switches.unifiedLoginCaptcha ? captcha : ''}${state.switches.unifiedLoginSalt ? salt : ''}${said}
  <input type="hidden" name="lt" value="${lt}" />
  <input type="hidden" name="execution" value="${execution}" />
  <input type="hidden" name="_eventId" value="submit" />
</form>`,
  );
  // Shown by another host, the page must not overwrite that host's cookie of the same name.
  return sessionId === sent || call.system !== 'cas'
    ? shown
    : withCookies(shown, [`JSESSIONID=${sessionId}; Path=/cas; HttpOnly`]);
};
