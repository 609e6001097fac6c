import { once } from 'node:events';
import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import closeWithGrace from 'close-with-grace';
import type { DestinationStream, Logger } from 'pino';
import { buildApp } from './composition/app.ts';
import { campusFaults, campusOwnLogin, createServices, type RunningServices } from './composition/services.ts';
import { passwordHosts } from './config/campus.ts';
import type { Config } from './config/config.ts';
import { demoAccess, demoGuide, demoPhone } from './config/demo.ts';
import { findingLine, InvalidConfig } from './config/finding.ts';
import { configOf, keyFiles } from './config/process-files.ts';
import { type ConfigFiles, withoutCreating } from './config/secrets.ts';
import { LogOutput } from './http/logs/log-output.ts';
import { createLogger, describeError } from './http/logs/logger.ts';
import { listeningUrl } from './http/server/connections.ts';
import { localUrl } from './lib/address.ts';
import { buildOf, shortBuild } from './lib/build.ts';
import { errorCodeOf, reasonOf } from './lib/text.ts';
import { silenceKnownWarnings } from './lib/warnings.ts';

/** Exit codes: 0 ended as asked, 1 wrong configuration or failure, 2 wrong arguments. */
const usage = `Usage: npm start -- [--check-config] [--no-copy] [--same-campus]

  --check-config   only check the configuration: 0 when it is right, 1 with every problem otherwise
  --no-copy        keep no copy of a SQLite file from before an upgrade, and delete those of earlier upgrades
  --same-campus    the campus of the database has moved to the addresses of the settings: drop its stored sessions and go on

Settings are environment variables, see docs/reference/configuration.md.
`;

type App = Awaited<ReturnType<typeof buildApp>>;

const CLOSING_SLACK_MS = 2000;
/** How long the end waits for its last lines. */
const LAST_LINES_MS = 500;

const say = (text: string): void => void process.stdout.write(text);
const complain = (text: string): void => void process.stderr.write(text);

const flagOption = { type: 'boolean', default: false } as const;

const readArguments = () => {
  try {
    return parseArgs({ options: { 'check-config': flagOption, 'no-copy': flagOption, 'same-campus': flagOption } })
      .values;
  } catch (error) {
    complain(`${reasonOf(error)}\n\n${usage}`);
    return null;
  }
};

type Arguments = NonNullable<ReturnType<typeof readArguments>>;

/** Reads the configuration; prints everything that is wrong with it and returns null otherwise. */
const readConfig = (files: ConfigFiles): Config | null => {
  try {
    return configOf(process, files, campusFaults, campusOwnLogin);
  } catch (error) {
    if (!(error instanceof InvalidConfig)) {
      complain(`The configuration cannot be read: ${reasonOf(error)}\n`);
      return null;
    }
    complain(`The configuration is wrong (${error.problems.length}):\n`);
    for (const problem of error.problems) complain(`  ${findingLine(problem)}\n`);
    for (const warning of error.warnings) complain(`  warning: ${findingLine(warning)}\n`);
    complain('Every key is described in docs/reference/configuration.md.\n');
    return null;
  }
};

const reportCheck = (config: Config): void => {
  for (const warning of config.warnings) complain(`warning: ${findingLine(warning)}\n`);
  const { campus: chosen } = config;
  const hosts = passwordHosts(chosen.identity).join(', ');
  const campus = chosen.kind === 'demo' ? 'demo campus' : `${chosen.manifest.id} (passwords go to ${hosts})`;
  say(`OK: ${config.environment}, ${campus}, ${config.storage.kind}, ${config.server.host}:${config.server.port}\n`);
};

/** For readable lines on a terminal, where pino-pretty is installed. */
const terminalOutput = async (): Promise<DestinationStream | undefined> => {
  if (!process.stdout.isTTY) return undefined;
  try {
    const { default: pretty } = await import('pino-pretty');
    return pretty({ colorize: true, singleLine: true, ignore: 'pid,hostname', sync: true, destination: 1 });
  } catch {
    return undefined;
  }
};

const listeningProblem = (error: unknown, host: string, key: 'PORT' | 'METRICS_PORT', port: number): string => {
  const code = errorCodeOf(error);
  if (code === 'EADDRINUSE') {
    return `Port ${port} on ${host} is in use; stop what listens there, or set ${key} to another one (0: any free one).`;
  }
  if (code === 'EACCES') return `Port ${port} on ${host} is not allowed for this user; set ${key} above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST=${host} is no address of this machine.`;
  return `Cannot listen on ${host}:${port}: ${reasonOf(error)}`;
};

/** Closes in order: first the server, which ends the calls in flight, then what they use. */
const closeOnSignal = (
  config: Config,
  { app, services, log, output }: { app: App; services: RunningServices; log: Logger; output: LogOutput },
): void => {
  const delay = config.shutdown.drainMs + config.server.requestTimeoutMs + 2 * CLOSING_SLACK_MS;
  const onTimeout = (): void => log.error({ after_ms: delay }, 'closing took too long');
  closeWithGrace({ delay, logger: false, onTimeout }, async ({ err, signal }) => {
    // Its message may quote what a client sent.
    if (err) log.fatal({ err: describeError(err) }, 'unexpected failure');
    else log.info({ signal }, 'closing');
    await app.close();
    await services.close();
    log.info({}, 'closed');
    await output.end(LAST_LINES_MS);
  });
};

/** The launcher of npm scripts holds the other end of a channel. Without it, nothing would end this process. */
const endWithLauncher = (): void => {
  if (process.send === undefined) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
  if (!process.connected) process.emit('disconnect');
};

const start = async (config: Config, given: Arguments): Promise<boolean> => {
  const output = new LogOutput(1);
  process.once('exit', () => output.writeRest());
  const log = createLogger(config.log.level, (await terminalOutput()) ?? output);
  for (const warning of config.warnings) log.warn({ key: warning.key }, findingLine(warning));
  const building = buildOf(process.env);
  let services: RunningServices;
  try {
    const replicaName = `${hostname()}:${process.pid}`;
    // In production the output holds nothing but log lines.
    const onDemoMessage = config.environment === 'production' ? undefined : demoPhone(say);
    const [keepUpgradeCopy, sameCampus] = [!given['no-copy'], given['same-campus']];
    services = await createServices(config, { log, keepUpgradeCopy, sameCampus, replicaName, onDemoMessage });
  } catch (error) {
    complain(`The service cannot start: ${reasonOf(error)}\n`);
    return false;
  }
  const graceMs = config.server.requestTimeoutMs + CLOSING_SLACK_MS;
  const { drainMs } = config.shutdown;
  const build = await building;
  const demo = config.campus.kind === 'demo' ? demoAccess(services.campus.id) : null;
  const app = await buildApp(config, services, {
    ...{ build, demo, logger: log, droppedLines: () => output.dropped },
    shutdown: { drainMs, graceMs },
  });
  const { host, port } = config.server;
  const reportFailure = async (error: unknown, key: 'PORT' | 'METRICS_PORT', at: number): Promise<false> => {
    complain(`${listeningProblem(error, host, key, at)}\n`);
    await app.close();
    await services.close();
    return false;
  };
  try {
    await app.listen({ host, port, listenTextResolver: (address) => `listening at ${address}` });
  } catch (error) {
    return reportFailure(error, 'PORT', port);
  }
  const { metricsServer } = app;
  if (metricsServer) {
    const metricsPort = config.metrics.port ?? 0;
    try {
      await once(metricsServer.listen({ host, port: metricsPort }), 'listening');
    } catch (error) {
      return reportFailure(error, 'METRICS_PORT', metricsPort);
    }
  }
  closeOnSignal(config, { app, services, log, output });
  const address = listeningUrl(app.server) ?? localUrl(host, port);
  const { id, isAttended } = services.campus;
  const passwords_to = services.passwordHosts;
  log.info({ address, campus: id, passwords_to, storage: config.storage.kind, ...build }, 'started');
  if (metricsServer) log.info({ address: listeningUrl(metricsServer) }, 'metrics at their own port');
  log.flush();
  if (config.campus.kind === 'demo' && config.environment !== 'production') {
    const asked = { docs: config.docs.enabled, challenge: isAttended || config.demoChallenge !== 'off' };
    say(`\nCampus Gateway ${shortBuild(build)} listens on ${address}\n\n${demoGuide(id, address, asked)}\n`);
  }
  return true;
};

const main = async (): Promise<void> => {
  silenceKnownWarnings(process);
  // What they show may go to a full disk as well, which must not end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  endWithLauncher();
  const wanted = readArguments();
  if (wanted === null) process.exit(2);
  const checksOnly = wanted['check-config'];
  const config = readConfig(checksOnly ? withoutCreating(keyFiles) : keyFiles);
  if (config === null) process.exit(1);
  if (checksOnly) reportCheck(config);
  else if (!(await start(config, wanted))) process.exit(1);
};

await main();
