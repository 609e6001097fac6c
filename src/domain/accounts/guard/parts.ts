import type { SignInStep } from '../../errors.ts';
import { type Place, secondsUntil, secondsUntilFree } from './campus.ts';
import type { AskOutcome, GuardAnswer, GuardRule, Refusal } from './events.ts';
import type { Ask, AskGroup, CallerClass, GatewayMemory, Pause, RegistrationAsk, StudentMemory } from './memory.ts';
import { guardNumbers as n } from './numbers.ts';

export const go: GuardAnswer = { type: 'go' };
export const noted: Extract<GuardAnswer, { type: 'noted' }> = { type: 'noted', setAside: null, pausedSeconds: 0 };

export const wait = (
  rule: GuardRule,
  why: 'login-wait' | 'registration-wait' | 'gateway-wait' | 'paused',
  retryAfterSeconds: number,
): Refusal | null => (retryAfterSeconds > 0 ? { type: 'refuse', rule, why, retryAfterSeconds } : null);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** G2. */
export const comparingWait = (student: StudentMemory, by: CallerClass, caller: Place, now: number): number => {
  const most = n.mismatches[by];
  const rows = student.mismatches.filter((row) => row.by === by);
  const here = caller.trusted ? [] : rows.filter(({ network }) => network === caller.network);
  return Math.max(
    secondsUntilFree(rows, most.hour, HOUR, now),
    secondsUntilFree(rows, most.day, DAY, now),
    secondsUntilFree(here, most.networkHour, HOUR, now),
    secondsUntilFree(here, most.networkDay, DAY, now),
  );
};

export const withMismatch = (student: StudentMemory, by: CallerClass, caller: Place, now: number): StudentMemory => ({
  ...student,
  mismatches: [...student.mismatches, { at: now, by, network: caller.network }],
});

export const waitAfter = (
  rows: ReadonlyArray<Pick<Ask, 'state' | 'endedAt'>>,
  waitsMs: readonly number[],
  now: number,
): number => {
  const refused = rows.filter(({ state }) => state === 'refused' || state === 'marker');
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

export const withNetwork = (student: StudentMemory, home: readonly string[], now: number): StudentMemory => {
  const [name] = home;
  if (name === undefined) return student;
  const noted = student.networks.find(({ network }) => home.includes(network));
  if (noted !== undefined && noted.at > now - n.networks.noteMs) return student;
  const others = student.networks.filter(({ network }) => !home.includes(network));
  return { ...student, networks: [...others, { network: name, at: now }].slice(-n.networks.most) };
};

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

const stateOf = (outcome: AskOutcome): 'refused' | 'marker' | 'unknown' =>
  outcome.type === 'refused' || outcome.type === 'marker' ? outcome.type : 'unknown';

export const withEnd = <T extends Ask | RegistrationAsk>(
  rows: readonly T[],
  id: string,
  outcome: AskOutcome,
  now: number,
): T[] =>
  outcome.type === 'accepted' || outcome.type === 'unsent'
    ? rows.filter((row) => row.id !== id)
    : rows.map((row) => (row.id === id ? { ...row, state: stateOf(outcome), endedAt: now } : row));

/** The campus calls everybody's password wrong: what it says of this one is worth nothing. */
export const campusErrs = (gateway: GatewayMemory, now: number): Refusal | null =>
  gateway.brake?.why !== 'refusals'
    ? null
    : wait('G12', 'paused', Math.max(1, secondsUntil(gateway.brake.nextAt, now)));
