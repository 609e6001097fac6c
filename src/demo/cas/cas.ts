import type { CampusState, DemoUpstream } from '../campus-state.ts';
import { captchaImage, captchaText } from '../captcha-image.ts';
import { decryptDes } from '../crypto.ts';
import { type DemoCall, type DemoReply, htmlPage, page, redirectTo, reply, withCookies } from '../exchange.ts';
import { originOf, systemOfService, ticketLocation } from '../ssl-vpn/mapping.ts';
import { readCroyptoForm, type SubmittedLogin } from './croypto.ts';
import { loginPage } from './login-page.ts';

const notice = (text: string): DemoReply => page('Unified Login', `<h2>${text}</h2>`);

/** Its script holds the words of a refusal, as scripts for all pages do. */
const stepPage = htmlPage(`<!DOCTYPE html>
<html><head><meta charset="UTF-8"><title>Unified Login</title><script>var texts = ['用户名或密码错误', '验证码错误'];</script></head>
<body><form id="fm2" method="post">
  <input type="text" name="token" autocomplete="one-time-code">
  <input type="hidden" name="execution" value="e1s2" />
  <input type="hidden" name="_eventId" value="submit" />
</form></body></html>
`);

/** Demands a new password, and says so in its title alone. */
const changePage = htmlPage(`<!DOCTYPE html>
<html><head><meta charset="UTF-8"><title>修改密码</title></head>
<body><form id="fm3" method="post">
  <input type="password" name="newPassword"><input type="password" name="confirmedPassword">
  <input type="hidden" name="execution" value="e1s2" />
  <input type="hidden" name="_eventId" value="submit" />
</form></body></html>
`);

const goOn = (state: CampusState, userid: string, service: string | null, cookies: readonly string[]): DemoReply => {
  if (service === null) return withCookies(notice('登录成功'), cookies);
  const system = systemOfService(state, service);
  if (!system) return notice('未认证授权的服务');
  const ticket = state.unifiedLogin.issue(userid, service);
  return redirectTo(ticketLocation(state, system, service, ticket), cookies);
};

const show = (state: CampusState, call: DemoCall): DemoReply => {
  const service = call.query.get('service');
  if (service !== null && !systemOfService(state, service)) return notice('未认证授权的服务');
  const knows = state.switches.unifiedLoginKnows;
  const renews = call.query.get('renew') === 'true';
  const known = knows !== null && !(renews && knows.heedsRenew) ? knows.userid : null;
  const userid = (renews ? null : state.unifiedLogin.findSignedIn(call.cookies.get('CASTGC'))) ?? known;
  return userid ? goOn(state, userid, service, []) : loginPage(state, call, service);
};

/** Null: the form is incomplete. */
const readForm = ({ form }: DemoCall): SubmittedLogin | null => {
  const field = (name: string): string => form.get(name) ?? '';
  if (field('_eventId') !== 'submit' || field('username') === '' || !form.has('password')) return null;
  const lt = field('lt');
  return { lt, execution: field('execution'), userid: field('username'), password: decryptDes(field('password'), lt) };
};

const signIn = (state: CampusState, call: DemoCall): DemoReply => {
  const service = call.query.get('service');
  const sent = state.switches.unifiedLoginCroypto === null ? readForm(call) : readCroyptoForm(call);
  const { lt = call.form.get('lt') ?? '', execution = '' } = sent ?? {};
  const fresh = state.unifiedLogin.spend(lt, execution, call.cookies.get('JSESSIONID') ?? null);
  // An incomplete form, or one whose page is spent, gets a new page without an error.
  if (!fresh || sent === null) return loginPage(state, call, service);
  const student = state.students.get(sent.userid);
  const { password } = sent;
  if (
    state.switches.unifiedLoginCaptcha &&
    !state.unifiedLogin.isShown(call.cookies.get('JSESSIONID'), call.form.get('captchaResponse') ?? '')
  ) {
    return loginPage(state, call, service, 'misread');
  }
  if (!student || password === null || password !== student.password) return loginPage(state, call, service, 'refused');
  const { unifiedLoginWords, unifiedLoginChange } = state.switches;
  if (unifiedLoginWords?.also === 'right') return loginPage(state, call, service, 'refused');
  if (unifiedLoginChange === 'redirect') return redirectTo(`${originOf(state, 'cas')}/cas/changePassword?first=true`);
  if (unifiedLoginChange === 'page') return changePage;
  if (state.switches.unifiedLoginStep) return stepPage;
  const cookie = state.unifiedLogin.signIn(student.userid);
  return goOn(state, student.userid, service, [`CASTGC=${cookie}; Path=/cas; HttpOnly`]);
};

/** A new image for the browser session; the one before is dead then. */
const showImage = (state: CampusState, call: DemoCall): DemoReply => {
  const text = captchaText();
  state.unifiedLogin.shows(call.cookies.get('JSESSIONID'), text);
  state.onMessage?.({ at: state.clock.now(), path: call.path, userid: '', phone: 'image', text });
  return reply(200, 'image/png', captchaImage(text));
};

export const createCas = (state: CampusState): DemoUpstream => ({
  routes: [
    { method: 'GET', path: '/cas/login', handle: (call) => show(state, call) },
    { method: 'POST', path: '/cas/login', handle: (call) => signIn(state, call) },
    { method: 'GET', path: '/cas/captcha', handle: (call) => showImage(state, call) },
  ],
  expire: (userid) => state.unifiedLogin.expire(userid),
});
