#!/usr/bin/env -S node --disable-sigusr1
import { isIP } from 'node:net';
import type { Config } from '../config/config.ts';
import { demoTraces } from '../config/demo.ts';
import { envFile } from '../config/env-file.ts';
import { keyFiles } from '../config/key-files.ts';
import { findingLine, InvalidConfig, loadConfig } from '../config/load.ts';
import { storageName } from '../config/structured.ts';
import { createCallers } from '../domain/accounts/callers.ts';
import { createGuardKeeper } from '../domain/accounts/keeper.ts';
import { systemClock } from '../lib/clock.ts';
import { randomToken, sha256, studentTag } from '../lib/hash.ts';
import { createKeyedNames } from '../lib/keyed-names.ts';
import { openStorage } from '../open-storage.ts';
import { newCode } from './commands/invite.ts';
import { copiesOf } from './copies.ts';
import type { Operator, Settings, World } from './operator.ts';
import { reach } from './reach.ts';
import { reasonOf } from './reason.ts';
import { runCampus } from './run.ts';

const clock = systemClock;
const out = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const err = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
const log = {
  debug: () => {},
  info: () => {},
  warn: (_fields: Record<string, unknown>, message: string) => err(`warning: ${message}`),
  error: (_fields: Record<string, unknown>, message: string) => err(`error: ${message}`),
};

const upstreamsOf = ({ campus }: Config): Settings['upstreams'] => {
  if (campus.kind === 'demo') return [];
  const { wiring, vpnInsecureTls } = campus;
  return [
    { name: 'portal', url: wiring.vpnUrl, insecureTls: vpnInsecureTls },
    { name: 'unified login', url: wiring.casUrl, insecureTls: false },
    { name: 'academics', url: wiring.jwcUrl, insecureTls: false },
    { name: 'activity score', url: wiring.aacUrl, insecureTls: false },
    { name: 'labor club', url: wiring.ldjlbUrl, insecureTls: false },
    { name: 'electricity', url: wiring.isimUrl, insecureTls: false },
    { name: 'competitions', url: wiring.competitionUrl, insecureTls: false },
  ];
};

const settingsOf = (config: Config): Settings => ({
  timeZone: config.campus.timeZone,
  campus: config.campus.identity,
  demo: demoTraces,
  storage: storageName(config.storage),
  upstreams: upstreamsOf(config),
  warnings: config.warnings.map(findingLine),
});

const operatorOf = async (config: Config): Promise<Operator> => {
  const storage = await openStorage(config, log);
  const perDay = config.accounts.campusRefusalsPerDay;
  const guard = createGuardKeeper({ guards: storage.guards, clock, perDay });
  const callers = createCallers(createKeyedNames(config.secretKeys), config.server);
  return {
    createInvite: (code) => storage.invites.createCode({ ...code, now: clock.now() }),
    listInvites: () => storage.invites.listCodes(),
    revokeInvite: (code) => storage.invites.revokeCode(code, clock.now()),
    listUsers: (page) => storage.accounts.listUsers(page),
    revokeUser: async (userid) => {
      if (!(await storage.accounts.findUser(userid))) return null;
      const tokens = await storage.tokens.deleteAll(userid, clock.now());
      await storage.sessions.nextGeneration(userid);
      return tokens;
    },
    deleteUser: (userid) => storage.accounts.deleteUser(userid),
    listFeeds: async (userid) =>
      (await storage.accounts.findUser(userid)) === null ? null : storage.feeds.list(userid),
    revokeFeed: (userid, id) => storage.feeds.delete(userid, id),
    unlock: async (userid) => {
      if (!(await storage.accounts.findUser(userid))) return null;
      const token = randomToken();
      await guard.decide({ userid, code: null }, { type: 'unlocked', hash: sha256(token) });
      return token;
    },
    tags: (text) =>
      isIP(text) === 0
        ? [
            { member: 'student', value: callers.studentTag(text) },
            { member: 'student (other lines)', value: studentTag(text) },
          ]
        : [{ member: 'network', value: callers.networkTag(text) }],
    rotateKeys: () => storage.rotate(),
    foreignSeals: () => storage.foreignSeals(),
    owner: () => storage.campusIdentity.owner(demoTraces.code),
    adopt: () => storage.campusIdentity.adopt(config.campus.identity, demoTraces),
    ...copiesOf(config, storage, log),
    close: () => storage.close(),
  };
};

const configuration = (): { config: Config } | { problems: string[] } => {
  try {
    // As the service does: commands that read other settings would work on another database, and say nothing of it.
    const settings = envFile();
    if (settings !== null) process.loadEnvFile(settings);
    return { config: loadConfig(process.env, keyFiles) };
  } catch (error) {
    if (error instanceof InvalidConfig) return { problems: error.problems.map(findingLine) };
    return { problems: [`the configuration cannot be read: ${reasonOf(error)}`] };
  }
};

const read = configuration();
const world: World = {
  now: () => clock.now(),
  settings: () => ('config' in read ? { settings: settingsOf(read.config) } : read),
  open: () => {
    if ('problems' in read) throw new Error('the configuration is not complete');
    return operatorOf(read.config);
  },
  reach,
  newCode,
  out,
  err,
};

process.exitCode = await runCampus(process.argv.slice(2), world);
