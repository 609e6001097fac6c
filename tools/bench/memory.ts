import { SeenOddities } from '../../src/campus/session/campus-requests.ts';
import { CampusSessions } from '../../src/campus/session/sessions.ts';
import { CampusHttp } from '../../src/campus/transport/http.ts';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import { silentLog } from '../../src/domain/context.ts';
import { createLeases } from '../../src/domain/lease.ts';
import { systemClock } from '../../src/lib/time.ts';
import { addressesOf } from '../../test/support/addresses-of.ts';
import { callContext, first, provingRead, textOf } from '../../test/support/campus-rig.ts';
import { inlinePages } from '../../test/support/inline-pages.ts';
import { createStorage } from '../../test/support/storage.ts';
import { enroll } from './enrolled.ts';

const STUDENTS = 10_000;

/** Heap per signed-in idle student: one real session, its sealed pieces copied to 10,000 students and held in memory. */
export const measureMemory = async (): Promise<string[]> => {
  const collect = globalThis.gc;
  if (!collect) throw new Error('run with --expose-gc');
  const demo = await startDemoCampus();
  const storage = await createStorage({ url: 'sqlite::memory:', keys: [Buffer.alloc(32, 5)], log: silentLog });
  const addresses = addressesOf(demo.wiring);
  const http = new CampusHttp({
    clock: systemClock,
    origins: addresses.origins,
    insecureOrigin: null,
    connections: 4,
    mostWaiting: 8,
  });
  const { password, vpnPassword } = first;
  const pair = { password, vpnPassword };
  const now = systemClock.now();
  await storage.invites.createCode({ code: 'bench', maxUses: null, expiresAt: null, now });
  const sessions = new CampusSessions({
    campus: {
      http,
      addresses,
      clock: systemClock,
      attemptMs: 5_000,
      slowAttemptMs: 5_000,
      pages: inlinePages,
      oddities: new SeenOddities(),
      log: silentLog,
      tagOf: (userid) => `tag of ${userid}`,
    },
    vault: storage.sessions,
    leases: createLeases(storage.leases, systemClock),
    credentials: {
      forSignIn: async () => ({ pair, version: 1 }),
      noteRefusal: async () => {},
      renewsEarly: async () => {},
      noteTrouble: async () => 60,
      notePersonNeeded: async () => {},
      noteAcceptance: async () => {},
    },
    signInMs: 10_000,
  });
  try {
    await enroll(storage, first.userid, 'bench', { pair });
    await sessions.with(first, 'jwc', callContext(), (session) => textOf(session, provingRead.jwc));
    const pieces = (await storage.sessions.load(first.userid))?.entries ?? [];
    for (let i = 0; i < STUDENTS; i += 1) {
      await enroll(storage, `b${i}`, 'bench');
      const generation = (await storage.sessions.generation(`b${i}`)) ?? 0;
      await storage.sessions.save(`b${i}`, generation, pieces, now);
    }
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < STUDENTS; i += 1) await sessions.answeredMs(`b${i}`, 1);
    collect();
    const held = sessions.size;
    const each = (process.memoryUsage().heapUsed - before) / held;
    return [`${'signed-in idle student'.padEnd(30)} ${Math.round(each)} bytes of heap (${held} held)`];
  } finally {
    await http.close();
    await storage.close();
    await demo.close();
  }
};
