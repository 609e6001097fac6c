import type { CampusState } from './campus-state.ts';
import { loginPage } from './cas/login-page.ts';
import { type DemoCall, type DemoReply, HTML_TYPE, page, redirectTo, reply } from './exchange.ts';
import { loginLocation, originOf, serviceOf } from './ssl-vpn/mapping.ts';
import { secondStep } from './ssl-vpn/second-steps.ts';
import { PORTAL_ANSWERS } from './ssl-vpn/vpn.ts';
import type { DemoFault, DemoPortalMarker } from './types.ts';

/** Each shows one marker of a dead portal session and no other. */
const markerPages: Readonly<Record<DemoPortalMarker, DemoReply>> = {
  svpn_name: page('SSL', '<form><input name="svpn_name"></form>'),
  g_lines: page('SSL', '<script>var g_lines = [];</script>'),
};

const unrelatedPage = page('系统维护', '<p>系统维护中，请稍后再试。</p>');

/** The answers that need nothing of the campus but the requested address; null for other faults. */
export const plainAnswer = (fault: DemoFault, address: string): DemoReply | null => {
  switch (fault.kind) {
    case 'status':
      return reply(fault.status, HTML_TYPE, fault.body ?? `<html><body><h1>Error ${fault.status}</h1></body></html>`);
    case 'empty':
      return reply(200, HTML_TYPE, '');
    case 'html':
      return unrelatedPage;
    case 'body':
      return reply(fault.status ?? 200, fault.type ?? HTML_TYPE, fault.body);
    case 'redirect-loop':
      return redirectTo(address);
    case 'redirect-away':
      return redirectTo('http://elsewhere.invalid/');
    case 'redirect-nowhere':
      return { status: 302, headers: {}, body: '' };
    default:
      return null;
  }
};

/** The answer in place of the real one; null for faults that let the real handler run. */
export const answerInstead = (state: CampusState, call: DemoCall, fault: DemoFault): DemoReply | null => {
  switch (fault.kind) {
    case 'login-redirect':
      return redirectTo(loginLocation(state, serviceOf(state, call.system)));
    case 'login-page':
      return loginPage(state, call, serviceOf(state, call.system));
    case 'portal-redirect':
      return state.gate.answerExpired(call, 'redirect');
    case 'portal-page':
      return markerPages[fault.marker];
    case 'captcha':
      return PORTAL_ANSWERS.captcha;
    case 'attacked':
      return PORTAL_ANSWERS.attacked;
    case 'second-factor':
      return secondStep('sms', fault.form ?? 'result-2');
    default:
      return plainAnswer(fault, `${originOf(state, call.system)}${call.target}`);
  }
};
