import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { UpstreamRequest } from '../../src/campus/contract/upstream-session.ts';
import {
  type CampusRig,
  callContext,
  first,
  provingRead,
  shows,
  startCampusRig,
  textOf,
} from '../support/campus-rig.ts';
import { portalKinds } from '../support/portal-kinds.ts';

const about = provingRead.isim;
const go = 'isim GET /go';
const page = 'isim GET /about';

describe.each(portalKinds)('behind the portal of kind $name:', (portal) => {
  let rig: CampusRig;
  beforeEach(async () => {
    rig = await startCampusRig({ portal });
    await rig.enroll(first);
  });
  afterEach(() => rig.close());

  const read = (request: UpstreamRequest = about) =>
    rig.sessions.with(first, 'isim', callContext(), (session) => textOf(session, request));

  const wireOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    rig.demo.resetRequests();
    await work();
    return rig.wire();
  };

  describe('an electricity session', () => {
    it('that was idle for 25 minutes is opened again without asking it first', async () => {
      rig.demo.switches.portalIdleSeconds = 100_000;
      await read();
      // Reads of another system keep the student's session in memory.
      for (let minutes = 0; minutes < 24; minutes += 4) {
        rig.clock.advance(4 * 60_000);
        await rig.sessions.with(first, 'jwc', callContext(), (session) => textOf(session, provingRead.jwc));
      }
      expect(await wireOf(read)).toEqual([page]);
      for (let minutes = 0; minutes < 28; minutes += 4) {
        rig.clock.advance(4 * 60_000);
        await rig.sessions.with(first, 'jwc', callContext(), (session) => textOf(session, provingRead.jwc));
      }
      expect(await wireOf(read)).toEqual([go, page]);
    });

    it('that was replaced while a call was under way is not taken for the one the call began with', async () => {
      let rounds = 0;
      rig.demo.fault({ system: 'isim', path: '/about', times: 1, fault: { kind: 'delay', ms: 1_000 } });
      const slow = rig.sessions.with(first, 'isim', callContext(), (session) => {
        rounds += 1;
        return textOf(session, about);
      });
      await vi.waitFor(() => expect(rig.delayed).toBe(1));
      rig.demo.fault({ system: 'isim', path: '/about', times: 1, fault: { kind: 'login-redirect' } });
      await read();
      rig.clock.advance(1_000);
      await slow;
      expect(rounds).toBe(2);
      expect(rig.wire().filter((line) => line === go)).toHaveLength(2);
    });
  });

  describe('work that serves everybody', () => {
    it('has its own number of requests at once, beside the four of the student', async () => {
      await read();
      rig.demo.fault({ system: 'isim', fault: { kind: 'delay', ms: 100 } });
      rig.demo.resetRequests();
      const reads = (count: number, parallel?: number) =>
        rig.sessions.with(
          first,
          'isim',
          callContext(),
          (session) => Promise.all(Array.from({ length: count }, () => textOf(session, about))),
          parallel === undefined ? {} : { parallel },
        );
      const borrowed = reads(9, 8);
      await vi.waitFor(() => expect(rig.delayed).toBe(8));
      const own = reads(5);
      await vi.waitFor(() => expect(rig.delayed).toBe(12));
      rig.clock.advance(100);
      await vi.waitFor(() => expect(rig.delayed).toBe(2));
      rig.clock.advance(100);
      await Promise.all([borrowed, own]);
    });

    it('is not sent twice by the session core when the client repeats it by another rule', async () => {
      await read();
      rig.demo.fault({ system: 'isim', fault: { kind: 'status', status: 503 } });
      const failing = (request: UpstreamRequest) =>
        wireOf(() => expect(read(request)).rejects.toMatchObject({ kind: 'upstream-unavailable' }));
      expect(await failing(about)).toEqual([page, page]);
      expect(await failing({ ...about, once: true })).toEqual([page]);
    });
  });

  describe('the entry into the electricity site', () => {
    type Entry = Readonly<Record<string, string | string[]>>;

    /**
     * The cookies sent to a site that answers every entry with these headers, by one read, or by two of which the
     * second finds the session dead.
     */
    const cookiesSent = async (entry: Entry, { status = 302, dies = false } = {}): Promise<string[]> => {
      const sent: string[] = [];
      const site = createServer(({ url = '', headers }, reply) => {
        sent.push(
          `${url.startsWith('/go') ? 'go' : 'page'}: ${headers.cookie?.replace(/(?<=(?:TWFID|GATE)=)\w+/, '…')}`,
        );
        if (url.startsWith('/go')) return reply.writeHead(status, entry).end();
        const isDead = dies && sent.filter((line) => line.startsWith('page')).length === 2;
        return reply.end(isDead ? '<html></html>' : '<script>pickerBuilding</script>');
      });
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
      const address = site.address();
      if (address === null || typeof address === 'string') throw new Error('the site does not listen');
      const other = await startCampusRig({ isimUrl: `http://127.0.0.1:${address.port}`, portal });
      onTestFinished(async () => {
        await other.close();
        site.closeAllConnections();
        site.close();
      });
      await other.enroll(first);
      const page = { ...about, alive: shows('pickerBuilding') };
      for (let reads = 0; reads < (dies ? 2 : 1); reads += 1) {
        await other.sessions.with(first, 'isim', callContext(), (session) => textOf(session, page));
      }
      return sent;
    };

    it.each<[string, Entry]>([
      ['cookie', { location: '/home;jsessionid=OTHER', 'set-cookie': 'JSESSIONID=S1; Path=/; HttpOnly' }],
      ['cookie, wherever a browser would be sent', { location: '/welcome', 'set-cookie': 'JSESSIONID=S1; Path=/' }],
      [
        'cookie, also when the address names another scheme',
        { location: 'http://electricity.example/home;jsessionid=S1', 'set-cookie': 'JSESSIONID=S1; Path=/' },
      ],
      ['address, when there is no cookie', { location: '/home;JSESSIONID=S1?a=1' }],
      [
        'address, when there are only other cookies',
        { location: '/home;jsessionid=S1', 'set-cookie': 'route=7; Path=/' },
      ],
    ])('takes the session from its %s', async (_, entry) => {
      expect((await cookiesSent(entry)).at(-1)).toMatch(
        new RegExp(`^page: (?:route=7; )?JSESSIONID=S1; ${portal.cookie}=…$`),
      );
    });

    it('is never asked for with the session that it replaces', async () => {
      const entry = { location: '/home;jsessionid=S1', 'set-cookie': 'JSESSIONID=S1; Path=/' };
      expect(await cookiesSent(entry, { dies: true })).toEqual([
        `go: ${portal.cookie}=…`,
        `page: JSESSIONID=S1; ${portal.cookie}=…`,
        `page: JSESSIONID=S1; ${portal.cookie}=…`,
        `go: ${portal.cookie}=…`,
        `page: JSESSIONID=S1; ${portal.cookie}=…`,
      ]);
    });

    it.each<[string, Entry, number]>([
      ['without a session', { location: '/home' }, 302],
      ['with another cookie only', { location: '/home', 'set-cookie': 'route=7; Path=/' }, 302],
      ['that is no redirect', { 'set-cookie': 'JSESSIONID=S1; Path=/' }, 200],
      ['with a session in another address than its home', { location: '/error;jsessionid=S1' }, 302],
    ])('fails %s', async (_, entry, status) => {
      await expect(cookiesSent(entry, { status })).rejects.toMatchObject({
        kind: 'upstream-unavailable',
        system: 'electricity',
      });
    });
  });
});
