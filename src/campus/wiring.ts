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
