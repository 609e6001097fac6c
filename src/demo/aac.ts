import type { CampusState, DemoUpstream } from './campus-state.ts';
import { success, TicketApplication } from './ticket-application.ts';

/** The activity score system. */
export const createAac = (state: CampusState): DemoUpstream => {
  const application = new TicketApplication(state, 'aac');
  return {
    routes: [
      application.callback,
      {
        method: 'POST',
        path: '/User/Center/DoGetScoreInfo',
        handle: application.withTicket((_call, student) => success(student.applications.activityTotal)),
      },
    ],
    expire: (userid) => application.expire(userid),
  };
};
