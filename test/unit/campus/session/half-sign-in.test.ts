import { expect, it } from 'vitest';
import { connect } from '../../../../src/campus/connect.ts';
import { Addresses } from '../../../../src/campus/contract/addresses.ts';
import { needsPerson } from '../../../../src/campus/contract/sign-in.ts';
import { drivers } from '../../../../src/campus/drivers.ts';
import { CampusRequests, unlimitedBudget } from '../../../../src/campus/session/campus-requests.ts';
import { personNeededFailure, unpackHalf } from '../../../../src/campus/session/campus-sign-in.ts';
import { StudentState } from '../../../../src/campus/session/student-state.ts';
import { BreakerScope } from '../../../../src/campus/transport/breaker.ts';
import { halfSignInOf } from '../../../../src/domain/errors.ts';
import { Semaphore } from '../../../../src/lib/queues.ts';
import { recordingLog } from '../../../support/campus-rig.ts';
import { inlinePages } from '../../../support/inline-pages.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const [login, academics] = ['http://login.seaside.test', 'http://academics.seaside.test'];
const addresses = new Addresses(
  connect(
    {
      id: 'seaside',
      name: { zh: '海滨大学', en: 'Seaside' },
      timeZone: 'Asia/Shanghai',
      portal: null,
      login: { driver: 'authserver', options: { url: `${login}/authserver` } },
      applications: [
        { driver: 'jwc', options: { url: academics, service: `${academics}/j_spring_cas_security_check` } },
      ],
      notes: [],
    },
    drivers,
  ),
);

it('device trust that was set before the step goes on with the half, apart from its cookies, and is stored after it', () => {
  const state = new StudentState(addresses);
  const page = new URL(`${login}/authserver/login`);
  state.keepCookies(page, ['JSESSIONID=1; Path=/authserver', 'MULTIFACTOR_BROWSER_FINGERPRINT=2; Path=/authserver']);
  const campus = { addresses, clock: new ManualClock(), attemptMs: 1, slowAttemptMs: 1, pages: inlinePages };
  const more = { http: { send: () => Promise.reject(new Error('no request')) }, log: recordingLog(), tagOf: String };
  const requests = new CampusRequests({ ...campus, ...more, oddities: { isNew: () => true } }, state, {
    breakers: new BreakerScope(new Map(), 'first'),
    budget: unlimitedBudget,
    slots: new Semaphore(1, 1),
    signal: new AbortController().signal,
  });
  const waiting = needsPerson({ kind: 'totp' }, { page: 'the step' }, 'accepted');
  const { failure } = personNeededFailure(requests, 'unified-login', waiting, true);
  const half = unpackHalf(addresses, halfSignInOf(failure)?.resume ?? {});
  expect(half?.state.jars.header(page, null)).toBe('JSESSIONID=1');
  const [piece] = half?.state.pieces() ?? [];
  expect(piece).toMatchObject({ system: 'unified-login', trust: expect.stringContaining('"value":"2"') });
  expect(piece?.state).not.toContain('FINGERPRINT');
});

it('is known by its name at the address of the login that declares it, and nowhere else', () => {
  const trust = 'MULTIFACTOR_BROWSER_FINGERPRINT';
  expect(addresses.trustedBy(new URL(`${login}/authserver/login`), trust)).toBe('unified-login');
  expect(addresses.trustedBy(new URL(`${login}/authserver/login`), 'CASTGC')).toBeNull();
  expect(addresses.trustedBy(new URL(`${academics}/login`), trust)).toBeNull();
});

it('belongs to an application as well, where that has its own login', () => {
  const urp = { driver: 'jwc', options: { url: academics, password: 'plain' } };
  const campus = {
    id: 'hillside',
    name: { zh: '山', en: 'Hill' },
    timeZone: 'Asia/Shanghai',
    portal: null,
    login: null,
  };
  const { jwc } = drivers;
  if (jwc?.kind !== 'application' || jwc.ownLogin === undefined) throw new Error('no own login');
  const ownLogin: typeof jwc.ownLogin = (options) => ({ ...jwc.ownLogin!(options), deviceTrust: ['KNOWN'] });
  const connected = connect({ ...campus, applications: [urp], notes: [] }, { ...drivers, jwc: { ...jwc, ownLogin } });
  const own = new StudentState(new Addresses(connected));
  own.keepCookies(new URL(`${academics}/login`), ['KNOWN=1; Path=/', 'JSESSIONID=2; Path=/']);
  // No session of it is open, and its trust is stored all the same once there is one.
  own.open('jwc', 0);
  expect(own.pieces().find(({ system }) => system === 'jwc')).toMatchObject({
    trust: expect.stringContaining('KNOWN'),
  });
  expect(own.jarOf('jwc')).not.toContain('KNOWN');
});
