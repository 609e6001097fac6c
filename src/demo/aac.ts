import type { CampusState, DemoUpstream } from './campus-state.ts';
import { pageOf, success, TicketApplication } from './ticket-application.ts';

/** The activity score system. */
export const createAac = (state: CampusState): DemoUpstream => {
  const application = new TicketApplication(state, 'aac');
  return {
    routes: [
      application.callback,
      {
        method: 'POST',
        path: '/User/Center/DoGetScoreInfo',
        handle: application.withTicket((_call, { activityScore }) => success(activityScore.total)),
      },
      {
        method: 'POST',
        path: '/User/Center/DoGetScoreList',
        handle: application.withTicket((call, { activityScore }) =>
          success(pageOf(call, activityScore.categories).rows),
        ),
      },
    ],
    expire: (userid) => application.expire(userid),
  };
};
