import type { Manifest } from '../campus/contract/manifest.ts';
import { makeCall, readOnce } from '../campus/recordings/calls.ts';
import { differences, type RecordingFiles, readRecording } from '../campus/recordings/folder.ts';
import { scrub } from '../campus/recordings/make.ts';
import {
  collectLanded,
  createSignedInSession,
  forgetCalls,
  leasesInMemory,
  noSecondPassword,
  vaultInMemory,
} from '../campus/recordings/one-student.ts';
import { Recorder } from '../campus/recordings/recorder.ts';
import type { Recorded, RecordedReading, Replay } from '../campus/recordings/recording.ts';
import { RecordedCampus, recordedManifest, stoppedClock } from '../campus/recordings/replay.ts';
import { StudentSession } from '../campus/session/session-cache.ts';
import type { Config } from '../config/config.ts';
import type { PasswordPair } from '../domain/accounts/ports.ts';
import { beginBackgroundCall } from '../domain/background-call.ts';
import type { HalfSignIn } from '../domain/challenge.ts';
import { silentLog } from '../domain/context.ts';
import { version } from '../lib/build.ts';
import type { Clock } from '../lib/time.ts';
import { campusDrivers } from './services.ts';
import { openSystems, type SystemsConfig } from './systems.ts';

/** One read may be many pages. */
const CALL_MS = 120_000;

const aloneAt = (clock: Clock) => ({
  clock,
  log: silentLog,
  leases: leasesInMemory(clock),
  credentials: noSecondPassword,
  tagOf: () => '',
  vault: vaultInMemory(),
});

const beginCall = () => beginBackgroundCall(silentLog, CALL_MS, new AbortController().signal);

const productsOf = ({ portal, login, applications }: Manifest): Recorded['products'] => [
  ...(portal === null ? [] : [{ system: 'portal', product: portal.driver }]),
  ...(login === null ? [] : [{ system: 'unified-login', product: login.driver }]),
  ...applications.map(({ driver }) => ({ system: driver, product: driver })),
];

interface RecordingOrder {
  /** The room to which the session is bound; null: electricity is left out. */
  readonly room: string | null;
  told(reading: RecordedReading): void;
}

/** Opens the campus for one person, whose passwords are sent once. Nothing of it is stored. */
export const openRecorder = (config: Config, manifest: Manifest, clock: Clock) => {
  const own = productsOf(manifest);
  const drivers = new Map(own.map(({ system, product }) => [system, product]));
  const opened: { recorder?: Recorder } = {};
  const systems = openSystems(config, manifest, campusDrivers, aloneAt(clock), (http, addresses) => {
    opened.recorder = new Recorder(http, addresses, drivers);
    return opened.recorder;
  });
  const { sessions, ports, facts } = systems;
  const { timeZone, offeringsEveryMs } = config.campus;
  const adopt = async (session: unknown): Promise<StudentSession> => {
    if (!(session instanceof StudentSession)) throw new Error('not a session of this service');
    await sessions.adopt(session);
    return session;
  };
  return {
    /** @throws Failure, `person-needed` with the half where a person can go on */
    async signIn(userid: string, pair: PasswordPair) {
      using call = beginCall();
      using turn = await sessions.turn(userid, pair, call.context, { queue: 'owner' });
      return await adopt(await turn.signIn());
    },
    async send(userid: string, half: HalfSignIn, target: number | null) {
      using call = beginCall();
      return await sessions.signIns.send(userid, half, target, call.context);
    },
    async answer(userid: string, pair: PasswordPair, half: HalfSignIn, text: string) {
      using call = beginCall();
      return await adopt(await sessions.signIns.answer(userid, pair, half, text, call.context));
    },
    /** Reads everything once, as this student. */
    async read({ userid, state }: StudentSession, wanted: RecordingOrder): Promise<Omit<Recorded, 'secrets'>> {
      const now = clock.now();
      const landed = collectLanded(state);
      const readings = await readOnce({
        ports,
        student: { userid },
        clock,
        timeZone,
        beginCall,
        offered: facts.capabilities,
        room: wanted.room,
        async begins(page) {
          forgetCalls(state, landed);
          if (opened.recorder) opened.recorder.page = page;
          if (page === 'offerings.offeringsOf') await clock.wait(offeringsEveryMs);
        },
        ended: wanted.told,
      });
      return {
        origin: config.campus.kind === 'demo' ? 'demo' : 'campus',
        version,
        products: own,
        now,
        timeZone,
        userid,
        landed,
        exchanges: opened.recorder?.exchanges ?? [],
        readings,
      };
    },
    close: () => systems.close(),
  };
};

const replayConfig: SystemsConfig = {
  campus: { attemptMs: CALL_MS, connections: 8, proxy: null, vpnInsecureTls: false },
  server: { requestTimeoutMs: CALL_MS },
};

type Replayable = Pick<Recorded, 'products' | 'now' | 'timeZone'>;

/** A campus without a network. `left`: what nothing has asked for. */
export const replay = async (recorded: Replayable, ...[exchanges, calls, { userid, landed }]: Parameters<Replay>) => {
  const clock = stoppedClock(recorded.now);
  const opened: { campus?: RecordedCampus } = {};
  const systems = openSystems(
    replayConfig,
    recordedManifest(recorded, campusDrivers),
    campusDrivers,
    aloneAt(clock),
    (_, addresses) => {
      opened.campus = new RecordedCampus(exchanges, addresses);
      return opened.campus;
    },
  );
  const { sessions, ports, addresses } = systems;
  const session = createSignedInSession(userid, addresses, recorded.now);
  await sessions.adopt(session);
  const world = { ports, student: { userid }, clock, timeZone: recorded.timeZone, beginCall };
  const readings: RecordedReading[] = [];
  try {
    for (const call of calls) {
      forgetCalls(session.state, landed);
      if (opened.campus) opened.campus.page = call.page;
      readings.push(await makeCall(call, world));
    }
  } finally {
    await systems.close();
  }
  return { readings, left: opened.campus?.left ?? [] };
};

export const replayOf =
  (recorded: Replayable): Replay =>
  async (...asked) =>
    (await replay(recorded, ...asked)).readings;

export const scrubRecorded = (recorded: Recorded, leftOut?: ReadonlySet<string>) =>
  scrub(recorded, replayOf(recorded), leftOut);

export type { Recorded, RecordingFiles };
export { differences, readRecording };
