import type { PasswordPair } from '../domain/accounts/ports.ts';
import type { SignInStep } from '../domain/errors.ts';
import type { Runner } from './run.ts';
import type { CredentialsTable } from './schema.ts';
import type { Sealer } from './seal.ts';

type PairColumns = Pick<CredentialsTable, 'sealed_password' | 'sealed_vpn_password'>;

export const pairPlaces = (userid: string) => ({
  password: { userid, field: 'password' },
  vpnPassword: { userid, field: 'vpn-password' },
});

export const sealPair = (sealer: Sealer, userid: string, pair: PasswordPair): PairColumns => ({
  sealed_password: sealer.seal(pair.password, pairPlaces(userid).password),
  sealed_vpn_password: sealer.seal(pair.vpnPassword, pairPlaces(userid).vpnPassword),
});

/** @throws SealBroken */
export const openPair = (sealer: Sealer, userid: string, columns: PairColumns): PasswordPair => ({
  password: sealer.open(columns.sealed_password, pairPlaces(userid).password),
  vpnPassword: sealer.open(columns.sealed_vpn_password, pairPlaces(userid).vpnPassword),
});

/** The step at which a stored pair was refused. */
export const asStep = (text: string | null): SignInStep | null =>
  text === null || text === 'portal' || text === 'unified-login' ? text : null;

/** How many students' stored passwords were sealed by a key that is not at hand. */
export const countForeignSeals = (runner: Runner, { prefixes }: Sealer): Promise<number> =>
  runner.run('check keys', async (db) => {
    const { count } = await db
      .selectFrom('credentials')
      .select((to) => to.fn.countAll<number>().as('count'))
      .where((to) => to.and(prefixes.map((prefix) => to('sealed_password', 'not like', `${prefix}%`))))
      .executeTakeFirstOrThrow();
    return Number(count);
  });
