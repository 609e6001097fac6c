import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Column } from '../../src/storage/columns.ts';
import { schema } from '../../src/storage/schema.ts';
import { first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { pictures } from '../support/images.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { freshPostgresUrl } from '../support/postgres.ts';

describe.each(['sqlite', 'postgres'] as const)('the export of an account, on %s', (kind) => {
  let clock: ManualClock;
  let gateway: Gateway;
  let token: string;
  beforeEach(async () => {
    clock = new ManualClock();
    const env: Record<string, string> = kind === 'postgres' ? { DATABASE_URL: await freshPostgresUrl() } : {};
    gateway = await startGateway({ clock, env });
    token = await gateway.register();
  });
  afterEach(() => gateway.close());

  it('has everything of the student in clear, nothing secret and nothing of another, and names the rest', async () => {
    const other = await gateway.register(second);
    for (const as of [token, other]) {
      await gateway.b('GET', '/jwc/academic/info', { token: as });
      await gateway.b('GET', '/jwc/score/2025-2026-1-1/list', { token: as });
      await gateway.b('PUT', '/profile/user/update', { token: as, body: { nickname: '昵称' } });
      await gateway.b('POST', '/calendar/feeds', { token: as, body: { name: '课表', include: ['classes'] } });
    }
    const hook = { url: 'https://hooks.example.net/campus?key=mine', types: ['score.published'] };
    const hooked = await gateway.b('POST', '/events/hooks', { token, body: hook });
    await gateway.b('POST', `/events/hooks/${hooked.body.data.id}/test`, { token });
    const made = await gateway.b('POST', '/auth/tokens', {
      token,
      body: { name: 'w', scopes: ['schedule:read'], days: 7 },
    });
    await gateway.services.reads.close();
    gateway.demo.resetRequests();
    const { status, headers, body, text } = await gateway.b('GET', '/account/export', { token });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(gateway.wire()).toEqual([]);
    expect(body).toMatchObject({
      userid: first.userid,
      exported_at: '2026-03-18T10:00:00+08:00',
      users: [{ userid: first.userid, created_at: '2026-03-18T10:00:00+08:00' }],
      user_profiles: [{ nickname: '昵称' }],
      calendar_feeds: [{ name: '课表' }],
      event_hooks: [{ url: hook.url, types: 'score.published', detail: 'thin' }],
      hook_deliveries: [{ type: 'test.ping', body: { type: 'test.ping', data: { title: '测试消息' } } }],
    });
    expect(body.tokens).toHaveLength(2);
    // Under the id by which the log names it.
    const { id } = made.body.data;
    expect(body.tokens).toContainEqual(
      expect.objectContaining({ id, name: 'w', scopes: ['schedule:read'], copies_only: false }),
    );
    expect(body.calendar_feeds).toMatchObject([{ classes: true, exams: false }]);
    const summary = body.copies.find(({ read }: { read: string }) => read === 'summary');
    expect(summary).toMatchObject({
      read_at: '2026-03-18T10:00:00+08:00',
      params: [],
      value: { gpa: expect.any(Number) },
    });
    for (const secret of [
      token,
      hooked.body.data.secret,
      made.body.data.token,
      first.password,
      first.vpnPassword,
      second.userid,
    ]) {
      expect(text).not.toContain(secret);
    }
    const named: string[] = body.not_included.map(({ what }: { what: string }) => what);
    for (const [table, { columns }] of Object.entries(schema)) {
      for (const [column, { shown }] of Object.entries<Column>(columns)) {
        if (shown === undefined) continue;
        const rows: object[] = body[table] ?? [];
        if (typeof shown === 'string')
          expect(
            rows.every((row) => shown in row),
            `${table}.${column}`,
          ).toBe(true);
        else expect(named, `${table}.${column}`).toContain(`${table}.${column}`);
      }
    }
    expect(named).toEqual(expect.arrayContaining(['guard_rows', 'leases']));
  });

  it('an image is in it as it is kept', async () => {
    const form = new FormData();
    form.append('avatar_update_request', new Blob([pictures.png], { type: 'image/png' }), 'a.png');
    expect((await gateway.form('PUT', '/profile/user/avatar/upload', token, form)).status).toBe(200);
    const { body } = await gateway.b('GET', '/account/export', { token });
    expect(body.images).toMatchObject([{ purpose: 'avatar' }]);
    expect(Buffer.from(body.image_bytes[0].bytes, 'base64').subarray(1, 4).toString()).toBe('PNG');
  });

  it('is for a login of this day or the scope, once in ten minutes', async () => {
    const personal = (scopes: string[]) =>
      gateway.b('POST', '/auth/tokens', { token, body: { name: 'w', scopes, days: 7 } });
    const secret = (await personal(['export'])).body.data.token;
    const without = (await personal(['schedule:read'])).body.data.token;
    const get = (as: string) => gateway.b('GET', '/account/export', { token: as });
    expect((await get(without)).status).toBe(403);
    expect((await get(token)).status).toBe(200);
    const again = await get(secret);
    expect([again.status, again.headers.get('retry-after')]).toEqual([429, '600']);
    clock.advance(24 * 3_600_000);
    const late = await get(token);
    expect([late.status, late.body.error.code]).toEqual([403, 'LOGIN_AGAIN']);
    if (kind === 'sqlite') expect((await get(secret)).status).toBe(200);
  });
});
