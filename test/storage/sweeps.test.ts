import { DatabaseSync, StatementSync } from 'node:sqlite';
import { expect, it, vi } from 'vitest';
import { writeMigratedDatabase } from '../support/migrated-database.ts';
import { workingDirectory } from '../support/service-process.ts';
import { onBothDatabases, openStorage, registered, start } from './databases.ts';

/** Tables that grow with the students; the others hold a row or two. */
const growing =
  /^SCAN (?:users|tokens|copies|campus_wide_copies|events|event_states|hook_deliveries|guard_rows|images|image_uploads|invite_tokens|login_challenges|evaluation_tasks)\b/;

it('a sweep finds what it removes by an index, some rows in one statement', async () => {
  const path = `${workingDirectory()}/campus.db`;
  await writeMigratedDatabase(path);
  const storage = await openStorage(`sqlite:${path}`);
  await registered(storage);
  const spies = (['all', 'run'] as const).map((name) => vi.spyOn(StatementSync.prototype, name));
  await storage.sweep(start);
  const said = new Set(
    spies.flatMap(({ mock }) => mock.contexts.map((statement) => (statement as StatementSync).sourceSQL)),
  );
  vi.restoreAllMocks();
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
    / limit \?|userid" > \? and (?:"users"\.)?"userid" <= \?/.test(text) || /"(?:leases|due_readings)"/.test(text);
  expect(statements.filter((text) => !isBounded(text))).toEqual([]);
  database.close();
});

it('an account with a long history is exported and erased in pieces', async () => {
  const path = `${workingDirectory()}/campus.db`;
  await writeMigratedDatabase(path);
  const storage = await openStorage(`sqlite:${path}`);
  const { userid } = await registered(storage);
  const other = await registered(storage);
  const database = new DatabaseSync(path);
  const rows = 1_000;
  const event = database.prepare("insert into events values (?, ?, ?, 't', 0, 0, 'x')");
  const upload = database.prepare('insert into image_uploads values (?, ?)');
  const token = database.prepare(
    'insert into tokens (hash, userid, sequence, created_at, expires_at, ended_at, proves_until) values (?, ?, ?, 0, 1, 1, ?)',
  );
  database.exec('begin');
  for (let at = 0; at < rows; at += 1) {
    event.run(userid, at, `e${at}`);
    upload.run(userid, at);
    token.run(`h${at}`, userid, 10 + at, start * 2);
  }
  event.run(other.userid, 1, 'of another');
  database.exec('commit');
  const spies = (['all', 'run'] as const).map((name) => vi.spyOn(StatementSync.prototype, name));
  const statements = () =>
    spies.flatMap(({ mock }) =>
      mock.contexts.map((statement, at) => {
        const { value } = Object(mock.results[at]);
        const touched = Array.isArray(value) ? value.length : Number(Object(value).changes ?? 0);
        return { text: (statement as StatementSync).sourceSQL, touched };
      }),
    );

  const exported = new Map<string, Set<string>>();
  let count = 0;
  for await (const [table, row] of storage.exports.read(userid)) {
    count += 1;
    exported.set(table, (exported.get(table) ?? new Set()).add(`${count} ${JSON.stringify(row)}`));
  }
  expect(exported.get('events')?.size).toBe(rows);
  expect(exported.get('image_uploads')?.size).toBe(rows);
  expect(exported.get('tokens')?.size).toBe(rows + 1);
  expect(await storage.accounts.deleteUser(userid)).toBe('erased');
  const most = Math.max(...statements().map(({ touched }) => touched));
  const plans = [...new Set(statements().map(({ text }) => text))]
    .filter((text) => /^(?:select \*|delete from "(?:events|image_uploads|tokens|hook_deliveries)")/.test(text))
    .map(
      (text) =>
        [
          text,
          database
            .prepare(`explain query plan ${text}`)
            .all()
            .map(({ detail }) => String(detail)),
        ] as const,
    );
  vi.restoreAllMocks();
  expect(most).toBeLessThanOrEqual(200);
  expect(plans.length).toBeGreaterThan(10);
  for (const [text, plan] of plans) {
    expect([text, plan.filter((line) => growing.test(line))]).toEqual([text, []]);
    if (/"(?:events|image_uploads|tokens|hook_deliveries|copies)"/.test(text))
      expect(plan.join()).not.toContain('TEMP B-TREE');
  }
  expect(database.prepare('select id from events').all()).toEqual([{ id: 'of another' }]);
  database.close();
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
