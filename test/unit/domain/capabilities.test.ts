import { expect, it } from 'vitest';
import { portsOf } from '../../../src/domain/capabilities.ts';
import { callContext } from '../../support/campus-rig.ts';

const student = { userid: '2023000001' };

it('a method that no application of the campus supplies fails as not offered', async () => {
  const { card, academics } = portsOf([{ card: { balance: async () => 12.5 } }]);
  expect(await card.balance(student, callContext())).toBe(12.5);
  const state = { kind: 'not-offered', system: 'card', reason: 'card.state is not supplied' };
  await expect(card.state(student, callContext())).rejects.toMatchObject(state);
  await expect(academics.terms(student, callContext())).rejects.toMatchObject({ kind: 'not-offered' });
});
