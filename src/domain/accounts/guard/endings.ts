import { type SignInStep, signInSteps } from '../../errors.ts';
import type { Ask, GatewayMemory, MarkedGroup, NetworkMemory, StudentMemory, Unheld } from '../records.ts';
import { secondsUntil, withAnswers, withForeignAcceptance, withMarker, withUnheldStudent } from './campus.ts';
import type { AskOutcome, Caller, Ended, GuardDecision, GuardMemory, Refusal, SubmittedPair } from './events.ts';
import { guardNumbers as n } from './numbers.ts';
import { noted, pauseAfter, wait, withLoginNetwork, withoutSecret, withQuiet, withRefusedSecret } from './parts.ts';
import { withoutStep, withoutStop } from './person.ts';

// What the end of a sign-in means, for any caller.

interface Accepted {
  readonly caller: Caller;
  readonly prints: SubmittedPair['prints'];
  readonly tag: string;
  readonly outcome: Extract<AskOutcome, { type: 'accepted' }>;
}

/** The campus has said something, good or bad. */
export const isAnswer = ({ type }: AskOutcome): boolean => type !== 'unsent' && type !== 'unknown';

const stateOf = (outcome: AskOutcome): 'refused' | 'marker' | 'unknown' =>
  outcome.type === 'refused' || outcome.type === 'marker' ? outcome.type : 'unknown';

const backToTheStudent: ReadonlySet<AskOutcome['type']> = new Set(['accepted', 'unsent', 'passed', 'unheld', 'person']);

/** Nothing was held against the student: no wrong password reached the campus, and it showed no sign of alarm. */
export const isGivenBack = ({ type }: AskOutcome): boolean => backToTheStudent.has(type);

const withRest = (student: StudentMemory, now: number): StudentMemory => {
  const { restSeconds, togetherMs } = n.unheld;
  const isSecond = student.unheld.some(({ by, at }) => by === 'stored' && at > now - togetherMs);
  if (!isSecond) return student;
  const longer = restSeconds.find((seconds) => seconds > (student.rest?.seconds ?? 0));
  const seconds = longer ?? Math.max(...restSeconds);
  return { ...student, rest: { until: now + seconds * 1000, seconds } };
};

/** The portal let this sign-in in and it came to nothing, or (`unread`) that is unknown. */
export const withUnheld = (
  student: StudentMemory,
  outcome: AskOutcome,
  by: Unheld['by'],
  now: number,
): StudentMemory => {
  switch (outcome.type) {
    case 'person': {
      const { passedAt = 0, firstPassed = '' } = student.person ?? {};
      const { wanted, step = 'portal' } = outcome;
      const person = { wanted, step, at: now, liftedUntil: 0, passedAt, firstPassed };
      const marked = { ...student, person, letUntil: 0 };
      // The mark stops unattended ones by itself, and challenges have their own budgets.
      return by === 'stored' || outcome.offered ? marked : { ...marked, unheld: [...student.unheld, { at: now, by }] };
    }
    case 'passed':
      // For a stored pair the campus is merely slow.
      return by === 'stored' ? student : { ...student, unheld: [...student.unheld, { at: now, by }] };
    case 'unheld':
    case 'unread': {
      const rested = by === 'stored' ? withRest(student, now) : student;
      return { ...rested, unheld: [...student.unheld, { at: now, by }] };
    }
    default:
      return student;
  }
};

/** @param kept it stays booked with any outcome */
export const withEnd = (rows: readonly Ask[], id: string, outcome: AskOutcome, now: number, kept = false): Ask[] =>
  isGivenBack(outcome) && !kept
    ? rows.filter((row) => row.id !== id)
    : rows.map((row) => (row.id === id ? { ...row, state: stateOf(outcome), endedAt: now } : row));

/**
 * A registration or a login was accepted there. Noted at most once a day and without a lock, because the logins of a
 * campus that shares a network must not wait for each other.
 */
export const withAccepted = (network: NetworkMemory, now: number): NetworkMemory =>
  network.acceptedAt > now - n.networks.noteMs ? network : { acceptedAt: now };

/** The campus calls all passwords wrong: what it says of this one is worth nothing. */
export const campusErrs = (gateway: GatewayMemory, now: number): Refusal | null =>
  gateway.brake?.why !== 'refusals'
    ? null
    : wait('G12', 'paused', Math.max(1, secondsUntil(gateway.brake.nextAt, now)));

/**
 * What the campus shows of itself by the end of a sign-in of this class, apart from the pair.
 * @param answers 0: they are not worth writing down
 */
export const withEnding = (
  { student, gateway }: GuardMemory,
  group: MarkedGroup,
  { outcome, tag }: Ended,
  attended: boolean,
  now: number,
  answers = 1,
): GatewayMemory => {
  const answered = isAnswer(outcome) && answers > 0 ? withAnswers(gateway, group, answers, now) : gateway;
  const told = withQuiet(answered, student.person, outcome, attended, now);
  const { type } = outcome;
  return type === 'unheld' || type === 'unread' ? withUnheldStudent(told, tag, now) : told;
};

/** A captcha or a sign of alarm: foreign pairs of this student pause, and perhaps all of this class. */
export const meetsMarker = (memory: GuardMemory, group: MarkedGroup, tag: string, now: number): GuardDecision => {
  const foreignPause = pauseAfter(memory.student.foreignPause, now);
  const student = { ...memory.student, foreignPause };
  const gateway = withMarker(memory.gateway, group, tag, now);
  return { answer: { ...noted, pausedSeconds: foreignPause.seconds }, next: { ...memory, student, gateway } };
};

/** The campus refused the pair at this step. */
export const withRefusal = (
  student: StudentMemory,
  step: SignInStep,
  prints: SubmittedPair['prints'],
  now: number,
): StudentMemory => {
  const refused = withRefusedSecret(student, step, prints[step][0], false, now);
  // A refusal at the second step means that the first was passed.
  return step === 'unified-login' ? withoutSecret(refused, 'portal', prints.portal) : refused;
};

/** It accepted a pair that was not the good stored one. */
export const withAcceptance = (
  memory: GuardMemory,
  { caller, prints, tag, outcome }: Accepted,
  now: number,
): GuardMemory => {
  const { gateway } = memory;
  let student: StudentMemory = { ...memory.student, foreignPause: null, provenAt: now };
  if (!outcome.stepped) student = withoutStep(student, gateway, now);
  for (const step of signInSteps) student = withoutSecret(student, step, prints[step]);
  return {
    ...memory,
    student: withLoginNetwork(student, caller.home, now),
    network: withAccepted(memory.network, now),
    gateway: withForeignAcceptance(outcome.stepped ? gateway : withoutStop(gateway, tag), now),
  };
};
