/**
 * `node src/cli/launch.cjs [NODE OPTIONS] PROGRAM [ARGUMENTS]`: runs a program of this project with a Node that can.
 * The one that runs this file will do if it is new enough, else the one that `npm ci` installed (`allowScripts` of
 * package.json lets it). It is plain JavaScript, so that an old Node gets far enough to say what is wrong. npm scripts
 * use it, because the shells that npm may give them to (sh, cmd, PowerShell) do not agree on `exec` and `NAME=value`.
 */
'use strict';

const { spawn, spawnSync } = require('node:child_process');
const { existsSync, readFileSync } = require('node:fs');
const { constants } = require('node:os');
const { join } = require('node:path');

const root = join(__dirname, '../..');

/** The first version that reads TypeScript and has all that the service uses: `engines` of package.json. */
const needed = Number(/\d+/.exec(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node)[0]);

// The inspector that this signal opens otherwise could start anything here. An old Node knows no switch against it.
process.on('SIGUSR1', () => {});

/** npm and the terminal both hand on one Ctrl-C; within this time the same signal is the same wish. */
const SAME_WISH_MS = 500;

/** How often a launcher that npm started looks whether the shell between the two is still there. */
const LOOK_MS = 250;

const fail = (message) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

/** Where the package `node` may have left the runtime: its own folder, or the package of the platform within or beside. */
const packagedNode = () => {
  const windows = process.platform === 'win32';
  const platform = windows ? 'win' : process.platform;
  const program = windows ? 'node.exe' : 'node';
  const names = [`node-${platform}-${process.arch}`, `node-bin-${platform}-${process.arch}`];
  const folders = ['node', ...names.map((name) => join('node/node_modules', name)), ...names];
  return folders.map((folder) => join(root, 'node_modules', folder, 'bin', program)).find(existsSync);
};

/** Why it does not start here, in one line; null where it does. Only starting it tells: it may lack a library. */
const reasonAgainst = (node) => {
  const { status, error, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8', timeout: 10000 });
  if (status === 0) return null;
  return error ? error.message : stderr.trim().split('\n')[0] || `exit code ${status}`;
};

/** Leaves as the child left, so that exit codes and signals mean what they mean without this file. */
const leaveAs = (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.exitCode = 128 + (constants.signals[signal] || 0);
  process.kill(process.pid, signal);
};

const isOwn = process.argv.slice(2).some((argument) => argument.startsWith('src/'));

/**
 * The service's own files are compiled once and not at every start, which takes half of it. The result lies among the
 * packages, so a user who may change it may change the program; where nothing may be written, every start compiles.
 */
const environment = () =>
  isOwn ? { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'), ...process.env } : process.env;

const run = (node) => {
  // A separate group: Ctrl-C then reaches the child once, through this file, and not a second time from the terminal.
  // The channel closes when this process ends, however it ends: the service does too then.
  const child = spawn(node, process.argv.slice(2), {
    stdio: isOwn ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    detached: process.platform !== 'win32',
    env: environment(),
  });
  const seen = {};
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
    process.on(signal, () => {
      const now = Date.now();
      if (now - (seen[signal] || 0) < SAME_WISH_MS) return;
      seen[signal] = now;
      child.kill(signal);
    });
  }
  // npm hands signals to a shell that dies of them and tells no other process; the program must not outlive it.
  const parent = process.ppid;
  const look = () => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    child.kill('SIGTERM');
  };
  const looking = process.env.npm_lifecycle_event === undefined ? undefined : setInterval(look, LOOK_MS);
  child.once('error', (error) => fail(`${node} does not start: ${error.message}`));
  child.once('exit', leaveAs);
};

/** The packaged Node; where there is none that starts, the end with one sentence on what to install. */
const packagedThatStarts = () => {
  const lacking = `Node ${needed} or newer is needed, and this is ${process.versions.node}: `;
  const node = packagedNode();
  if (node === undefined) {
    const how = 'which installs one in node_modules (unless --ignore-scripts or --omit=dev is set)';
    return fail(`${lacking}run \`npm ci\`, ${how}, or install a newer Node.`);
  }
  const reason = reasonAgainst(node);
  if (reason === null) return node;
  return fail(`${lacking}install one for this system, because that of \`npm ci\` does not start here (${reason}).`);
};

run(parseInt(process.versions.node, 10) >= needed ? process.execPath : packagedThatStarts());
