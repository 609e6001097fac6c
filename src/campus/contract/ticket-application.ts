import type { CallContext, Student } from '../../domain/context.ts';
import { type CampusSystem, failures, isFailure } from '../../domain/errors.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { JsonObject } from '../parsing/cells.ts';
import { readJsonObject } from '../parsing/reading.ts';
import { contradictsSuccess } from '../parsing/refusals.ts';
import { readText } from '../parsing/row-reader.ts';
import { plainMessage } from '../parsing/text.ts';
import type { Access } from './driver.ts';
import { refusedSession, type UpstreamRequest, type UpstreamSession } from './upstream-session.ts';
import type { Application } from './upstreams.ts';

/** An answer of a ticket application: `{code, msg, data, …}`. */
export interface TicketEnvelope {
  /** 0: success. Anything else is a refusal; -1 where the application names none. */
  readonly code: number;
  /** `""` when null or missing. */
  readonly message: string;
  readonly data: unknown;
  /** The whole answer: some operations have members beside `data`. */
  readonly body: JsonObject;
}

/** Stands for a code that the answer does not state. */
const NO_CODE = -1;

/** A whole number or its text, else null. 0.5 is no success. */
const codeOf = (value: unknown): number | null => {
  const code = typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value;
  return typeof code === 'number' && Number.isSafeInteger(code) ? code : null;
};

/** @throws Failure `upstream-unreadable` when the text is not a JSON object */
export const readEnvelope = (answer: string, system: CampusSystem): TicketEnvelope => {
  const body = readJsonObject(answer, system);
  return { code: codeOf(body.code) ?? NO_CODE, message: readText(body.msg), data: body.data, body };
};

/** A refusal is a decision of the application. @throws Failure `outcome-unknown` for an answer without a code */
export const readDecision = (answer: string, system: CampusSystem): TicketEnvelope => {
  const failUnknown = (reason: string) => failures.outcomeUnknown(system, reason, { upstreamStatus: 200 });
  let envelope: TicketEnvelope;
  try {
    envelope = readEnvelope(answer, system);
  } catch {
    throw failUnknown('answer is no JSON object');
  }
  if (codeOf(envelope.body.code) === null) throw failUnknown('answer states no code');
  if (envelope.code === 0 && contradictsSuccess(envelope.body)) throw failUnknown('answer contradicts its code');
  return envelope;
};

const VERIFIED_MS = 10 * MINUTE_MS;
const VERIFIED_AT = 'proven-at';

/** Sends one read and returns what `read` makes of its envelope, whose code is 0. */
export type ReadWithTicket = <T>(request: UpstreamRequest, read: (envelope: TicketEnvelope) => T) => Promise<T>;

export type TicketAccess = Pick<Access<unknown>, 'sessions' | 'clock'>;

/**
 * An application that is entered with a ticket in a header. How it calls a ticket dead is unknown, so a refused read
 * renews the ticket once. A refused write is never repeated.
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

  /** Runs reads within one session; `work` runs again from its beginning when the ticket had to be renewed. */
  read<T>(student: Student, context: CallContext, work: (ask: ReadWithTicket) => Promise<T>): Promise<T> {
    return this.#access.sessions.with(student, this.#name, context, (session) =>
      work((request, read) => this.#ask(session, request, read)),
    );
  }

  /** Sends a write once. Where the ticket has not worked within ten minutes, a cheap read goes first and may be repeated. */
  write(student: Student, context: CallContext, write: UpstreamRequest, probeRead: UpstreamRequest) {
    return this.#access.sessions.with(student, this.#name, context, async (session) => {
      if (!this.#isVerified(session)) await this.#ask(session, probeRead, () => {});
      const { text } = await session.text({ ...write, write: true });
      const decision = readDecision(text, this.#system);
      if (decision.code === 0) this.#markVerified(session);
      return decision;
    });
  }

  async #ask<T>(session: UpstreamSession, request: UpstreamRequest, read: (envelope: TicketEnvelope) => T): Promise<T> {
    const system = this.#system;
    // Parsed on this thread at any size: 2 MiB of JSON take 20 to 110 ms, passing the value between threads up to 360.
    return session.reading(await session.text(request), (text) => {
      let envelope: TicketEnvelope;
      try {
        envelope = readEnvelope(text, system);
      } catch (error) {
        // A dead ticket may also look like this.
        throw isFailure(error, 'upstream-unreadable') ? refusedSession(error) : error;
      }
      const { code, message, body } = envelope;
      // Another member may tell what the code does not.
      if (code !== 0 || contradictsSuccess(body)) {
        const upstreamMessage = plainMessage(message);
        throw refusedSession(failures.upstreamRefused(system, `code ${code}`, { upstreamMessage, upstreamCode: code }));
      }
      this.#markVerified(session);
      return read(envelope);
    });
  }

  #isVerified({ memo }: UpstreamSession): boolean {
    const age = this.#access.clock.now() - Number(memo.get(VERIFIED_AT) ?? Number.NEGATIVE_INFINITY);
    return age >= 0 && age < VERIFIED_MS;
  }

  /** Rounds to the minute, because a changed value is sealed into storage. */
  #markVerified({ memo }: UpstreamSession): void {
    const minute = String(Math.floor(this.#access.clock.now() / MINUTE_MS) * MINUTE_MS);
    if (memo.get(VERIFIED_AT) !== minute) memo.set(VERIFIED_AT, minute);
  }
}
