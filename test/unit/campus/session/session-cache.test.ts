import { expect, it } from 'vitest';
import { Addresses } from '../../../../src/campus/addresses.ts';
import { createSslVpn } from '../../../../src/campus/portal/ssl-vpn.ts';
import { SessionCache } from '../../../../src/campus/session/session-cache.ts';
import type { SessionVault } from '../../../../src/domain/accounts/ports.ts';
import { createLogger } from '../../../../src/platform/logger.ts';

const base = (name: string): string => `http://${name}.vpn.campus.example:8118`;
const wiring = {
  vpnUrl: 'https://vpn.campus.example',
  vpnDomain: 'vpn.campus.example',
  casUrl: base('cas'),
  jwcUrl: base('jwc'),
  jwcService: 'http://10.0.0.1/login',
  aacUrl: base('aac'),
  aacService: 'http://10.0.0.2/cas',
  ldjlbUrl: base('ldjlb'),
  ldjlbService: 'http://10.0.0.3/cas',
  isimUrl: base('isim'),
  competitionUrl: base('competition'),
};

it('a sealed session that cannot be read is left out, and the log quotes nothing of it', async () => {
  const unused = (): never => expect.unreachable();
  const vault: SessionVault = {
    generation: async () => 1,
    load: async () => ({ generation: 1, entries: [{ system: 'portal', state: 'TWFID-marker', revision: 1 }] }),
    save: unused,
    remove: unused,
    nextGeneration: unused,
  };
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  const addresses = new Addresses(wiring, createSslVpn(wiring));
  const cache = new SessionCache({ vault, addresses, now: () => 0, log });
  const { state } = await cache.open('2023000001', 1);
  expect(state.portalSession).toBeNull();
  expect(lines.join('')).toMatch(/"piece":"portal".*"name":"SyntaxError".*"sealed session unreadable"/);
  expect(lines.join('')).not.toContain('marker');
});
