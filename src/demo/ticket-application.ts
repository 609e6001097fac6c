import type { CampusState, DemoUpstream } from './campus-state.ts';
import {
  type DemoCall,
  type DemoReply,
  type DemoRoute,
  HTML_TYPE,
  jsonBody,
  page,
  redirectTo,
  reply,
} from './exchange.ts';
import { newApplicationToken } from './ids.ts';
import { expire, forgetful } from './sessions.ts';
import { refuseHeaderMismatch } from './ssl-vpn/gateway.ts';
import { FRONT_ENDS, loginLocation, serviceOf } from './ssl-vpn/mapping.ts';
import type { DemoStudent } from './students.ts';

type TicketHandler = (call: DemoCall, student: DemoStudent) => DemoReply;

const invalidTicket = (state: CampusState): DemoReply => {
  switch (state.switches.invalidTicketAnswer) {
    case 'code':
      return jsonBody({ code: 401, msg: '登录已失效', data: null });
    case 'http-500':
      return reply(500, HTML_TYPE, '<html><head><title>Server Error</title></head><body></body></html>');
    case 'html':
      return page('重新登录', '<p>登录已失效</p>');
  }
};

export const success = (data: unknown, more: Readonly<Record<string, unknown>> = {}): DemoReply =>
  jsonBody({ code: 0, msg: '', data, ...more });

const whole = (text: string | null, otherwise: number): number => {
  const value = Number(text ?? otherwise);
  return Number.isInteger(value) && value > 0 ? value : otherwise;
};

/** The rows of the page that a call asks for, in its form or else in its query. After the last page: none. */
export const pageOf = <T>(call: DemoCall, all: readonly T[]): { rows: readonly T[]; index: number; size: number } => {
  const field = (name: string) => call.form.get(name) ?? call.query.get(name);
  const index = whole(field('pageIndex'), 1);
  const size = whole(field('pageSize'), 20);
  return { rows: all.slice((index - 1) * size, index * size), index, size };
};

/** The sign-in that activity score and labor club share: a service ticket buys a token, a header shows it. */
export abstract class TicketApplication implements DemoUpstream {
  abstract readonly routes: readonly DemoRoute[];
  readonly #state: CampusState;
  readonly #system: 'aac' | 'ldjlb';
  /** A new token leaves the older ones of the same student valid. */
  readonly #tokens = forgetful<{ readonly userid: string; readonly issuedAt: number }>();

  constructor(state: CampusState, system: 'aac' | 'ldjlb') {
    this.#state = state;
    this.#system = system;
  }

  protected get callback(): DemoRoute {
    return { method: 'GET', path: '/User/Index/CoreLoginCallback', handle: (call) => this.#enter(call) };
  }

  protected post(path: string, handler: TicketHandler): DemoRoute {
    const handle = (call: DemoCall): DemoReply => {
      const mismatch = refuseHeaderMismatch(this.#state, call);
      if (mismatch) return mismatch;
      const { clock, switches, students } = this.#state;
      const issued = this.#tokens.get(call.header('ticket') ?? '');
      const isAlive = issued && clock.now() - issued.issuedAt <= switches.applicationTicketSeconds * 1000;
      const student = isAlive ? students.get(issued.userid) : null;
      return student ? handler(call, student) : invalidTicket(this.#state);
    };
    return { method: 'POST', path, handle };
  }

  expire(userid: string): void {
    expire(this.#tokens, userid);
  }

  #enter(call: DemoCall): DemoReply {
    const service = serviceOf(this.#state, this.#system);
    const gateway = call.query.get('isCASGateway') === 'true';
    const userid = gateway ? this.#state.unifiedLogin.redeem(call.query.get('ticket'), service) : null;
    if (userid === null) return redirectTo(loginLocation(this.#state, service));
    const token = newApplicationToken();
    this.#tokens.set(token, { userid, issuedAt: this.#state.clock.now() });
    return redirectTo(`${FRONT_ENDS[this.#system]}/#/register?ticket=${encodeURIComponent(token)}`);
  }
}
