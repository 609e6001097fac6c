import type { Clock } from '../lib/clock.ts';
import type { CampusFacts } from './capabilities.ts';
import type { UpstreamOutcome } from './observation.ts';

/** The systems of a campus, by the names that logs, metrics and answers use, with the area of capabilities that each has. */
const systems = {
  portal: null,
  'unified-login': null,
  academics: 'academics',
  'activity-score': 'activityScore',
  'labor-club': 'laborClub',
  electricity: 'electricity',
  competitions: 'competitions',
  card: 'card',
} as const;
export type SystemName = keyof typeof systems;
const isSystem = (name: string): name is SystemName => Object.hasOwn(systems, name);
export const systemNames = Object.keys(systems).filter(isSystem);

/** A single failed answer may be the doing of one student's page. */
const FAILURES = 3;

/** `unknown`: it was not asked since this process began. */
export type SystemState = 'answers' | 'fails' | 'unknown' | 'not-offered';

export interface SystemReport {
  readonly name: SystemName;
  readonly state: SystemState;
  /** Of the first failure since the last answer, epoch ms; null where it does not fail. */
  readonly failsSince: number | null;
  /** Of the last answer, epoch ms; null: there was none. */
  readonly answeredAt: number | null;
}

interface Seen {
  answeredAt: number | null;
  failingSince: number | null;
  failures: number;
}

/** Remembers how the systems answered while this process asked them for students. It asks nothing itself. */
export class SystemStates {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Seen>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** One request is over. A dead session is an answer too; a request that was never sent says nothing. */
  upstream(system: string, outcome: UpstreamOutcome): void {
    if (outcome === 'refused' || outcome === 'abandoned') return;
    const seen = this.#seen.get(system) ?? { answeredAt: null, failingSince: null, failures: 0 };
    this.#seen.set(system, seen);
    if (outcome === 'ok' || outcome === 'expired') {
      Object.assign(seen, { answeredAt: this.#clock.now(), failingSince: null, failures: 0 });
    } else {
      seen.failingSince ??= this.#clock.now();
      seen.failures += 1;
    }
  }

  /** @param breakers those of the systems: one that is not closed says that its system fails */
  report(
    { capabilities, hasPortal }: Pick<CampusFacts, 'capabilities' | 'hasPortal'>,
    breakers: ReadonlyMap<string, string>,
  ): SystemReport[] {
    const areas = new Set([...capabilities].map((capability) => capability.slice(0, capability.indexOf('.'))));
    return systemNames.map((name) => {
      const area = systems[name];
      const isOffered = area === null ? name !== 'portal' || hasPortal : areas.has(area);
      if (!isOffered) return { name, state: 'not-offered', failsSince: null, answeredAt: null };
      const { answeredAt = null, failingSince = null, failures = 0 } = this.#seen.get(name) ?? {};
      const isOpen = (breakers.get(name) ?? 'closed') !== 'closed';
      if (isOpen || failures >= FAILURES) return { name, state: 'fails', failsSince: failingSince, answeredAt };
      return { name, state: answeredAt === null ? 'unknown' : 'answers', failsSince: null, answeredAt };
    });
  }
}
