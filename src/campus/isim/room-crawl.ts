import type { CallContext } from '../../domain/context.ts';
import type { RoomDraft } from '../../domain/electricity/ports.ts';
import type { CodeName } from '../../domain/electricity/types.ts';
import { Failure, isFailure } from '../../domain/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { allEnded } from '../all-ended.ts';
import { readAnswer } from '../read-answer.ts';
import type { UpstreamRequest, UpstreamSession } from '../session/upstream-session.ts';
import { parseBuildings } from './parse-buildings.ts';
import { type Picker, parseFloors, parseRooms } from './parse-picker.ts';
import { buildingsRequest, floorsRequest, roomsRequest } from './requests.ts';

const REPEATS = 2;
const REPEAT_AFTER_MS = 1_000;
/** Buildings and floors in all; a campus beyond that is not the one we know. */
const MOST_PARTS = 5_000;

/**
 * An answer that did not come, or came broken, may come the next time. Not so while an open breaker or a full line
 * says when to come back.
 */
const worthRepeating = (error: unknown): boolean =>
  isFailure(error, 'upstream-unavailable', 'upstream-unreadable', 'timed-out') && error.retryAfterSeconds === undefined;

/** One pass over the tree on one session: asks for what the draft lacks and puts it there. */
export class RoomCrawl {
  readonly #session: UpstreamSession;
  readonly #draft: RoomDraft;
  readonly #context: CallContext;
  readonly #clock: Clock;
  readonly #slots: Semaphore;
  #failed = false;
  #proof: Promise<unknown> | null = null;

  constructor(
    session: UpstreamSession,
    draft: RoomDraft,
    context: CallContext,
    options: { readonly clock: Clock; readonly parallel: number },
  ) {
    this.#session = session;
    this.#draft = draft;
    this.#context = context;
    this.#clock = options.clock;
    this.#slots = new Semaphore(options.parallel, MOST_PARTS);
  }

  async run(): Promise<void> {
    this.#draft.buildings ??= this.#checked(await readAnswer(this.#session, buildingsRequest, parseBuildings));
    await allEnded(this.#draft.buildings.map(({ code }) => this.#building(code)));
  }

  /** The rooms of a building are asked for as soon as its floors are known. */
  async #building(code: string): Promise<void> {
    const { floors, rooms } = this.#draft;
    const known = floors.get(code) ?? this.#checked(await this.#part(floorsRequest(code), parseFloors));
    floors.set(code, known);
    await allEnded(
      known.map(async (floor) => {
        if (!rooms.has(floor.code)) rooms.set(floor.code, await this.#part(roomsRequest(floor.code), parseRooms));
      }),
    );
  }

  #checked(entries: readonly CodeName[]): readonly CodeName[] {
    const known = [...this.#draft.floors.values()].reduce((sum, { length }) => sum + length, 0);
    if (known + entries.length > MOST_PARTS) {
      this.#failed = true;
      throw new Failure('upstream-unreadable', { system: 'electricity', reason: 'room tree too large' });
    }
    return entries;
  }

  #part(request: UpstreamRequest, parse: (text: string) => Picker): Promise<readonly CodeName[]> {
    return this.#slots.run(this.#context.signal, async () => {
      for (let attempt = 0; ; attempt += 1) {
        // The tree is complete or it is nothing: after one part failed for good, no other one is asked for.
        if (this.#failed) throw new Failure('upstream-unavailable', { system: 'electricity', reason: 'reading ended' });
        try {
          return await this.#attempt(request, parse);
        } catch (error) {
          if (attempt === REPEATS || !worthRepeating(error) || this.#context.signal.aborted) {
            this.#failed = true;
            throw error;
          }
          await this.#clock.wait(REPEAT_AFTER_MS, this.#context.signal);
        }
      }
    });
  }

  async #attempt(request: UpstreamRequest, parse: (text: string) => Picker): Promise<readonly CodeName[]> {
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
   * Nothing, or nonsense, may be what a dead session gets. Once per session the first page is asked, which only a live
   * one sees; a dead one is renewed by the session core and this pass begins again with the same draft.
   */
  #proveSession(): Promise<unknown> {
    this.#proof ??= this.#session.text(buildingsRequest);
    return this.#proof;
  }
}
