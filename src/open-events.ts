import type { Config } from './config/config.ts';
import type { Academics } from './domain/academics/service.ts';
import type { Log } from './domain/context.ts';
import { type ChangeEvents, EventStreams } from './domain/events/events.ts';
import { type DailyRead, DailyReadings } from './domain/hooks/daily-readings.ts';
import { Deliveries } from './domain/hooks/deliveries.ts';
import { type Hooks, StudentHooks } from './domain/hooks/hooks.ts';
import { createTargets } from './domain/hooks/targets.ts';
import type { Leases } from './domain/lease.ts';
import type { ServiceObserver } from './domain/observation.ts';
import type { TagOf } from './lib/hash.ts';
import type { Clock } from './lib/time.ts';
import type { Storage } from './storage/storage.ts';
import { createResolver, ownHostsOf, type SenderDeps, WebhookSender } from './webhooks/sender.ts';

/** Replaces how hooks find and check their receivers. */
export type Receivers = Partial<Pick<SenderDeps, 'resolve' | 'here' | 'tls'>>;

interface EventDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly tagOf: TagOf;
  readonly observer: ServiceObserver;
  readonly receivers: Receivers | undefined;
  readonly leases: Leases;
  readonly academics: Academics;
  readonly dailyReads: readonly DailyRead[];
  /** Asks the breakers of the campus, for everybody or one student. */
  readonly breakersClosed: (userid?: string) => boolean;
  readonly isQuiet: (userid: string) => Promise<boolean>;
}

/** Names the hosts that no hook may call: those of this service and of the campus, unless that is the simulator here. */
const ownHosts = ({ campus, server }: Config): string[] => {
  const manifest = campus.kind === 'wired' ? campus.manifest : null;
  const systems = manifest === null ? [] : [manifest.portal, manifest.login, ...manifest.applications];
  const named = systems.flatMap((part) => [part?.options.url, part?.options.service, part?.options.domain]);
  return ownHostsOf([server.publicUrl, ...named.filter((value) => typeof value === 'string')]);
};

/** Opens change events with their streams and hooks. Without copies there are no events, and hooks are idle. */
export const openEvents = (config: Config, deps: EventDeps) => {
  const { storage, clock, log, tagOf, observer, receivers, leases } = deps;
  const { events: journal } = storage;
  const keepsCopies = config.reads.copyMaxMs > 0;
  const most = Math.floor(config.server.maxConnections / 2);
  const changeEvents: ChangeEvents = new EventStreams({ journal, clock, log, most, offered: keepsCopies });
  const targets = createTargets({ ...config.webhooks, own: ownHosts(config) });
  const sender = new WebhookSender({ targets, resolve: createResolver(), clock, ...receivers });
  const deliveries = keepsCopies
    ? new Deliveries({
        store: storage.hookDeliveries,
        targets,
        sender,
        clock,
        random: Math.random,
        log,
        tagOf,
        observer,
      })
    : null;
  const { academics, dailyReads, breakersClosed, isQuiet } = deps;
  const dailyReadings = keepsCopies
    ? new DailyReadings({
        store: storage.dueReadings,
        dailyReads,
        academics,
        leases,
        clock,
        log,
        tagOf,
        observer,
        breakersClosed,
        isQuiet,
        timeZone: config.campus.timeZone,
        random: Math.random,
      })
    : null;
  const store = keepsCopies ? storage.hooks : null;
  const hooks: Hooks = new StudentHooks({ store, journal, leases: storage.leases, targets, clock, deliveries });
  journal.onAppended(() => deliveries?.wake());
  return {
    changeEvents,
    hooks,
    /** Null: no copies are kept. */
    dailyReadings,
    /** Ends the streams; the next process takes over deliveries under way. */
    async close(): Promise<void> {
      changeEvents.close();
      await Promise.all([deliveries?.close(), dailyReadings?.close()]);
    },
  };
};
