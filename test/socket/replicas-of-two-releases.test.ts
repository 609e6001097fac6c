import { copyFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, it, type TestContext, vi } from 'vitest';
import { newest } from '../../src/storage/migrations/migrate.ts';
import { entryOf, first } from '../support/campus-rig.ts';
import { countsOf, expectAllStoredOnce } from '../support/evaluation-rig.ts';
import { checkOutPreviousRelease, previousRelease } from '../support/previous-release.ts';
import { type Cluster, call, cluster, enroll, newcomer, type Replica, type Reply } from '../support/replicas.ts';
import { afterAllTests, startService, workingDirectory } from '../support/service-process.ts';

const summary = '/jwc/academic/info';
const patience = { timeout: 30_000, interval: 100 };

const login = ({ address }: Replica, student: typeof first): Promise<Reply> =>
  call(address, 'POST', '/auth/login/next', { body: entryOf(student) });
const order = ({ address }: Replica, token: string, operation: string): Promise<Reply> =>
  call(address, 'POST', `/api/v1/jwc/evaluation/${operation}`, { body: { token } });

describe('the release before this one', () => {
  const atEnd = afterAllTests();
  const previous = checkOutPreviousRelease(atEnd);
  const program = join(previous ?? '', 'src/main.ts');
  const needsHistory = ({ skip }: TestContext): void =>
    skip(previous === null, `needs the commit ${previousRelease} in the history of a git checkout`);

  describe('beside it on PostgreSQL', () => {
    let campus: Cluster;
    let older: Replica;
    let newer: Replica;
    /** Registered before the upgrade. */
    let token: string;

    beforeAll(async () => {
      if (previous === null) return;
      campus = await cluster(atEnd);
      campus.demo.switches.evaluationWaitSeconds = 1;
      const quick = { EVALUATION_WAIT_SECONDS: '1', EVALUATION_OPEN_EVERY_SECONDS: '1' };
      older = await campus.start(quick, program);
      token = await enroll(older.address, first);
      newer = await campus.start(quick);
    });

    it('continues when this one has migrated its database, and that is in the log', async (context) => {
      needsHistory(context);
      expect(newer.stdout()).toMatch(new RegExp(`"from":"0008-feeds","to":"${newest}",.*"msg":"migrated"`));
      for (const { address } of [older, newer]) expect((await call(address, 'GET', '/ready')).status).toBe(200);
    });

    it('logs in, refuses and ends tokens as this one does, each what the other has given out', async (context) => {
      needsHistory(context);
      for (const [here, there] of [
        [older, newer],
        [newer, older],
      ] as const) {
        const student = newcomer(campus.demo);
        const registered = await enroll(here.address, student);
        const loggedIn = await login(there, student);
        expect(loggedIn.status).toBe(200);
        const again = loggedIn.body.data.token;
        // A wrong password is remembered by both, and the right one is still let in.
        expect((await login(here, { ...student, password: 'wrong' })).status).toBe(403);
        expect((await login(there, { ...student, password: 'wrong' })).status).toBe(403);
        expect((await login(here, student)).status).toBe(200);
        for (const one of [registered, again]) {
          for (const { address } of [here, there]) {
            expect((await call(address, 'GET', summary, { token: one })).status).toBe(200);
          }
        }
        expect((await call(there.address, 'POST', '/auth/logout', { token: registered })).status).toBe(200);
        expect((await call(here.address, 'GET', summary, { token: registered })).status).toBe(401);
        expect((await call(here.address, 'POST', '/auth/logout/all', { token: again })).status).toBe(200);
        expect((await call(there.address, 'GET', summary, { token: again })).status).toBe(401);
        expect((await login(there, student)).status).toBe(200);
      }
    }, 60_000);

    it('reads with the sessions of the other, and asks the campus no more for it', async (context) => {
      needsHistory(context);
      await call(older.address, 'GET', summary, { token });
      campus.demo.resetRequests();
      const read = async ({ address }: Replica) => (await call(address, 'GET', summary, { token })).body.data;
      const [one, two, three] = [await read(newer), await read(older), await read(newer)];
      expect(one.completed_courses).toBeGreaterThan(0);
      expect([two, three]).toEqual([one, one]);
      expect(campus.demo.requests().map(({ path }) => path)).toEqual(Array(3).fill('/main/academicInfo'));
    });

    it('an evaluation that one runs is followed and stopped by the other, and one whose process ends is seen as interrupted', async (context) => {
      needsHistory(context);
      const { demo } = campus;
      for (const [runs, looks] of [
        [older, newer],
        [newer, older],
      ] as const) {
        const student = newcomer(demo);
        demo.student(student.userid).setEvaluation(3);
        const own = await enroll(runs.address, student);
        expect((await order(runs, own, 'initialize')).body.code).toBe(200);
        expect((await order(runs, own, 'start')).body.data).toEqual({ task_status: 'running' });
        expect((await order(looks, own, 'status')).body.data).toMatchObject({ status: 'running', total_courses: 3 });
        expect((await order(looks, own, 'terminate')).body.data).toEqual({ task_status: 'terminated' });
        await vi.waitFor(async () => {
          expect((await order(runs, own, 'status')).body.data.status).toBe('terminated');
        }, patience);
      }
      demo.student(first.userid).setEvaluation(2);
      demo.resetRequests();
      expect((await order(older, token, 'initialize')).body.code).toBe(200);
      expect((await order(older, token, 'start')).body.code).toBe(200);
      const counts = () => countsOf(demo.requests().map(({ system, method, path }) => `${system} ${method} ${path}`));
      await vi.waitFor(() => expect(counts().page).toBeGreaterThan(0), patience);
      older.kill('SIGTERM');
      await vi.waitFor(async () => {
        expect((await order(newer, token, 'status')).body.data).toMatchObject({ status: 'failed' });
      }, patience);
      expect((await order(newer, token, 'initialize')).body.code).toBe(200);
      await order(newer, token, 'start');
      await vi.waitFor(async () => {
        expect((await order(newer, token, 'status')).body.data).toMatchObject({ status: 'completed', fail_count: 0 });
      }, patience);
      expectAllStoredOnce(demo);
    }, 90_000);

    it('what a later one drops ends the readiness and the start of this one, and nothing else does', async (context) => {
      needsHistory(context);
      const client = new pg.Client({ connectionString: campus.env.DATABASE_URL });
      await client.connect();
      const expectReady = (status: number) =>
        expect.poll(async () => (await call(newer.address, 'GET', '/ready')).status, { timeout: 20_000 }).toBe(status);
      try {
        await client.query(`insert into kysely_migration values ('9998-later', '2026-01-01T00:00:00.000Z')`);
        expect((await call(newer.address, 'GET', '/ready')).status).toBe(200);
        await client.query('update schema_info set min_reader = 9998');
        // The look at the database is shared for five seconds.
        await expectReady(503);
        await newer.printed(/a newer version has changed the database/);
        await expect(campus.start()).rejects.toThrow(/UNKNOWN_SCHEMA 9998-later/);
        await client.query('update schema_info set min_reader = 17');
        await expectReady(200);
        const another = await campus.start();
        expect((await call(another.address, 'GET', summary, { token })).status).toBe(200);
      } finally {
        await client.end();
      }
    }, 60_000);
  });

  it('takes the copy of its SQLite file back, with everything of before the upgrade', async (context) => {
    needsHistory(context);
    const { demo, env } = await cluster(context.onTestFinished);
    const folder = workingDirectory(context.onTestFinished);
    const path = join(folder, 'campus.db');
    const settings = { ...env, DATABASE_URL: `sqlite:${path}` };
    const run = async (work: (replica: Replica) => Promise<void>, ...by: [] | [string]): Promise<void> => {
      const replica = await startService(folder, settings, context.onTestFinished, ...by);
      await work(replica);
      replica.kill('SIGTERM');
      await replica.ended;
    };
    const later = newcomer(demo);
    let token = '';
    await run(async ({ address }) => void (await enroll(address, first)), program);
    await run(async (replica) => {
      expect((await login(replica, first)).status).toBe(200);
      token = await enroll(replica.address, later);
      expect((await call(replica.address, 'GET', summary, { token })).status).toBe(200);
    });
    const copy = join(folder, readdirSync(folder).find((name) => name.startsWith('campus.db.before-')) ?? '');
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    copyFileSync(copy, `${path}.back`);
    renameSync(`${path}.back`, path);
    await run(async (replica) => {
      expect((await login(replica, first)).status).toBe(200);
      // Of after the upgrade: not in the copy.
      expect((await call(replica.address, 'GET', summary, { token })).status).toBe(401);
    }, program);
  }, 60_000);

  it('leaves copies that this one answers with, and a calendar that was never polled has its events', async (context) => {
    needsHistory(context);
    const { env } = await cluster(context.onTestFinished);
    const folder = workingDirectory(context.onTestFinished);
    const settings = { ...env, DATABASE_URL: `sqlite:${join(folder, 'campus.db')}` };
    const term = '2025-2026-2-1';
    const reads = ['/jwc/term/all', `/jwc/score/${term}/list`, `/jwc/schedule/${term}/table`, '/jwc/exam/info'];
    const older = await startService(folder, settings, context.onTestFinished, program);
    const token = await enroll(older.address, first);
    for (const path of [...reads, '/jwc/term/current'])
      expect((await call(older.address, 'GET', path, { token })).status, path).toBe(200);
    const order = { token, body: { name: '课表', include: ['classes', 'exams'] } };
    const feed = await call(older.address, 'POST', '/calendar/feeds', order);
    expect(feed.status, JSON.stringify(feed.body)).toBe(200);
    const polled = await call(older.address, 'POST', '/calendar/feeds', order);
    const linesOf = async ({ address }: Replica, url: string): Promise<string[]> => {
      const text = await (await fetch(address + new URL(url).pathname)).text();
      return text.split('\r\n').filter((line) => /^(?:UID|SEQUENCE|LAST-MODIFIED)[:;]/.test(line));
    };
    const told = await linesOf(older, polled.body.data.url);
    older.kill('SIGTERM');
    await older.ended;
    const newer = await startService(folder, settings, context.onTestFinished);
    expect(told.length).toBeGreaterThan(30);
    expect(await linesOf(newer, polled.body.data.url)).toEqual(told);
    for (const path of reads) {
      const headers = { authorization: `Bearer ${token}`, 'x-copy': 'only' };
      const copy = await fetch(`${newer.address}${path}`, { headers });
      expect([copy.status, copy.headers.get('cache-status')], path).toEqual([200, 'campus-gateway; hit']);
    }
    const { pathname } = new URL(feed.body.data.url);
    const calendar = await (await fetch(`${newer.address}${pathname}`)).text();
    expect(calendar.split('BEGIN:VEVENT').length).toBeGreaterThan(10);
  }, 60_000);
});
