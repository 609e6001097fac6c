import type { AcademicState, DemoUpstream } from '../campus-state.ts';
import { type DemoReply, page } from '../exchange.ts';
import { evaluationRoutes } from './evaluation.ts';
import { examRoutes } from './exams.ts';
import { homeRoutes } from './home.ts';
import { offeringRoutes } from './offerings.ts';
import { planRoutes } from './plans.ts';
import { questionnaireRoutes } from './questionnaires.ts';
import { scoreRoutes } from './scores.ts';
import { JwcSessions } from './session.ts';

const allRoutes = [
  homeRoutes,
  scoreRoutes,
  offeringRoutes,
  planRoutes,
  examRoutes,
  evaluationRoutes,
  questionnaireRoutes,
];

/** A static page of the intranet: behind the portal, but without its own sign-in. */
const staticPage = () => page('电子资源', '<ul class="list"></ul>');

/** Opens a session for a student whom its own login has let in. */
interface AcademicUpstream extends DemoUpstream {
  open(userid: string, location: string): DemoReply;
}

export const createJwc = (state: AcademicState): AcademicUpstream => {
  const sessions = new JwcSessions(state);
  const answered = allRoutes.flatMap((routes) => routes(state));
  return {
    routes: [
      { method: 'GET', path: '/dzzy/list.htm', handle: staticPage },
      { method: 'GET', path: '/j_spring_cas_security_check', handle: (call) => sessions.redeem(call) },
      ...answered.map(([method, path, handler]) => ({ method, path, handle: sessions.whenSignedIn(handler) })),
    ],
    expire: (userid) => sessions.expire(userid),
    open: (userid, location) => sessions.open(userid, location),
  };
};
