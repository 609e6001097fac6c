import type { CampusState, DemoUpstream } from './campus-state.ts';
import { success, TicketApplication } from './ticket-application.ts';

/** The labor club system. */
export const createLdjlb = (state: CampusState): DemoUpstream => {
  const application = new TicketApplication(state, 'ldjlb');
  return {
    routes: [
      application.callback,
      {
        method: 'POST',
        path: '/User/Club/DoGetJoinList',
        handle: application.withTicket((_call, student) => success(student.applications.joinedClubs)),
      },
    ],
    expire: (userid) => application.expire(userid),
  };
};
