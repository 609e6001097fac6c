import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DemoSystem } from '../../src/demo/types.ts';
import { failures, isFailure } from '../../src/domain/errors.ts';
import { type CampusRig, callContext, first, provingRead, startCampusRig, textOf } from '../support/campus-rig.ts';

let rig: CampusRig;
beforeEach(async () => {
  rig = await startCampusRig();
  await rig.enroll(first);
});
afterEach(() => rig.close());

it.each<[DemoSystem, string, string]>([
  ['vpn', 'portal', 'vpn GET'],
  ['cas', 'unified-login', 'cas GET'],
])('a call whose time ends while %s keeps its sign-in waiting names that half', async (system, step, request) => {
  const late = new AbortController();
  const context = Object.assign(callContext(), { signal: late.signal });
  rig.demo.fault({ system, fault: { kind: 'hang' } });
  const asked = rig.sessions.with({ userid: first.userid }, 'jwc', context, (session) =>
    textOf(session, provingRead.jwc),
  );
  const failing = asked.then(
    () => null,
    (error: unknown) => error,
  );
  await expect.poll(() => rig.wire().some((line) => line.startsWith(request))).toBe(true);
  late.abort(failures.timedOut());
  const failure = await failing;
  expect(isFailure(failure, 'timed-out') ? failure.step : String(failure)).toBe(step);
});
