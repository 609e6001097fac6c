import { get } from 'node:http';
import { envFile } from '../config/env-file.ts';
import { keyFiles } from '../config/key-files.ts';
import { findingLine, InvalidConfig, loadConfig } from '../config/load.ts';
import { withoutCreating } from '../config/secret-key.ts';
import { reasonOf } from './reason.ts';

/**
 * `node src/cli/health.ts [ready|alive]`: asks the service that runs with this environment on this machine. Exit codes:
 * 0 it answers well, 1 it does not (one line says why), 2 wrong usage. Made for container health checks: no shell, no
 * curl, nothing but what the service needs anyway.
 */

/** A little more than readiness gives storage; a probe that waits longer than its interval tells nothing. */
const PATIENCE_MS = 3_500;

/** A server on every address of the machine is reached over loopback. */
const reachable = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host);

const statusOf = (host: string, port: number, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const asked = get({ host: reachable(host), port, path, agent: false, signal }, (answer) => {
      answer.once('error', () => {});
      answer.destroy();
      resolve(answer.statusCode ?? 0);
    });
    asked.once('error', (error) =>
      reject(signal.aborted ? new Error(`no answer within ${PATIENCE_MS / 1000} s`) : error),
    );
  });

const check = async (path: string): Promise<string | null> => {
  try {
    const settings = envFile();
    if (settings !== null) process.loadEnvFile(settings);
    const { host, port } = loadConfig(process.env, withoutCreating(keyFiles)).server;
    if (port === 0) return 'PORT is 0: nobody but the service knows where it listens';
    const status = await statusOf(host, port, path);
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
