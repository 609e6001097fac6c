import type { Portal } from './portal/portal.ts';
import {
  applicationNames,
  applications,
  type CertainAddress,
  type Upstream,
  upstreamNames,
  upstreams,
} from './upstreams.ts';
import type { CampusWiring } from './wiring.ts';

/** Stands for an address that was not given: no request goes there, because no setting names it. */
const NOWHERE = 'http://not-connected.invalid';

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
    const base = (upstream: Upstream): URL => new URL(wiring[upstreams[upstream].base] ?? NOWHERE);
    this.bases = {
      vpn: base('vpn'),
      cas: base('cas'),
      jwc: base('jwc'),
      aac: base('aac'),
      ldjlb: base('ldjlb'),
      isim: base('isim'),
      competition: base('competition'),
      card: base('card'),
    };
    this.#origins = new Set(this.#connected().map((name) => this.bases[name].origin));
    this.#inner = new Map(
      applicationNames.flatMap((name) => {
        const { entry } = applications[name];
        return 'service' in entry ? [[new URL(this.setting(entry.service)).origin, this.bases[name].origin]] : [];
      }),
    );
  }

  /** The largest size ceiling by origin, whichever upstream is there and whatever it is asked for. */
  ceilings(): ReadonlyMap<string, number> {
    const ceilings = new Map<string, number>();
    for (const name of this.#connected()) {
      const { origin } = this.bases[name];
      ceilings.set(origin, Math.max(ceilings.get(origin) ?? 0, upstreams[name].wholeCeiling));
    }
    return ceilings;
  }

  /** Without those that this campus is not connected to. */
  #connected(): readonly Upstream[] {
    return upstreamNames.filter((name) => this.#wiring[upstreams[name].base] !== undefined);
  }

  url(upstream: Upstream, path: string): URL {
    return new URL(this.bases[upstream].href.replace(/\/$/, '') + path);
  }

  /** The address in a setting, as it was given. */
  setting(address: CertainAddress): string {
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
