import type { Answer, Gateway } from './gateway-rig.ts';

/** Ids of the demo campus, by their number. */
export const activityId = (number: number): string =>
  `3d5f0c52-7f1e-4d1c-9a0e-5f0f6b2a7${String(number).padStart(3, '0')}`;
export const clubId = (number: number): string => `c4e2a9d0-2222-4a11-b6c7-0000000000${number}`;
export const signItemId = (number: number): string => `5e0b6a10-4444-4c1d-8a55-0000000000${number}`;

type Call = (gateway: Gateway, token: string) => Promise<Answer>;

const get =
  (path: string): Call =>
  (gateway, token) =>
    gateway.b('GET', `/ldjlb/labor/${path}`, { token });

/** The labor club reads with the path that each asks the campus for. */
export const laborReads = {
  progress: { upstream: '/User/Activity/GetMyFinishCount', call: get('progress') },
  joinedActivities: { upstream: '/User/Activity/DoGetJoinPageList', call: get('joined/activities') },
  joinedClubs: { upstream: '/User/Club/DoGetJoinList', call: get('joined/clubs') },
  clubActivities: { upstream: '/User/Activity/DoGetPageList', call: get(`club/${clubId(10)}/activities`) },
  signList: { upstream: '/User/Activity/DoGetSignList', call: get(`${activityId(1)}/sign_list`) },
  detail: { upstream: '/User/Activity/DoGetDetail', call: get(`${activityId(1)}/detail`) },
  clubs: { upstream: '/User/Club/DoGetPageList', call: get('clubs') },
  applications: { upstream: '/User/Center/DoGetApplyClubList', call: get('club/applications') },
} as const;
export type LaborRead = keyof typeof laborReads;
export const laborReadNames = [
  'progress',
  'joinedActivities',
  'joinedClubs',
  'clubActivities',
  'signList',
  'detail',
  'clubs',
  'applications',
] as const;

export const apply = (gateway: Gateway, token: string, activity: number, query = ''): Promise<Answer> =>
  gateway.b('POST', `/ldjlb/labor/activity/${activityId(activity)}/apply${query}`, { token });

export const joinClub = (gateway: Gateway, token: string, club: string, body: unknown): Promise<Answer> =>
  gateway.b('POST', `/ldjlb/labor/club/${club}/apply`, { token, body });

export const scan = (gateway: Gateway, token: string, body: unknown): Promise<Answer> =>
  gateway.b('POST', '/ldjlb/labor/scan_sign', { token, body });
