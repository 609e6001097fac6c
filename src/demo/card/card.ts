import { dayNumber } from '../../lib/time.ts';
import { type CampusState, type DemoUpstream, presentOf } from '../campus-state.ts';
import { type DemoCall, type DemoReply, type DemoRoute, errorPage, page, redirectTo } from '../exchange.ts';
import { cardOf, type StudentCard } from '../records/card.ts';
import { CookieSessions } from '../sessions.ts';
import { CARD_SERVICE, loginLocation, originOf } from '../ssl-vpn/mapping.ts';
import type { DemoCampusSwitches } from '../types.ts';

const ENTRANCE = '/casLogin.jsp';
const IDLE_MS = 30 * 60_000;

/** Requests that pay, move or bind: all of them end the same way. */
export const CARD_EFFECT = '/utility*Pay.action';

const pair = (name: string, value: string): string =>
  `<div class="show"><label>${name}：</label><label>${value}</label></div>`;

const cardPage = (body: string): DemoReply => page('校园卡', body);

const table = (heading: string, rows: readonly string[]): DemoReply =>
  cardPage(`<table>${heading}\n${rows.join('\n')}</table>`);
const rowOf = (cells: readonly string[], tag = 'td'): string =>
  `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;

/** Days of a form, both included; null where it is not the form of the page. */
const daysOf = (form: URLSearchParams, time: RegExp): readonly [number, number] | null => {
  const days = ['startDate', 'endDate'].map((name) => {
    const text = form.get(name) ?? '';
    return time.test(text) ? dayNumber(text.slice(0, 10)) : null;
  });
  const [from = null, to = null] = days;
  return from === null || to === null ? null : [from, to];
};

const balancePage = (kind: DemoCampusSwitches['cardBalance'], { balance }: StudentCard): DemoReply => {
  switch (kind) {
    case 'alone':
      return cardPage(pair('账户余额', `${balance}元`));
    case 'negative':
      return cardPage(pair('校园卡余额', '-3.20'));
    case 'missing':
      return cardPage(pair('校园卡余额', '暂无'));
    case 'beside a bank':
      return cardPage(`${pair('银行卡余额', '1,250.50元')}${pair('校园卡余额', `${balance}元`)}`);
  }
};

const within = ([from, to]: readonly [number, number], rows: StudentCard['transactions']): readonly string[] =>
  rows.filter(({ day }) => day >= from && day <= to).map(({ cells }) => rowOf(cells));

const transactionPage = ({ form }: DemoCall, card: StudentCard): DemoReply => {
  const days = daysOf(form, /^\d{4}-\d{2}-\d{2}$/);
  if (days === null) return errorPage(400, 'Bad Request');
  const rows = within(days, card.transactions);
  const heading = rowOf('记账时间 消费时间 出账 入账 操作类型 余额 消费区域 终端号'.split(' '), 'th');
  return table(heading, rows.length === 0 ? ['<tr><td colspan="8">暂无记录</td></tr>'] : rows);
};

const purchasePage = ({ form }: DemoCall, card: StudentCard): DemoReply => {
  const days = daysOf(form, /^\d{4}-\d{2}-\d{2} (?:00:00:00|23:59:59)$/);
  if (days === null) return errorPage(400, 'Bad Request');
  return table(rowOf('姓名 学号 校区 房间 购电金额 购电时间 售电点'.split(' ')), within(days, card.purchases));
};

const statusPage = (_call: DemoCall, { accountStatus, cardStatus }: StudentCard): DemoReply =>
  cardPage(`<form>${pair('账户状态', accountStatus)}${pair('卡状态', cardStatus)}<label>金额</label><input></form>`);

/** An entrance that leads to the unified login, pages and payment forms. */
export class CardSystem implements DemoUpstream {
  readonly #state: CampusState;
  readonly #sessions: CookieSessions<null>;
  readonly routes: readonly DemoRoute[] = [
    { method: 'GET', path: ENTRANCE, handle: (call) => this.#enter(call) },
    this.#whenSignedIn('GET', '/queryUserBalances.action', (_call, card) =>
      balancePage(this.#state.switches.cardBalance, card),
    ),
    this.#whenSignedIn('GET', '/utilityUnBindUserPowerPayInit.action', statusPage),
    this.#whenSignedIn('POST', '/queryUserCostList.action', transactionPage),
    this.#whenSignedIn('POST', '/utilityQueryRunningAccountInfo.action', purchasePage),
    { method: 'GET or POST', path: CARD_EFFECT, handle: () => cardPage('ok') },
  ];

  constructor(state: CampusState) {
    this.#state = state;
    this.#sessions = new CookieSessions(state.clock, 'JSESSIONID', IDLE_MS);
  }

  expire(userid: string): void {
    this.#sessions.expire(userid);
  }

  #enter(call: DemoCall): DemoReply {
    const userid = this.#state.unifiedLogin.redeem(call.query.get('ticket'), CARD_SERVICE);
    if (userid === null) return redirectTo(loginLocation(this.#state, CARD_SERVICE));
    return this.#sessions.open(userid, null, `${originOf(this.#state, 'card')}/index.action`);
  }

  #whenSignedIn(
    method: 'GET' | 'POST',
    path: string,
    handler: (call: DemoCall, card: StudentCard) => DemoReply,
  ): DemoRoute {
    const handle = (call: DemoCall): DemoReply => {
      const session = this.#sessions.of(call);
      if (session) return handler(call, cardOf(session.userid, presentOf(this.#state)));
      if (this.#state.switches.cardExpiry === 'page') return cardPage('<p>请重新进入系统</p>');
      return redirectTo(`${originOf(this.#state, 'card')}${ENTRANCE}`);
    };
    return { method, path, handle };
  }
}
