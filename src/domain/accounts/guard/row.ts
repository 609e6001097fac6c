import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { personalSteps, signInSteps } from '../../errors.ts';
import { msUntilFree, type WindowLimit } from '../../limits.ts';
import { literals, nullable, type RecordOf, storedRecord, withDefault } from '../../record.ts';
import { guardNumbers as n } from './numbers.ts';

// The guard has one row per student id, and one for all of this service (`gateway`): lists of moments with a tag. A handle
// tells one caller of a student id from another: token, home network, or stranger. Times are epoch ms; handles, networks,
// students and secrets are keyed hashes. The names are stored, and a later member needs a default or may be null.

export const storedText = Type.String();
export const storedMoment = Type.Number();
const step = literals(signInSteps);
const wanted = literals(personalSteps);

export const HandleKind = literals(['home-token', 'home', 'token', 'stranger']);
export type HandleKind = Static<typeof HandleKind>;

const Booked = storedRecord<'id' | 'at' | 'kind' | 'by'>()({
  id: storedText,
  at: storedMoment,
  kind: HandleKind,
  by: storedText,
  /** Of a login that always shows an image, which has separate budgets. */
  image: withDefault(Type.Boolean(), false),
});

const CampusAsk = storedRecord<'id' | 'at' | 'kind' | 'by' | 'state' | 'endedAt' | 'stored'>()({
  id: storedText,
  at: storedMoment,
  kind: HandleKind,
  by: storedText,
  /** `open`: under way, or its process has died. */
  state: literals(['open', 'unknown', 'refused']),
  endedAt: storedMoment,
  /** The stored pair was sent. */
  stored: Type.Boolean(),
});
export interface CampusAsk extends RecordOf<typeof CampusAsk> {}

const Trouble = storedRecord<'at' | 'kind' | 'by'>()({
  at: storedMoment,
  /** `unheld`: an unstable session. A step: the session that this login opened ended within minutes of its last answer. */
  kind: literals(['unheld', 'marker', ...signInSteps]),
  by: literals(['unattended', 'login']),
});
export interface Trouble extends RecordOf<typeof Trouble> {}

type Lists = 'guesses' | 'rights' | 'asks' | 'refused' | 'troubles' | 'networks' | 'challenges' | 'codes';

export const StudentRow = storedRecord<Lists | 'mark' | 'acceptedAt' | 'restsSince' | 'spentUntil'>()({
  /** R1: pairs that differed from the stored one, and logins with the right one, which once had no handle. */
  guesses: Type.Array(Type.Object({ at: storedMoment, kind: HandleKind, by: storedText, pair: storedText })),
  rights: Type.Array(Type.Object({ at: storedMoment, kind: Type.Optional(HandleKind), by: Type.Optional(storedText) })),
  /** R2: asks sent to the campus and not given back, including refusals of the stored pair. */
  asks: Type.Array(CampusAsk),
  /** R3: fingerprints of secrets. */
  refused: Type.Array(Type.Object({ at: storedMoment, step, print: storedText })),
  /** R5. */
  troubles: Type.Array(Trouble),
  /** Networks in which logins succeeded. */
  networks: Type.Array(Type.Object({ at: storedMoment, network: storedText })),
  /** Challenges that were opened and codes that were asked for. */
  challenges: Type.Array(Booked),
  codes: Type.Array(Booked),
  /** The student needs a person since a sign-in met this step: no password is sent unattended. */
  mark: nullable(Type.Object({ at: storedMoment, wanted, step })),
  /** When the campus last accepted the stored pair. */
  acceptedAt: storedMoment,
  /** When the stored pair was refused while the breaker was open; it rests until that closes. 0: it was not. */
  restsSince: storedMoment,
  /** The row could not be understood: every budget counts as spent until then. */
  spentUntil: storedMoment,
});
export interface StudentRow extends RecordOf<typeof StudentRow> {}

const BreakerRecord = storedRecord<'bad' | 'good' | 'open'>()({
  /** Bad outcomes, each student once an hour. `settled`: the breaker has closed since. */
  bad: Type.Array(Type.Object({ at: storedMoment, student: storedText, settled: Type.Boolean() })),
  good: Type.Array(Type.Object({ at: storedMoment, count: Type.Number() })),
  open: nullable(
    Type.Object({
      since: storedMoment,
      /** When the next sign-in may go; a student who met something bad waits longer. */
      nextAt: storedMoment,
      by: literals(['trouble', 'captcha', 'step']),
      wanted: nullable(wanted),
    }),
  ),
});
export interface BreakerRecord extends RecordOf<typeof BreakerRecord> {}

const AskGroup = literals(['stranger', 'owner', 'registration']);
export type AskGroup = Static<typeof AskGroup>;

export const GatewayRow = storedRecord<'asks' | 'registered' | 'stored' | 'strangers'>()({
  /** Asks that were not given back. `invite`: hash of the invite token of a registration. */
  asks: Type.Array(
    Type.Object({ id: storedText, at: storedMoment, group: AskGroup, network: storedText, invite: storedText }),
  ),
  registered: Type.Array(Type.Object({ at: storedMoment, network: storedText })),
  stored: BreakerRecord,
  strangers: BreakerRecord,
});
export interface GatewayRow extends RecordOf<typeof GatewayRow> {}

export interface GuardRows {
  readonly student: StudentRow;
  readonly gateway: GatewayRow;
}

export const emptyStudent: StudentRow = Value.Create(StudentRow);
export const emptyGateway: GatewayRow = Value.Create(GatewayRow);

/** Replaces an unreadable row: one sign-in at a time finds out how the campus is. */
export const cautiousGateway = (now: number): GatewayRow => {
  const open = { since: now, nextAt: now, by: 'trouble', wanted: null } as const;
  const breaker: BreakerRecord = { bad: [], good: [], open };
  return { ...emptyGateway, stored: breaker, strangers: breaker };
};

interface Dated {
  readonly at: number;
}

/**
 * The entries younger than `lifeMs`. One of the future was written before the clock was set back, and counts as now. A list
 * that loses nothing keeps its identity, which says that there is nothing to write.
 */
const keepRecent = <T extends Dated>(list: readonly T[], lifeMs: number, now: number): readonly T[] =>
  list.every(({ at }) => at > now - lifeMs && at <= now)
    ? list
    : list.filter(({ at }) => at > now - lifeMs).map((one) => (one.at > now ? { ...one, at: now } : one));

/** How long the entries of each list count. */
const livesMs: Readonly<Record<Lists, number>> = {
  guesses: n.asking.windowMs,
  rights: n.comparing.right.windowMs,
  asks: n.asking.windowMs,
  refused: n.refused.strangerMs,
  troubles: n.trouble.windowMs,
  networks: n.home.lifeMs,
  challenges: n.steps.windowMs,
  codes: n.steps.windowMs,
};
const listNames = Object.keys(livesMs) as readonly Lists[];

const lists = (listOf: (name: Lists) => readonly Dated[]) =>
  Object.fromEntries(listNames.map((name) => [name, listOf(name)])) as Pick<StudentRow, Lists>;

const asksAt = (asks: readonly CampusAsk[], now: number): readonly CampusAsk[] =>
  asks.map((ask) => (ask.endedAt > now ? { ...ask, endedAt: now } : ask));

/** Drops the entries that have ended. */
export const studentAt = (row: StudentRow, now: number): StudentRow => ({
  ...row,
  ...lists((name) => keepRecent<Dated>(name === 'asks' ? asksAt(row.asks, now) : row[name], livesMs[name], now)),
  mark: row.mark && (row.mark.at > now ? { ...row.mark, at: now } : row.mark),
  acceptedAt: Math.min(row.acceptedAt, now),
  restsSince: Math.min(row.restsSince, now),
  spentUntil: Math.min(row.spentUntil, now + n.asking.windowMs),
});

const isLater = (list: readonly Dated[], now: number): boolean => list.some(({ at }) => at > now);

/**
 * Whether it holds moments later than now, because the clock was set back. They count as now; a row that was not written
 * with that would go on waiting until the clock is where it was.
 */
export const isStudentAhead = (row: StudentRow, now: number): boolean =>
  listNames.some((name) => isLater(row[name], now)) ||
  row.asks.some(({ endedAt }) => endedAt > now) ||
  Math.max(row.acceptedAt, row.restsSince, row.mark?.at ?? 0) > now ||
  row.spentUntil > now + n.asking.windowMs;

/** Rows that were written under two keys are one. */
export const mergeStudents = (a: StudentRow, b: StudentRow): StudentRow => ({
  ...lists((name) => [...a[name], ...b[name]]),
  mark: a.mark ?? b.mark,
  acceptedAt: Math.max(a.acceptedAt, b.acceptedAt),
  restsSince: Math.max(a.restsSince, b.restsSince),
  spentUntil: Math.max(a.spentUntil, b.spentUntil),
});

const isBreakerAhead = ({ bad, good, open }: BreakerRecord, now: number): boolean =>
  isLater(bad, now) ||
  isLater(good, now) ||
  (open !== null && (open.since > now || open.nextAt > now + n.breaker.probeMs));

export const isGatewayAhead = ({ asks, registered, stored, strangers }: GatewayRow, now: number): boolean =>
  isLater(asks, now) || isLater(registered, now) || isBreakerAhead(stored, now) || isBreakerAhead(strangers, now);

const breakerAt = ({ bad, good, open }: BreakerRecord, now: number): BreakerRecord => ({
  bad: keepRecent(bad, n.breaker.countedOnceMs, now),
  good: keepRecent(good, n.breaker.windowMs, now),
  open: open && { ...open, since: Math.min(open.since, now), nextAt: Math.min(open.nextAt, now + n.breaker.probeMs) },
});

export const gatewayAt = (row: GatewayRow, now: number): GatewayRow => ({
  asks: keepRecent(row.asks, n.gateway.windowMs, now),
  registered: keepRecent(row.registered, n.gateway.windowMs, now),
  stored: breakerAt(row.stored, now),
  strangers: breakerAt(row.strangers, now),
});

/** Asks and refused secrets outlive the account by a day, under no name. */
export const afterErasure = ({ asks, refused, spentUntil }: StudentRow): StudentRow => ({
  ...emptyStudent,
  asks,
  refused,
  spentUntil,
});

/** Milliseconds until one more of this list fits into every one of its budgets; 0: it does now. */
export const msUntilRoom = (
  list: readonly Dated[],
  limits: WindowLimit | readonly WindowLimit[],
  now: number,
): number => {
  const moments = list.map(({ at }) => at);
  return Math.max(0, ...[limits].flat().map((limit) => msUntilFree(moments, limit, now)));
};
