import type { Answer, Gateway } from './gateway-rig.ts';

/** Ids of the demo campus, by their number. */
export const activityId = (number: number): string =>
  `3d5f0c52-7f1e-4d1c-9a0e-5f0f6b2a7${String(number).padStart(3, '0')}`;
export const clubId = (number: number): string => `c4e2a9d0-2222-4a11-b6c7-0000000000${number}`;
export const signItemId = (number: number): string => `5e0b6a10-4444-4c1d-8a55-0000000000${number}`;

export const apply = (gateway: Gateway, token: string, activity: number, query = ''): Promise<Answer> =>
  gateway.b('POST', `/ldjlb/labor/activity/${activityId(activity)}/apply${query}`, { token });

export const joinClub = (gateway: Gateway, token: string, club: string, body: unknown): Promise<Answer> =>
  gateway.b('POST', `/ldjlb/labor/club/${club}/apply`, { token, body });

export const scan = (gateway: Gateway, token: string, body: unknown): Promise<Answer> =>
  gateway.b('POST', '/ldjlb/labor/scan_sign', { token, body });
