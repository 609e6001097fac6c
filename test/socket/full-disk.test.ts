import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { mayMount, smallDisk } from '../support/small-disk.ts';

describe.runIf(mayMount)('a disk that is full', () => {
  it('is answered with 503 and a time to come back on both surfaces, and seen by /ready and /status', async () => {
    const disk = smallDisk('8m');
    const clock = new ManualClock();
    const gateway = await startGateway({ clock, env: { DATABASE_URL: `sqlite:${join(disk.folder, 'campus.db')}` } });
    onTestFinished(() => gateway.close());
    const token = await gateway.register();
    const service = async () => {
      const ready = await gateway.b('GET', '/ready');
      const { service } = (await gateway.b('GET', '/status')).body.data;
      return [ready.status, ready.headers.get('retry-after'), service];
    };
    expect(await service()).toEqual([200, null, 'works']);
    disk.fill();
    clock.advance(5_000);
    expect(await service()).toEqual([503, '5', 'fails']);
    const b = await gateway.b('POST', '/calendar/feeds', { token, body: { name: '课表', include: ['classes'] } });
    expect([b.status, b.headers.get('retry-after'), b.body.error.code]).toEqual([503, '5', 'SERVICE_UNAVAILABLE']);
    const a = await gateway.a('/user/profile/update', { token, nickname: '新昵称' });
    expect([a.status, a.body.code, a.headers.get('retry-after')]).toEqual([503, 503, '5']);
    // What needs no write goes on.
    expect((await gateway.b('GET', '/auth/authme/token', { token })).status).toBe(200);
    disk.free();
    clock.advance(5_000);
    expect(await service()).toEqual([200, null, 'works']);
    expect((await gateway.b('POST', '/auth/logout', { token })).status).toBe(200);
  });
});
