import { type CampusState, presentOf } from '../campus-state.ts';
import type { DemoRoute } from '../exchange.ts';
import type { DemoStudent } from '../students.ts';
import { pageOf, success, TicketApplication } from '../ticket-application.ts';

export class ActivityScore extends TicketApplication {
  readonly routes: readonly DemoRoute[];

  constructor(state: CampusState) {
    super(state, 'aac');
    const scoreOf = ({ activityScore, userid }: DemoStudent) => activityScore(userid, presentOf(state));
    this.routes = [
      this.callback,
      this.post('/User/Center/DoGetScoreInfo', (_call, student) => success(scoreOf(student).total)),
      this.post('/User/Center/DoGetScoreList', (call, student) =>
        success(pageOf(call, scoreOf(student).categories).rows),
      ),
    ];
  }
}
