import type { AcademicState } from '../campus-state.ts';
import type { DemoSystem } from '../types.ts';

/**
 * The competition pages' service at the unified login. No client is configured with it: it is learned from the
 * page's own redirect. Its inner host is a bare address, as on the real campus.
 */
export const COMPETITION_SERVICE = 'http://10.20.30.40/casLogin.aspx';

/** The same for the card system, whose inner host speaks https. */
export const CARD_SERVICE = 'https://card.campus.test/casLogin.jsp';

/** Where the two single-page front ends are; their addresses are read from a `Location` and never fetched. */
export const FRONT_ENDS = { aac: 'http://aac-web.campus.test', ldjlb: 'http://ldjlb-web.campus.test' } as const;

type Wired = Pick<AcademicState, 'wiring'>;

export const originOf = ({ wiring }: Wired, system: DemoSystem): string =>
  new URL(wiring[`${system}Url`] ?? 'http://not-connected.invalid').origin;

const servicesOf = (state: Wired): readonly (readonly [string, DemoSystem])[] => [
  [state.wiring.jwcService, 'jwc'],
  [state.wiring.aacService, 'aac'],
  [state.wiring.ldjlbService, 'ldjlb'],
  [COMPETITION_SERVICE, 'competition'],
  [CARD_SERVICE, 'card'],
];

export const systemOfService = (state: Wired, service: string): DemoSystem | null =>
  servicesOf(state).find(([known]) => known === service)?.[1] ?? null;

export const serviceOf = (state: Wired, system: DemoSystem): string =>
  servicesOf(state).find(([, owner]) => owner === system)?.[0] ?? state.wiring.jwcService;

/**
 * The origin that a `Location` into this system names: the mapped one, or by switch the inner one of its service.
 * The competition pages stay mapped, because no setting of a client could tell what their inner host means.
 */
export const locationOrigin = (state: AcademicState, system: DemoSystem): string => {
  const inner = state.switches.innerHostLocations && (system === 'jwc' || system === 'aac' || system === 'ldjlb');
  return inner ? new URL(serviceOf(state, system)).origin : originOf(state, system);
};

export const loginLocation = (state: Wired, service: string): string =>
  `${state.wiring.casUrl}/login?service=${encodeURIComponent(service)}`;

export const ticketLocation = (state: AcademicState, system: DemoSystem, service: string, ticket: string): string => {
  const { pathname, search } = new URL(service);
  return `${locationOrigin(state, system)}${pathname}${search}${search ? '&' : '?'}ticket=${ticket}`;
};
