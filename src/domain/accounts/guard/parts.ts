import type { SignInStep } from '../../errors.ts';
import type {
  Ask,
  AskGroup,
  GatewayMemory,
  KnownNetwork,
  Pause,
  PersonMark,
  QuietMemory,
  StudentMemory,
  Unheld,
} from '../records.ts';
import { type Place, secondsUntil, secondsUntilFree } from './campus.ts';
import type { AskOutcome, GuardAnswer, GuardMemory, GuardRule, Refusal } from './events.ts';
import { isKnown } from './memory-at.ts';
import { guardNumbers as n } from './numbers.ts';

export const go: GuardAnswer = { type: 'go' };
export const noted: Extract<GuardAnswer, { type: 'noted' }> = { type: 'noted', setAside: null, pausedSeconds: 0 };

export const wait = (
  rule: GuardRule,
  why: 'login-wait' | 'registration-wait' | 'gateway-wait' | 'paused',
  retryAfterSeconds: number,
): Refusal | null => (retryAfterSeconds > 0 ? { type: 'refuse', rule, why, retryAfterSeconds } : null);

/** G3: after refusals of the same class. */
export const waitAfter = ({ asks }: StudentMemory, by: Ask['by'], now: number): number => {
  const { waitsMs } = n.asks;
  const refused = asks.filter((ask) => ask.by === by && (ask.state === 'refused' || ask.state === 'marker'));
  const waitMs = waitsMs[Math.min(refused.length, waitsMs.length) - 1];
  return waitMs === undefined ? 0 : secondsUntil(Math.max(...refused.map(({ endedAt }) => endedAt)) + waitMs, now);
};

export const pauseLeft = (pause: Pause | null, now: number): number =>
  pause === null ? 0 : secondsUntil(pause.until, now);

/** A marker that arrives while a pause is running belongs to the same incident: it prolongs, it does not double. */
export const pauseAfter = (pause: Pause | null, now: number): Pause => {
  const { firstPauseSeconds, longestPauseSeconds } = n.markers;
  const running = pauseLeft(pause, now) > 0;
  const grown = pause === null ? firstPauseSeconds : pause.seconds * (running ? 1 : 2);
  const seconds = Math.min(grown, longestPauseSeconds);
  return { until: now + seconds * 1000, seconds };
};

/** Whether a login of this student succeeded in the network with these names. */
export const hasLoggedInFrom = (student: StudentMemory, home: readonly string[], now: number): boolean =>
  student.networks.some((row) => row.login && home.includes(row.network) && isKnown(row, now));

/** The latest networks where a login succeeded keep their places; all others share those that are left. */
const keptNetworks = (rows: readonly KnownNetwork[]): KnownNetwork[] => {
  const { most, forLogins } = n.networks;
  const own = new Set(rows.filter(({ login }) => login).slice(-forLogins));
  const others = new Set(rows.filter((row) => !own.has(row)).slice(forLogins - most));
  return rows.filter((row) => own.has(row) || others.has(row));
};

const withNetwork = (student: StudentMemory, home: readonly string[], login: boolean, now: number): StudentMemory => {
  const [name] = home;
  if (name === undefined) return student;
  const noted = student.networks.find(({ network }) => home.includes(network));
  const says = noted !== undefined && noted.at > now - n.networks.noteMs && (noted.login || !login);
  if (says) return student;
  const others = student.networks.filter(({ network }) => !home.includes(network));
  const row = { network: name, at: now, login: login || noted?.login === true };
  return { ...student, networks: keptNetworks([...others, row]) };
};

/** A login or registration of the student succeeded there. */
export const withLoginNetwork = (student: StudentMemory, home: readonly string[], now: number): StudentMemory =>
  withNetwork(student, home, true, now);

/** A valid token of the student was used there, which keeps the network remembered but is no login. */
export const withUsedNetwork = (student: StudentMemory, home: readonly string[], now: number): StudentMemory =>
  withNetwork(student, home, false, now);

export const withRefusedSecret = (
  student: StudentMemory,
  step: SignInStep,
  print: string | undefined,
  replaced: boolean,
  now: number,
): StudentMemory => {
  if (print === undefined) return student;
  const others = student.refusedSecrets.filter((row) => row.step !== step || row.print !== print);
  const rows = [...others, { print, step, at: now, replaced }];
  return { ...student, refusedSecrets: rows.slice(-n.asks.refusedSecrets.most) };
};

export const withoutSecret = (student: StudentMemory, step: SignInStep, prints: readonly string[]): StudentMemory => ({
  ...student,
  refusedSecrets: student.refusedSecrets.filter((row) => row.step !== step || !prints.includes(row.print)),
});

export const withRefused = (
  gateway: GatewayMemory,
  id: string,
  group: AskGroup,
  { network }: Place,
  now: number,
): GatewayMemory => ({ ...gateway, refused: [...gateway.refused, { id, at: now, group, network }] });

export const givenBack = (gateway: GatewayMemory, id: string): GatewayMemory => ({
  ...gateway,
  refused: gateway.refused.filter((row) => row.id !== id),
});

/**
 * G13: seconds until the next sign-in of this kind, of those that do not hold. Pauses are for unattended ones: a
 * person stops by himself.
 */
export const unheldWait = ({ unheld, rest }: StudentMemory, by: Unheld['by'], now: number): number => {
  const rows = unheld.filter((row) => row.by === by);
  const spent = secondsUntilFree(rows, n.unheld.most, n.unheld.windowMs, now);
  return by === 'stored' ? Math.max(spent, pauseLeft(rest, now)) : spent;
};

// The mark is idle for as long after a passed step as the campus is known to ask for none.

/** 0 until both were seen: that none is asked for, by enough students, and that one is asked for again. */
export const knownQuietMs = ({ without, again, brokenUntil }: QuietMemory): number => {
  const { students, share } = n.person.quiet;
  const longest = without[students - 1];
  return longest === undefined || again === null || brokenUntil > 0 ? 0 : Math.min(longest.ms, again.ms * share);
};

/** Whether a step is to be expected: `lifted` and `idle` are for marks that do not hold for now. */
export const markOf = (
  { student: { person }, gateway }: Pick<GuardMemory, 'student' | 'gateway'>,
  now: number,
): 'none' | 'holds' | 'lifted' | 'idle' => {
  if (person === null) return 'none';
  if (person.liftedUntil > 0) return 'lifted';
  return person.passedAt > 0 && now - person.passedAt < knownQuietMs(gateway.quiet) ? 'idle' : 'holds';
};

const withoutStepAfter = (quiet: QuietMemory, { passedAt, firstPassed: of }: PersonMark, now: number): QuietMemory => {
  const ms = now - passedAt;
  const others = quiet.without.filter((row) => row.of !== of);
  const isLonger = others.length === quiet.without.length || quiet.without.some((row) => row.of === of && row.ms < ms);
  const without = [...others, { of, ms, at: now }].sort((a, b) => b.ms - a.ms).slice(0, n.person.quiet.students);
  return isLonger && without.some((row) => row.of === of) ? { ...quiet, without } : quiet;
};

const withStepAfter = (quiet: QuietMemory, { passedAt }: PersonMark, now: number): QuietMemory => {
  const ms = now - passedAt;
  const brokenUntil = ms < knownQuietMs(quiet) ? now + n.person.quiet.brokenMs : quiet.brokenUntil;
  if (quiet.again !== null && quiet.again.ms <= ms)
    return brokenUntil > quiet.brokenUntil ? { ...quiet, brokenUntil } : quiet;
  return { ...quiet, again: { ms, at: now }, brokenUntil };
};

/** What the end of a sign-in shows of it, by the mark that the student bore before. */
export const withQuiet = (
  gateway: GatewayMemory,
  person: PersonMark | null,
  outcome: AskOutcome,
  attended: boolean,
  now: number,
): GatewayMemory => {
  if (person === null || person.passedAt === 0) return gateway;
  const isWithout = attended && outcome.type === 'accepted' && !outcome.stepped;
  const quiet = isWithout
    ? withoutStepAfter(gateway.quiet, person, now)
    : outcome.type === 'person'
      ? withStepAfter(gateway.quiet, person, now)
      : gateway.quiet;
  return quiet === gateway.quiet ? gateway : { ...gateway, quiet };
};

/** A person has taken the step. */
export const withPassedStep = (person: PersonMark | null, challenge: string, now: number): PersonMark | null =>
  person && { ...person, passedAt: now, firstPassed: person.firstPassed || challenge };
