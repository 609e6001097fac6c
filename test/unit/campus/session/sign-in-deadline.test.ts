import { expect, it } from 'vitest';
import { SignIns } from '../../../../src/campus/session/sign-ins.ts';
import type { HttpAnswer } from '../../../../src/campus/transport/http.ts';
import { isFailure } from '../../../../src/domain/errors.ts';
import { addressesOf } from '../../../support/addresses-of.ts';
import { callContext, recordingLog } from '../../../support/campus-rig.ts';
import { inlinePages } from '../../../support/inline-pages.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { unusedWiring } from '../../../support/unused-wiring.ts';

const DEADLINE_MS = 30_000;
const pair = { password: 'secret', vpnPassword: 'secret' };
const login = '<input name="lt" value="LT-1"><input name="execution" value="e1s1">';

const answerOf = (text: string, more: Partial<HttpAnswer> = {}): HttpAnswer => ({
  ...{ kind: 'answer', status: 200, location: undefined, setCookies: [], text },
  ...more,
});

/** The half that a sign-in names where its time runs out while this one never answers. */
const lateHalf = async (hangs: 'portal' | 'unified-login'): Promise<string | undefined> => {
  const addresses = addressesOf(unusedWiring);
  const clock = new ManualClock();
  const send = ({ url, method, signal }: { url: URL; method: string; signal: AbortSignal }) => {
    const isPortal = url.origin === addresses.portalOrigin && url.pathname.startsWith('/por/');
    if ((isPortal ? 'portal' : 'unified-login') !== hangs) {
      if (!isPortal) return Promise.resolve(answerOf(login));
      const isPassword = method === 'POST';
      return Promise.resolve(
        answerOf(isPassword ? '<Auth><Result>1</Result><Message>radius auth succ</Message></Auth>' : challenge),
      );
    }
    return new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      setImmediate(() => clock.advance(DEADLINE_MS));
    });
  };
  const campus = {
    ...{ http: { send }, addresses, clock, attemptMs: 60_000, slowAttemptMs: 60_000, pages: inlinePages },
    ...{ oddities: { isNew: () => true }, log: recordingLog(), tagOf: String },
  };
  const signIns = new SignIns({ campus, breakers: new Map(), signInMs: DEADLINE_MS });
  using turn = await signIns.turn('2023000001', pair, callContext(), { queue: 'owner' });
  const failure = await turn.signIn().then(
    () => null,
    (error: unknown) => error,
  );
  return isFailure(failure, 'timed-out') ? failure.step : String(failure);
};

const challenge = `<Auth><Result>1</Result><TwfID>0123456789abcdef</TwfID><CSRF_RAND_CODE>1</CSRF_RAND_CODE><RSA_ENCRYPT_KEY>${'C'.repeat(511)}1</RSA_ENCRYPT_KEY><RSA_ENCRYPT_EXP>65537</RSA_ENCRYPT_EXP></Auth>`;

it('a portal that never answers is named', async () => {
  expect(await lateHalf('portal')).toBe('portal');
});

it('a unified login that never answers behind it is named', async () => {
  expect(await lateHalf('unified-login')).toBe('unified-login');
});
