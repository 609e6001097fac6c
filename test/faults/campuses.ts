import type { LakesideCampus, LakesideSystem } from '../../src/demo/lakeside/campus.ts';
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

export const demoFaults = (demo: DemoCampus): FaultCampus => ({
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

const lakesideSystems: Readonly<Record<string, LakesideSystem>> = { cas: 'login', lakeside: 'academics' };

/** Its only application stands for every one that a case names: what it does not offer is not tried. */
export const lakesideFaults = (lakeside: LakesideCampus): FaultCampus => ({
  isRecorded: false,
  systems: Object.keys(lakesideSystems),
  at: (place) => ({ portal: null, 'unified login': 'cas', application: 'lakeside' })[place],
  fault(name, fault) {
    const system = lakesideSystems[name];
    if (system) lakeside.fault(system, fault);
  },
  clearFaults: () => lakeside.clearFaults(),
  requests: () =>
    lakeside.requests().map((line) => {
      const [system = '', method = '', path = ''] = line.split(' ');
      return { system, method, path };
    }),
  resetRequests: () => lakeside.resetRequests(),
  addStudent: ({ userid, password }) => lakeside.addStudent({ id: userid, password }),
  endings: () => ({
    'application session over': () => lakeside.expireSessions(),
    'all sessions over': () => {
      lakeside.expireSessions();
      lakeside.expireLogins();
    },
  }),
});
