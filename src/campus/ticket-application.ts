import type { CallContext, Student } from '../domain/context.ts';
import { type CampusSystem, Failure, isFailure } from '../domain/errors.ts';
import type { Clock } from '../lib/time.ts';
import { plainMessage } from './parsing/text.ts';
import {
  refusedSession,
  type SessionAccess,
  type UpstreamRequest,
  type UpstreamSession,
} from './session/upstream-session.ts';
import { readDecision, readEnvelope, type TicketEnvelope } from './ticket-envelope.ts';
import type { Application } from './upstreams.ts';

const VERIFIED_MS = 10 * 60_000;
const MINUTE_MS = 60_000;
const VERIFIED_AT = 'proven-at';

/** A read that failed with a renewed ticket too, with the code that the application gave. */
export class ApplicationRefused extends Failure {
  readonly code: number;

  constructor(code: number, details: ConstructorParameters<typeof Failure>[1]) {
    super('upstream-refused', details);
    this.code = code;
  }
}

/** Sends one read and returns what `read` makes of its envelope, whose code is 0. */
export type Ask = <T>(request: UpstreamRequest, read: (envelope: TicketEnvelope) => T) => Promise<T>;

export interface TicketAccess {
  readonly sessions: SessionAccess;
  readonly clock: Clock;
}

/**
 * An application that is entered with a ticket in a header. How it says that a ticket is dead is unknown, so a
 * refused read renews the ticket once, and only a second refusal is the answer. A refused write is the answer at once:
 * it is never repeated.
 */
export class TicketApplication {
  readonly #name: Application;
  readonly #system: CampusSystem;
  readonly #access: TicketAccess;

  constructor(name: Application, system: CampusSystem, access: TicketAccess) {
    this.#name = name;
    this.#system = system;
    this.#access = access;
  }

  /** Runs reads within one session; they run again from the beginning when the ticket had to be renewed. */
  read<T>(student: Student, context: CallContext, work: (ask: Ask) => Promise<T>): Promise<T> {
    return this.#access.sessions.with(student, this.#name, context, (session) =>
      work((request, read) => this.#ask(session, request, read)),
    );
  }

  /**
   * Sends a write once. With a ticket that has not worked within ten minutes, a cheap read goes first: a dead
   * ticket then meets the read, which may be repeated, and not the write.
   */
  write(student: Student, context: CallContext, write: UpstreamRequest, probeRead: UpstreamRequest) {
    return this.#access.sessions.with(student, this.#name, context, async (session) => {
      if (!this.#isVerified(session)) await this.#ask(session, probeRead, () => {});
      const { text } = await session.text({ ...write, write: true });
      const decision = readDecision(text, this.#system);
      if (decision.code === 0) this.#verified(session);
      return decision;
    });
  }

  async #ask<T>(session: UpstreamSession, request: UpstreamRequest, read: (envelope: TicketEnvelope) => T): Promise<T> {
    const system = this.#system;
    // On this thread at any size: 2 MiB of JSON take 20 to 110 ms, handing its value over from a thread up to 360.
    return session.reading(await session.text(request), (text) => {
      let envelope: TicketEnvelope;
      try {
        envelope = readEnvelope(text, system);
      } catch (error) {
        // A dead ticket may also look like this.
        throw isFailure(error, 'upstream-unreadable') ? refusedSession(error) : error;
      }
      const { code, message } = envelope;
      if (code !== 0) {
        const upstreamMessage = plainMessage(message);
        throw refusedSession(new ApplicationRefused(code, { system, upstreamMessage, reason: `code ${code}` }));
      }
      this.#verified(session);
      return read(envelope);
    });
  }

  #isVerified({ memo }: UpstreamSession): boolean {
    const age = this.#access.clock.now() - Number(memo.get(VERIFIED_AT) ?? Number.NEGATIVE_INFINITY);
    return age >= 0 && age < VERIFIED_MS;
  }

  /** Noted by the minute: a value that changes with every answer would be sealed into storage with every answer. */
  #verified({ memo }: UpstreamSession): void {
    const minute = String(Math.floor(this.#access.clock.now() / MINUTE_MS) * MINUTE_MS);
    if (memo.get(VERIFIED_AT) !== minute) memo.set(VERIFIED_AT, minute);
  }
}
