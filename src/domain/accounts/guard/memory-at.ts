import {
  type AskGroup,
  type CodeMemory,
  emptyGateway,
  emptyNetwork,
  type GatewayMemory,
  type KnownNetwork,
  type NetworkMemory,
  type Pause,
  type PersonMark,
  type QuietMemory,
  type StudentMemory,
} from './memory.ts';
import { guardNumbers as n } from './numbers.ts';

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

/** Mere use of a token is forgotten earlier than a login that succeeded. */
export const isKnown = ({ at, login }: KnownNetwork, now: number): boolean =>
  at > now - (login ? n.networks.loginLifeMs : n.networks.lifeMs);

/** An end that lies further ahead than the longest wait was written before the clock was set back. */
const pauseAt = (now: number, pause: Pause | null, longestSeconds: number): Pause | null => {
  if (pause === null || pause.until <= now - n.markers.pauseMemoryMs) return null;
  return { ...pause, until: Math.min(pause.until, now + longestSeconds * 1000) };
};

const personAt = (now: number, person: PersonMark | null): PersonMark | null =>
  person && {
    ...person,
    at: Math.min(person.at, now),
    liftedUntil: person.liftedUntil > now ? Math.min(person.liftedUntil, now + n.person.liftMs) : 0,
    passedAt: Math.min(person.passedAt, now),
  };

/** The memory as it is to be read at `now`: without what is over, and with what a clock set back has left cut down. */
const isOver = (heldAgain: GatewayMemory['heldAgain'], at: number): boolean =>
  heldAgain !== null && at >= heldAgain.from && at < heldAgain.at;

/** @param heldAgain that of everybody: what a student gained in that time is over, too */
export const studentAt = (
  memory: StudentMemory,
  now: number,
  heldAgain: GatewayMemory['heldAgain'] = null,
): StudentMemory => ({
  mismatches: past(now, memory.mismatches).filter(since(now, 24 * 3_600_000)),
  asks: ended(now, memory.asks).filter(since(now, n.asks.windowMs)),
  refusedSecrets: past(now, memory.refusedSecrets).filter(({ at, replaced }) =>
    replaced ? at > now - n.asks.refusedSecrets.replacedMs : at > now - n.asks.refusedSecrets.strangerMs,
  ),
  foreignPause: pauseAt(now, memory.foreignPause, n.markers.longestPauseSeconds),
  ownPause: pauseAt(now, memory.ownPause, n.markers.longestPauseSeconds),
  unheld: past(now, memory.unheld)
    .filter(since(now, n.unheld.windowMs))
    .filter(({ at }) => !isOver(heldAgain, at)),
  rest:
    memory.rest && isOver(heldAgain, memory.rest.until - memory.rest.seconds * 1000)
      ? null
      : pauseAt(now, memory.rest, Math.max(...n.unheld.restSeconds)),
  early: past(now, memory.early).filter(since(now, n.unheld.windowMs)),
  person: personAt(now, memory.person),
  challenges: past(now, memory.challenges).filter(since(now, n.person.budgets.windowMs)),
  letUntil: memory.letUntil > now ? Math.min(memory.letUntil, now + n.person.liftMs) : 0,
  captchaLookAt: Math.min(memory.captchaLookAt, now),
  provenAt: Math.min(memory.provenAt, now),
  setAsideAt: Math.min(memory.setAsideAt, now),
  rightLogins: memory.rightLogins.map((at) => Math.min(at, now)).filter((at) => at > now - n.right.windowMs),
  networks: past(now, memory.networks).filter((row) => isKnown(row, now)),
  unlock:
    memory.unlock === null || memory.unlock.until <= now
      ? null
      : { ...memory.unlock, until: Math.min(memory.unlock.until, now + n.unlock.lifeMs) },
});

export const gatewayAt = (memory: GatewayMemory, now: number): GatewayMemory => ({
  refused: past(now, memory.refused).filter(since(now, n.gateway.windowMs)),
  registered: past(now, memory.registered).filter(since(now, n.gateway.windowMs)),
  markers: past(now, memory.markers).filter(since(now, n.markers.countedOnceMs)),
  answered: past(now, memory.answered).filter(since(now, n.markers.windowMs)),
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
  unheld: past(now, memory.unheld).filter(since(now, n.markers.countedOnceMs)),
  heldAgain:
    memory.heldAgain !== null && memory.heldAgain.at > now - n.unheld.windowMs && memory.heldAgain.at <= now
      ? memory.heldAgain
      : null,
  offered: past(now, memory.offered).filter(since(now, n.person.budgets.strangerNetwork.windowMs)),
  unasked: past(now, memory.unasked).filter(({ at, met }) =>
    met === null ? at > now - n.person.unasked.openMs : at > now - n.person.unasked.windowMs,
  ),
  stop: memory.stop,
  captcha: memory.captcha && { looks: memory.captcha.looks.map((at) => Math.min(at, now)) },
  quiet: quietAt(memory.quiet, now),
});

export const codeAt = (memory: CodeMemory, now: number): CodeMemory => ({
  refused: past(now, memory.refused).filter(since(now, n.registrations.code.windowMs)),
  accepted: past(now, memory.accepted).filter(since(now, n.registrations.code.acceptedMs)),
});

export const networkAt = ({ acceptedAt }: NetworkMemory, now: number): NetworkMemory =>
  acceptedAt > now - n.registrations.provenMs ? { acceptedAt: Math.min(acceptedAt, now) } : emptyNetwork;

/**
 * For a memory that cannot be read: every budget of the last hour counts as spent, and stored pairs are tried one at a
 * time until the campus accepts one. So the campus sees no more than it might have, and time mends the rest.
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

export const quietAt = ({ without, again, brokenUntil }: QuietMemory, now: number): QuietMemory => {
  const isKept = ({ at }: { readonly at: number }): boolean => at > now - n.person.quiet.memoryMs;
  const past = <T extends { readonly at: number }>(row: T): T => (row.at > now ? { ...row, at: now } : row);
  return {
    without: without.map(past).filter(isKept),
    again: again !== null && isKept(past(again)) ? past(again) : null,
    brokenUntil: brokenUntil > now ? Math.min(brokenUntil, now + n.person.quiet.brokenMs) : 0,
  };
};
