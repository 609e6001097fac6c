import type { CallContext } from '../../domain/context.ts';
import type { Building, CodeName, RoomDraft } from '../../domain/electricity/ports.ts';
import { Failure, isFailure } from '../../domain/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { allEnded, readAnswer } from '../kit.ts';
import type { UpstreamRequest, UpstreamSession } from '../session/upstream-session.ts';
import { buildingsPageAlive, type Picker, parseBuildings, parseFloors, parseRooms } from './parse-rooms.ts';

/** How a script of the site asks. */
export const scriptHeaders = { 'x-requested-with': 'XMLHttpRequest' };

export const buildingsRequest: UpstreamRequest = {
  page: 'buildings',
  method: 'GET',
  path: '/about',
  expect: 'page',
  alive: buildingsPageAlive,
  whole: true,
};

/** The pickers answer a script literal, not a page: HTML instead is never data. */
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

const REPEATS = 2;
const REPEAT_AFTER_MS = 1_000;
/** Buildings and floors in all; a campus beyond that is not one we know. */
const MOST_PARTS = 5_000;

/**
 * A missing or broken answer may come the next time. Not so while an open breaker or a full line
 * says when to come back.
 */
const worthRepeating = (error: unknown): boolean =>
  isFailure(error, 'upstream-unavailable', 'upstream-unreadable', 'timed-out') && error.retryAfterSeconds === undefined;

/** Plain order of characters: the same on every machine, in any locale. */
const byCode = (a: CodeName, b: CodeName): number => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0);

/**
 * One pass over the tree on one session: asks for what the draft lacks and puts it there. Buildings and floors by code,
 * rooms as delivered. Buildings without a floor are left out, floors without rooms stay.
 */
export const crawlRooms = async (
  session: UpstreamSession,
  draft: RoomDraft,
  { signal }: CallContext,
  { clock, parallel }: { readonly clock: Clock; readonly parallel: number },
): Promise<readonly Building[]> => {
  const slots = new Semaphore(parallel, MOST_PARTS);
  let parts = 0;
  let hasFailed = false;
  let proof: Promise<unknown> | null = null;

  /**
   * A dead session may get nothing, or nonsense. Once per session the first page is asked, which only a live
   * one sees; a dead one is renewed by the session core and this pass begins again with the same draft.
   */
  const proveSession = (): Promise<unknown> => {
    proof ??= session.text(buildingsRequest);
    return proof;
  };

  const attemptOf = async (request: UpstreamRequest, parse: (text: string) => Picker) => {
    const text = await session.text(request);
    try {
      const { entries, doubtful } = await session.parse(parse, text);
      if (doubtful) await proveSession();
      return entries;
    } catch (error) {
      if (isFailure(error, 'upstream-unreadable')) await proveSession();
      throw error;
    }
  };

  const picked = (parse: (text: string) => Picker) => (request: UpstreamRequest) =>
    slots.run(signal, async () => {
      for (let attempt = 0; ; attempt += 1) {
        // Only a complete tree counts: after one part failed for good, no other one is asked for.
        if (hasFailed) throw new Failure('upstream-unavailable', { system: 'electricity', reason: 'reading ended' });
        try {
          return await attemptOf(request, parse);
        } catch (error) {
          if (attempt === REPEATS || !worthRepeating(error) || signal.aborted) {
            hasFailed = true;
            throw error;
          }
          await clock.wait(REPEAT_AFTER_MS, signal);
        }
      }
    });

  type Ask = (request: UpstreamRequest) => Promise<readonly CodeName[]>;
  /** `isLeaf`: its entries have no lists themselves. */
  const listed = async (request: UpstreamRequest, ask: Ask, isLeaf = false): Promise<readonly CodeName[]> => {
    const entries = draft.get(request.path) ?? (await ask(request));
    if (!isLeaf) parts += entries.length;
    if (parts > MOST_PARTS) {
      hasFailed = true;
      throw new Failure('upstream-unreadable', { system: 'electricity', reason: 'room tree too large' });
    }
    draft.set(request.path, entries);
    return entries;
  };

  const withRooms = async (floor: CodeName) => ({
    ...floor,
    rooms: await listed(roomsRequest(floor.code), picked(parseRooms), true),
  });

  /** The rooms of a building are asked for as soon as its floors are known. */
  const withFloors = async (building: CodeName): Promise<Building> => {
    const floors = await listed(floorsRequest(building.code), picked(parseFloors));
    return { ...building, floors: (await allEnded(floors.map(withRooms))).toSorted(byCode) };
  };

  const buildings = await listed(buildingsRequest, (request) => readAnswer(session, request, parseBuildings));
  return (await allEnded(buildings.map(withFloors))).filter(({ floors }) => floors.length > 0).toSorted(byCode);
};
