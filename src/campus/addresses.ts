import type { Portal } from './portal/portal.ts';
import { type Address, applicationNames, applications, type Upstream, upstreamNames, upstreams } from './upstreams.ts';
import type { CampusWiring } from './wiring.ts';

/** The campus addresses in the forms the session core needs, derived once from the settings. */
export class Addresses {
  readonly portal: Portal;
  readonly bases: Readonly<Record<Upstream, URL>>;
  readonly #wiring: CampusWiring;
  readonly #origins: ReadonlySet<string>;
  /** Mapped origin by inner origin, for the services that are configured. */
  readonly #inner: ReadonlyMap<string, string>;

  constructor(wiring: CampusWiring, portal: Portal) {
    this.portal = portal;
    this.#wiring = wiring;
    const base = (upstream: Upstream): URL => new URL(wiring[upstreams[upstream].base]);
    this.bases = {
      vpn: base('vpn'),
      cas: base('cas'),
      jwc: base('jwc'),
      aac: base('aac'),
      ldjlb: base('ldjlb'),
      isim: base('isim'),
      competition: base('competition'),
    };
    this.#origins = new Set(Object.values(this.bases).map(({ origin }) => origin));
    this.#inner = new Map(
      applicationNames.flatMap((name) => {
        const { entry } = applications[name];
        return 'service' in entry ? [[new URL(this.setting(entry.service)).origin, this.bases[name].origin]] : [];
      }),
    );
  }

  /** The size ceiling by origin: where several upstreams share one, that of the largest. */
  ceilings(): ReadonlyMap<string, number> {
    const ceilings = new Map<string, number>();
    for (const name of upstreamNames) {
      const { origin } = this.bases[name];
      ceilings.set(origin, Math.max(ceilings.get(origin) ?? 0, upstreams[name].sizeCeiling));
    }
    return ceilings;
  }

  url(upstream: Upstream, path: string): URL {
    return new URL(this.bases[upstream].href.replace(/\/$/, '') + path);
  }

  /** The address in a setting, as it was given. */
  setting(address: Address): string {
    return this.#wiring[address];
  }

  /**
   * Where a `Location` leads: resolved against the current address, inner hosts replaced by their mapped form.
   * Null when the text is no address.
   */
  resolve(location: string, from: URL): URL | null {
    const target = URL.parse(location, from.href);
    if (!target || this.isConfigured(target)) return target;
    const mapped = this.#inner.get(target.origin) ?? this.portal.mapped(target).find((origin) => this.#has(origin));
    return mapped === undefined ? target : new URL(target.pathname + target.search + target.hash, mapped);
  }

  isConfigured(target: URL): boolean {
    return this.#has(target.origin);
  }

  #has(origin: string): boolean {
    return this.#origins.has(origin);
  }

  /** Below the unified login's path, not merely on its origin: several upstreams may share a host. */
  isUnifiedLogin(target: URL): boolean {
    const { cas } = this.bases;
    return target.origin === cas.origin && `${target.pathname}/`.startsWith(`${cas.pathname}/`);
  }

  /** A redirect of any host behind the portal that asks for a login at the portal. */
  isPortalLogin(location: string, target: URL | null): boolean {
    return this.portal.isLoginRedirect(location, target, target !== null && this.isConfigured(target));
  }
}
