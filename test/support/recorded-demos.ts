import { signIn } from '../../src/cli/signing-in.ts';
import { worldOfProcess } from '../../src/cli/world.ts';
import { openCampus } from '../../src/composition/campus.ts';
import { openRecorder } from '../../src/composition/recordings.ts';
import { loadConfig } from '../../src/config/config.ts';
import { keyFiles } from '../../src/config/process-files.ts';
import { withoutCreating } from '../../src/config/secrets.ts';
import type { PasswordPair } from '../../src/domain/accounts/ports.ts';
import { type Clock, systemClock } from '../../src/lib/time.ts';
import { lookAtImage, person } from './person-at-terminal.ts';

export interface DemoStudent extends PasswordPair {
  readonly userid: string;
  /** Whose meter is read. */
  readonly room: string | null;
}

/** The demo campuses, with the students of each that are recorded. */
export const demoStudents: Readonly<Record<string, readonly [DemoStudent, DemoStudent]>> = {
  demo: [
    { userid: '2023000001', password: 'demo-password', vpnPassword: 'demo-vpn', room: '010101' },
    { userid: '2023000002', password: 'demo-password-2', vpnPassword: 'demo-vpn-2', room: '010101' },
  ],
  'demo-hillside': [
    { userid: 'H2026001', password: 'hillside-password', vpnPassword: '', room: null },
    { userid: 'H2026002', password: 'hillside-password-2', vpnPassword: '', room: null },
  ],
  'demo-jinzhi': [
    { userid: 'J2026001', password: 'jinzhi-password', vpnPassword: '', room: null },
    { userid: 'J2026002', password: 'jinzhi-password-2', vpnPassword: '', room: null },
  ],
  'demo-lakeside': [
    { userid: 'L2026001', password: 'lakeside-password', vpnPassword: '', room: null },
    { userid: 'L2026002', password: 'lakeside-password-2', vpnPassword: '', room: null },
  ],
  'demo-seaside': [
    { userid: 'S2026001', password: 'seaside-password', vpnPassword: '', room: null },
    { userid: 'S2026002', password: 'seaside-password-2', vpnPassword: '', room: null },
  ],
  'demo-shuwei': [
    { userid: 'S2026001', password: 'shuwei-password', vpnPassword: '', room: null },
    { userid: 'S2026002', password: 'shuwei-password-2', vpnPassword: '', room: null },
  ],
  'demo-zhengfang': [
    { userid: 'Z2026001', password: 'zhengfang-password', vpnPassword: '', room: null },
    { userid: 'Z2026002', password: 'zhengfang-password-2', vpnPassword: '', room: null },
  ],
};

/** The moment of every recording of a demo campus: a Wednesday of the spring term, at ten. */
export const RECORDED_AT = Date.UTC(2026, 2, 18, 2);

/** Its day stands still; waits and limits are those of the machine. */
const thatDay: Clock = { ...systemClock, now: () => RECORDED_AT };

/** What the campus answers this student, as nobody may write it down. */
export const recordDemo = async (campus: string, { userid, room, ...pair }: DemoStudent, clock = thatDay) => {
  const config = loadConfig({ CAMPUS: campus, OFFERINGS_EVERY_SECONDS: '0' }, withoutCreating(keyFiles));
  const open = await openCampus(config, { clock });
  const recorder = openRecorder(config, open.manifest, clock);
  const { world: atTerminal } = person({ 'The characters of the image': lookAtImage });
  try {
    const session = await signIn(recorder, { ...worldOfProcess(), ...atTerminal }, userid, pair);
    const read = await recorder.read(session, { room, told: () => {} });
    const recorded = { ...read, secrets: Object.values(pair).filter((password) => password !== '') };
    return { recorded, asked: (open.demo ?? open.simulated)?.requests() ?? [] };
  } finally {
    await recorder.close();
    await open.close();
  }
};
