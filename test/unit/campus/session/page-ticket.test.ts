import { describe, expect, it } from 'vitest';
import { connect } from '../../../../src/campus/connect.ts';
import { Addresses } from '../../../../src/campus/contract/addresses.ts';
import { drivers } from '../../../../src/campus/drivers.ts';
import { CampusRequests, unlimitedBudget } from '../../../../src/campus/session/campus-requests.ts';
import { withPageTicket } from '../../../../src/campus/session/place-call.ts';
import { StudentState } from '../../../../src/campus/session/student-state.ts';
import { BreakerScope } from '../../../../src/campus/transport/breaker.ts';
import type { HttpAnswer } from '../../../../src/campus/transport/http.ts';
import { Semaphore } from '../../../../src/lib/queues.ts';
import { recordingLog } from '../../../support/campus-rig.ts';
import { inlinePages } from '../../../support/inline-pages.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const url = 'https://jw.lake.edu';
const service = `${url}/jwapp/sys/wdkb/*default/index.do`;
const manifest = {
  id: 'lake',
  name: { zh: '湖', en: 'Lake' },
  timeZone: 'Asia/Shanghai',
  portal: null,
  login: { driver: 'cas-plain', options: { url: 'https://ids.lake.edu/cas' } },
  applications: [{ driver: 'emap', options: { url, ehall: 'https://ehall.lake.edu' } }],
  notes: [],
};

/** What becomes of the page, and what was asked, where the login answers like that. */
const ticketOf = async (answer: Partial<HttpAnswer>, { lives = true, names = service as string | null } = {}) => {
  const addresses = new Addresses(connect(manifest, drivers));
  const asked: string[] = [];
  const send = async ({ method, url: to }: { method: string; url: URL }): Promise<HttpAnswer> => {
    asked.push(`${method} ${to.href}`);
    return { kind: 'answer', status: 200, location: undefined, setCookies: [], text: '', ...answer };
  };
  const state = new StudentState(addresses);
  if (lives) state.jars.store(new URL('https://ids.lake.edu/cas/login'), ['CASTGC=TGT-1; Path=/cas']);
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
    state,
    {
      breakers: new BreakerScope(new Map(), 'first'),
      budget: unlimitedBudget,
      slots: new Semaphore(1, 1),
      signal: new AbortController().signal,
    },
  );
  const dead = { kind: 'dead', sign: 'application-expired', service: names } as const;
  const verdict = await withPageTicket(Object.assign(requests, { userid: '1' }), 'emap', dead);
  return { verdict: verdict.kind === 'follow' ? verdict.target.href : verdict.kind, asked };
};
const redirect = (location: string) => ({ status: 302, location });
const asking = `GET https://ids.lake.edu/cas/login?service=${encodeURIComponent(service)}`;

describe('a page that asks the login for a ticket', () => {
  it.each([`${service}?ticket=ST-1`, 'https://ehall.lake.edu/appShow?ticket=ST-1'])(
    'is entered with one, at any address of its application: %s',
    async (location) => {
      expect(await ticketOf(redirect(location))).toEqual({ verdict: location, asked: [asking] });
    },
  );

  it.each<[string, Partial<HttpAnswer>]>([
    ['a ticket for the login itself', redirect('https://ids.lake.edu/cas/x?ticket=ST-1')],
    ['a ticket for a host of nobody', redirect('https://elsewhere.invalid/?ticket=ST-1')],
    [
      'its page',
      { text: '<form id="fm1"><input name="execution" value="e1s1"><input type="password" name="password">' },
    ],
  ])('is a dead session where the login answers with %s, and no password is sent', async (_, answer) => {
    const { verdict, asked } = await ticketOf(answer);
    expect([verdict, asked.filter((line) => !line.startsWith('GET '))]).toEqual(['dead', []]);
  });

  it('asks nothing where that login has no session, or no service is named', async () => {
    expect(await ticketOf(redirect(service), { lives: false })).toEqual({ verdict: 'dead', asked: [] });
    expect(await ticketOf(redirect(service), { names: null })).toEqual({ verdict: 'dead', asked: [] });
  });
});
