import type { SessionPiece, VerifiedSession } from '../../domain/accounts/ports.ts';
import { Semaphore } from '../../lib/queues.ts';
import { KeyLock } from '../../lib/single-flight.ts';
import type { Addresses } from '../addresses.ts';
import { type Application, NIGHT_MS } from '../upstreams.ts';
import type { Renewal } from './renewal-policy.ts';
import { type Piece, StudentState } from './student-state.ts';

const REQUESTS_PER_STUDENT = 4;
const WAITING_PER_STUDENT = 100;

/** Counters that tell whether a layer was renewed since they were read. */
export interface Epochs {
  readonly portal: number;
  readonly application: number;
}

/** A renewal that a call wants, with the epochs that it saw when its session turned out to be dead. */
export interface RenewalNeed {
  readonly application: Application;
  readonly renewal: Renewal | 'open';
  readonly seen: Epochs;
  /** No one waits for it: asked before the first password; false forbids it. */
  readonly maySignIn?: (() => Promise<boolean>) | undefined;
}

interface SavedPiece {
  readonly revision: number;
  /** Of its text, which is in memory already, parsed. */
  readonly digest: string;
}

/** Holds one student's sessions in this process: state, limits and locks of one generation. Ten thousand may be idle. */
export class StudentSession implements VerifiedSession {
  readonly userid: string;
  /** Work of another generation is dropped when it ends. 0: the session is not stored yet. */
  readonly generation: number;
  readonly state: StudentState;
  readonly slots = new Semaphore(REQUESTS_PER_STUDENT, WAITING_PER_STUDENT);
  readonly locks = new KeyLock();
  /** Each piece as stored, as far as this process knows. */
  readonly saved: Partial<Record<Piece, SavedPiece>> = {};
  /** Calls that use this session; it is not swept until then. */
  users = 0;
  /** The applications at which this portal session was found dead, and not yet replaced; null: none. */
  #expiredAt: Set<Application> | null = null;
  /** A password of it was accepted, and nothing has answered yet that would verify the session. */
  isUnverified = false;
  lastUsed = 0;
  #portalEpoch = 0;
  readonly #applicationEpochs: Partial<Record<Application, number>> = {};

  constructor(userid: string, generation: number, addresses: Addresses, state = new StudentState(addresses)) {
    this.userid = userid;
    this.generation = generation;
    this.state = state;
  }

  get pieces(): readonly SessionPiece[] {
    return this.state.pieces();
  }

  epochs(application: Application): Epochs {
    return { portal: this.#portalEpoch, application: this.#applicationEpochs[application] ?? 0 };
  }

  portalRenewed(): void {
    this.#portalEpoch += 1;
    this.#expiredAt = null;
  }

  /** The next call signs in, or is told that it may not, instead of asking the application again. */
  portalExpired(application: Application): void {
    this.#expiredAt ??= new Set();
    this.#expiredAt.add(application);
  }

  isPortalDue(application: Application): boolean {
    return this.state.portalSession === null || this.#expiredAt?.has(application) === true;
  }

  /** Another call has renewed one of them since. */
  isRenewedSince(seen: Epochs, application: Application): boolean {
    const now = this.epochs(application);
    return now.portal > seen.portal || now.application > seen.application;
  }

  /** Returns what still has to be renewed, since other calls may have renewed some of it. */
  due({ application, renewal, seen }: RenewalNeed): { readonly portal: boolean; readonly application: boolean } {
    const now = this.epochs(application);
    const wants = (layer: Renewal): boolean => renewal === layer || renewal === 'portal-and-application';
    return {
      portal: this.isPortalDue(application) || (wants('portal') && now.portal === seen.portal),
      application:
        !this.state.applications.has(application) || (wants('application') && now.application === seen.application),
    };
  }

  applicationRenewed(application: Application): void {
    this.#applicationEpochs[application] = (this.#applicationEpochs[application] ?? 0) + 1;
  }

  /** A sign-in has opened the application. `now`: in place of a session that had died; null: it is the first. */
  applicationOpened(application: Application, now: number | null): void {
    const opened = this.state.applications.get(application);
    if (opened && now !== null) opened.renewedAt = now;
    this.applicationRenewed(application);
  }

  /** Forgets what was idle for too long to be trusted: opening it again costs less than finding out. */
  dropIdle(application: Application, longestMs: number, now: number): void {
    if (now - this.state.portalLogin.lastAt >= NIGHT_MS) this.state.portalSession = null;
    const state = this.state.applications.get(application);
    if (state && now - state.usedAt >= longestMs) this.state.applications.delete(application);
  }

  isOpen(application: Application): boolean {
    return !this.isPortalDue(application) && this.state.applications.has(application);
  }
}
