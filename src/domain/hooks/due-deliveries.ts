import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DeliveryStore, DueDelivery, LeaseTimes } from './ports.ts';

const PAGE = 200;
/** Of one host; a line that has run empty is filled by the next look. */
const MOST_IN_LINE = 1_000;
/** Once all lines together are so long, each new one is short. */
const MOST_IN_LINES = 10_000;
const SHORT_LINE = 10;
/** Put to storage at once: another replica may have taken the first ones. */
const CANDIDATES = 8;

/** Hosts that take no further call now, and whether only quick deliveries may begin. */
interface Room {
  readonly isBusy: (host: string) => boolean;
  readonly quickOnly: boolean;
}

interface Candidates {
  readonly host: string;
  readonly ids: readonly string[];
}

/**
 * What was due when the outbox was last looked through, in a line for each host: receivers that hang hide nobody else's
 * deliveries, however many wait for them, and an attempt that ends looks through nothing.
 */
export class DueDeliveries {
  readonly #store: Pick<DeliveryStore, 'due'>;
  #lines = new Map<string, DueDelivery[]>();
  /** Hosts with more than their lines hold. */
  #longer = new Set<string>();
  #isLong = false;
  #isStale = true;

  constructor(store: Pick<DeliveryStore, 'due'>) {
    this.#store = store;
  }

  get isStale(): boolean {
    return this.#isStale;
  }

  /** Something new may be due. An outbox of many pages is looked through again with the next tick. */
  expectNew(): void {
    if (!this.#isLong) this.#isStale = true;
  }

  tick(): void {
    this.#isStale = true;
  }

  /** Looks through the outbox, with room for other work after each page. */
  async look(times: LeaseTimes, signal: AbortSignal): Promise<void> {
    this.#isStale = false;
    const [lines, longer] = [new Map<string, DueDelivery[]>(), new Set<string>()];
    let count = 0;
    let pages = 0;
    for (const areAhead of [true, false]) {
      for (let after: DueDelivery | null = null; !signal.aborted; ) {
        const page: readonly DueDelivery[] = await this.#store.due({ ...times, after, most: PAGE, areAhead });
        for (const each of page) {
          const line = lines.get(each.host) ?? [];
          if (line.length < (count < MOST_IN_LINES ? MOST_IN_LINE : SHORT_LINE)) {
            lines.set(each.host, line);
            line.push(each);
            count += 1;
          } else longer.add(each.host);
        }
        pages += page.length > 0 ? 1 : 0;
        after = page.at(-1) ?? null;
        await nextTurn();
        if (page.length < PAGE) break;
      }
    }
    this.#lines = lines;
    this.#longer = longer;
    this.#isLong = pages > 1;
  }

  /** Those that come first at the host whose turn it is. Null: nothing may begin now. */
  next({ isBusy, quickOnly }: Room): Candidates | null {
    const mayBegin = (each: DueDelivery): boolean => !quickOnly || each.isQuick;
    let first: DueDelivery | null = null;
    for (const [host, line] of this.#lines) {
      const head = isBusy(host) ? undefined : line.find(mayBegin);
      if (head !== undefined && (first === null || head.dueAt < first.dueAt)) first = head;
    }
    if (first === null) return null;
    const { host } = first;
    const line = this.#lines.get(host) ?? [];
    const ids = line.filter(mayBegin).slice(0, CANDIDATES);
    return { host, ids: ids.map(({ id }) => id) };
  }

  /** Drops the candidates up to `id`, which was claimed; null: none was, and all go. */
  drop({ host, ids }: Candidates, id: string | null): void {
    const gone = new Set(id === null ? ids : ids.slice(0, ids.indexOf(id) + 1));
    const left = (this.#lines.get(host) ?? []).filter((each) => !gone.has(each.id));
    this.#lines.set(host, left);
    if (left.length > 0) return;
    this.#lines.delete(host);
    if (this.#longer.has(host)) this.#isStale = true;
  }
}
