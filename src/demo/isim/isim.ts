import type { CampusState, DemoUpstream } from '../campus-state.ts';
import { type DemoCall, type DemoReply, type DemoRoute, errorPage, page, redirectTo } from '../exchange.ts';
import { newSessionId } from '../ids.ts';
import { FIXED_MOMENT } from '../records/calendar.ts';
import { findBuilding, findFloor, findRoom } from '../records/dormitories.ts';
import { recordsOf } from '../records/meters.ts';
import { CookieSessions } from '../sessions.ts';
import { originOf } from '../ssl-vpn/mapping.ts';
import { bindingAnswer, bindingPage, errorContent, pickerAnswer, recordPage } from './pages.ts';

const IDLE_MS = 1_800_000;

interface Binding {
  room: string | null;
}

/** The electricity site. It has no sign-in: a portal session gets a session for any `openid`. */
export class Electricity implements DemoUpstream {
  readonly #state: CampusState;
  readonly #sessions: CookieSessions<Binding>;
  readonly routes: readonly DemoRoute[];

  constructor(state: CampusState) {
    this.#state = state;
    this.#sessions = new CookieSessions(state.clock, 'JSESSIONID', IDLE_MS);
    const welcome = page('电费查询', '<div class="content-block">欢迎</div>');
    this.routes = [
      { method: 'GET', path: '/go', handle: (call) => this.#enter(call) },
      {
        method: 'GET',
        path: '/home;jsessionid=*',
        handle: ({ params }) => (this.#sessions.at(params[0]) ? welcome : this.#dead()),
      },
      this.#inSession('GET', '/about', bindingPage),
      this.#inSession('GET', '/about/floors/*', ({ params: [code = ''] }) =>
        pickerAnswer(findBuilding(code)?.floors, ['floordm', 'floorname'], this.#isStrict()),
      ),
      this.#inSession('GET', '/about/rooms/*', ({ params: [code = ''] }) =>
        pickerAnswer(findFloor(code)?.rooms, ['roomdm', 'roomname'], this.#isStrict()),
      ),
      this.#inSession('POST', '/about/rebinding', (call, binding) => this.#bind(call, binding)),
      this.#inSession('GET', '/use/record', (_call, binding) => this.#records('用电记录', 'usage', binding)),
      this.#inSession('GET', '/pay/record', (_call, binding) => this.#records('充值记录', 'payments', binding)),
      { method: 'GET', path: '/error', handle: () => page('错误', errorContent) },
    ];
  }

  expire(userid: string): void {
    this.#sessions.expire(userid);
  }

  #isStrict(): boolean {
    return this.#state.switches.electricityLiterals === 'json';
  }

  #dead(): DemoReply {
    return this.#state.switches.electricityExpiry === 'page'
      ? page('错误', errorContent)
      : redirectTo(`${originOf(this.#state, 'isim')}/error`);
  }

  #enter(call: DemoCall): DemoReply {
    const owner = this.#state.portal.owner(call.portalSession);
    if (!owner || !call.query.get('openid') || call.query.get('sn') !== 'sn') return errorPage(400, '参数错误');
    const id = newSessionId();
    return this.#sessions.open(owner, { room: null }, `${originOf(this.#state, 'isim')}/home;jsessionid=${id}`, id);
  }

  #inSession(
    method: DemoRoute['method'],
    path: string,
    handler: (call: DemoCall, binding: Binding) => DemoReply,
  ): DemoRoute {
    const handle = (call: DemoCall): DemoReply => {
      const session = this.#sessions.of(call);
      return session ? handler(call, session.state) : this.#dead();
    };
    return { method, path, handle };
  }

  #bind({ form }: DemoCall, binding: Binding): DemoReply {
    const code = form.get('roomdm') ?? '';
    const wellFormed = form.get('sn') === 'sn' && form.get('mode') === 'u' && !!form.get('openid');
    if (!wellFormed || findRoom(code) === undefined) return bindingAnswer('', this.#isStrict());
    binding.room = code;
    return bindingAnswer(form.get('room') || code, this.#isStrict());
  }

  #records(title: string, kind: 'usage' | 'payments', { room }: Binding): DemoReply {
    const { clock, switches } = this.#state;
    const shown = room === null ? null : recordsOf(room, switches.datesMove ? clock.now() : FIXED_MOMENT);
    return recordPage(title, shown, shown?.[kind] ?? []);
  }
}
