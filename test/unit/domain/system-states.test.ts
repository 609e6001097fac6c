import { expect, it } from 'vitest';
import type { Capability } from '../../../src/domain/capabilities.ts';
import { type SystemName, SystemStates } from '../../../src/domain/observation.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const campus = {
  hasPortal: true,
  ownLogin: null,
  capabilities: new Set<Capability>(['academics.terms', 'card.balance']),
};
const closed = new Map<string, string>();

const world = () => {
  const clock = new ManualClock(1_000);
  const states = new SystemStates(clock);
  const of = (name: SystemName, breakers = closed) => states.report(campus, breakers).find((one) => one.name === name);
  return { clock, states, of };
};

it('a system answers from its first answer on, a dead session included, and is unknown before', () => {
  const { clock, states, of } = world();
  expect(of('academics')).toEqual({ name: 'academics', state: 'unknown', failsSince: null, answeredAt: null });
  states.upstream('academics', 'refused');
  states.upstream('academics', 'abandoned');
  expect(of('academics')).toMatchObject({ state: 'unknown' });
  clock.advance(5);
  states.upstream('academics', 'expired');
  expect(of('academics')).toMatchObject({ state: 'answers', answeredAt: 1_005 });
});

it('it fails with the third failure in a row, since the first of them, until it answers', () => {
  const { clock, states, of } = world();
  states.upstream('card', 'ok');
  for (const outcome of ['failed', 'timed-out'] as const) {
    clock.advance(10);
    states.upstream('card', outcome);
  }
  expect(of('card')).toMatchObject({ state: 'answers', failsSince: null });
  clock.advance(10);
  states.upstream('card', 'failed');
  expect(of('card')).toEqual({ name: 'card', state: 'fails', failsSince: 1_010, answeredAt: 1_000 });
  states.upstream('card', 'ok');
  expect(of('card')).toMatchObject({ state: 'answers', failsSince: null });
});

it('it fails while it is left alone, and what the campus lacks is not offered', () => {
  const { states, of } = world();
  states.upstream('academics', 'failed');
  expect(of('academics', new Map([['academics', 'open']]))).toMatchObject({ state: 'fails', failsSince: 1_000 });
  expect(of('academics', new Map([['academics', 'probing']]))).toMatchObject({ state: 'fails' });
  expect(of('labor-club')).toMatchObject({ state: 'not-offered' });
  const open = states.report({ ...campus, hasPortal: false, ownLogin: 'academics' }, closed);
  expect(open.slice(0, 2)).toMatchObject([
    { name: 'portal', state: 'not-offered' },
    { name: 'unified-login', state: 'not-offered' },
  ]);
});
