import { expect, it } from 'vitest';
import { SessionCache } from '../../../../src/campus/session/session-cache.ts';
import type { SessionVault } from '../../../../src/domain/accounts/ports.ts';
import type { Log } from '../../../../src/domain/context.ts';
import { createLogger } from '../../../../src/http/logs/logger.ts';
import { addressesOf } from '../../../support/addresses-of.ts';
import { recordingLog } from '../../../support/campus-rig.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { unusedWiring as wiring } from '../../../support/unused-wiring.ts';

const tagOf = (userid: string): string => `tag of ${userid}`;

const start = (sealed: string | null = null, log: Log = recordingLog()) => {
  const clock = new ManualClock();
  const saved: string[] = [];
  const vault: SessionVault = {
    generation: async () => 1,
    load: async () => ({
      generation: 1,
      entries: sealed === null ? [] : [{ system: 'portal', state: sealed, revision: 4 }],
    }),
    save: async (_userid, _generation, pieces) => {
      saved.push(...pieces.map(({ system }) => system));
      return saved.length;
    },
    nextGeneration: async () => null,
  };
  const addresses = addressesOf(wiring);
  return { clock, saved, cache: new SessionCache({ addresses, clock, log, tagOf }, vault) };
};

it('a session leaves memory 300 s after its last use', async () => {
  const { clock, cache } = start();
  const [used, seen] = [await cache.open('used', 1), await cache.open('seen', 1)];
  await cache.open('idle', 1);
  clock.advance(1_000);
  expect(await cache.open('seen', 1)).toBe(seen);
  clock.advance(298_999);
  used.lastUsed = clock.now();
  clock.advance(1);
  await cache.open('visitor', 1);
  expect(cache.size, 'used, seen and the visitor').toBe(3);
  expect(await cache.open('used', 1)).toBe(used);
  expect(await cache.open('seen', 1)).toBe(seen);
});

it('two calls at once have one session of a student', async () => {
  const { cache } = start();
  const [one, other] = await Promise.all([cache.open('a', 1), cache.open('a', 1)]);
  expect(one).toBe(other);
  expect(await cache.open('a', 2)).not.toBe(one);
});

it('a session that another one has replaced has no device trust any more: that may be of another pair', async () => {
  const { cache } = start('{"twfid":"5f0c"}');
  const [own, older] = [await cache.open('a', 1), await cache.open('b', 2)];
  const left: boolean[] = [];
  for (const session of [own, older]) {
    const { trust } = session.state;
    trust.resume('unified-login', '{"cookies":[{"key":"TRUST","value":"a","path":"/"}]}');
    await cache.refresh(session);
    left.push(trust.textToStore('unified-login') !== undefined);
  }
  expect(left).toEqual([true, false]);
});

it('what was sealed is taken over and not written again until it changes', async () => {
  const { cache, saved } = start('{"twfid":"5f0c","acceptedAt":0,"provenAt":0,"loginAcceptedAt":0,"loginProvenAt":0}');
  const session = await cache.open('a', 1);
  expect(session.state.portalSession).toBe('5f0c');
  await cache.save(session);
  expect(saved).toEqual([]);
  session.state.portalSession = '6a1d';
  await cache.save(session);
  await cache.save(session);
  expect(saved).toEqual(['portal']);
});

it('a sealed session that cannot be read is left out, and the log quotes nothing of it', async () => {
  const lines: string[] = [];
  const { cache } = start('TWFID-marker', createLogger('info', { write: (line) => void lines.push(line) }));
  const { state } = await cache.open('2023000001', 1);
  expect(state.portalSession).toBeNull();
  expect(lines.join('')).toMatch(/"piece":"portal".*"name":"SyntaxError".*"sealed session unreadable"/);
  expect(lines.join('')).not.toContain('marker');
});
