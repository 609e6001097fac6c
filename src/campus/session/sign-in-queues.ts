import type { SignInQueue } from '../../domain/accounts/ports.ts';
import type { QueueState } from '../../domain/observation.ts';
import { QueueFull } from '../../lib/queues.ts';

/** The campus sees one address for all students. */
const PLACES = 6;
const UNVERIFIED_PLACES = 2;
/** Registrations may take more places while so many stay free for owners. */
const FREE_FOR_OWNERS = 2;
const OWNERS_WAITING = 200;
const UNVERIFIED_WAITING = 20;
/** Most that may wait from one network. */
const WAITING_PER_NETWORK = { stranger: 3, registration: 12 } as const;

interface Waiter {
  readonly who: SignInQueue;
  readonly admit: () => void;
}

/**
 * Two queues: owners, and unverified pairs. Owners use all free places; of those freed while both wait, unverified
 * pairs get two at most, so neither queue stops the other.
 */
export class SignInQueues {
  readonly #active = { owner: 0, stranger: 0, registration: 0 };
  readonly #owners: Waiter[] = [];
  readonly #unverified: Waiter[] = [];

  get state(): QueueState {
    return { active: this.#all, waiting: this.#owners.length + this.#unverified.length };
  }

  /** @throws QueueFull at once when the queue is full; the signal's reason when it is aborted while waiting */
  async enter(who: SignInQueue, signal: AbortSignal): Promise<Disposable> {
    await this.#enter(who, signal);
    const leave = (): void => {
      this.#active[who.queue] -= 1;
      this.#admitNext();
    };
    return { [Symbol.dispose]: leave };
  }

  get #all(): number {
    return this.#active.owner + this.#unverifiedActive;
  }

  get #unverifiedActive(): number {
    return this.#active.stranger + this.#active.registration;
  }

  #hasPlace({ queue }: SignInQueue): boolean {
    const free = PLACES - this.#all;
    if (queue === 'owner') return free > 0;
    if (free > 0 && this.#unverifiedActive < UNVERIFIED_PLACES) return true;
    return queue === 'registration' && free > FREE_FOR_OWNERS;
  }

  #isFull(who: SignInQueue): boolean {
    const { queue, network } = who;
    if (queue === 'owner') return this.#owners.length >= OWNERS_WAITING;
    if (this.#unverified.length >= UNVERIFIED_WAITING) return true;
    const isNeighbour = (other: SignInQueue) => other.queue === queue && other.network === network;
    const neighbours = this.#unverified.filter((waiter) => isNeighbour(waiter.who));
    return network !== undefined && neighbours.length >= WAITING_PER_NETWORK[queue];
  }

  #enter(who: SignInQueue, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    // No sign-in that could go is waiting, so this one overtakes none.
    if (this.#hasPlace(who)) {
      this.#active[who.queue] += 1;
      return Promise.resolve();
    }
    if (this.#isFull(who)) return Promise.reject(new QueueFull());
    const queue = who.queue === 'owner' ? this.#owners : this.#unverified;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        who,
        admit: () => {
          signal.removeEventListener('abort', onAbort);
          this.#active[who.queue] += 1;
          resolve();
        },
      };
      const onAbort = () => {
        queue.splice(queue.indexOf(waiter), 1);
        reject(signal.reason);
      };
      queue.push(waiter);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #admitNext(): void {
    const waitingUnverified = () => this.#unverified.findIndex(({ who }) => this.#hasPlace(who));
    const isTheirTurn = this.#unverifiedActive < UNVERIFIED_PLACES && waitingUnverified() >= 0;
    const next = isTheirTurn || this.#owners.length === 0 ? this.#take(waitingUnverified()) : this.#owners.shift();
    next?.admit();
  }

  #take(index: number): Waiter | undefined {
    return index < 0 ? undefined : this.#unverified.splice(index, 1)[0];
  }
}
