import { StatementSync } from 'node:sqlite';
import { expect, it, vi } from 'vitest';
import { silentLog } from '../../src/domain/context.ts';
import { createStorage } from '../../src/storage/storage.ts';
import { writeMigratedDatabase } from '../support/migrated-database.ts';
import { workingDirectory } from '../support/service-process.ts';
import { keyA, onBothDatabases, registered, start } from './databases.ts';

/** Tables that grow with the students; the others hold a row or two. */
const growing =
  /^SCAN (?:users|tokens|copies|campus_wide_copies|events|event_states|hook_deliveries|guard_rows|images|image_uploads|invite_tokens|login_challenges|evaluation_tasks)\b/;

it('a sweep finds what it removes by an index, some rows in one statement', async () => {
  const path = `${workingDirectory()}/campus.db`;
  await writeMigratedDatabase(path);
  const storage = await createStorage({ url: `sqlite:${path}`, keys: [keyA], log: silentLog });
  await registered(storage);
  const spies = (['all', 'run'] as const).map((name) => vi.spyOn(StatementSync.prototype, name));
  await storage.sweep(start);
  const said = new Set(
    spies.flatMap(({ mock }) => mock.contexts.map((statement) => (statement as StatementSync).sourceSQL)),
  );
  vi.restoreAllMocks();
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(path);
  const statements = [...said].filter((text) => /^(?:select|update|delete)/.test(text));
  expect(statements.length).toBeGreaterThan(12);
  for (const text of statements) {
    const plan = database
      .prepare(`explain query plan ${text}`)
      .all()
      .map(({ detail }) => String(detail));
    expect([text, plan.filter((line) => growing.test(line))]).toEqual([text, []]);
  }
  const isBounded = (text: string): boolean =>
    / limit \?|userid" > \? and (?:"users"\.)?"userid" <= \?/.test(text) ||
    /"(?:leases|class_marks|own_readings)"/.test(text);
  expect(statements.filter((text) => !isBounded(text))).toEqual([]);
  database.close();
  await storage.close();
});

onBothDatabases('a sweep of more than one piece', (database) => {
  it('removes all that is over, and nothing else', async () => {
    const storage = await database.openFresh();
    const students = [];
    for (let at = 0; at < 90; at += 1) students.push(await registered(storage));
    const { tokens } = await storage.sweep(start);
    expect(tokens).toBe(0);
    expect(await storage.counts(start)).toMatchObject({ students: 90, tokens: 90 });
    const later = start + 400 * 86_400_000;
    await storage.sweep(later);
    expect(await storage.sweep(later)).toMatchObject({ tokens: 0 });
    for (const { tokenHash } of students) expect(await storage.tokens.find(tokenHash, start)).toBeNull();
  });
});
