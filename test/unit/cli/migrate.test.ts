import { beforeEach, describe, expect, it } from 'vitest';
import { runCampus } from '../../../src/cli/run.ts';
import { NoDatabase } from '../../../src/open-storage.ts';
import { CliWorld, now } from '../../support/cli-world.ts';

let world: CliWorld;
beforeEach(() => {
  world = new CliWorld();
});
const campus = (line: string) => runCampus(line.split(' '), world);

const copy = { path: 'data/campus.db.before-9.9.9', bytes: 12_345_678, madeAt: now, endsAt: now + 7 * 86_400_000 };
const copyLine =
  'data/campus.db.before-9.9.9: 12.3 MB of 2026-03-18 10:00:00, before an upgrade; holds accounts erased since, and is ' +
  'deleted after 2026-03-25 10:00:00';

describe('migrate', () => {
  it('says from what to what it went, and which copy is kept', async () => {
    world.upgradeCopies = [copy];
    expect(await campus('migrate')).toBe(0);
    expect(world.calls).toEqual(['migrate {"dryRun":false,"keepCopy":true}']);
    expect(world.printed).toEqual(['SQLite ./data/campus.db went from 0001-a to 0003-c: 0002-b, 0003-c']);
    expect(world.complained).toEqual([copyLine]);
  });

  it('says what it would do, and that a copy is not wanted', async () => {
    expect(await campus('migrate --dry-run --no-copy')).toBe(0);
    expect(world.calls).toEqual(['migrate {"dryRun":true,"keepCopy":false}']);
    expect(world.printed).toEqual(['SQLite ./data/campus.db would go from 0001-a to 0003-c: 0002-b, 0003-c']);
    world.schema = { from: null, to: '0001-a', pending: ['0001-a'], newer: null };
    await campus('migrate --dry-run');
    expect(world.printed.at(-1)).toBe('SQLite ./data/campus.db would go from nothing to 0001-a: 0001-a');
  });

  it('has nothing to do twice, and takes no other arguments', async () => {
    world.schema = { from: '0003-c', to: '0003-c', pending: [], newer: null };
    expect(await campus('migrate')).toBe(0);
    expect(world.printed).toEqual(['SQLite ./data/campus.db has the schema 0003-c already; nothing to do']);
    expect(await campus('migrate now')).toBe(2);
    expect(world.calls).toHaveLength(1);
  });
});

it('what only looks opens the database for that, and no command for more than the schema it finds', async () => {
  for (const line of ['doctor', 'backup a.db', 'user list', 'invite list', 'user delete 1', 'rotate-keys']) {
    await campus(line);
  }
  expect(world.accesses).toEqual(['look', 'look', 'current', 'look', 'look', 'current', 'current']);
});

describe('doctor', () => {
  it('names the copies of before an upgrade, and says what they hold', async () => {
    world.upgradeCopies = [copy];
    expect(await campus('doctor')).toBe(0);
    expect(world.printed).toContain(`ok       copy           ${copyLine}`);
  });

  it('takes a database that does not exist yet for what it is: a service that was not started', async () => {
    world.storageError = new NoDatabase(
      'SQLite ./data/campus.db does not exist yet; start the service, which makes it',
    );
    expect(await campus('doctor')).toBe(0);
    expect(world.printed).toContain(`ok       storage        ${world.storageError.message}`);
  });
});
