import type { ClubJoining, Scan, SignUp } from '../../domain/labor-club/ports.ts';
import type { UpstreamRequest } from '../session/upstream-session.ts';

/** Rows per page where all pages are read. */
export const pageSize = 100;

/** How the scan sign-in is sent: the campus's own clients differ. */
export type ScanBody = 'form' | 'json';

const post = (page: string, path: string, form: ReadonlyArray<readonly [string, string]> = []): UpstreamRequest => ({
  page,
  method: 'POST',
  path,
  // What a client sent may hold half a character, which no form can carry.
  form: form.map(([name, value]) => [name, value.toWellFormed()] as const),
  expect: 'json',
});

const paging = (page: number, size: number) =>
  [
    ['pageIndex', String(page)],
    ['pageSize', String(size)],
  ] as const;

export const finishCountRequest = post('finish-count', '/User/Activity/GetMyFinishCount?sf_request_type=ajax');

/** The same path as at the activity score system, with other members. */
export const scoreInfoRequest = post('score-info', '/User/Center/DoGetScoreInfo');

export const joinedActivitiesRequest = (page: number): UpstreamRequest =>
  post('joined-activities', '/User/Activity/DoGetJoinPageList?sf_request_type=ajax', paging(page, pageSize));

/** The cheapest read, which is also what proves a ticket before a write. */
export const joinedClubsRequest = post('joined-clubs', '/User/Club/DoGetJoinList?sf_request_type=ajax');

export const clubActivitiesRequest = (clubId: string, page: number, size: number): UpstreamRequest =>
  post('club-activities', '/User/Activity/DoGetPageList?sf_request_type=ajax', [
    ['clubID', clubId],
    ...paging(page, size),
  ]);

export const signItemsRequest = (activityId: string, page: number): UpstreamRequest =>
  post('sign-items', '/User/Activity/DoGetSignList', [
    ['activityID', activityId],
    ['type', '1'],
    ...paging(page, pageSize),
  ]);

export const detailRequest = (activityId: string): UpstreamRequest =>
  post('activity-detail', '/User/Activity/DoGetDetail', [['id', activityId]]);

export const signUpRequest = ({ activityId, reason }: SignUp): UpstreamRequest =>
  post('sign-up', '/User/Activity/DoApplyJoin?sf_request_type=ajax', [
    ['activityID', activityId],
    ['reason', reason],
  ]);

export const directoryRequest = (page: number, size: number): UpstreamRequest =>
  post('club-directory', '/User/Club/DoGetPageList?sf_request_type=ajax', paging(page, size));

export const clubApplicationsRequest = (page: number): UpstreamRequest =>
  post('club-applications', '/User/Center/DoGetApplyClubList', paging(page, pageSize));

/** Its `Reason` has a capital letter, unlike that of the sign-up. */
export const joinClubRequest = ({ clubId, reason }: ClubJoining): UpstreamRequest =>
  post('join-club', '/User/Club/DoApplyJoin', [
    ['clubID', clubId],
    ['Reason', reason],
  ]);

export const scanRequest = ({ content, location }: Scan, body: ScanBody): UpstreamRequest => {
  const page = 'scan';
  const path = '/User/Center/DoScanSignQRImage';
  if (body === 'json') return { page, method: 'POST', path, jsonBody: { content, location }, expect: 'json' };
  return post(page, path, [
    ['content', content],
    ['location', location],
  ]);
};
