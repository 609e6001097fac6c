import { hash } from 'node:crypto';
import { networkOf } from '../../../lib/address.ts';
import { randomToken, sha256 } from '../../../lib/hash.ts';
import { Failure } from '../../errors.ts';
import { withLease } from '../../lease.ts';
import { type AccountDeps, LEASE_MS, passed } from '../attempt.ts';
import type { AskOutcome } from '../guard/events.ts';
import { hasLoggedInFrom } from '../guard/parts.ts';
import { compareSecrets } from '../pair-asks.ts';
import type { PasswordPair } from '../ports.ts';
import { clientOf } from '../tokens.ts';
import { attemptLease } from '../userid.ts';
import {
  type Challenge,
  type ChallengeHalf,
  type ChallengeKey,
  type ChallengeRow,
  type HalfSignIn,
  pageCodeAlphabet,
  type StepDesk,
} from './ports.ts';
import { openState } from './state.ts';

export const accepted = ({ stepped }: { readonly stepped: boolean }): AskOutcome =>
  stepped ? { type: 'accepted', stepped } : { type: 'accepted' };

const PAGE_CODE_LENGTH = 8;

/** Of 32^8 codes; it follows from the id, so that its holder can be shown it again. */
export const pageCodeOf = (id: string): string =>
  [...hash('sha256', `page code ${id}`, 'buffer').subarray(0, PAGE_CODE_LENGTH)]
    .map((byte) => pageCodeAlphabet[byte % pageCodeAlphabet.length])
    .join('');

export const pageNames = ({ secondSteps }: AccountDeps, code: string): string[] =>
  secondSteps?.names.all('page code', code) ?? [];

/** Under which the network of a call is remembered, here alone; none where it is not known. */
export const networkNames = ({ secondSteps }: AccountDeps, address: string): string[] =>
  address === '' ? [] : (secondSteps?.names.all('challenge network', networkOf(address, 64)) ?? []);

export const keptHalf = ({ resume, image }: HalfSignIn): ChallengeHalf => ({
  resume,
  image,
  targets: [],
  chosen: null,
});

export const isStep = (kind: Challenge['kind']): boolean => kind !== 'captcha';

/** As the holder of its key sees it. */
export const viewOf = (deps: AccountDeps, row: ChallengeRow, key: ChallengeKey, address: string): Challenge => {
  const { state, half, entry } = row;
  const now = deps.clock.now();
  const here = networkNames(deps, address);
  const { at, client, network, names } = entry.asker;
  return {
    id: 'id' in key ? key.id : '',
    pageCode: 'id' in key ? pageCodeOf(key.id) : key.pageCode,
    purpose: row.purpose,
    userid: row.userid,
    step: 'portal',
    kind: state.kind,
    image: half.image,
    targets: half.targets.map((label, index) => ({ index, label })),
    sent: state.sent,
    stillValid: state.stillValid,
    last: state.last,
    answersLeft: state.answersLeft,
    sendsLeft: state.kind === 'captcha' ? state.imagesLeft : state.kind === 'sms' ? state.sendsLeft : 0,
    resendAfter: state.kind === 'sms' ? Math.max(0, Math.ceil((state.resendAt - now) / 1000)) : 0,
    expiresAt: state.expiresAt,
    asker: { at, client, network, isHere: names.some((name) => here.includes(name)) },
  };
};

const secondsTo = (moment: number, now: number): number => Math.max(1, Math.ceil((moment - now) / 1000));

export const samePair = (a: PasswordPair, b: PasswordPair): boolean =>
  Object.values(compareSecrets(a, b)).every(Boolean);

export const createDesk = (
  deps: AccountDeps,
  { store, campus }: NonNullable<AccountDeps['secondSteps']>,
): StepDesk => ({
  async makeWay(userid, caller, { address }) {
    const now = deps.clock.now();
    const open = await store.of(userid, now);
    if (open === null) return;
    const { token, names } = open.entry.asker;
    const here = networkNames(deps, address);
    if ((token !== null && token === caller.proof) || names.some((name) => here.includes(name))) return;
    throw new Failure('challenge-busy', { retryAfterSeconds: secondsTo(open.state.expiresAt, now) });
  },
  async open(waiting, half, caller, context) {
    const { purpose, userid, pair, keep = null, invite = null, booked } = waiting;
    const now = deps.clock.now();
    const scope = { userid, code: null, network: caller.network };
    const why = purpose === 'registration' ? 'registration-wait' : 'login-wait';
    passed(await deps.guard.decide(scope, { type: 'challenge-opens', id: booked.id, caller, wanted: half.kind, why }));
    const memory = await deps.guard.read(scope);
    const id = randomToken();
    const row: ChallengeRow = {
      idHash: sha256(id),
      pageName: pageNames(deps, pageCodeOf(id))[0] ?? '',
      userid,
      purpose,
      revision: 1,
      state: openState(half.kind, now),
      half: keptHalf(half),
      entry: {
        id,
        pair,
        keep,
        invite,
        booked,
        stepped: isStep(half.kind),
        asker: {
          at: now,
          client: clientOf(context.userAgent),
          network: networkOf(context.address, 64),
          names: networkNames(deps, context.address),
          token: caller.proof,
          isHome: hasLoggedInFrom(memory.student, caller.home, now),
        },
        frees: [],
      },
    };
    await store.open(row);
    const challenge = viewOf(deps, row, { id }, context.address);
    return new Failure('login-challenge', { step: half.step, challenge });
  },
  async withPass(purpose, { userid, pair }, { address, signal }, work) {
    const here = networkNames(deps, address);
    const mayTake = (row: ChallengeRow): boolean =>
      // Of a registration whose account was created when its process died.
      (row.purpose === purpose || (row.purpose === 'registration' && purpose === 'login')) &&
      row.entry.frees.some((name) => here.includes(name)) &&
      samePair(row.entry.pair, pair);
    const find = async () => (await store.passed(userid, deps.clock.now())).find(mayTake);
    if ((await find()) === undefined) return null;
    return withLease(deps.leases, { name: attemptLease(userid), lifeMs: LEASE_MS, signal }, async () => {
      const row = await find();
      if (row === undefined) return null;
      const { booked, stepped } = row.entry;
      const result = await work({ proven: campus.unpack(userid, row.half.resume), booked, stepped });
      await store.remove(row.idHash);
      return { result };
    });
  },
});
