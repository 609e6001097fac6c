import { type AcademicsCampus, academicsMethods } from './academics/reads.ts';
import { type ActivityScoreCampus, activityScoreReads } from './activity-score/records.ts';
import { type CardCampus, cardReads } from './card/records.ts';
import { type CompetitionsCampus, competitionReads } from './competitions/records.ts';
import { type ElectricityCampus, electricityMethods } from './electricity/reads.ts';
import { type CampusSystem, type Failure, failures } from './errors.ts';
import type { EvaluationCampus } from './evaluation/types.ts';
import { type EventType, eventTypes } from './events/records.ts';
import { type LaborClubCampus, laborClubMethods } from './labor-club/reads.ts';
import { type OfferingsCampus, offeringsMethods } from './offerings/records.ts';
import type { MethodsOf } from './read-row.ts';
import { methodsOf } from './reads/plain-reads.ts';

/** Everything that a campus may be asked for. */
export interface CampusPorts {
  readonly academics: AcademicsCampus;
  readonly evaluation: EvaluationCampus;
  readonly offerings: OfferingsCampus;
  readonly activityScore: ActivityScoreCampus;
  readonly electricity: ElectricityCampus;
  readonly laborClub: LaborClubCampus;
  readonly competitions: CompetitionsCampus;
  readonly card: CardCampus;
}

type Area = keyof CampusPorts;

/** One thing that a campus may be asked for, such as `academics.terms`. `GET /campus` tells these names: they stay. */
export type Capability = { [A in Area]: `${A}.${keyof CampusPorts[A] & string}` }[Area];

/** The methods by which an application answers. What is not in it is not supplied. */
export type Supplies = { readonly [A in Area]?: Partial<CampusPorts[A]> };

/** The application that would supply an area, and the methods of its port. */
const areas: {
  readonly [A in Area]: { readonly system: CampusSystem; readonly methods: MethodsOf<CampusPorts[A]> };
} = {
  academics: { system: 'academics', methods: academicsMethods },
  evaluation: { system: 'academics', methods: { season: true, courses: true, open: true, submit: true } },
  offerings: { system: 'academics', methods: offeringsMethods },
  activityScore: { system: 'activity-score', methods: methodsOf(activityScoreReads) },
  electricity: { system: 'electricity', methods: electricityMethods },
  laborClub: { system: 'labor-club', methods: laborClubMethods },
  competitions: { system: 'competitions', methods: methodsOf(competitionReads) },
  card: { system: 'card', methods: methodsOf(cardReads) },
};

/** The application that would supply it. */
export const systemOf = (capability: Capability): CampusSystem => areas[capability.split('.')[0] as Area].system;

const notOffered = (capability: Capability): Failure =>
  failures.notOffered(systemOf(capability), `${capability} is not supplied`);

export const capabilitiesIn = (supplies: Supplies): readonly Capability[] =>
  Object.entries(supplies).flatMap(([area, methods]) =>
    // Its members are those of the ports, and no type says so of a list of names.
    Object.keys(methods ?? {}).map((method) => `${area}.${method}` as Capability),
  );

/** A run of the evaluation needs these. */
export const evaluating: readonly Capability[] = [
  'evaluation.season',
  'evaluation.courses',
  'evaluation.open',
  'evaluation.submit',
];

export const isCapability = (name: string): name is Capability => {
  const [area = '', method = '', ...more] = name.split('.');
  return more.length === 0 && Object.hasOwn(areas, area) && Object.hasOwn(areas[area as Area].methods, method);
};

/** All ports of a campus: a method that is not supplied fails with `not-offered`. */
export const portsOf = (supplied: readonly Supplies[]): CampusPorts => {
  const ports = Object.entries(areas).map(([area, { methods }]) => {
    const missing = Object.keys(methods).map((method) => {
      const capability = `${area}.${method}` as Capability;
      return [method, () => Promise.reject(notOffered(capability))] as const;
    });
    return [area, Object.assign(Object.fromEntries(missing), ...supplied.map((each) => each[area as Area]))];
  });
  return Object.fromEntries(ports);
};

/** The campus that is served, and what it offers. */
export interface CampusFacts {
  readonly id: string;
  readonly name: { readonly zh: string; readonly en: string };
  /** False: its systems are open to the network, and there is no password of a portal. */
  readonly hasPortal: boolean;
  /** Steps that a login may want of a person. */
  readonly challenges: readonly string[];
  /** Every login shows an image, so no student is signed in without being there. */
  readonly isAttended: boolean;
  /** The application that takes the password, where there is no unified login. */
  readonly ownLogin: CampusSystem | null;
  readonly capabilities: ReadonlySet<Capability>;
  /** Each of them with its product, and the month in which a recording of a real campus was read with it; null: none was. */
  readonly supplied: readonly Supplied[];
}

export interface Supplied {
  readonly capability: Capability;
  readonly product: string;
  readonly proven: string | null;
}

/** Why a campus cannot do this at all; null: it can. */
export const lackOf = (
  { capabilities }: Pick<CampusFacts, 'capabilities'>,
  needs: readonly Capability[] = [],
): Failure | null => {
  const lacking = needs.find((need) => !capabilities.has(need));
  return lacking === undefined ? null : notOffered(lacking);
};

/** Whether this change event can ever happen at this campus. */
export const canHappen = (type: EventType, { capabilities }: Pick<CampusFacts, 'capabilities'>): boolean => {
  const { seenIn }: { readonly title: string; readonly seenIn?: readonly Capability[] } = eventTypes[type];
  return seenIn === undefined || seenIn.some((capability) => capabilities.has(capability));
};
