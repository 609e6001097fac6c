import type { AskGroup, CodeMemory, GatewayMemory, MarkedGroup } from '../records.ts';
import { guardNumbers as n } from './numbers.ts';

/**
 * The parts of the login guard that all students share: what the one address of the service may cost at the campus
 * (G7), what markers met by several students mean (G4), what a code's registrations may cost (G5), and how it shows that
 * the campus itself is in trouble (G12). Pure; waits are whole seconds, 0 where there is none.
 */
export const secondsUntil = (moment: number, now: number): number =>
  moment <= now ? 0 : Math.ceil((moment - now) / 1000);

/** Seconds until fewer than `most` of these moments lie in the window. */
export const secondsUntilFree = (
  rows: ReadonlyArray<{ readonly at: number }>,
  most: number,
  windowMs: number,
  now: number,
): number => {
  const inside = rows.map(({ at }) => at).filter((at) => at > now - windowMs);
  if (inside.length < most) return 0;
  const leaving = inside.sort((a, b) => a - b)[inside.length - most] ?? now;
  return Math.max(1, secondsUntil(leaving + windowMs, now));
};

/** Where a call comes from; `trusted`: an own backend, for which no part per network applies. */
export interface Place {
  readonly network: string;
  readonly trusted: boolean;
}

const sum = (rows: ReadonlyArray<{ readonly count: number }>): number =>
  rows.reduce((all, { count }) => all + count, 0);

/** G7. */
export const gatewayWait = (gateway: GatewayMemory, group: AskGroup, place: Place, now: number): number => {
  const { windowMs, stranger, strangerNetwork, owner, registration } = n.gateway;
  const rows = gateway.refused.filter((row) => row.group === group);
  switch (group) {
    case 'owner':
      return secondsUntilFree(rows, owner, windowMs, now);
    case 'registration':
      return secondsUntilFree(rows, registration + sum(gateway.registered), windowMs, now);
    case 'stranger': {
      const here = place.trusted ? [] : rows.filter(({ network }) => network === place.network);
      return Math.max(
        secondsUntilFree(rows, stranger, windowMs, now),
        secondsUntilFree(here, strangerNetwork, windowMs, now),
      );
    }
  }
};

/**
 * G4: seconds for which this class, or all, are to leave the campus alone. While the campus refuses all (G12)
 * foreign pairs go on: after a password reset of the whole campus they are the ones that are accepted.
 */
export const campusWait = ({ brake, pauses }: GatewayMemory, group: MarkedGroup, now: number): number => {
  if (brake?.why === 'markers') return Math.max(1, secondsUntil(brake.nextAt, now));
  return secondsUntil(pauses.find((pause) => pause.group === group)?.until ?? 0, now);
};

const answeredOf = ({ answered }: GatewayMemory, group: MarkedGroup): number =>
  sum(answered.filter((row) => row.group === group));

/** The campus has answered so many pairs of this class, good or bad. */
export const withAnswers = (gateway: GatewayMemory, group: MarkedGroup, count: number, now: number): GatewayMemory => {
  const same = (row: GatewayMemory['answered'][number]): boolean =>
    row.group === group && Math.floor(row.at / MINUTE) === Math.floor(now / MINUTE);
  const together = count + sum(gateway.answered.filter(same));
  const others = gateway.answered.filter((row) => !same(row));
  return { ...gateway, answered: [...others, { at: now, group, count: together }] };
};

/**
 * Whether so many answers to stored pairs are worth writing down: what they are a share of need not be exact, and the row
 * that all share is not to be written for every sign-in.
 */
export const answersMatter = (gateway: GatewayMemory, count: number): boolean =>
  count * 10 >= answeredOf(gateway, 'stored');

/**
 * A marker met by another student of this class. Three students within five minutes stop the class, or all, unless
 * far more were answered as usual: then they were noticed, not this service.
 */
export const withMarker = (gateway: GatewayMemory, group: MarkedGroup, student: string, now: number): GatewayMemory => {
  const { windowMs, students, share, classPauseMs } = n.markers;
  const counted = gateway.markers.some((row) => row.group === group && row.student === student);
  const markers = counted ? gateway.markers : [...gateway.markers, { at: now, student, group }];
  const recent = markers.filter((row) => row.group === group && row.at > now - windowMs && !row.settled);
  const isFew = recent.length < students || recent.length < share * answeredOf(gateway, group);
  const goesOn = group === 'stored' && gateway.brake?.why === 'markers';
  if (!goesOn && (counted || isFew)) return { ...gateway, markers };
  if (group === 'stored') return { ...gateway, markers, brake: braked(gateway, 'markers', now) };
  const others = gateway.pauses.filter((pause) => pause.group !== group);
  return { ...gateway, markers, pauses: [...others, { group, until: now + classPauseMs }] };
};

/**
 * G13: a sign-in of one more student did not hold. Three students within five minutes, a fifth of all sign-ins, and all
 * go one at a time until one holds.
 */
export const withUnheldStudent = (gateway: GatewayMemory, student: string, now: number): GatewayMemory => {
  const { windowMs, students, share } = n.markers;
  const counted = gateway.unheld.some((row) => row.student === student);
  const unheld = counted ? gateway.unheld : [...gateway.unheld, { at: now, student }];
  const recent = unheld.filter((row) => row.at > now - windowMs && !row.settled);
  const isFew = recent.length < students || recent.length < share * sum(gateway.answered);
  const unheldSince = gateway.brake?.unheldSince;
  if (unheldSince === undefined && (counted || isFew || gateway.brake !== null)) return { ...gateway, unheld };
  return { ...gateway, unheld, brake: { ...braked(gateway, 'markers', now), unheldSince: unheldSince ?? now } };
};

const braked = (
  { brake }: GatewayMemory,
  why: 'markers' | 'refusals',
  now: number,
): NonNullable<GatewayMemory['brake']> => ({
  why: brake?.why ?? why,
  nextAt: brake?.nextAt ?? now + n.campus.probeMs,
  until: now + n.campus.brakeMs,
  atOnce: brake === null ? why === 'markers' : brake.atOnce,
  unheldSince: brake?.unheldSince,
  spares: brake?.spares,
});

/** Until when the brake keeps this student's stored pair waiting. */
export const brakeEnds = ({ brake, markers, unheld }: GatewayMemory, student: string, now: number): number => {
  if (brake === null) return now;
  const met =
    markers.some((row) => row.group === 'stored' && row.student === student) ||
    unheld.some((row) => row.student === student);
  if (brake.atOnce && !met) return now;
  // If no other calls, any of them finds out.
  return brake.spares && met ? brake.nextAt + n.campus.probeMs : brake.nextAt;
};

/** One has gone: it finds out whether the trouble is over. */
export const withProbe = (gateway: GatewayMemory, now: number): GatewayMemory => {
  const { brake } = gateway;
  if (brake === null) return gateway;
  const spares = brake.unheldSince !== undefined && !(brake.atOnce || brake.spares);
  return { ...gateway, brake: { ...brake, atOnce: false, spares, nextAt: now + n.campus.probeMs } };
};

/** A refused stored pair; many of them and hardly an accepted one say that the campus errs, not the students. */
export const withStoredRefusal = (gateway: GatewayMemory, student: string, now: number): GatewayMemory => {
  const { refusedStudents, acceptedAtLeast } = n.campus;
  const storedRefused = [...gateway.storedRefused.filter((row) => row.student !== student), { at: now, student }];
  const next = { ...gateway, storedRefused: storedRefused.slice(-2 * refusedStudents) };
  if (gateway.brake?.why === 'markers') return next;
  if (gateway.brake !== null) return { ...next, brake: braked(gateway, 'refusals', now) };
  const errs = storedRefused.length >= refusedStudents && gateway.storedAccepted.length < acceptedAtLeast;
  return errs ? { ...next, brake: braked(gateway, 'refusals', now) } : next;
};

/** Whether an accepted stored pair has to be written down: only five in five minutes are of interest. */
export const acceptanceMatters = (gateway: GatewayMemory, now: number): boolean =>
  gateway.brake !== null ||
  gateway.storedAccepted.filter((at) => at > now - n.campus.windowMs / 2).length < n.campus.acceptedAtLeast;

/** A foreign pair or a registration was accepted: so the campus does not refuse all. */
export const withForeignAcceptance = (gateway: GatewayMemory, now: number): GatewayMemory =>
  (gateway.brake?.why !== 'markers' || gateway.brake.unheldSince !== undefined) && acceptanceMatters(gateway, now)
    ? withStoredAcceptance(gateway, now)
    : gateway;

export const withStoredAcceptance = (gateway: GatewayMemory, now: number): GatewayMemory => {
  const storedAccepted = [...gateway.storedAccepted, now];
  // What was refused during the trouble says nothing about the time after it.
  if (gateway.brake === null) return { ...gateway, storedAccepted };
  const markers = gateway.markers.map((row) => (row.group === 'stored' ? { ...row, settled: true } : row));
  const { unheldSince } = gateway.brake;
  const unheld = gateway.unheld.map((row) => ({ ...row, settled: true }));
  const heldAgain = unheldSince === undefined ? gateway.heldAgain : { from: unheldSince, at: now };
  return { ...gateway, storedAccepted, storedRefused: [], markers, unheld, heldAgain, brake: null };
};

/**
 * G5, the parts of the code and of the invite token that was made from it. Refusals do not use up the code: another
 * token of it goes on.
 */
export const codeWait = (code: CodeMemory, invite: string, place: Place, now: number): number => {
  const { network, unprovenNetworks, windowMs } = n.registrations.code;
  const ofInvite = code.refused.filter((row) => row.invite === invite);
  const vouched = new Set(code.accepted.map((row) => row.network));
  const here = code.refused.filter((row) => row.network === place.network);
  const most = network + sum(code.accepted.filter((row) => row.network === place.network));
  const unvouched = code.refused.filter((row) => !vouched.has(row.network));
  return Math.max(
    secondsUntilFree(ofInvite, n.registrations.perInviteToken, windowMs, now),
    place.trusted ? 0 : secondsUntilFree(here, most, windowMs, now),
    vouched.has(place.network) ? 0 : secondsUntilFree(unvouched, unprovenNetworks, windowMs, now),
  );
};

const MINUTE = 60_000;
const FIVE_MINUTES = 5 * MINUTE;
const HOUR = 3_600_000;

/** One more of what is counted together; the moment kept is the latest, so that nothing leaves its window too early. */
export const withRegistration = (
  gateway: GatewayMemory,
  code: CodeMemory,
  network: string,
  now: number,
): { gateway: GatewayMemory; code: CodeMemory } => {
  const lately = gateway.registered.at(-1);
  const joins = lately !== undefined && Math.floor(lately.at / FIVE_MINUTES) === Math.floor(now / FIVE_MINUTES);
  const registered = joins
    ? [...gateway.registered.slice(0, -1), { at: now, count: lately.count + 1 }]
    : [...gateway.registered, { at: now, count: 1 }];
  const same = (row: CodeMemory['accepted'][number]): boolean =>
    row.network === network && Math.floor(row.at / HOUR) === Math.floor(now / HOUR);
  const count = 1 + sum(code.accepted.filter(same));
  const accepted = [...code.accepted.filter((row) => !same(row)), { at: now, network, count }];
  return { gateway: { ...gateway, registered }, code: { ...code, accepted } };
};
