import { type CampusState, type DemoUpstream, presentOf } from '../campus-state.ts';
import { type DemoCall, type DemoReply, type DemoRoute, errorPage, escapeHtml, page, redirectTo } from '../exchange.ts';
import { letters } from '../ids.ts';
import type { StudentAwards } from '../records/awards.ts';
import { CookieSessions, forgetful } from '../sessions.ts';
import { COMPETITION_SERVICE, loginLocation, originOf } from '../ssl-vpn/mapping.ts';
import type { DemoStudent } from '../students.ts';

const PAGE = '/xsXmMain.aspx';
const NAME = 'ctl00$ContentPlaceHolder1$ContentPlaceHolder2$';
const ID = 'ContentPlaceHolder1_ContentPlaceHolder2_';
const AWARD_TAB = `${NAME}DataList1$ctl01$LinkButton1`;
const MOST_VIEW_STATES = 200;

const PAGE_ROWS = 10;

/** The open competitions, or a page of the student's awards, from 1. */
type View = 'open' | number;

type ViewStates = ReturnType<typeof forgetful<View>>;

const AWARD_HEADINGS =
  '申报ID 项目名称 级别 等级 取得日期 申报人 姓名 排序 学分 奖励金 申报状态 学校审核 删除 查看/编辑 毕设替代'.split(
    ' ',
  );

const hiddenFields = (viewState: string): string =>
  [
    ['__EVENTTARGET', ''],
    ['__EVENTARGUMENT', ''],
    ['__LASTFOCUS', ''],
    ['__VIEWSTATE', viewState],
    ['__VIEWSTATEGENERATOR', '5A1C2E3B'],
    ['__EVENTVALIDATION', `/wEd${viewState.slice(4, 16)}/+8=`],
  ]
    .map(([name, value]) => `<input type="hidden" name="${name}" id="${name}" value="${value}">`)
    .join('\n');

const tabLink = (index: number, label: string): string =>
  `<td><a id="${ID}DataList1_LinkButton1_${index}" href="javascript:__doPostBack(&#39;${NAME}DataList1$ctl0${index}$LinkButton1&#39;,&#39;&#39;)">${label}</a></td>`;

const openTab = `<table id="${ID}gvSb"><tr><th>赛事编号</th><th>赛事名称</th></tr>
 <tr><td colspan="2"><input name="${NAME}gvSb$ctl28$txtNewPageIndex" type="text" value="1" id="${ID}gvSb_txtNewPageIndex"></td></tr></table>`;

const pagesOf = ({ rows }: StudentAwards): number => Math.max(1, Math.ceil(rows.length / PAGE_ROWS));

/** The pager follows the rows, and its names count them. On the last page its link leads nowhere. */
const pager = (number: number, pages: number, rows: number): string => {
  const id = `${ID}gvHj_`;
  const name = `${NAME}gvHj$ctl${String(rows + 3).padStart(2, '0')}$`;
  const next = number < pages ? ` href="javascript:__doPostBack('${name}LinkButtonNextPage','')"` : '';
  return ` <tr><td colspan="15">当前第<span id="${id}LabelCurrentPage">${number}</span>页/共<span id="${id}LabelPageCount">${pages}</span>页
  <a id="${id}LinkButtonNextPage"${next}>下一页</a>
  <input name="${name}txtNewPageIndex" type="text" value="${number}" id="${id}txtNewPageIndex">
  <a id="${id}btnGo" href="javascript:__doPostBack('${name}btnGo','')">GO</a></td></tr>`;
};

const awardTab = (awards: StudentAwards, number: number): string => {
  const spans = awards.credits.map(([label, id, text]) => `${label}：<span id="${ID}${id}">${text}</span>`);
  const rows = awards.rows.slice((number - 1) * PAGE_ROWS, number * PAGE_ROWS);
  const body = rows.map(
    (cells) =>
      ` <tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}<td></td><td><a href="#">查看</a></td><td></td></tr>`,
  );
  return `${spans.join('\n')}
<table id="${ID}gvHj"><caption>当前已经进行获奖申报的项目列表</caption>
 <tr>${AWARD_HEADINGS.map((heading) => `<th>${heading}</th>`).join('')}</tr>
${body.join('\n')}
${pager(number, pagesOf(awards), rows.length)}
</table>`;
};

/** Where a posted page leads; an unknown event leads back to the page itself. */
const viewAfter = (form: URLSearchParams, shown: View, awards: StudentAwards): View => {
  const target = form.get('__EVENTTARGET') ?? '';
  if (target === AWARD_TAB) return 1;
  if (shown === 'open') return shown;
  const last = pagesOf(awards);
  if (/gvHj\$ctl\d+\$LinkButtonNextPage$/.test(target)) return Math.min(shown + 1, last);
  if (!/gvHj\$ctl\d+\$btnGo$/.test(target)) return shown;
  const wanted = Number(form.get(target.replace(/btnGo$/, 'txtNewPageIndex')));
  return Number.isInteger(wanted) && wanted >= 1 && wanted <= last ? wanted : shown;
};

const pageOf = (student: DemoStudent, awards: StudentAwards, states: ViewStates, view: View): DemoReply => {
  const viewState = `/wEPDwUK${letters(18)}/+==`;
  states.set(viewState, view);
  return page(
    '学科竞赛',
    `<form method="post" action="./xsXmMain.aspx" id="form1">
${hiddenFields(viewState)}
<span id="ContentPlaceHolder1_lblXM">欢迎您：${escapeHtml(student.userid)}</span>
<table id="${ID}DataList1"><tr>${tabLink(0, '可申报赛事')}${tabLink(1, '已申报奖项')}</tr></table>
<select name="${NAME}ddlSslb"><option value="%" selected="selected">全部</option><option value="1">A类</option></select>
<input name="${NAME}txtSsmc" type="text">
${view === 'open' ? openTab : awardTab(awards, view)}
</form>`,
  );
};

export class Competitions implements DemoUpstream {
  readonly #state: CampusState;
  readonly #sessions: CookieSessions<ViewStates>;
  readonly routes: readonly DemoRoute[] = [
    { method: 'GET', path: '/casLogin.aspx', handle: (call) => this.#enter(call) },
    this.#whenSignedIn('GET', (_call, student, states) => pageOf(student, this.#awardsOf(student), states, 'open')),
    this.#whenSignedIn('POST', (call, student, states) => this.#postBack(call, student, states)),
  ];

  constructor(state: CampusState) {
    this.#state = state;
    this.#sessions = new CookieSessions(state.clock, 'ASP.NET_SessionId');
  }

  expire(userid: string): void {
    this.#sessions.expire(userid);
  }

  #awardsOf({ awards, userid, name }: DemoStudent): StudentAwards {
    return awards(userid, name, presentOf(this.#state));
  }

  #enter(call: DemoCall): DemoReply {
    const userid = this.#state.unifiedLogin.redeem(call.query.get('ticket'), COMPETITION_SERVICE);
    if (userid === null) return redirectTo(loginLocation(this.#state, COMPETITION_SERVICE));
    return this.#sessions.open(userid, forgetful(MOST_VIEW_STATES), `${originOf(this.#state, 'competition')}${PAGE}`);
  }

  #whenSignedIn(
    method: 'GET' | 'POST',
    handler: (call: DemoCall, student: DemoStudent, states: ViewStates) => DemoReply,
  ): DemoRoute {
    const handle = (call: DemoCall): DemoReply => {
      const session = this.#sessions.of(call);
      const student = session && this.#state.students.get(session.userid);
      if (student) return handler(call, student, session.state);
      return redirectTo(loginLocation(this.#state, COMPETITION_SERVICE));
    };
    return { method, path: PAGE, handle };
  }

  #postBack({ form }: DemoCall, student: DemoStudent, states: ViewStates): DemoReply {
    const shown = states.get(form.get('__VIEWSTATE') ?? '');
    const whole = ['__VIEWSTATEGENERATOR', '__EVENTVALIDATION', `${NAME}ddlSslb`].every((name) => form.has(name));
    if (shown === undefined || !whole) return errorPage(500, 'Validation of viewstate failed');
    const awards = this.#awardsOf(student);
    return pageOf(student, awards, states, viewAfter(form, shown, awards));
  }
}
