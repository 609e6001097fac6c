/** One system of a campus: its driver, and the options of that. */
export interface ManifestPart {
  readonly driver: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A campus: what a driver cannot know. */
export interface Manifest {
  readonly id: string;
  readonly name: { readonly zh: string; readonly en: string };
  readonly timeZone: string;
  /** Null: there is none; the systems are open to the network. */
  readonly portal: ManifestPart | null;
  readonly login: ManifestPart;
  readonly applications: readonly ManifestPart[];
  /** For operators. */
  readonly notes: readonly string[];
}

/** Addresses of the campus systems. No trailing slash; `casUrl` includes its path (`/cas`). */
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
  /** Left out: this campus's card system is not connected. */
  readonly cardUrl?: string | undefined;
}
