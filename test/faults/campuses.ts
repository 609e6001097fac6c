import type { SimulatedCampus } from '../../src/demo/simulated-campus.ts';
import type { DemoCampus, DemoFault, DemoSystem } from '../../src/demo/types.ts';
import { endings, type FaultPlace } from './kinds.ts';

export interface CampusRequest {
  readonly system: string;
  readonly method: string;
  readonly path: string;
}

/** A campus as far as it can be made to fail. Its systems bear the names of the lines in front of them. */
export interface FaultCampus {
  /** The golden recording is made with it. */
  readonly isRecorded: boolean;
  readonly systems: readonly string[];
  /** The system at a place on the way to an application of the cases; null: this campus has none there. */
  at(place: Exclude<FaultPlace, 'everywhere'>, application: string): string | null;
  fault(system: string, fault: DemoFault): void;
  clearFaults(): void;
  /** Since the last reset. */
  requests(): readonly CampusRequest[];
  resetRequests(): void;
  addStudent(student: { readonly userid: string; readonly password: string; readonly vpnPassword: string }): void;
  /** Sessions that end at the campus: no fault for the student, who must not notice. */
  endings(userid: string): Readonly<Record<string, () => void>>;
}

const demoSystems: readonly DemoSystem[] = ['vpn', 'cas', 'jwc', 'aac', 'ldjlb', 'isim', 'competition', 'card'];

const isDemoSystem = (name: string): name is DemoSystem => demoSystems.some((system) => system === name);

const demoFaults = (demo: DemoCampus): FaultCampus => ({
  isRecorded: true,
  systems: demoSystems,
  at: (place, application) => ({ portal: 'vpn', 'unified login': 'cas', application })[place],
  fault(system, fault) {
    if (isDemoSystem(system)) demo.fault({ system, fault });
  },
  clearFaults: () => demo.clearFaults(),
  requests: () => demo.requests(),
  resetRequests: () => demo.resetRequests(),
  addStudent: (student) => demo.addStudent(student),
  endings: (userid) =>
    Object.fromEntries(Object.entries(endings).map(([name, end]) => [name, () => end(demo.student(userid))])),
});

/** Its only application stands for every one that a case names: what it does not offer is not tried. */
const simulatedFaults = (campus: SimulatedCampus): FaultCampus => {
  const login = campus.systems.find((name) => name === 'cas') ?? null;
  const application = campus.systems.find((name) => name !== 'cas') ?? null;
  return {
    isRecorded: false,
    systems: campus.systems,
    at: (place) => ({ portal: null, 'unified login': login, application })[place],
    fault: (system, fault) => campus.fault(system, fault),
    clearFaults: () => campus.clearFaults(),
    requests: () => campus.requests(),
    resetRequests: () => campus.resetRequests(),
    addStudent: ({ userid, password }) => campus.addStudent({ id: userid, password }),
    endings: () => ({
      // Where the application has a login of its own, its session is the only one.
      ...(login !== null && { 'application session over': () => campus.expireSessions() }),
      'all sessions over': () => {
        campus.expireSessions();
        campus.expireLogins();
      },
    }),
  };
};

/** The campus behind a gateway: the demo campus, or the simulator of its manifest. */
export const faultsOf = ({
  demo,
  services: { simulated },
}: {
  readonly demo: DemoCampus;
  readonly services: { readonly simulated: SimulatedCampus | null };
}): FaultCampus => (simulated === null ? demoFaults(demo) : simulatedFaults(simulated));
