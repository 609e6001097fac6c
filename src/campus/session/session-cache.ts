import type { SavedSession, SessionPiece, SessionVault, VerifiedSession } from '../../domain/accounts/ports.ts';
import type { SignInStep } from '../../domain/errors.ts';
import { digestOf } from '../../lib/hash.ts';
import { Semaphore } from '../../lib/queues.ts';
import { KeyLock } from '../../lib/single-flight.ts';
import type { Addresses } from '../contract/addresses.ts';
import { type Application, NIGHT_MS, type Upstream } from '../contract/upstreams.ts';
import type { CampusDeps } from './campus-requests.ts';
import { StudentState } from './student-state.ts';

const REQUESTS_PER_STUDENT = 4;
const WAITING_PER_STUDENT = 100;
const IDLE_MS = 300_000;
const SWEEP_EVERY_MS = 30_000;
/** A password that is wanted later belongs to another renewal. */
const RENEWAL_MS = 60_000;

/** Counters: a layer whose counter has grown was renewed in between. */
export interface Epochs {
  readonly portal: number;
  readonly application: number;
}

export type Renewal =
  /** The application's session stays. */
  | 'portal'
  | 'portal-and-application'
  /** Signs in with the ticket-granting cookie, or with the password once that is gone. */
  | 'application';

/** A renewal that a call wants, with the epochs of the session that it found dead. */
export interface RenewalNeed {
  readonly application: Application;
  readonly renewal: Renewal | 'open';
  readonly seen: Epochs;
  /** The call has met a portal that was renewed in between: each place is renewed at most once in a call. */
  readonly portalRenewed?: boolean;
  /** Given where no call waits for the renewal: it is called before the first password, and false forbids that. */
  readonly maySignIn?: (() => Promise<boolean>) | undefined;
}

interface SavedPiece {
  readonly revision: number;
  readonly digest: string;
}

/** One student's sessions in this process: state, limits and locks of one generation. Ten thousand may be idle. */
export class StudentSession implements VerifiedSession {
  readonly userid: string;
  /** We drop what work of another generation returns. 0: the session is not stored yet. */
  readonly generation: number;
  readonly state: StudentState;
  readonly slots = new Semaphore(REQUESTS_PER_STUDENT, WAITING_PER_STUDENT);
  readonly locks = new KeyLock();
  /** The stored state of each piece, as far as this process knows. */
  readonly saved: Partial<Record<Upstream, SavedPiece>> = {};
  /** The applications that found this portal session dead; null: none did since it was renewed. */
  #expiredAt: Set<Application> | null = null;
  /** The campus accepted a password of it, and nothing has answered yet. */
  isUnverified = false;
  /** The renewal under way: the logins that its passwords have left for. */
  #renewal: { readonly beganAt: number; readonly sent: Set<SignInStep> } | null = null;
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

  /** The next call signs in, or fails because it may not, instead of asking the application again. */
  portalExpired(application: Application): void {
    this.#expiredAt ??= new Set();
    this.#expiredAt.add(application);
  }

  isPortalDue(application: Application): boolean {
    return this.state.portalSession === null || this.#expiredAt?.has(application) === true;
  }

  /** Another call has renewed one of the layers since. */
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

  /**
   * A password of the same renewal has left already, for the other login. The guard counts a renewal as one sign-in, even
   * where calls find its halves dead one after the other: cut between them, it would leave half a session.
   */
  continuesRenewal(step: SignInStep, now: number): boolean {
    if (this.#renewal === null || this.#renewal.sent.has(step)) return false;
    const passed = now - this.#renewal.beganAt;
    return passed >= 0 && passed < RENEWAL_MS;
  }

  sendsPassword(step: SignInStep, now: number): void {
    if (!this.continuesRenewal(step, now)) this.#renewal = { beganAt: now, sent: new Set() };
    this.#renewal?.sent.add(step);
  }

  /** It failed, or its session has answered. */
  endRenewal(): void {
    this.#renewal = null;
  }

  applicationRenewed(application: Application): void {
    this.#applicationEpochs[application] = (this.#applicationEpochs[application] ?? 0) + 1;
  }

  /** Forgets sessions idle for too long: opening one again costs less than finding out that it is dead. */
  dropIdle(application: Application, longestMs: number, now: number): void {
    if (now - this.state.portalLogin.lastAt >= NIGHT_MS) this.state.portalSession = null;
    const state = this.state.applications.get(application);
    if (state && now - state.usedAt >= longestMs) this.state.applications.delete(application);
  }

  isOpen(application: Application): boolean {
    return !this.isPortalDue(application) && this.state.applications.has(application);
  }
}

/** The student sessions of this process, over their sealed copies. An idle one leaves memory after 300 s. */
export class SessionCache {
  readonly #campus: Pick<CampusDeps, 'addresses' | 'clock' | 'log' | 'tagOf'>;
  readonly #vault: SessionVault;
  readonly #sessions = new Map<string, StudentSession>();
  #sweptAt = 0;

  constructor(campus: Pick<CampusDeps, 'addresses' | 'clock' | 'log' | 'tagOf'>, vault: SessionVault) {
    this.#campus = campus;
    this.#vault = vault;
  }

  get size(): number {
    return this.#sessions.size;
  }

  generation(userid: string): Promise<number | null> {
    return this.#vault.generation(userid);
  }

  /** Takes the session of that generation from memory, else from its sealed copy. */
  async open(userid: string, generation: number): Promise<StudentSession> {
    const { addresses, clock } = this.#campus;
    const now = clock.now();
    this.#sweep(now);
    let session = this.#sessions.get(userid);
    if (session?.generation !== generation) {
      const loaded = new StudentSession(userid, generation, addresses);
      await this.refresh(loaded);
      // Another call may have been quicker: with two sessions of one student, both would sign in.
      const newer = this.#sessions.get(userid);
      session = newer && newer.generation >= generation ? newer : loaded;
      this.#sessions.set(userid, session);
    }
    session.lastUsed = now;
    return session;
  }

  /** Takes over pieces that another replica has renewed since. */
  async refresh(session: StudentSession): Promise<void> {
    const { log, tagOf } = this.#campus;
    const stored = await this.#vault.load(session.userid);
    if (!stored || stored.generation !== session.generation) {
      session.state.trust.drop();
      return;
    }
    session.state.trust.import(
      new Map(stored.entries.flatMap(({ system, trust }) => (trust ? [[system, trust] as const] : []))),
    );
    for (const { system: piece, state, revision } of stored.entries) {
      if (revision <= (session.saved[piece]?.revision ?? -1)) continue;
      try {
        session.state.import(piece, state);
      } catch (error) {
        log.warn({ student: tagOf(session.userid), piece, err: error }, 'sealed session unreadable');
        continue;
      }
      session.saved[piece] = { revision, digest: digestOf(state) };
      if (piece === 'portal') session.portalRenewed();
      if (session.state.applications.has(piece)) session.applicationRenewed(piece);
    }
  }

  /** Seals the pieces that changed. Errors are logged and not thrown: a lost copy costs a login, not an answer. */
  async save(session: StudentSession): Promise<void> {
    const { clock, log, tagOf } = this.#campus;
    const { userid, generation, saved, state } = session;
    const pieces = state
      .pieces()
      .filter((piece) => piece.trust !== undefined || digestOf(piece.state) !== saved[piece.system]?.digest);
    if (pieces.length === 0) return;
    try {
      const revision = await this.#vault.save(userid, generation, pieces, clock.now());
      if (revision === null) return;
      for (const piece of pieces) this.#noteSaved(session, piece, revision);
    } catch (error) {
      log.warn({ student: tagOf(userid), err: error }, 'session not sealed');
    }
  }

  /** Stores that the session was found dead and not renewed, so that no replica takes it for live. */
  async waitForEnd(session: StudentSession): Promise<void> {
    if (session.state.hasEnded) return;
    session.state.hasEnded = true;
    await this.save(session);
  }

  /** Keeps a state that was stored as the student's next generation. */
  adopt(userid: string, state: StudentState, { generation, revision }: SavedSession): void {
    const { addresses, clock } = this.#campus;
    const session = new StudentSession(userid, generation, addresses, state);
    for (const piece of state.pieces()) this.#noteSaved(session, piece, revision);
    session.lastUsed = clock.now();
    this.#sessions.set(userid, session);
  }

  /** Replaces all that was sealed by these pieces; `keepsTrust`: they are of the stored pair. */
  async nextGeneration(
    userid: string,
    pieces: readonly SessionPiece[],
    keepsTrust: boolean,
  ): Promise<SavedSession | null> {
    const saved = await this.#vault.nextGeneration(userid, { pieces, keepsTrust, now: this.#campus.clock.now() });
    this.#sessions.delete(userid);
    return saved;
  }

  #noteSaved({ saved, state: { trust } }: StudentSession, piece: SessionPiece, revision: number): void {
    saved[piece.system] = { revision, digest: digestOf(piece.state) };
    if (piece.trust !== undefined) trust.noteStored(piece.system, piece.trust);
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = now;
    for (const [userid, session] of this.#sessions) {
      if (now - session.lastUsed >= IDLE_MS) this.#sessions.delete(userid);
    }
  }
}
