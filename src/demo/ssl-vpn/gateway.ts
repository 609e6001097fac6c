import type { CampusState } from '../campus-state.ts';
import { type DemoCall, type DemoReply, HTML_TYPE, reply } from '../exchange.ts';

const refusal = (state: CampusState, call: DemoCall): DemoReply => {
  const { expiryStyle } = state.switches;
  return expiryStyle === 'empty' ? reply(200, HTML_TYPE, '') : state.gate.answerExpired(call, expiryStyle);
};

/** Null lets the request through. */
export const refuseAtGateway = (state: CampusState, call: DemoCall): DemoReply | null => {
  if (call.system === 'vpn') return null;
  const alive = state.portal.touch(call.portalSession);
  if (alive || (call.system === 'cas' && state.switches.lenientCas)) return null;
  return refusal(state, call);
};

/** A single-page application repeats the session id in a header; another value there counts as a dead session. */
export const refuseHeaderMismatch = (state: CampusState, call: DemoCall): DemoReply | null =>
  call.header('sdp-app-session') === call.portalSession ? null : refusal(state, call);
