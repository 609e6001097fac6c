import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  asStranger,
  type CampusRig,
  callContext,
  first,
  provingRead,
  startCampusRig,
  textOf,
} from '../support/campus-rig.ts';
import { inTurn } from '../support/in-turn.ts';

let rig: CampusRig;
beforeEach(async () => {
  rig = await startCampusRig();
  await rig.enroll(first);
});
afterEach(() => rig.close());

it('a read after a login with a new pair does not join the sign-in of the session before it', async () => {
  const read = () => rig.sessions.with(first, 'aac', callContext(), (session) => textOf(session, provingRead.aac));
  const { userid, password, vpnPassword } = first;
  const verified = await inTurn(
    rig.sessions,
    [userid, { password, vpnPassword }, callContext(), asStranger],
    (signIn) => signIn(),
  );
  rig.demo.fault({ system: 'vpn', times: 1, fault: { kind: 'delay', ms: 1_000 } });
  const before = read();
  await vi.waitFor(() => expect(rig.delayed).toBe(1));
  await rig.sessions.adopt(verified);
  const after = read();
  // It shares the sign-in by now; only then may the older one continue.
  await new Promise((resolve) => setImmediate(resolve));
  rig.clock.advance(1_000);
  expect(await after).toContain('{');
  expect(await before).toContain('{');
});
