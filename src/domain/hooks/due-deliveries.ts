import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DeliveryStore, DueDelivery, LeaseTimes } from './ports.ts';

const PAGE = 200;
const PAGES_A_TICK = 10;
/** Of one host; a line that has run empty is filled by the next look. */
const MOST_IN_LINE = 1_000;
/** From so many hosts on, lines are short. */
const MANY_LINES = 20;
const SHORT_LINE = 20;
/** Put to storage at once: another replica may have taken the first ones. */
const CANDIDATES = 8;

/** Hosts that take no further call now, and whether only quick deliveries may begin. */
interface DeliveryRoom {
  readonly isBusy: (host: string) => boolean;
  readonly quickOnly: boolean;
}

interface Candidates {
  readonly host: string;
  readonly ids: readonly string[];
}

/**
 * What was due when the outbox was last looked through, in a line for each host: receivers that hang hide no other's
 * deliveries, however many wait for them, and an attempt that ends looks through nothing.
 */
export class DueDeliveries {
  readonly #store: Pick<DeliveryStore, 'due'>;
  #lines = new Map<string, DueDelivery[]>();
  /** Hosts with more than their lines hold. */
  #longer = new Set<string>();
  /** The last one that was looked at: what becomes due later stands behind it. */
  #last: DueDelivery | null = null;
  #pages = 0;
  #ticks = 0;
  #isStale = true;
  #isAllDue = true;

  constructor(store: Pick<DeliveryStore, 'due'>) {
    this.#store = store;
  }

  get isStale(): boolean {
    return this.#isStale;
  }

  /** Something new may be due. */
  expectNew(): void {
    this.#isStale = true;
  }

  /** Also for what another replica gave back. The longer the outbox is, the less often all of it is looked through. */
  tick(): void {
    this.#isStale = true;
    this.#ticks += 1;
    if (this.#ticks * PAGES_A_TICK >= this.#pages) this.#isAllDue = true;
  }

  /** Looks through the outbox, or what is new in it, with room for other work after each page. */
  async look(times: LeaseTimes, signal: AbortSignal): Promise<void> {
    const isAll = this.#isAllDue || this.#pages <= PAGES_A_TICK;
    this.#isStale = false;
    this.#isAllDue = false;
    if (isAll) {
      this.#lines = new Map();
      this.#longer.clear();
      this.#last = null;
      const ahead = await this.#store.due({ ...times, after: null, most: PAGE, areAhead: true });
      this.#add(ahead);
    }
    let pages = 0;
    for (let isOver = false; !isOver && !signal.aborted; pages += 1) {
      const page = await this.#store.due({ ...times, after: this.#last, most: PAGE });
      this.#add(page);
      this.#last = page.at(-1) ?? this.#last;
      isOver = page.length < PAGE;
      await nextTurn();
    }
    if (!isAll) return;
    this.#pages = pages;
    this.#ticks = 0;
  }

  #add(found: readonly DueDelivery[]): void {
    for (const each of found) {
      const line = this.#lines.get(each.host) ?? [];
      if (line.length < (this.#lines.size < MANY_LINES ? MOST_IN_LINE : SHORT_LINE)) {
        this.#lines.set(each.host, line);
        line.push(each);
      } else this.#longer.add(each.host);
    }
  }

  /** Those that come first at the host whose turn it is. Null: nothing may begin now. */
  next({ isBusy, quickOnly }: DeliveryRoom): Candidates | null {
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
    if (!this.#longer.has(host)) return;
    this.#isStale = true;
    this.#isAllDue = true;
  }
}
