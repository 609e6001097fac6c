import {
  type AskGroup,
  type CodeMemory,
  emptyGateway,
  emptyNetwork,
  type GatewayMemory,
  type KnownNetwork,
  type NetworkMemory,
  type Pause,
  type StudentMemory,
} from '../records.ts';
import { guardNumbers as n } from './numbers.ts';

// The memory as it is to be read at `now`: without what is over. A moment in the future was written before the clock was
// set back: it counts as now, and an end that lies further ahead than the longest wait is cut to that.

/** A mismatch counts for a day at most. */
const LONGEST_BUDGET_MS = 24 * 3_600_000;

interface Dated {
  readonly at: number;
}

const past = <T extends Dated>(now: number, row: T): T => (row.at > now ? { ...row, at: now } : row);

/** The rows that are younger than `lifeMs`. */
const young = <T extends Dated>(now: number, rows: readonly T[], lifeMs: number | ((row: T) => number)): T[] =>
  rows.map((row) => past(now, row)).filter((row) => row.at > now - (typeof lifeMs === 'number' ? lifeMs : lifeMs(row)));

const youngMoments = (now: number, moments: readonly number[], lifeMs: number): number[] =>
  moments.map((at) => Math.min(at, now)).filter((at) => at > now - lifeMs);

/** 0: it is over. */
const endAt = (now: number, until: number, longestMs: number): number =>
  until > now ? Math.min(until, now + longestMs) : 0;

/** Mere use of a token is forgotten earlier than a login that succeeded. */
const networkMs = ({ login }: KnownNetwork): number => (login ? n.networks.loginLifeMs : n.networks.lifeMs);
export const isKnown = (row: KnownNetwork, now: number): boolean => row.at > now - networkMs(row);

/** Its length is remembered for a while after its end. */
const pauseAt = (now: number, pause: Pause | null, longestSeconds: number): Pause | null =>
  pause === null || pause.until <= now - n.markers.pauseMemoryMs
    ? null
    : { ...pause, until: Math.min(pause.until, now + longestSeconds * 1000) };

const isOver = (heldAgain: GatewayMemory['heldAgain'], at: number): boolean =>
  heldAgain !== null && at >= heldAgain.from && at < heldAgain.at;

/** @param heldAgain that of all students: what a student gained in that time is over, too */
export const studentAt = (
  memory: StudentMemory,
  now: number,
  heldAgain: GatewayMemory['heldAgain'] = null,
): StudentMemory => {
  const { rest, person, unlock } = memory;
  const { longestPauseSeconds } = n.markers;
  const { strangerMs, replacedMs } = n.asks.refusedSecrets;
  const isRestOver = rest !== null && isOver(heldAgain, rest.until - rest.seconds * 1000);
  return {
    mismatches: young(now, memory.mismatches, LONGEST_BUDGET_MS),
    asks: young(now, memory.asks, n.asks.windowMs).map((ask) => ({ ...ask, endedAt: Math.min(ask.endedAt, now) })),
    refusedSecrets: young(now, memory.refusedSecrets, ({ replaced }) => (replaced ? replacedMs : strangerMs)),
    foreignPause: pauseAt(now, memory.foreignPause, longestPauseSeconds),
    ownPause: pauseAt(now, memory.ownPause, longestPauseSeconds),
    unheld: young(now, memory.unheld, n.unheld.windowMs).filter(({ at }) => !isOver(heldAgain, at)),
    rest: isRestOver ? null : pauseAt(now, rest, Math.max(...n.unheld.restSeconds)),
    early: young(now, memory.early, n.unheld.windowMs),
    person: person && {
      ...past(now, person),
      liftedUntil: endAt(now, person.liftedUntil, n.person.liftMs),
      passedAt: Math.min(person.passedAt, now),
    },
    challenges: young(now, memory.challenges, n.person.budgets.windowMs),
    letUntil: endAt(now, memory.letUntil, n.person.liftMs),
    captchaLookAt: Math.min(memory.captchaLookAt, now),
    provenAt: Math.min(memory.provenAt, now),
    setAsideAt: Math.min(memory.setAsideAt, now),
    rightLogins: youngMoments(now, memory.rightLogins, n.right.windowMs),
    networks: young(now, memory.networks, networkMs),
    unlock: unlock && unlock.until > now ? { ...unlock, until: endAt(now, unlock.until, n.unlock.lifeMs) } : null,
  };
};

export const gatewayAt = (memory: GatewayMemory, now: number): GatewayMemory => {
  const { brake, heldAgain, captcha, quiet } = memory;
  const { countedOnceMs, windowMs, classPauseMs } = n.markers;
  const { memoryMs, brokenMs } = n.person.quiet;
  const { openMs, windowMs: unaskedMs } = n.person.unasked;
  return {
    refused: young(now, memory.refused, n.gateway.windowMs),
    registered: young(now, memory.registered, n.gateway.windowMs),
    markers: young(now, memory.markers, countedOnceMs),
    answered: young(now, memory.answered, windowMs),
    pauses: memory.pauses
      .filter(({ until }) => until > now)
      .map(({ group, until }) => ({ group, until: endAt(now, until, classPauseMs) })),
    storedRefused: young(now, memory.storedRefused, n.campus.windowMs),
    storedAccepted: youngMoments(now, memory.storedAccepted, n.campus.windowMs),
    brake:
      brake && brake.until > now
        ? {
            ...brake,
            nextAt: Math.min(brake.nextAt, now + n.campus.probeMs),
            until: endAt(now, brake.until, n.campus.brakeMs),
          }
        : null,
    unheld: young(now, memory.unheld, countedOnceMs),
    heldAgain: heldAgain && heldAgain.at > now - n.unheld.windowMs && heldAgain.at <= now ? heldAgain : null,
    offered: young(now, memory.offered, n.person.budgets.strangerNetwork.windowMs),
    unasked: young(now, memory.unasked, ({ met }) => (met === null ? openMs : unaskedMs)),
    stop: memory.stop,
    captcha: captcha && { looks: captcha.looks.map((at) => Math.min(at, now)) },
    quiet: {
      without: young(now, quiet.without, memoryMs),
      again: quiet.again && (young(now, [quiet.again], memoryMs)[0] ?? null),
      brokenUntil: endAt(now, quiet.brokenUntil, brokenMs),
    },
  };
};

export const codeAt = (memory: CodeMemory, now: number): CodeMemory => ({
  refused: young(now, memory.refused, n.registrations.code.windowMs),
  accepted: young(now, memory.accepted, n.registrations.code.acceptedMs),
});

export const networkAt = ({ acceptedAt }: NetworkMemory, now: number): NetworkMemory =>
  acceptedAt > now - n.registrations.provenMs ? { acceptedAt: Math.min(acceptedAt, now) } : emptyNetwork;

/**
 * For a memory that cannot be read: every budget of the last hour counts as spent, and stored pairs are tried one at a
 * time until the campus accepts one. So the campus sees no more than it might have, and the rest ends with time.
 */
export const cautiousGateway = (now: number): GatewayMemory => {
  const { stranger, owner, registration } = n.gateway;
  const spent = (group: AskGroup, count: number) =>
    Array.from({ length: count }, () => ({ id: '', at: now, group, network: '' }));
  return {
    ...emptyGateway,
    refused: [...spent('stranger', stranger), ...spent('owner', owner), ...spent('registration', registration)],
    brake: { why: 'markers', nextAt: now, until: now + n.campus.brakeMs },
  };
};
