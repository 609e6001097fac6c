import type { Building, CodeName, RoomDraft } from '../../domain/electricity/reads.ts';
import { Failure, isFailure } from '../../domain/errors.ts';
import { Semaphore } from '../../lib/queues.ts';
import type { Clock } from '../../lib/time.ts';
import { allEnded, readAnswer } from '../kit.ts';
import type { PageReader } from '../parsing/reading.ts';
import type { UpstreamRequest, UpstreamSession } from '../session/upstream-session.ts';
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

/** A missing or broken answer may come the next time, but not while a breaker or a full queue says when to return. */
const worthRepeating = (error: unknown): boolean =>
  isFailure(error, 'upstream-unavailable', 'upstream-unreadable', 'timed-out') && error.retryAfterSeconds === undefined;

type Parse = PageReader<Picker>;

/** Plain order of characters: the same on every machine, in any locale. */
const byCode = (a: CodeName, b: CodeName): number => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0);

interface CrawlOptions {
  readonly clock: Clock;
  readonly parallel: number;
  readonly signal: AbortSignal;
}

/** One pass over the tree on one session: asks for what the draft lacks and puts it there. */
export class RoomCrawl {
  readonly #session: UpstreamSession;
  readonly #draft: RoomDraft;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #slots: Semaphore;
  #parts = 0;
  #hasFailed = false;
  #proof: Promise<unknown> | null = null;

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
      this.#drafted(buildingsRequest) ?? (await readAnswer(this.#session, buildingsRequest, parseBuildings));
    this.#count(asked);
    this.#draft.set(buildingsRequest.path, asked);
    const buildings = await allEnded(asked.map((building) => this.#withFloors(building)));
    return buildings.filter(({ floors }) => floors.length > 0).toSorted(byCode);
  }

  /** The rooms of a building are asked for as soon as its floors are known. */
  async #withFloors(building: CodeName): Promise<Building> {
    const request = floorsRequest(building.code);
    const floors = this.#drafted(request) ?? (await this.#picked(request, parseFloors));
    this.#count(floors);
    this.#draft.set(request.path, floors);
    return { ...building, floors: (await allEnded(floors.map((floor) => this.#withRooms(floor)))).toSorted(byCode) };
  }

  async #withRooms(floor: CodeName) {
    const request = roomsRequest(floor.code);
    const rooms = this.#drafted(request) ?? (await this.#picked(request, parseRooms));
    this.#draft.set(request.path, rooms);
    return { ...floor, rooms };
  }

  #drafted({ path }: UpstreamRequest): readonly CodeName[] | undefined {
    return this.#draft.get(path);
  }

  /** Rooms do not count: they have no lists themselves. */
  #count(entries: readonly CodeName[]): void {
    this.#parts += entries.length;
    if (this.#parts <= MOST_PARTS) return;
    this.#hasFailed = true;
    throw new Failure('upstream-unreadable', { system: 'electricity', reason: 'room tree too large' });
  }

  #picked(request: UpstreamRequest, parse: Parse): Promise<readonly CodeName[]> {
    return this.#slots.run(this.#signal, async () => {
      for (let attempt = 0; ; attempt += 1) {
        // Only a complete tree counts: after one part failed for good, no other one is asked for.
        if (this.#hasFailed)
          throw new Failure('upstream-unavailable', { system: 'electricity', reason: 'reading ended' });
        try {
          return await this.#attempt(request, parse);
        } catch (error) {
          if (attempt === REPEATS || !worthRepeating(error) || this.#signal.aborted) {
            this.#hasFailed = true;
            throw error;
          }
          await this.#clock.wait(REPEAT_AFTER_MS, this.#signal);
        }
      }
    });
  }

  async #attempt(request: UpstreamRequest, parse: Parse): Promise<readonly CodeName[]> {
    const text = await this.#session.text(request);
    try {
      const { entries, doubtful } = await this.#session.parse(parse, text);
      if (doubtful) await this.#proveSession();
      return entries;
    } catch (error) {
      if (isFailure(error, 'upstream-unreadable')) await this.#proveSession();
      throw error;
    }
  }

  /**
   * A dead session may get nothing, or nonsense. Once per session the first page is asked, which only a live
   * one sees; a dead one is renewed by the session core and this pass begins again with the same draft.
   */
  #proveSession(): Promise<unknown> {
    this.#proof ??= this.#session.text(buildingsRequest);
    return this.#proof;
  }
}
