import type { Manifest } from '../campus/manifest.ts';
import type { CalendarAdjustments } from './adjustments-file.ts';
import type { AnswerPools } from './answers-file.ts';
import { campusIdentity } from './campus-identity.ts';
import { demoInvite } from './demo.ts';
import type { Finding } from './finding.ts';
import { customManifest } from './manifest.ts';
import type { ReadSettings } from './schema.ts';

/** Between two courses of the plan `sequential`. */
const EVALUATION_PAUSE_MS = 3_000;

/** Behind a balancer nobody should be refused; on a developer’s machine nobody wants to wait. */
const DRAIN_MS = { production: 5_000, development: 0, test: 0 };

const LONGEST_ATTEMPT_MS = 12_000;

/** Addresses alone do not say what their campus is called. */
const customName = { zh: '校园', en: 'Campus' };

/** What is not a setting by itself: read from files, or found while the settings were. */
interface Found {
  readonly secretKeys: readonly Buffer[];
  /** Null: everything built in. */
  readonly answers: AnswerPools | null;
  readonly adjustments: CalendarAdjustments;
  /** Null: the campus of the addresses, or the demo campus. */
  readonly manifest: Manifest | null;
  /** Findings that do not prevent the start. */
  readonly warnings: readonly Finding[];
}

/** Checked settings as the service uses them: those that follow from others are worked out. */
export const assemble = ({ values, demo, given }: ReadSettings, found: Found) => {
  const { choice, wiring, cardUrl, scanSignBody: scan, timeZone, ...campus } = values.campus;
  const wired = { ...wiring, cardUrl: cardUrl ?? undefined };
  const manifest = found.manifest ?? customManifest(wired, { id: 'custom', name: customName, timeZone, scan });
  const { keepCopies, ...reads } = values.reads;
  const { inviteCodes, ...accounts } = values.accounts;
  const { requestTimeoutMs } = values.server;
  // The demo code is there too, unless the operator has set his own terms for it.
  const addsInvite = demo && !inviteCodes.some(({ code }) => code === demoInvite.code);
  return {
    ...values,
    // Each demo campus has a file of its own.
    storage:
      found.manifest !== null && demo && !given.has('DATABASE_URL')
        ? ({ kind: 'sqlite', path: `./data/${choice}.db` } as const)
        : values.storage,
    shutdown: { drainMs: values.shutdown.drainMs ?? DRAIN_MS[values.environment] },
    secretKeys: found.secretKeys,
    accounts: { ...accounts, inviteCodes: addsInvite ? [...inviteCodes, demoInvite] : inviteCodes },
    campus: {
      ...(demo ? ({ kind: 'demo', scan, manifest: found.manifest } as const) : ({ kind: 'wired', manifest } as const)),
      ...campus,
      timeZone: manifest.timeZone,
      /** The campus that the database must belong to. */
      identity: demo ? { CAMPUS: choice ?? 'demo' } : campusIdentity(manifest),
      attemptMs: campus.attemptMs ?? Math.min(LONGEST_ATTEMPT_MS, Math.round(requestTimeoutMs * 0.8)),
    },
    /** `copyMaxMs` 0: no copies are kept. */
    reads: { ...reads, copyMaxMs: keepCopies ? reads.copyMaxMs : 0 },
    calendar: { adjustments: found.adjustments },
    evaluation: { ...values.evaluation, pauseMs: EVALUATION_PAUSE_MS, answers: found.answers },
    warnings: found.warnings,
  };
};

/** Everything that can be set, checked and frozen. Times are milliseconds; null: not set. */
export type Config = Readonly<ReturnType<typeof assemble>>;
