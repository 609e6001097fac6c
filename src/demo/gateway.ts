import type { CampusState } from './campus-state.ts';
import { type DemoCall, type DemoReply, HTML_TYPE, htmlPage, reply } from './exchange.ts';
import { originOf } from './mapping.ts';

/** The redirect that a dead portal session meets: port 443 by name, wherever the portal really listens. */
export const portalRedirect = (state: CampusState, call: DemoCall): DemoReply => {
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
export const portalPage = (): DemoReply =>
  htmlPage(`<!DOCTYPE html>
<html><head><title>SSL VPN</title><script>var g_lines = []; var selectline_timeout = 3000;</script></head>
<body><noscript>Your browser does not support JavaScript</noscript>
<div class="sangfor-main"><form action="/por/login_psw.csp"><input name="svpn_name"></form>
<script src="/por/login_auth.csp"></script></div></body></html>
`);

const expired = (state: CampusState, call: DemoCall): DemoReply => {
  if (state.switches.expiryStyle === 'page') return portalPage();
  if (state.switches.expiryStyle === 'empty') return reply(200, HTML_TYPE, '');
  return portalRedirect(state, call);
};

/** What the gateway answers in place of a mapped host; null lets the request through. */
export const refuseAtGateway = (state: CampusState, call: DemoCall): DemoReply | null => {
  if (call.system === 'vpn') return null;
  const alive = state.portal.touch(call.twfid);
  if (alive || (call.system === 'cas' && state.switches.lenientCas)) return null;
  return expired(state, call);
};

/** A single-page application repeats its TWFID in a header; another value there is as good as a dead portal session. */
export const refuseHeaderMismatch = (state: CampusState, call: DemoCall): DemoReply | null =>
  call.header('sdp-app-session') === call.twfid ? null : expired(state, call);
