import { type Static, type TObject, Type } from '@sinclair/typebox';
import type { Supplies } from '../../domain/capabilities.ts';
import type { Log } from '../../domain/context.ts';
import type { Clock } from '../../lib/time.ts';
import type { Portal, UnifiedLogin } from './portal.ts';
import type { SignIn } from './sign-in.ts';
import type { SessionAccess } from './upstream-session.ts';
import type { ApplicationRow } from './upstreams.ts';

/** Every login there shows an image, so no student is signed in unattended. A function: where the manifest tells. */
export type Attended<Options> = true | { ask(options: Options): boolean }['ask'];

/** A driver knows a product. Each of its `options` has a description that completes "give …". */
export interface PortalDriver<O extends TObject = TObject> {
  readonly kind: 'portal';
  readonly options: O;
  /** The second steps that it may want. */
  readonly challenges: readonly string[];
  /** The password that it takes; left out: a separate one, `vpn_password`. */
  readonly takes?: 'password';
  attended?: Attended<Static<O>>;
  create(options: Static<O>, log?: Pick<Log, 'info'>): Portal;
}

export interface LoginDriver<O extends TObject = TObject> {
  readonly kind: 'login';
  readonly options: O;
  /** The steps that it may want beside a password; left out: none that a person could take here. */
  readonly challenges?: readonly string[];
  readonly further?: Further;
  attended?: Attended<Static<O>>;
  create(options: Static<O>): UnifiedLogin;
}

/** The options, beside `url`, that hold addresses which belong to the same system. Their cookies are kept apart. */
type Further = readonly string[];

/** How the clients of an application reach it. */
export interface Access<Options> {
  readonly sessions: SessionAccess;
  readonly clock: Clock;
  readonly options: Options;
}

export interface ApplicationDriver<O extends TObject = TObject> {
  readonly kind: 'application';
  readonly options: O;
  readonly further?: Further;
  readonly row: ApplicationRow;
  /** For a campus without a unified login: the application's own takes the password. `row.entry` holds where there is one. */
  ownLogin?(options: Static<O>): SignIn;
  /** The steps that its own login may want beside a password; left out: none that a person could take here. */
  readonly challenges?: readonly string[];
  /** Of its own login. */
  attended?: Attended<Static<O>>;
  /** Makes the methods of its capabilities, and asks nothing. A capability without methods is not supplied. */
  supplies(access: Access<Static<O>>): Supplies;
}

export type Driver = PortalDriver | LoginDriver | ApplicationDriver;

export type Drivers = Readonly<Record<string, Driver>>;

export const application = <O extends TObject>(driver: Omit<ApplicationDriver<O>, 'kind'>): ApplicationDriver<O> => ({
  kind: 'application',
  ...driver,
});

const HOST = '([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:\\d{1,5})?';

/** The address of a system. */
export const address = Type.String({
  pattern: `^https?://${HOST}(/[^\\s?#]*)?$`,
  description: 'an http:// or https:// address without query or user information',
});

/** The unified login issues tickets for this address, which the application itself names. */
export const service = Type.String({
  pattern: `^https?://${HOST}([/?][^\\s#]*)?$`,
  description: 'an http:// or https:// address without user information',
});

export const domain = Type.String({
  pattern: '^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$',
  description: 'a bare domain or IPv4 address, without scheme, port or path',
});
