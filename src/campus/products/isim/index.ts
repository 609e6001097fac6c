import { Type } from '@sinclair/typebox';
import type { Building, ElectricityCampus } from '../../../domain/electricity/reads.ts';
import { type Failure, failures, isFailure } from '../../../domain/errors.ts';
import { type Clock, MINUTE_MS } from '../../../lib/time.ts';
import { address, application } from '../../contract/driver.ts';
import { awaitAll } from '../../contract/kit.ts';
import {
  refusedSession,
  type SessionAccess,
  type UpstreamRequest,
  type UpstreamSession,
} from '../../contract/upstream-session.ts';
import { usualRow } from '../../contract/upstreams.ts';
import { parsePaymentPage, parseUsagePage, recordPageAlive } from './parse-records.ts';
import { parseBound } from './parse-rooms.ts';
import { RoomCrawl, scriptHeaders } from './room-crawl.ts';

/**
 * Binds the session, not the student, to a room. Not repeated on the same session: of two such requests the
 * abandoned one might arrive last.
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

const PARALLEL = 8;
/** The room that the session was last bound to, or `underWay` until an answer has confirmed it. */
const boundRoom = 'bound-room';
const underWay = '?';

type MeteredRoom = Parameters<ElectricityCampus['readMeter']>[1];

const refusal = (reason: string): Failure => failures.upstreamRefused('electricity', reason);

const sendBinding = async (session: UpstreamSession, room: MeteredRoom) => {
  try {
    return await session.text(bindRequest(session.userid, room));
  } catch (error) {
    const wasSent = isFailure(error, 'upstream-unavailable') && error.retryAfterSeconds === undefined;
    throw wasSent ? refusedSession(error) : error;
  }
};

/** Binds the session unless it is bound to that room. */
const bind = async (session: UpstreamSession, room: MeteredRoom): Promise<void> => {
  const last = session.memo.get(boundRoom);
  if (last === room.code) return;
  // An abandoned binding may still arrive and override a later one: this session is left to it.
  if (last === underWay) throw refusedSession(refusal('an earlier binding was left open'));
  session.memo.set(boundRoom, underWay);
  const bound = await session.parse(parseBound, await sendBinding(session, room));
  if (bound === null) throw refusedSession(refusal('no answer to a binding'));
  if (!bound) {
    session.memo.drop(boundRoom, underWay);
    throw refusal('room not bound');
  }
  session.memo.set(boundRoom, room.code);
};

interface IsimDeps {
  readonly sessions: SessionAccess;
  readonly clock: Clock;
  readonly parallel?: number;
}

/** The reads of the electricity site. Holds no state: the bound room belongs to the student's session. */
export const createIsimClient = ({ sessions, clock, parallel = PARALLEL }: IsimDeps): ElectricityCampus => ({
  async readRooms(student, draft, context) {
    const read: { tree?: readonly Building[] } = {};
    const crawl = async (session: UpstreamSession): Promise<void> => {
      read.tree = await new RoomCrawl(session, draft, { clock, parallel, signal: context.signal }).buildings();
    };
    await sessions.with(student, 'isim', context, crawl, { parallel }).catch((error: unknown) => {
      // The student logged out before the last parts arrived. They are the same for all students.
      if (read.tree === undefined || !isFailure(error, 'session-lost', 'token-user-gone')) throw error;
    });
    if (read.tree?.length) return read.tree;
    throw failures.upstreamEmpty('electricity', 'no rooms at all');
  },
  readMeter: (student, room, context) =>
    sessions.with(student, 'isim', context, async (session) => {
      // The pages show the room that the session was bound to last: nothing binds between this binding and its pages.
      using _turn = await session.takeTurn('meter');
      await bind(session, room);
      const [usagePage, paymentPage] = await awaitAll([session.text(usageRequest), session.text(paymentsRequest)]);
      // A page without its data puts the session in doubt: renewed and read once more, then it is an error.
      const { balance, usage, dropped } = await session.parse(parseUsagePage, usagePage, refusedSession);
      const paid = await session.parse(parsePaymentPage, paymentPage, refusedSession);
      session.noteDropped(usageRequest.page, dropped);
      session.noteDropped(paymentsRequest.page, paid.dropped);
      return { balance, usage_records: usage, payments: paid.payments };
    }),
});

/** Returns the part of the path that follows `/home`; empty where there is none. */
const homePathOf = (location: string): string => {
  const [path = ''] = location.split('?', 1);
  const at = path.toLowerCase().indexOf('/home');
  return at < 0 ? '' : path.slice(at);
};

/** The electricity application. */
export const isim = application({
  options: Type.Object({ url: address }),
  row: {
    ...usualRow,
    system: 'electricity',
    entry: {
      kind: 'direct',
      path: (userid) => `/go?openid=${encodeURIComponent(userid)}&sn=sn`,
      cookie: 'JSESSIONID',
      idIn: (location) => /;jsessionid=([^&;]+)/i.exec(homePathOf(location))?.[1] ?? null,
    },
    redirects: 'none',
    // It ends a session after half an hour, shown only by pages that lack data.
    longestIdleMs: 25 * MINUTE_MS,
    unmarkedPage: 'dead',
    showsDeath: (text) =>
      /(?:session|会话|登[录陆])\s?(?:已经?)?(?:过期|失效|超时)|session (?:is |has )?(?:expired|invalid|timed? ?out)|sessiontimeout|[未请]登[录陆]|重新登[录陆]/i.test(
        text,
      ),
    // Its pages show the room that the session was bound to last, which only this process knows.
    bindsSession: true,
    sealed: false,
  },
  supplies: (access) => ({ electricity: createIsimClient(access) }),
});
