import { createIsimClient } from '../../src/campus/products/isim/index.ts';
import { systemClock } from '../../src/lib/time.ts';
import { callContext, first } from '../../test/support/campus-rig.ts';
import { startGateway } from '../../test/support/gateway-rig.ts';

/** Milliseconds that a request to the campus takes through its portal, about. */
const DELAY_MS = 150;

/** One reading of all rooms, at different numbers of requests at once. */
export const measureRoomTree = async (): Promise<string[]> => {
  const gateway = await startGateway();
  const { sessions } = gateway.services;
  try {
    await gateway.register();
    gateway.demo.fault({ system: 'isim', fault: { kind: 'delay', ms: DELAY_MS } });
    const measure = async (parallel: number) => {
      const client = createIsimClient({ sessions, clock: systemClock, parallel });
      gateway.demo.resetRequests();
      const began = performance.now();
      await client.readRooms(first, new Map(), callContext(120_000));
      return { requests: gateway.wire().length, seconds: (performance.now() - began) / 1000 };
    };
    // The first one also opens the session.
    await measure(8);
    const [one, eight] = [await measure(1), await measure(8)];
    const describe = (parallel: number, { requests, seconds }: typeof one) =>
      `${`${parallel} at once, ${DELAY_MS} ms each`.padEnd(30)} ${requests} requests, ${seconds.toFixed(1)} s, ratio ${(one.seconds / seconds).toFixed(1)}`;
    return [describe(1, one), describe(8, eight)];
  } finally {
    await gateway.close();
  }
};
