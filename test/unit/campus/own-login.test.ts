import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { attendedHalves, connect, manifestFaults, ownLoginOf } from '../../../src/campus/connect.ts';
import { Addresses } from '../../../src/campus/contract/addresses.ts';
import { address, application, service } from '../../../src/campus/contract/driver.ts';
import { formLogin } from '../../../src/campus/contract/form-login.ts';
import type { Manifest } from '../../../src/campus/contract/manifest.ts';
import { usualRow } from '../../../src/campus/contract/upstreams.ts';
import { drivers as known } from '../../../src/campus/drivers.ts';
import { CampusRequests, unlimitedBudget } from '../../../src/campus/session/campus-requests.ts';
import { PlaceCall } from '../../../src/campus/session/place-call.ts';
import { StudentState } from '../../../src/campus/session/student-state.ts';
import { BreakerScope } from '../../../src/campus/transport/breaker.ts';
import type { HttpAnswer } from '../../../src/campus/transport/http.ts';
import { campusIdentity, passwordHosts } from '../../../src/config/campus.ts';
import { Semaphore } from '../../../src/lib/queues.ts';
import { recordingLog } from '../../support/campus-rig.ts';
import { inlinePages } from '../../support/inline-pages.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** An academic system with its own login, which a unified login may stand in front of elsewhere. */
const open = application({
  options: Type.Object({ url: address, service: Type.Optional(service) }),
  row: { ...usualRow, system: 'academics', entry: { kind: 'service-ticket' } },
  ownLogin: () =>
    formLogin({
      page: () => '/login',
      action: '/check',
      readForm: (text) =>
        text.includes('id="own"') ? { kind: 'login-page', lt: '', execution: '', captcha: null } : null,
      fields: (_form, { userid, password }) => [
        ['u', userid],
        ['p', password],
      ],
      stepIn: () => null,
      isRefusal: (_text, { location }) => location?.includes('badCredentials') === true,
      acceptSession: ({ status, location }) =>
        status === 302 && location === '/index.jsp' ? { kind: 'signed-in', memo: { menu: '1' } } : null,
    }),
  supplies: () => ({}),
});
const drivers = { ...known, open, second: open };
const part = (driver: string, options: Record<string, unknown> = {}) => ({
  driver,
  options: { url: `https://${driver}.lake.edu`, ...options },
});
const manifest: Manifest = {
  id: 'lake',
  name: { zh: '湖', en: 'Lake' },
  timeZone: 'Asia/Shanghai',
  portal: null,
  login: null,
  applications: [part('open')],
  notes: [],
};
const faults = (more: Partial<Manifest>) => manifestFaults({ ...manifest, ...more }, drivers);

it('a campus of an application with its own login has one place for passwords, which tells it apart', () => {
  expect(faults({})).toEqual([]);
  const own = ownLoginOf(manifest, drivers);
  const identity = campusIdentity(manifest, own);
  expect(identity).toEqual({
    CAMPUS_VPN_URL: 'none',
    CAMPUS_CAS_URL: 'https://open.lake.edu',
    CAMPUS_CAS_DRIVER: 'open',
  });
  expect(passwordHosts(identity)).toEqual(['https://open.lake.edu']);
  const addresses = new Addresses(connect(manifest, drivers));
  expect([addresses.place('portal'), addresses.verifyingApplication]).toEqual([null, 'open']);
  expect(addresses.place('unified-login')).toMatchObject({ upstream: 'open', system: 'academics' });
});

const cas = part('cas');
it.each<[string, Partial<Manifest>, string]>([
  ['two own logins', { applications: [part('open'), part('second')] }, 'both take the password'],
  ['no login at all', { applications: [part('isim')] }, 'no application has its own login'],
  [
    'an application that a unified login opens',
    { applications: [part('open'), part('aac', { service: 'https://a.edu/b' })] },
    'is entered through a unified login',
  ],
  [
    'a service that nothing issues tickets for',
    { applications: [part('open', { service: 'https://a.edu/b' })] },
    '.service',
  ],
  ['a ticket entry without its service', { login: cas }, '.service is missing'],
])('%s is a fault of the manifest', (_what, more, words) => {
  expect(faults(more)).toEqual([expect.stringContaining(words)]);
});

it('the same driver is entered by a ticket where a unified login stands in front', () => {
  const behind = { ...manifest, login: cas, applications: [part('open', { service: 'https://a.edu/b' })] };
  expect(manifestFaults(behind, drivers)).toEqual([]);
  expect(ownLoginOf(behind, drivers)).toBeNull();
  expect(new Addresses(connect(behind, drivers)).application('open').entry).toEqual({ kind: 'service-ticket' });
});

const answer = (more: Partial<HttpAnswer>): HttpAnswer => ({
  kind: 'answer',
  status: 200,
  location: undefined,
  setCookies: [],
  text: '',
  ...more,
});
const signIn = async (page: HttpAnswer, after: HttpAnswer) => {
  const asked: string[] = [];
  const addresses = new Addresses(connect(manifest, drivers));
  const send = async ({ method, url }: { method: string; url: URL }) => {
    asked.push(`${method} ${url.pathname}`);
    return method === 'GET' ? page : after;
  };
  const requests = new CampusRequests(
    {
      http: { send },
      addresses,
      clock: new ManualClock(),
      attemptMs: 1,
      slowAttemptMs: 1,
      pages: inlinePages,
      log: recordingLog(),
      tagOf: String,
      oddities: { isNew: () => false },
    },
    new StudentState(addresses),
    {
      breakers: new BreakerScope(new Map(), 'first'),
      budget: unlimitedBudget,
      slots: new Semaphore(1, 1),
      signal: new AbortController().signal,
    },
  );
  const call = new PlaceCall(requests, 'unified-login', '2023000001');
  const outcome = await call.signIn(async () => ({ userid: '2023000001', password: 'secret' }));
  return { outcome, asked, posted: call.hasPosted };
};
const page = answer({ text: '<form id="own">' });

it('an own login sends the password once, and names its application where it fails', async () => {
  expect(await signIn(page, answer({ status: 302, location: '/index.jsp' }))).toMatchObject({
    outcome: { kind: 'signed-in', memo: { menu: '1' }, address: null },
    asked: ['GET /login', 'POST /check'],
    posted: true,
  });
  expect(await signIn(page, answer({ status: 302, location: '/login?errorCode=badCredentials' }))).toMatchObject({
    outcome: { failure: { kind: 'credentials-refused', step: 'unified-login', system: 'academics' } },
    asked: ['GET /login', 'POST /check'],
  });
  expect(await signIn(page, answer({ status: 302, location: '/elsewhere' }))).toMatchObject({
    outcome: { failure: { kind: 'sign-in-unavailable', passwords: 'unread', system: 'academics' } },
  });
});

it('an own login sends no password to a page that it does not know', async () => {
  const { outcome, asked, posted } = await signIn(answer({ text: 'maintenance' }), answer({}));
  expect(outcome).toMatchObject({ failure: { kind: 'sign-in-unavailable', reason: 'malformed' } });
  expect([asked.includes('POST /check'), posted]).toEqual([false, false]);
});

it('a driver, or its manifest, says that every login shows an image', () => {
  const asks = { ...open, attended: (options: Record<string, unknown>) => options.service === undefined };
  expect(attendedHalves(manifest, { ...drivers, open: asks })).toEqual(['unified-login']);
  expect(attendedHalves(manifest, drivers)).toEqual([]);
  const behind = { ...manifest, login: cas, applications: [part('open', { service: 'https://a.edu/b' })] };
  // Behind a unified login nobody meets its own.
  expect(attendedHalves(behind, { ...drivers, open: { ...open, attended: true } })).toEqual([]);
  expect(attendedHalves(behind, { ...drivers, cas: { ...known.cas, attended: true } as typeof open })).toEqual([
    'unified-login',
  ]);
});
