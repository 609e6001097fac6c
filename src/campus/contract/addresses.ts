import type { CampusSystem, SignInStep } from '../../domain/errors.ts';
import type { Portal, UnifiedLogin } from './portal.ts';
import type { SignIn } from './sign-in.ts';
import {
  type Application,
  type ApplicationRow,
  entranceOf,
  loginRow,
  portalRow,
  type SessionEntry,
  type Upstream,
  type UpstreamRow,
} from './upstreams.ts';

interface ConnectedApplication {
  readonly row: ApplicationRow;
  readonly url: string;
  /** The unified login issues its tickets for this; null: the application itself names it, or there is no login. */
  readonly service: string | null;
  /** Null: it is entered in another way. */
  readonly ownLogin: SignIn | null;
}

/** Where one of the two passwords goes. */
export interface SignInPlace {
  readonly upstream: Upstream;
  readonly signIn: SignIn;
  /** The application that has this login; null: it is a portal or a unified login. */
  readonly application: Application | null;
  readonly system: CampusSystem | null;
}

export interface ConnectedCampus {
  readonly portal: Portal;
  /** Null: it has no address. */
  readonly portalUrl: string | null;
  /** Null: an application has a login of its own. */
  readonly login: UnifiedLogin | null;
  readonly loginUrl: string | null;
  /** The places at which every login shows an image. */
  readonly attended?: readonly SignInStep[];
  /** Further addresses of an upstream, by the names of their options. */
  readonly further: ReadonlyMap<Upstream, Readonly<Record<string, string>>>;
  readonly applications: ReadonlyMap<Application, ConnectedApplication>;
}

/** A defect of ours: clients name only what is connected. */
const failUnconnected = (name: string): never => {
  throw new Error(`${name} is not connected`);
};

/** The systems of the campus and their addresses. */
export class Addresses {
  readonly portal: Portal;
  readonly #places: Readonly<Record<SignInStep, SignInPlace | null>>;
  readonly #login: UnifiedLogin | null;
  readonly #further: ConnectedCampus['further'];
  readonly #applications: ConnectedCampus['applications'];
  readonly #upstreams: ReadonlyMap<Upstream, { readonly row: UpstreamRow; readonly base: URL }>;
  readonly origins: ReadonlySet<string>;
  /** The places at which every login shows an image, so nobody is signed in without a person. */
  readonly attended: readonly SignInStep[];
  /** The mapped origin by the inner one, for the services that are configured. */
  readonly #inner: ReadonlyMap<string, string>;

  constructor({ portal, portalUrl, login, loginUrl, applications, further, attended = [] }: ConnectedCampus) {
    this.attended = attended;
    this.portal = portal;
    this.#login = login;
    this.#further = further;
    this.#applications = applications;
    this.#upstreams = new Map<Upstream, { row: UpstreamRow; base: URL }>([
      ...(portalUrl === null ? [] : [['portal', { row: portalRow, base: new URL(portalUrl) }] as const]),
      ...(loginUrl === null ? [] : [['unified-login', { row: loginRow, base: new URL(loginUrl) }] as const]),
      ...[...applications].map(([name, { row, url }]) => [name, { row, base: new URL(url) }] as const),
    ]);
    this.origins = new Set([...this.#upstreams.keys()].flatMap((name) => this.originsOf(name)));
    const behind = { application: null, system: null };
    const [own] = [...applications].flatMap(
      ([
        name,
        {
          row: { system },
          ownLogin,
        },
      ]) => (ownLogin === null ? [] : [{ upstream: name, signIn: ownLogin, application: name, system }]),
    );
    this.#places = {
      portal: portalUrl === null ? null : { ...behind, upstream: 'portal', signIn: portal },
      'unified-login': login === null ? (own ?? null) : { ...behind, upstream: 'unified-login', signIn: login },
    };
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

  /** Verifies a submitted password: by its own login, else by a ticket for it, which is redeemed where that is known. */
  get verifyingApplication(): Application {
    const kindOf = (name: Application) => this.application(name).entry.kind;
    const of = (kind: SessionEntry['kind']) => this.applicationNames.find((name) => kindOf(name) === kind);
    const byEntrance = () => this.applicationNames.find((name) => entranceOf(this.application(name).entry) !== null);
    const verifying = of('own-login') ?? of('service-ticket') ?? byEntrance();
    return verifying ?? failUnconnected('an application that verifies a password');
  }

  /** The half that is asked for first. */
  get firstStep(): SignInStep {
    return this.#places.portal === null ? 'unified-login' : 'portal';
  }

  /** Null: the campus does not take this half. */
  place(half: SignInStep): SignInPlace | null {
    return this.#places[half];
  }

  /** Its base, and further addresses that its manifest names; none where it is not connected. */
  originsOf(upstream: Upstream): readonly string[] {
    const base = this.#upstreams.get(upstream)?.base.origin;
    const further = Object.values(this.#further.get(upstream) ?? {});
    return base === undefined ? [] : [...new Set([base, ...further.map((url) => new URL(url).origin)])];
  }

  /** The place of a password that is at this origin and knows a browser by this cookie; null: there is none. */
  trustedBy({ origin }: URL, cookie: string): Upstream | null {
    const places = Object.values(this.#places).filter((place) => place !== null);
    const place = places.find(
      ({ upstream, signIn }) => signIn.deviceTrust?.includes(cookie) && this.originsOf(upstream).includes(origin),
    );
    return place?.upstream ?? null;
  }

  showsLogin(upstream: Upstream, text: string): boolean {
    return this.#login?.isLoginPage(text) || this.row(upstream).showsLogin(text);
  }

  /** Null: there is no portal. */
  get portalOrigin(): string | null {
    return this.#upstreams.get('portal')?.base.origin ?? null;
  }

  row(upstream: Upstream): UpstreamRow {
    return (this.#upstreams.get(upstream) ?? failUnconnected(upstream)).row;
  }

  application(name: Application): ApplicationRow {
    return (this.#applications.get(name) ?? failUnconnected(name)).row;
  }

  base(upstream: Upstream): URL {
    return (this.#upstreams.get(upstream) ?? failUnconnected(upstream)).base;
  }

  /** The unified login issues tickets for this text, as it was configured. */
  service(name: Application): string {
    return this.#applications.get(name)?.service ?? failUnconnected(`the service of ${name}`);
  }

  /** `at`: the option that holds a further address of it. */
  url(upstream: Upstream, path: string, at?: string): URL {
    const base = at === undefined ? this.base(upstream).href : this.#further.get(upstream)?.[at];
    return new URL((base ?? failUnconnected(`${at} of ${upstream}`)).replace(/\/$/, '') + path);
  }

  /** Resolves a `Location` against the current address, and maps inner hosts. Null: the text is no address. */
  resolve(location: string, from: URL): URL | null {
    const target = URL.parse(location, from.href);
    if (!target || this.isConfigured(target)) return target;
    const mapped =
      this.#inner.get(target.origin) ?? this.portal.mapAddress(target).find((origin) => this.origins.has(origin));
    return mapped === undefined ? target : new URL(target.pathname + target.search + target.hash, mapped);
  }

  isConfigured(target: URL): boolean {
    return this.origins.has(target.origin);
  }

  /** Compares the path as well, because several upstreams may share a host. */
  isUnifiedLogin(target: URL): boolean {
    if (this.#login === null) return false;
    const login = this.base('unified-login');
    return target.origin === login.origin && `${target.pathname}/`.startsWith(`${login.pathname}/`);
  }

  isPortalLogin(location: string, target: URL | null): boolean {
    return this.portal.isLoginRedirect(location, target, target !== null && this.isConfigured(target));
  }
}
