import { first } from '../../test/support/campus-rig.ts';
import { startGateway } from '../../test/support/gateway-rig.ts';

/** Requests at the campus per operation, cold (no session) and warm. */
export const measureRoundTrips = async (): Promise<string[]> => {
  const gateway = await startGateway();
  try {
    const token = await gateway.register();
    const term = '2025-2026-1-1';
    const reads = ['/jwc/academic/info', '/jwc/term/all', `/jwc/score/${term}/list`, `/jwc/schedule/${term}/table`];
    const lines: string[] = [];
    for (const path of reads) {
      await gateway.services.sessions.forget(first.userid);
      const count = async () => {
        gateway.demo.resetRequests();
        const answer = await gateway.b('GET', path, { token });
        if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
        return gateway.wire().length;
      };
      lines.push(`${path.padEnd(36)} cold ${await count()}, warm ${await count()}`);
    }
    return lines;
  } finally {
    await gateway.close();
  }
};
