import type { CampusState, DemoUpstream } from './campus-state.ts';
import { type DemoCall, type DemoReply, errorPage, redirectTo } from './exchange.ts';
import { newSessionId } from './ids.ts';
import { bindingAnswer, bindingPage, errorContent, page, pickerAnswer, recordPage } from './isim-pages.ts';
import { originOf } from './mapping.ts';
import { FIXED_MOMENT } from './records/calendar.ts';
import { findBuilding, findFloor, findRoom } from './records/dormitories.ts';
import { recordsOf } from './records/meters.ts';
import { ServiceSessions } from './service-sessions.ts';

const IDLE_MS = 1_800_000;

interface Binding {
  room: string | null;
}

/** The electricity site. It has no sign-in: a portal session gets a session for any `openid`. */
export const createIsim = (state: CampusState): DemoUpstream => {
  const sessions = new ServiceSessions<Binding>(state.clock, IDLE_MS);
  const shownAt = (): number => (state.switches.datesMove ? state.clock.now() : FIXED_MOMENT);
  const strict = () => state.switches.electricityLiterals === 'json';
  const dead = (): DemoReply =>
    state.switches.electricityExpiry === 'page'
      ? page('错误', errorContent)
      : redirectTo(`${originOf(state, 'isim')}/error`);
  const enter = (call: DemoCall): DemoReply => {
    const owner = state.portal.owner(call.portalSession);
    if (!owner || !call.query.get('openid') || call.query.get('sn') !== 'sn') return errorPage(400, '参数错误');
    const id = newSessionId();
    sessions.open(id, owner, { room: null });
    return redirectTo(`${originOf(state, 'isim')}/home;jsessionid=${id}`, [`JSESSIONID=${id}; Path=/; HttpOnly`]);
  };
  const inSession =
    (handler: (call: DemoCall, binding: Binding) => DemoReply) =>
    (call: DemoCall): DemoReply => {
      const session = sessions.use(call.cookies.get('JSESSIONID'));
      return session ? handler(call, session.state) : dead();
    };
  const bind = ({ form }: DemoCall, binding: Binding): DemoReply => {
    const code = form.get('roomdm') ?? '';
    const wellFormed = form.get('sn') === 'sn' && form.get('mode') === 'u' && !!form.get('openid');
    if (!wellFormed || findRoom(code) === undefined) return bindingAnswer('', strict());
    binding.room = code;
    return bindingAnswer(form.get('room') || code, strict());
  };
  const records = ({ room }: Binding) => (room === null ? null : recordsOf(room, shownAt()));
  return {
    routes: [
      { method: 'GET', path: '/go', handle: enter },
      {
        method: 'GET',
        path: '/home;jsessionid=*',
        handle: (call) =>
          sessions.use(call.params[0]) ? page('电费查询', '<div class="content-block">欢迎</div>') : dead(),
      },
      { method: 'GET', path: '/about', handle: inSession(bindingPage) },
      {
        method: 'GET',
        path: '/about/floors/*',
        handle: inSession(({ params }) =>
          pickerAnswer(findBuilding(params[0] ?? '')?.floors, ['floordm', 'floorname'], strict()),
        ),
      },
      {
        method: 'GET',
        path: '/about/rooms/*',
        handle: inSession(({ params }) =>
          pickerAnswer(findFloor(params[0] ?? '')?.rooms, ['roomdm', 'roomname'], strict()),
        ),
      },
      { method: 'POST', path: '/about/rebinding', handle: inSession(bind) },
      {
        method: 'GET',
        path: '/use/record',
        handle: inSession((_call, binding) => {
          const shown = records(binding);
          return recordPage('用电记录', shown, shown?.usage ?? []);
        }),
      },
      {
        method: 'GET',
        path: '/pay/record',
        handle: inSession((_call, binding) => {
          const shown = records(binding);
          return recordPage('充值记录', shown, shown?.payments ?? []);
        }),
      },
      { method: 'GET', path: '/error', handle: () => page('错误', errorContent) },
    ],
    expire: (userid) => sessions.expire(userid),
  };
};
