import { type CampusState, type DemoUpstream, presentOf } from './campus-state.ts';
import type { DemoStudent } from './students.ts';
import { pageOf, success, TicketApplication } from './ticket-application.ts';

export const createAac = (state: CampusState): DemoUpstream => {
  const application = new TicketApplication(state, 'aac');
  const scoreOf = ({ activityScore, userid }: DemoStudent) => activityScore(userid, presentOf(state));
  return {
    routes: [
      application.callback,
      {
        method: 'POST',
        path: '/User/Center/DoGetScoreInfo',
        handle: application.withTicket((_call, student) => success(scoreOf(student).total)),
      },
      {
        method: 'POST',
        path: '/User/Center/DoGetScoreList',
        handle: application.withTicket((call, student) => success(pageOf(call, scoreOf(student).categories).rows)),
      },
    ],
    expire: (userid) => application.expire(userid),
  };
};
