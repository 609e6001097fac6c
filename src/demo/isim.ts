import type { CampusState, DemoUpstream } from './campus-state.ts';
import { type DemoCall, type DemoHandler, type DemoReply, errorPage, htmlPage, redirectTo } from './exchange.ts';
import { newSessionId } from './ids.ts';
import { originOf } from './mapping.ts';
import { ServiceSessions } from './service-sessions.ts';

const IDLE_MS = 1_800_000;

const page = (title: string, body: string): DemoReply =>
  htmlPage(
    `<!DOCTYPE html><html><head><meta charset="utf-8"><title>${title}</title></head><body>\n${body}\n</body></html>\n`,
  );

const bindingPage = (): DemoReply =>
  page(
    '房间绑定',
    `<div class="list-block"><ul><li><div class="item-content"><div class="item-input">
  <input type="text" id="pickerBuilding" readonly placeholder="请选择"></div></div></li></ul></div>
<script type="text/javascript">
  var pickerBuilding = myApp.picker({
    input: '#pickerBuilding', cols: [{ textAlign: 'center',
      values: ["", "11", "01", "02"],
      displayValues: ["请选择", "竹园11号学生公寓", "松园1号学生公寓", "松园2号学生公寓"] }]
  });
</script>`,
  );

/** The electricity site. It asks nobody to sign in: whoever holds a portal session gets a session for any `openid`. */
export const createIsim = (state: CampusState): DemoUpstream => {
  const sessions = new ServiceSessions<null>(state.clock, IDLE_MS);
  const enter = (call: DemoCall): DemoReply => {
    const owner = state.portal.owner(call.twfid);
    if (!owner || !call.query.get('openid') || call.query.get('sn') !== 'sn') return errorPage(400, '参数错误');
    const id = newSessionId();
    sessions.open(id, owner, null);
    return redirectTo(`${originOf(state, 'isim')}/home;jsessionid=${id}`, [`JSESSIONID=${id}; Path=/; HttpOnly`]);
  };
  const inSession =
    (handler: DemoHandler): DemoHandler =>
    (call) =>
      sessions.use(call.cookies.get('JSESSIONID')) ? handler(call) : redirectTo(`${originOf(state, 'isim')}/error`);
  return {
    routes: [
      { method: 'GET', path: '/go', handle: enter },
      {
        method: 'GET',
        path: '/home;jsessionid=*',
        handle: (call) =>
          sessions.use(call.params[0])
            ? page('电费查询', '<div class="content-block">欢迎</div>')
            : redirectTo(`${originOf(state, 'isim')}/error`),
      },
      { method: 'GET', path: '/about', handle: inSession(bindingPage) },
      {
        method: 'GET',
        path: '/error',
        handle: () => page('错误', '<div class="content-block">会话已过期，请重新进入</div>'),
      },
    ],
    expire: (userid) => sessions.expire(userid),
  };
};
