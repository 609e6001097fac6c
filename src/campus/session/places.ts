import type { CampusWiring } from '../wiring.ts';
import type { UpstreamSystem } from './upstream-session.ts';

/** Everything that is asked over HTTP: the portal, the unified login, and the applications. */
export type Place = 'vpn' | 'cas' | UpstreamSystem;

const MAPPED_PORT = '8118';

/** The campus addresses in the forms the session core needs, derived once from the wiring. */
export class Places {
  readonly wiring: CampusWiring;
  readonly bases: Readonly<Record<Place, URL>>;
  readonly #origins: ReadonlySet<string>;
  readonly #inner: ReadonlyMap<string, string>;
  readonly #portalHosts: ReadonlySet<string>;

  constructor(wiring: CampusWiring) {
    this.wiring = wiring;
    this.bases = {
      vpn: new URL(wiring.vpnUrl),
      cas: new URL(wiring.casUrl),
      jwc: new URL(wiring.jwcUrl),
      aac: new URL(wiring.aacUrl),
      ldjlb: new URL(wiring.ldjlbUrl),
      isim: new URL(wiring.isimUrl),
      competition: new URL(wiring.competitionUrl),
    };
    this.#origins = new Set(Object.values(this.bases).map((base) => base.origin));
    this.#inner = new Map([
      [new URL(wiring.jwcService).origin, this.bases.jwc.origin],
      [new URL(wiring.aacService).origin, this.bases.aac.origin],
      [new URL(wiring.ldjlbService).origin, this.bases.ldjlb.origin],
    ]);
    this.#portalHosts = new Set([this.bases.vpn.hostname, wiring.vpnDomain]);
  }

  get origins(): readonly string[] {
    return [...this.#origins];
  }

  url(place: Place, path: string): URL {
    return new URL(this.bases[place].href.replace(/\/$/, '') + path);
  }

  /**
   * Where a `Location` leads: resolved against the current address, inner hosts replaced by their mapped form.
   * Null when the text is no address.
   */
  resolve(location: string, from: URL): URL | null {
    const target = URL.parse(location, from.href);
    if (!target || this.#origins.has(target.origin)) return target;
    const mapped = this.#inner.get(target.origin);
    if (mapped !== undefined) return new URL(target.pathname + target.search + target.hash, mapped);
    if (target.port !== '' || !/^https?:$/.test(target.protocol)) return target;
    return this.#mapByRule(target) ?? target;
  }

  /** `a.b.c` → `a-b-c.<domain>:8118` (`-s` for https); also without the port, as the electricity host. */
  #mapByRule(target: URL): URL | null {
    const label = target.hostname.replaceAll('.', '-') + (target.protocol === 'https:' ? '-s' : '');
    for (const port of [`:${MAPPED_PORT}`, '']) {
      const origin = URL.parse(`http://${label}.${this.wiring.vpnDomain}${port}`)?.origin;
      if (origin !== undefined && this.#origins.has(origin)) {
        return new URL(target.pathname + target.search + target.hash, origin);
      }
    }
    return null;
  }

  isConfigured(target: URL): boolean {
    return this.#origins.has(target.origin);
  }

  /** Below the unified login's path, not merely on its origin: several systems may share a host. */
  isUnifiedLogin(target: URL): boolean {
    return target.origin === this.bases.cas.origin && `${target.pathname}/`.startsWith(`${this.bases.cas.pathname}/`);
  }

  /**
   * The portal asking for a login: its own origin, or its bare host or domain on an origin that no system is
   * configured at. The bare host alone proves nothing, because every system may listen on one host.
   */
  isPortal(target: URL): boolean {
    if (target.origin === this.bases.vpn.origin) return true;
    return this.#portalHosts.has(target.hostname) && !this.#origins.has(target.origin);
  }

  /** The raw header of the portal's own redirect; URL parsers drop the default port, so the text is searched. */
  isPortalRedirect(location: string): boolean {
    if (!location.includes('redirect_uri=')) return false;
    const host = this.bases.vpn.hostname.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`${host}:443(?!\\d)`).test(location);
  }
}
