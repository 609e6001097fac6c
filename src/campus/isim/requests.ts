import type { UpstreamRequest } from '../session/upstream-session.ts';
import { recordPageAlive } from './parse-records.ts';
import { buildingsPageAlive } from './parse-rooms.ts';

const scriptHeaders = { 'x-requested-with': 'XMLHttpRequest' };

export const buildingsRequest: UpstreamRequest = {
  page: 'buildings',
  method: 'GET',
  path: '/about',
  expect: 'page',
  alive: buildingsPageAlive,
  whole: true,
};

/** The pickers answer a script literal, which is no page: HTML in its place is never data. */
const pickerRequest = (page: string, path: string): UpstreamRequest => ({
  page,
  method: 'GET',
  path,
  expect: 'json',
  headers: scriptHeaders,
  // Failed parts of the tree are repeated by the rule of the tree.
  once: true,
});

export const floorsRequest = (buildingCode: string): UpstreamRequest =>
  pickerRequest('floors', `/about/floors/${encodeURIComponent(buildingCode)}`);

export const roomsRequest = (floorCode: string): UpstreamRequest =>
  pickerRequest('rooms', `/about/rooms/${encodeURIComponent(floorCode)}`);

/**
 * Binds the session, not the student, to a room. Not repeated on the same session: of two such requests the one that
 * was given up might arrive last.
 */
export const bindRequest = (userid: string, room: { code: string; displayText: string }): UpstreamRequest => ({
  page: 'room-binding',
  method: 'POST',
  path: '/about/rebinding',
  form: [
    ['sn', 'sn'],
    ['openid', userid],
    ['roomdm', room.code],
    ['room', room.displayText === '' ? room.code : room.displayText],
    ['mode', 'u'],
  ],
  expect: 'json',
  once: true,
  headers: scriptHeaders,
});

const recordRequest = (page: string, path: string): UpstreamRequest => ({
  page,
  method: 'GET',
  path,
  expect: 'page',
  alive: recordPageAlive,
  slow: true,
});

export const usageRequest = recordRequest('usage', '/use/record');
export const paymentsRequest = recordRequest('payments', '/pay/record');
