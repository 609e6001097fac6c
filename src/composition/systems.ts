import { connect } from '../campus/connect.ts';
import { Addresses } from '../campus/contract/addresses.ts';
import type { Drivers } from '../campus/contract/driver.ts';
import type { Manifest } from '../campus/contract/manifest.ts';
import { SeenOddities } from '../campus/session/campus-requests.ts';
import { CampusSessions } from '../campus/session/sessions.ts';
import { CampusHttp } from '../campus/transport/http.ts';
import { PageThreads } from '../campus/transport/page-threads.ts';
import type { Config } from '../config/config.ts';
import { listProven, type Proof } from '../config/proven.ts';
import type { SessionVault } from '../domain/accounts/ports.ts';
import type { SignInCredentials } from '../domain/accounts/sign-in/unattended.ts';
import { type CampusFacts, capabilitiesIn, portsOf, type Supplied, type Supplies } from '../domain/capabilities.ts';
import type { QueueState, ServiceObserver } from '../domain/observation.ts';
import type { OpenGuard } from './accounts.ts';

/** For one attempt at a page that is known to be slow, where the call has that much time. */
const SLOW_ATTEMPT_MS = 25_000;
/** On a score night every student can wait instead of coming again. */
const WAITING_PER_ORIGIN = 2_048;

interface SystemsDeps extends Pick<OpenGuard, 'clock' | 'log' | 'leases' | 'tagOf'> {
  readonly credentials: SignInCredentials;
  readonly observer?: ServiceObserver;
  readonly vault: SessionVault;
}

export interface SystemsConfig {
  readonly campus: Pick<Config['campus'], 'attemptMs' | 'connections' | 'proxy' | 'vpnInsecureTls'>;
  readonly server: Pick<Config['server'], 'requestTimeoutMs'>;
  /** Which reads are proven; left out: those that come with this version. */
  readonly proofs?: readonly Proof[] | undefined;
}

const findSupplied = (
  { applications }: Manifest,
  supplies: readonly Supplies[],
  proofs?: readonly Proof[],
): Supplied[] =>
  applications.flatMap(({ driver: product }, at) => {
    const months = listProven(product, proofs);
    return capabilitiesIn(supplies[at] ?? {}).map((capability) => ({
      ...{ capability, product },
      proven: months.get(capability) ?? null,
    }));
  });

type CampusSender = Pick<CampusHttp, 'send'>;

/** @param through what stands between the sessions and the network; left out: nothing */
export const openSystems = (
  config: SystemsConfig,
  manifest: Manifest,
  drivers: Drivers,
  { clock, log, observer, leases, credentials, tagOf, vault }: SystemsDeps,
  through: (http: CampusSender, addresses: Addresses) => CampusSender = (http) => http,
) => {
  const { attemptMs, connections, proxy, vpnInsecureTls } = config.campus;
  const { requestTimeoutMs } = config.server;
  const connection = connect(manifest, drivers, log);
  const addresses = new Addresses(connection);
  const http = new CampusHttp({
    clock,
    origins: addresses.origins,
    insecureOrigin: vpnInsecureTls ? addresses.portalOrigin : null,
    proxy,
    connections,
    mostWaiting: WAITING_PER_ORIGIN,
  });
  const pages = new PageThreads(clock);
  const slowAttemptMs = Math.max(attemptMs, Math.min(SLOW_ATTEMPT_MS, requestTimeoutMs));
  const sessions = new CampusSessions({
    campus: {
      ...{ http: through(http, addresses), addresses, clock, attemptMs, slowAttemptMs, pages, log, tagOf },
      ...(observer && { observer }),
      oddities: new SeenOddities(),
    },
    vault,
    leases,
    credentials,
    signInMs: requestTimeoutMs,
  });
  const supplied = connection.supplies({ sessions, clock });
  const facts: CampusFacts = {
    id: manifest.id,
    name: manifest.name,
    hasPortal: manifest.portal !== null,
    challenges: connection.challenges,
    ownLogin: addresses.place('unified-login')?.system ?? null,
    isAttended: addresses.attended.length > 0,
    capabilities: new Set(supplied.flatMap(capabilitiesIn)),
    supplied: findSupplied(manifest, supplied, config.proofs),
  };
  /** Several systems may share one address. */
  const systemsAt = new Map<string, string[]>();
  for (const name of addresses.upstreamNames) {
    for (const origin of addresses.originsOf(name)) {
      systemsAt.set(origin, [...(systemsAt.get(origin) ?? []), addresses.systemOf(name)]);
    }
  }
  /** Names each queue by the systems behind it. */
  const queues = (): Map<string, QueueState> => {
    const byName = new Map([
      ['login', sessions.signIns.queue],
      ['pages', pages.queue],
    ]);
    for (const [origin, queue] of http.queues()) {
      const names = (systemsAt.get(origin) ?? []).join('+');
      // An application may have several origins.
      const { active, waiting } = byName.get(names) ?? { active: 0, waiting: 0 };
      byName.set(names, { active: active + queue.active, waiting: waiting + queue.waiting });
    }
    return byName;
  };
  return {
    facts,
    addresses,
    ports: portsOf(supplied),
    sessions,
    queues,
    async close(): Promise<void> {
      await Promise.all([http.close(), pages.close()]);
    },
  };
};

export type OpenSystems = ReturnType<typeof openSystems>;
