import type { SignInStep } from '../../errors.ts';
import { guardNumbers as n } from './numbers.ts';

/** The three classes of callers; each has budgets of its own. */
export type CallerClass = 'holder' | 'known' | 'stranger';

/** `open`: under way, or of a process that died meanwhile, so nobody knows how it ended. */
type AskState = 'open' | 'unknown' | 'refused' | 'marker';

export interface Ask {
  readonly id: string;
  readonly at: number;
  readonly by: CallerClass;
  readonly state: AskState;
  /** When the campus had answered. */
  readonly endedAt: number;
  /** With the stored pair that the campus had refused before. */
  readonly setAside: boolean;
}

export interface RegistrationAsk {
  readonly id: string;
  readonly at: number;
  readonly network: string;
  readonly state: AskState;
  readonly endedAt: number;
}

export interface Pause {
  readonly until: number;
  readonly seconds: number;
}

/** What the guard remembers of one student id. Times are epoch ms, networks and secrets keyed hashes. */
export interface StudentMemory {
  readonly mismatches: ReadonlyArray<{ readonly at: number; readonly by: CallerClass; readonly network: string }>;
  readonly asks: readonly Ask[];
  readonly registrations: readonly RegistrationAsk[];
  readonly refusedSecrets: ReadonlyArray<{
    readonly print: string;
    readonly step: SignInStep;
    readonly at: number;
    /** It was the stored one until the student changed it. */
    readonly replaced: boolean;
  }>;
  /** After a marker that a foreign pair met. */
  readonly foreignPause: Pause | null;
  /** After a marker that the stored pair met. */
  readonly ownPause: Pause | null;
  /** When the campus last accepted the stored pair. */
  readonly provenAt: number;
  /** When it refused the stored pair; 0: it did not. */
  readonly setAsideAt: number;
  readonly rightLogins: readonly number[];
  readonly networks: ReadonlyArray<{ readonly network: string; readonly at: number }>;
  readonly unlock: { readonly hash: string; readonly until: number; readonly tries: number } | null;
}

export type AskGroup = 'stranger' | 'owner' | 'registration';
/** Whose asks meet markers: the classes of foreign pairs, registrations, and stored pairs. */
export type MarkedGroup = CallerClass | 'registration' | 'stored';

/** What the guard remembers of the one address under which the campus sees everybody. */
export interface GatewayMemory {
  readonly refused: ReadonlyArray<{
    readonly id: string;
    readonly at: number;
    readonly group: AskGroup;
    readonly network: string;
  }>;
  /** Accepted registrations, counted together by five minutes. */
  readonly registered: ReadonlyArray<{ readonly at: number; readonly count: number }>;
  readonly markers: ReadonlyArray<{ readonly at: number; readonly student: string; readonly group: MarkedGroup }>;
  readonly pauses: ReadonlyArray<{ readonly group: MarkedGroup; readonly until: number }>;
  readonly storedRefused: ReadonlyArray<{ readonly at: number; readonly student: string }>;
  readonly storedAccepted: readonly number[];
  readonly brake: { readonly why: 'markers' | 'refusals'; readonly nextAt: number; readonly until: number } | null;
}

/** What the guard remembers of one invite code. */
export interface CodeMemory {
  readonly refused: ReadonlyArray<{ readonly id: string; readonly at: number; readonly network: string }>;
  /** Accepted registrations, counted together by network and hour. */
  readonly accepted: ReadonlyArray<{ readonly at: number; readonly network: string; readonly count: number }>;
}

export const emptyStudent: StudentMemory = {
  mismatches: [],
  asks: [],
  registrations: [],
  refusedSecrets: [],
  foreignPause: null,
  ownPause: null,
  provenAt: 0,
  setAsideAt: 0,
  rightLogins: [],
  networks: [],
  unlock: null,
};

export const emptyGateway: GatewayMemory = {
  refused: [],
  registered: [],
  markers: [],
  pauses: [],
  storedRefused: [],
  storedAccepted: [],
  brake: null,
};

export const emptyCode: CodeMemory = { refused: [], accepted: [] };

const since =
  (now: number, windowMs: number) =>
  ({ at }: { readonly at: number }): boolean =>
    at > now - windowMs;

/** A moment in the future was written before the clock was set back: it counts as now. */
const past = <T extends { readonly at: number }>(now: number, rows: readonly T[]): readonly T[] =>
  rows.some(({ at }) => at > now) ? rows.map((row) => (row.at > now ? { ...row, at: now } : row)) : rows;

const ended = <T extends { readonly at: number; readonly endedAt: number }>(
  now: number,
  rows: readonly T[],
): readonly T[] => past(now, rows).map((row) => (row.endedAt > now ? { ...row, endedAt: now } : row));

/** An end that lies further ahead than the longest wait was written before the clock was set back. */
const pauseAt = (now: number, pause: Pause | null): Pause | null => {
  if (pause === null || pause.until <= now - n.markers.pauseMemoryMs) return null;
  return { ...pause, until: Math.min(pause.until, now + n.markers.longestPauseSeconds * 1000) };
};

/** The memory as it is to be read at `now`: without what is over, and with what a clock set back has left cut down. */
export const studentAt = (memory: StudentMemory, now: number): StudentMemory => ({
  mismatches: past(now, memory.mismatches).filter(since(now, 24 * 3_600_000)),
  asks: ended(now, memory.asks).filter(since(now, n.asks.windowMs)),
  registrations: ended(now, memory.registrations).filter(since(now, n.registrations.windowMs)),
  refusedSecrets: past(now, memory.refusedSecrets).filter(({ at, replaced }) =>
    replaced ? at > now - n.asks.refusedSecrets.replacedMs : at > now - n.asks.refusedSecrets.strangerMs,
  ),
  foreignPause: pauseAt(now, memory.foreignPause),
  ownPause: pauseAt(now, memory.ownPause),
  provenAt: Math.min(memory.provenAt, now),
  setAsideAt: Math.min(memory.setAsideAt, now),
  rightLogins: memory.rightLogins.map((at) => Math.min(at, now)).filter((at) => at > now - n.right.windowMs),
  networks: past(now, memory.networks).filter(since(now, n.networks.lifeMs)),
  unlock:
    memory.unlock === null || memory.unlock.until <= now || memory.unlock.tries <= 0
      ? null
      : { ...memory.unlock, until: Math.min(memory.unlock.until, now + n.unlock.lifeMs) },
});

export const gatewayAt = (memory: GatewayMemory, now: number): GatewayMemory => ({
  refused: past(now, memory.refused).filter(since(now, n.gateway.windowMs)),
  registered: past(now, memory.registered).filter(since(now, n.gateway.windowMs)),
  markers: past(now, memory.markers).filter(since(now, n.markers.countedOnceMs)),
  pauses: memory.pauses
    .filter(({ until }) => until > now)
    .map(({ group, until }) => ({ group, until: Math.min(until, now + n.markers.classPauseMs) })),
  storedRefused: past(now, memory.storedRefused).filter(since(now, n.campus.windowMs)),
  storedAccepted: memory.storedAccepted.map((at) => Math.min(at, now)).filter((at) => at > now - n.campus.windowMs),
  brake:
    memory.brake === null || memory.brake.until <= now
      ? null
      : {
          ...memory.brake,
          nextAt: Math.min(memory.brake.nextAt, now + n.campus.probeMs),
          until: Math.min(memory.brake.until, now + n.campus.brakeMs),
        },
});

export const codeAt = (memory: CodeMemory, now: number): CodeMemory => ({
  refused: past(now, memory.refused).filter(since(now, n.registrations.code.windowMs)),
  accepted: past(now, memory.accepted).filter(since(now, n.registrations.code.acceptedMs)),
});
