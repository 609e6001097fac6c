/** One system of a campus. */
export interface ManifestPart {
  readonly driver: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A campus, as far as its drivers cannot know it. */
export interface Manifest {
  readonly id: string;
  readonly name: { readonly zh: string; readonly en: string };
  readonly timeZone: string;
  /** Null: the systems are open to the network. */
  readonly portal: ManifestPart | null;
  /** Null: an application has its own login. */
  readonly login: ManifestPart | null;
  readonly applications: readonly ManifestPart[];
  /** The proxy through which all of them are asked; left out or null: none. */
  readonly proxy?: string | null;
  /** For operators. */
  readonly notes: readonly string[];
}

/** No trailing slash. `casUrl` includes its path (`/cas`). */
export interface CampusWiring {
  readonly vpnUrl: string;
  readonly vpnDomain: string;
  readonly casUrl: string;
  readonly jwcUrl: string;
  readonly jwcService: string;
  readonly aacUrl: string;
  readonly aacService: string;
  readonly ldjlbUrl: string;
  readonly ldjlbService: string;
  readonly isimUrl: string;
  readonly competitionUrl: string;
  /** Left out: the card system is not connected. */
  readonly cardUrl?: string | undefined;
}
