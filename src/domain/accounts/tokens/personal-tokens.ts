import { crc32 } from 'node:zlib';
import { networkOf } from '../../../lib/address.ts';
import { randomToken, sha256, tokenId } from '../../../lib/hash.ts';
import { type Clock, DAY_MS, HOUR_MS } from '../../../lib/time.ts';
import type { CallContext, PersonalGrant, Student } from '../../context.ts';
import { type Failure, failures } from '../../errors.ts';
import type { Need, Scope } from '../../scopes.ts';

/** Names no scope where only a login token will do. */
export const missingScope = (need: Exclude<Need, 'any'>): Failure =>
  failures.scopeMissing(need === 'login' ? null : need);

export const mayUse = ({ personal }: Pick<Student, 'personal'>, need: Scope): boolean =>
  personal === undefined || personal.scopes.includes(need);

/** @throws Failure `scope-missing` */
export const permit = ({ personal }: Student, need: Need): void => {
  if (personal === undefined || need === 'any') return;
  if (need === 'login' || !mayUse({ personal }, need)) throw missingScope(need);
};

/** A token may do for this long after its login what a stolen one must not. */
const RECENT_LOGIN_MS = DAY_MS;

/** @throws Failure `login-again` unless the token was issued by a login within the last 24 hours */
export const requireRecentLogin = ({ personal, issuedAt = 0 }: Student, now: number): void => {
  if (personal === undefined && now - issuedAt < RECENT_LOGIN_MS) return;
  throw failures.loginAgain();
};

export const personalDays = [7, 30, 90, 365] as const;
type PersonalDays = (typeof personalDays)[number];

/** Per student, not counting tokens that were rotated out. */
const MOST_PERSONAL_TOKENS = 20;

/** A personal token as its owner sees it. */
export interface PersonalToken extends PersonalGrant {
  readonly id: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly lastUsedAt: number;
  readonly network: string | null;
  /** Id of the token that was rotated in for it. */
  readonly replacedBy: string | null;
}

/** What is shown of the last use: rounded down to the hour, but not to before the token was issued. */
export const roundUse = <T extends Pick<PersonalToken, 'createdAt' | 'lastUsedAt'>>(token: T): T => ({
  ...token,
  lastUsedAt: Math.max(Math.floor(token.lastUsedAt / HOUR_MS) * HOUR_MS, token.createdAt),
});

interface NewPersonalToken {
  readonly hash: string;
  readonly now: number;
  readonly network: string | null;
}

export interface PersonalTokenStore {
  /** `full`: the student has `most` that were not rotated out. */
  make(
    userid: string,
    token: NewPersonalToken & { readonly grant: PersonalGrant; readonly expiresAt: number },
    most: number,
  ): Promise<'made' | 'full' | 'user-gone'>;
  list(userid: string, now: number): Promise<PersonalToken[]>;
  rename(userid: string, id: string, name: string, now: number): Promise<boolean>;
  /**
   * Makes a token that may do the same for as many days. The old one lives until `oldEndsAt` at most, and one that it had
   * replaced ends, so there are never more than twice `MOST_PERSONAL_TOKENS`.
   */
  rotate(
    userid: string,
    id: string,
    token: NewPersonalToken & { readonly newId: string; readonly oldEndsAt: number },
  ): Promise<'rotated' | 'unknown' | 'replaced'>;
}

interface PersonalWish extends PersonalGrant {
  readonly days: PersonalDays;
}

export interface MadePersonalToken {
  /** Shown only once. */
  readonly secret: string;
  readonly token: PersonalToken;
}

interface PersonalTokenDeps {
  readonly tokens: {
    readonly personal: PersonalTokenStore;
    endPersonal(userid: string, id: string, now: number): Promise<number | null>;
  };
  readonly forget: (userid: string) => Promise<void>;
  readonly clock: Clock;
}

export type PersonalTokens = ReturnType<typeof createPersonalTokens>;

/** Tokens for the student's own programs. Operations with an id throw Failure `session-unknown`. */
export const createPersonalTokens = ({ tokens, forget, clock }: PersonalTokenDeps) => {
  const { personal } = tokens;
  const secretFor = ({ address }: CallContext): { readonly secret: string; readonly entry: NewPersonalToken } => {
    const secret = newPersonalSecret();
    const network = address === '' ? null : networkOf(address, 64);
    return { secret, entry: { hash: storedHashOf(secret) ?? '', now: clock.now(), network } };
  };
  const list = async ({ userid }: Student) => (await personal.list(userid, clock.now())).map(roundUse);
  const make = async (student: Student, secret: string): Promise<MadePersonalToken> => {
    const id = tokenId(storedHashOf(secret) ?? '');
    const token = (await list(student)).find((one) => one.id === id);
    if (token === undefined) throw failures.sessionUnknown();
    return { secret, token };
  };

  return {
    /** @throws Failure `login-again`, `token-limit` */
    async make(student: Student, { days, ...grant }: PersonalWish, context: CallContext): Promise<MadePersonalToken> {
      requireRecentLogin(student, clock.now());
      const { secret, entry } = secretFor(context);
      const expiresAt = entry.now + days * DAY_MS;
      const outcome = await personal.make(student.userid, { ...entry, grant, expiresAt }, MOST_PERSONAL_TOKENS);
      if (outcome === 'user-gone') throw failures.tokenUserGone();
      if (outcome === 'full') throw failures.tokenLimit();
      return make(student, secret);
    },
    /** The newest first. */
    list,
    async rename({ userid }: Student, id: string, name: string): Promise<void> {
      if (!(await personal.rename(userid, id, name, clock.now()))) throw failures.sessionUnknown();
    },
    /**
     * The old token lives for another day unless it has to end `atOnce`.
     * @throws Failure `login-again`, `token-replaced`
     */
    async rotate(student: Student, id: string, atOnce: boolean, context: CallContext): Promise<MadePersonalToken> {
      requireRecentLogin(student, clock.now());
      const { secret, entry } = secretFor(context);
      const oldEndsAt = atOnce ? entry.now : entry.now + DAY_MS;
      const outcome = await personal.rotate(student.userid, id, { ...entry, newId: tokenId(entry.hash), oldEndsAt });
      if (outcome === 'unknown') throw failures.sessionUnknown();
      if (outcome === 'replaced') throw failures.tokenReplaced();
      return make(student, secret);
    },
    async end({ userid }: Student, id: string): Promise<void> {
      const left = await tokens.endPersonal(userid, id, clock.now());
      if (left === null) throw failures.sessionUnknown();
      if (left === 0) await forget(userid);
    },
  };
};

const MARK = 'cgp_';
const SECRET_LENGTH = 43;
const LENGTH = MARK.length + SECRET_LENGTH + 6;
const LONGEST = 256;

/** 32 bits in six characters, which find every single character that is typed wrong. */
const checksumOf = (text: string): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64url');
};

/** Programs that look for leaked secrets know it by its form alone. */
export const newPersonalSecret = (): string => {
  const text = `${MARK}${randomToken()}`;
  return `${text}${checksumOf(text)}`;
};

/**
 * The hash under which a token is stored; null for a text that cannot be one. A personal token is hashed with a prefix, so
 * that the login guard and replicas of the previous version, which hash the plain token, never find one.
 */
export const storedHashOf = (token: string): string | null => {
  if (token === '' || token.length > LONGEST) return null;
  const isPersonal = token.length === LENGTH || (token.startsWith(MARK) && token.length !== SECRET_LENGTH);
  if (!isPersonal) return sha256(token);
  const isWhole =
    token.length === LENGTH && token.startsWith(MARK) && checksumOf(token.slice(0, -6)) === token.slice(-6);
  return isWhole ? sha256(`personal token ${token}`) : null;
};

/** The access that a student has given out. A call that ends all logins keeps or ends each kind. */
export const grantKinds = ['feeds', 'hooks', 'tokens'] as const;

export type GrantKind = (typeof grantKinds)[number];

/** The student's own calls keep these by default. */
export const keptGrants: readonly GrantKind[] = ['feeds'];

/** Kinds without any are left out. */
type GrantCounts = Readonly<Partial<Record<GrantKind, number>>>;

export interface SettledGrants {
  readonly kept: GrantCounts;
  readonly ended: GrantCounts;
}

export const noGrants: SettledGrants = { kept: {}, ended: {} };
