import type { UpstreamRequest } from '../session/upstream-session.ts';

/** Categories per page. */
export const pageSize = 100;

export const totalRequest: UpstreamRequest = {
  method: 'POST',
  path: '/User/Center/DoGetScoreInfo?sf_request_type=ajax',
  expect: 'json',
};

export const categoriesRequest = (page: number): UpstreamRequest => ({
  method: 'POST',
  path: '/User/Center/DoGetScoreList?sf_request_type=ajax',
  form: [
    ['pageIndex', String(page)],
    ['pageSize', String(pageSize)],
  ],
  expect: 'json',
});
