import type { Building, CodeName, RoomDraft } from '../../../domain/electricity/reads.ts';
import { failures, isFailure } from '../../../domain/errors.ts';
import { Semaphore } from '../../../lib/queues.ts';
import type { Clock } from '../../../lib/time.ts';
import { awaitAll, readAnswer } from '../../contract/kit.ts';
import type { UpstreamRequest, UpstreamSession } from '../../contract/upstream-session.ts';
import type { PageReader } from '../../parsing/reading.ts';
import { buildingsPageAlive, type Picker, parseBuildings, parseFloors, parseRooms } from './parse-rooms.ts';

export const scriptHeaders = { 'x-requested-with': 'XMLHttpRequest' };

export const buildingsRequest: UpstreamRequest = {
  page: 'buildings',
  method: 'GET',
  path: '/about',
  expect: 'page',
  alive: buildingsPageAlive,
  whole: true,
};

/** The pickers answer with a script literal, so HTML is never data. */
const pickerRequest = (page: string, path: string): UpstreamRequest => ({
  page,
  method: 'GET',
  path,
  expect: 'json',
  headers: scriptHeaders,
  // The crawl does its own repeats (`REPEATS`).
  once: true,
});

export const floorsRequest = (buildingCode: string): UpstreamRequest =>
  pickerRequest('floors', `/about/floors/${encodeURIComponent(buildingCode)}`);

export const roomsRequest = (floorCode: string): UpstreamRequest =>
  pickerRequest('rooms', `/about/rooms/${encodeURIComponent(floorCode)}`);

const REPEATS = 2;
const REPEAT_AFTER_MS = 1_000;
/** Buildings and floors together. A larger campus is not one we know. */
const MOST_PARTS = 5_000;

/** A failed request may succeed next time, except while a breaker or a full queue names its own retry time. */
const isWorthRepeating = (error: unknown): boolean =>
  isFailure(error, 'upstream-unavailable', 'upstream-unreadable', 'timed-out') && error.retryAfterSeconds === undefined;

type Parse = PageReader<Picker>;

/** Compares code units, so that every machine and locale sorts alike. */
const byCode = (a: CodeName, b: CodeName): number => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0);

interface CrawlOptions {
  readonly clock: Clock;
  readonly parallel: number;
  readonly signal: AbortSignal;
}

/** One pass over the tree on one session: requests what the draft lacks and adds it there. */
export class RoomCrawl {
  readonly #session: UpstreamSession;
  readonly #draft: RoomDraft;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #slots: Semaphore;
  #parts = 0;
  #hasFailed = false;
  #verified: Promise<unknown> | null = null;

  constructor(session: UpstreamSession, draft: RoomDraft, { clock, parallel, signal }: CrawlOptions) {
    this.#session = session;
    this.#draft = draft;
    this.#clock = clock;
    this.#signal = signal;
    this.#slots = new Semaphore(parallel, MOST_PARTS);
  }

  /** Buildings and floors are sorted by code, rooms are not. Buildings without a floor are left out. */
  async buildings(): Promise<readonly Building[]> {
    const asked =
      this.#readDraft(buildingsRequest) ?? (await readAnswer(this.#session, buildingsRequest, parseBuildings));
    this.#count(asked);
    this.#draft.set(buildingsRequest.path, asked);
    const buildings = await awaitAll(asked.map((building) => this.#withFloors(building)));
    return buildings.filter(({ floors }) => floors.length > 0).toSorted(byCode);
  }

  /** Requests the rooms of a building as soon as its floors are known. */
  async #withFloors(building: CodeName): Promise<Building> {
    const request = floorsRequest(building.code);
    const floors = this.#readDraft(request) ?? (await this.#pick(request, parseFloors));
    this.#count(floors);
    this.#draft.set(request.path, floors);
    return { ...building, floors: (await awaitAll(floors.map((floor) => this.#withRooms(floor)))).toSorted(byCode) };
  }

  async #withRooms(floor: CodeName) {
    const request = roomsRequest(floor.code);
    const rooms = this.#readDraft(request) ?? (await this.#pick(request, parseRooms));
    this.#draft.set(request.path, rooms);
    return { ...floor, rooms };
  }

  #readDraft({ path }: UpstreamRequest): readonly CodeName[] | undefined {
    return this.#draft.get(path);
  }

  /** Counts buildings and floors, but not rooms, which have no lists below them. */
  #count(entries: readonly CodeName[]): void {
    this.#parts += entries.length;
    if (this.#parts <= MOST_PARTS) return;
    this.#hasFailed = true;
    throw failures.upstreamUnreadable('electricity', 'room tree too large');
  }

  async #pick(request: UpstreamRequest, parse: Parse): Promise<readonly CodeName[]> {
    using _slot = await this.#slots.enter(this.#signal);
    for (let attempt = 0; ; attempt += 1) {
      // An incomplete tree is useless, so once one part has failed for good no other is requested.
      if (this.#hasFailed) throw failures.upstreamUnavailable('electricity', 'reading ended');
      try {
        return await this.#attempt(request, parse);
      } catch (error) {
        if (attempt === REPEATS || !isWorthRepeating(error) || this.#signal.aborted) {
          this.#hasFailed = true;
          throw error;
        }
        await this.#clock.wait(REPEAT_AFTER_MS, this.#signal);
      }
    }
  }

  async #attempt(request: UpstreamRequest, parse: Parse): Promise<readonly CodeName[]> {
    const text = await this.#session.text(request);
    try {
      const { entries, doubtful } = await this.#session.parse(parse, text);
      if (doubtful) await this.#verifySession();
      return entries;
    } catch (error) {
      if (isFailure(error, 'upstream-unreadable')) await this.#verifySession();
      throw error;
    }
  }

  /**
   * A dead session may get an empty or nonsensical answer, so once per session the first page is requested, which only
   * a live session sees. The session core renews a dead one and starts this pass over with the same draft.
   */
  #verifySession(): Promise<unknown> {
    this.#verified ??= this.#session.text(buildingsRequest);
    return this.#verified;
  }
}
