import type { CampusSystem, SignInStep } from '../../domain/errors.ts';
import type { Portal, UnifiedLogin } from '../contract/portal.ts';
import {
  type Application,
  type ApplicationRow,
  loginRow,
  portalRow,
  type Upstream,
  type UpstreamRow,
} from '../contract/upstreams.ts';

interface ConnectedApplication {
  readonly row: ApplicationRow;
  readonly url: string;
  /** The unified login issues its tickets for this; null: the application itself names it. */
  readonly service: string | null;
}

export interface ConnectedCampus {
  readonly portal: Portal;
  /** Null: it has no address. */
  readonly portalUrl: string | null;
  readonly login: UnifiedLogin;
  readonly loginUrl: string;
  readonly applications: ReadonlyMap<Application, ConnectedApplication>;
}

/** A defect of ours: clients name only what is connected. */
const unconnected = (name: string): never => {
  throw new Error(`${name} is not connected`);
};

/** The systems of the campus and their addresses. */
export class Addresses {
  readonly portal: Portal;
  readonly login: UnifiedLogin;
  readonly #applications: ConnectedCampus['applications'];
  readonly #upstreams: ReadonlyMap<Upstream, { readonly row: UpstreamRow; readonly base: URL }>;
  readonly origins: ReadonlySet<string>;
  /** The mapped origin by the inner one, for the services that are configured. */
  readonly #inner: ReadonlyMap<string, string>;

  constructor({ portal, portalUrl, login, loginUrl, applications }: ConnectedCampus) {
    this.portal = portal;
    this.login = login;
    this.#applications = applications;
    this.#upstreams = new Map<Upstream, { row: UpstreamRow; base: URL }>([
      ...(portalUrl === null ? [] : [['portal', { row: portalRow, base: new URL(portalUrl) }] as const]),
      ['unified-login', { row: loginRow, base: new URL(loginUrl) }],
      ...[...applications].map(([name, { row, url }]) => [name, { row, base: new URL(url) }] as const),
    ]);
    this.origins = new Set([...this.#upstreams.values()].map(({ base }) => base.origin));
    this.#inner = new Map(
      [...applications].flatMap(([name, { service }]) =>
        service === null ? [] : [[new URL(service).origin, this.base(name).origin]],
      ),
    );
  }

  get upstreamNames(): readonly Upstream[] {
    return [...this.#upstreams.keys()];
  }

  /** The name in logs, metrics and answers. */
  systemOf(upstream: Upstream): CampusSystem | SignInStep {
    if (upstream === 'portal' || upstream === 'unified-login') return upstream;
    return this.application(upstream).system;
  }

  get applicationNames(): readonly Application[] {
    return [...this.#applications.keys()];
  }

  /** The first application that is entered with a service ticket: its ticket verifies a submitted password. */
  get verifyingApplication(): Application {
    const verifying = this.applicationNames.find((name) => this.application(name).entry.kind === 'service-ticket');
    return verifying ?? unconnected('an application that is entered with a service ticket');
  }

  /** Null: there is no portal. */
  get portalOrigin(): string | null {
    return this.#upstreams.get('portal')?.base.origin ?? null;
  }

  row(upstream: Upstream): UpstreamRow {
    return (this.#upstreams.get(upstream) ?? unconnected(upstream)).row;
  }

  application(name: Application): ApplicationRow {
    return (this.#applications.get(name) ?? unconnected(name)).row;
  }

  base(upstream: Upstream): URL {
    return (this.#upstreams.get(upstream) ?? unconnected(upstream)).base;
  }

  /** The unified login issues tickets for this text, as it was configured. */
  service(name: Application): string {
    return this.#applications.get(name)?.service ?? unconnected(`the service of ${name}`);
  }

  url(upstream: Upstream, path: string): URL {
    return new URL(this.base(upstream).href.replace(/\/$/, '') + path);
  }

  /** Resolves a `Location` against the current address, and maps inner hosts. Null: the text is no address. */
  resolve(location: string, from: URL): URL | null {
    const target = URL.parse(location, from.href);
    if (!target || this.isConfigured(target)) return target;
    const mapped =
      this.#inner.get(target.origin) ?? this.portal.mapped(target).find((origin) => this.origins.has(origin));
    return mapped === undefined ? target : new URL(target.pathname + target.search + target.hash, mapped);
  }

  isConfigured(target: URL): boolean {
    return this.origins.has(target.origin);
  }

  /** Compares the path as well, because several upstreams may share a host. */
  isUnifiedLogin(target: URL): boolean {
    const login = this.base('unified-login');
    return target.origin === login.origin && `${target.pathname}/`.startsWith(`${login.pathname}/`);
  }

  isPortalLogin(location: string, target: URL | null): boolean {
    return this.portal.isLoginRedirect(location, target, target !== null && this.isConfigured(target));
  }
}
