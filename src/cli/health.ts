import { findingLine, InvalidConfig } from '../config/finding.ts';
import { configOf, keyFiles } from '../config/process-files.ts';
import { withoutCreating } from '../config/secrets.ts';
import { localUrl } from '../lib/address.ts';
import { reasonOf } from '../lib/text.ts';
import { READY_PATIENCE_MS, reach } from './reach.ts';

/**
 * `node src/cli/health.ts [ready|alive]` asks the service of this environment on this machine: the image has no curl.
 * Exits with 0 when it answers well, 1 when it does not (one line says why), 2 for wrong usage.
 */

const check = async (path: string): Promise<string | null> => {
  try {
    const { host, port } = configOf(process, withoutCreating(keyFiles)).server;
    if (port === 0) return 'PORT is 0: only the service knows where it listens';
    const { status, detail } = await reach(
      { name: 'service', url: `${localUrl(host, port)}${path}` },
      READY_PATIENCE_MS,
    );
    if (status === null) return detail;
    return status === 200 ? null : `${path} answers ${status}`;
  } catch (error) {
    return error instanceof InvalidConfig ? error.problems.map(findingLine).join('; ') : reasonOf(error);
  }
};

const [wanted = 'ready', ...surplus] = process.argv.slice(2);
if ((wanted !== 'ready' && wanted !== 'alive') || surplus.length > 0) {
  process.stderr.write('Usage: node src/cli/health.ts [ready|alive]\n');
  process.exitCode = 2;
} else {
  const problem = await check(`/${wanted}`);
  if (problem !== null) process.stderr.write(`unhealthy: ${problem}\n`);
  process.exitCode = problem === null ? 0 : 1;
}
