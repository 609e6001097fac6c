import type { GatewayMemory, PersonMark, QuietMemory } from '../records.ts';
import type { AskOutcome, GuardMemory } from './events.ts';
import { guardNumbers as n } from './numbers.ts';

// For how long after a passed step the campus is known to ask for none: so long the mark rests.

/** 0 until both were seen: that none is asked for, by enough students, and that one is asked for again. */
export const knownQuietMs = ({ without, again, brokenUntil }: QuietMemory): number => {
  const { students, share } = n.person.quiet;
  const longest = without[students - 1];
  return longest === undefined || again === null || brokenUntil > 0 ? 0 : Math.min(longest.ms, again.ms * share);
};

/** Whether a step is to be expected: `lifted` and `rests` are for marks that do not hold for now. */
export const markOf = (
  { student: { person }, gateway }: Pick<GuardMemory, 'student' | 'gateway'>,
  now: number,
): 'none' | 'holds' | 'lifted' | 'rests' => {
  if (person === null) return 'none';
  if (person.liftedUntil > 0) return 'lifted';
  return person.passedAt > 0 && now - person.passedAt < knownQuietMs(gateway.quiet) ? 'rests' : 'holds';
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
