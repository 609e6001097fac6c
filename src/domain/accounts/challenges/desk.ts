import { hash } from 'node:crypto';
import { networkOf } from '../../../lib/address.ts';
import { equalInConstantTime, randomToken, sha256 } from '../../../lib/hash.ts';
import { Failure } from '../../errors.ts';
import { type AccountDeps, passed } from '../attempt.ts';
import type { AskOutcome } from '../guard/events.ts';
import { hasLoggedInFrom } from '../guard/parts.ts';
import type { PasswordPair } from '../ports.ts';
import { clientOf } from '../tokens.ts';
import {
  type Challenge,
  type ChallengeKey,
  type ChallengeRow,
  type HalfSignIn,
  type KeptHalf,
  pageCodeAlphabet,
  type StepDesk,
} from './ports.ts';
import { openState } from './state.ts';

export const accepted = ({ stepped }: { readonly stepped: boolean }): AskOutcome =>
  stepped ? { type: 'accepted', stepped } : { type: 'accepted' };

const PAGE_CODE_LENGTH = 8;

/** Of 32^8 codes; it follows from the id, so that whoever has that can be shown it again. */
export const pageCodeOf = (id: string): string =>
  [...hash('sha256', `page code ${id}`, 'buffer').subarray(0, PAGE_CODE_LENGTH)]
    .map((byte) => pageCodeAlphabet[byte % pageCodeAlphabet.length])
    .join('');

export const pageNames = ({ secondSteps }: AccountDeps, code: string): string[] =>
  secondSteps?.names.all('page code', code) ?? [];

/** Under which the network of a call is remembered, here alone; none where it is not known. */
export const networkNames = ({ secondSteps }: AccountDeps, address: string): string[] =>
  address === '' ? [] : (secondSteps?.names.all('challenge network', networkOf(address, 64)) ?? []);

export const keptHalf = ({ resume, image }: HalfSignIn): KeptHalf => ({ resume, image, targets: [], chosen: null });

export const isStep = (kind: Challenge['kind']): boolean => kind !== 'captcha';

/** As whoever holds its key sees it. */
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

const samePair = (a: PasswordPair, b: PasswordPair): boolean =>
  [equalInConstantTime(a.password, b.password), equalInConstantTime(a.vpnPassword, b.vpnPassword)].every(Boolean);

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
  async takePass(purpose, { userid, pair }, { address }) {
    const row = await store.of(userid, deps.clock.now());
    if (row === null || row.state.phase !== 'passed' || row.purpose !== purpose) return null;
    const { entry, half, idHash, revision } = row;
    const here = networkNames(deps, address);
    const isFreed = entry.frees.some((name) => here.includes(name));
    if (!samePair(entry.pair, pair) || !isFreed) return null;
    if (!(await store.remove(idHash, revision))) return null;
    return { proven: campus.unpack(userid, half.resume), booked: entry.booked, stepped: entry.stepped };
  },
});
