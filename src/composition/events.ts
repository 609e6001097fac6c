import type { Config } from '../config/config.ts';
import type { Academics } from '../domain/academics/service.ts';
import { type ChangeEvents, EventStreams } from '../domain/events/events.ts';
import { DailyReadings, dailyReadsOf } from '../domain/hooks/daily-readings.ts';
import { Deliveries } from '../domain/hooks/deliveries.ts';
import { type Hooks, StudentHooks } from '../domain/hooks/hooks.ts';
import { Targets } from '../domain/hooks/targets.ts';
import { createResolver, ownHostsOf, type SenderDeps, WebhookSender } from '../webhooks/sender.ts';
import type { OpenGuard } from './accounts.ts';
import type { OpenSystems } from './systems.ts';

/** Replaces how hooks find and check their receivers. */
export type Receivers = Partial<Pick<SenderDeps, 'resolve' | 'here' | 'tls'>>;

interface EventDeps {
  readonly opened: OpenGuard;
  readonly systems: OpenSystems;
  readonly academics: Academics;
  readonly receivers: Receivers | undefined;
}

/** Names the hosts that no hook may call: those of this service and of the campus, unless that is the simulator here. */
const ownHosts = ({ campus, server }: Config): string[] => {
  const manifest = campus.kind === 'wired' ? campus.manifest : null;
  const systems = manifest === null ? [] : [manifest.portal, manifest.login, ...manifest.applications];
  const named = systems.flatMap((part) => [part?.options.url, part?.options.service, part?.options.domain]);
  return ownHostsOf([server.publicUrl, ...named.filter((value) => typeof value === 'string')]);
};

/** Opens change events with their streams and hooks. Without copies there are no events, and hooks are idle. */
export const openEvents = (config: Config, { opened, systems, academics, receivers }: EventDeps) => {
  const { storage, journal, clock, leases } = opened;
  const keepsCopies = config.reads.copyMaxMs > 0;
  const most = Math.floor(config.server.maxConnections / 2);
  const changeEvents: ChangeEvents = new EventStreams({ ...opened, store: storage.events, most, offered: keepsCopies });
  const targets = new Targets({ ...config.webhooks, own: ownHosts(config) });
  const sender = new WebhookSender({ targets, resolve: createResolver(), clock, ...receivers });
  const deliveries = keepsCopies
    ? new Deliveries({ ...opened, store: storage.hookDeliveries, targets, sender, random: Math.random })
    : null;
  const dailyReadings = keepsCopies
    ? new DailyReadings({
        ...opened,
        store: storage.dueReadings,
        academics,
        dailyReads: dailyReadsOf(systems.facts, academics),
        breakersClosed: (userid) => systems.sessions.breakersClosed(userid),
        timeZone: config.campus.timeZone,
        random: Math.random,
      })
    : null;
  const store = keepsCopies ? storage.hooks : null;
  const hooks: Hooks = new StudentHooks({ store, journal, leases, targets, clock, deliveries });
  journal.onAppended(() => deliveries?.wake());
  return {
    changeEvents,
    hooks,
    /** Null: no copies are kept. */
    dailyReadings,
    /** Ends the streams; the next process takes over deliveries under way. */
    async close(): Promise<void> {
      await Promise.all([changeEvents.close(), deliveries?.close(), dailyReadings?.close()]);
    },
  };
};
