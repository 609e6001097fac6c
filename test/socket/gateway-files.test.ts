import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Gateway, type GatewayOptions, startGateway } from '../support/gateway-rig.ts';
import { pictures } from '../support/images.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { deliver, type ProfileCalls, profileCalls } from '../support/profile-calls.ts';

let clock: ManualClock;
let gateway: Gateway;
let own: ProfileCalls;
const start = async (options: GatewayOptions = {}): Promise<string> => {
  gateway = await startGateway({ clock, ...options });
  own = profileCalls(gateway, await gateway.register());
  const id = await own.stage('avatar', pictures.png, { type: 'image/png' });
  return (await own.put('/profile/user/update', { avatar_uuid: id })).body.data.avatar_url;
};
beforeEach(() => {
  clock = new ManualClock();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await gateway.close();
});

const codeOf = ({ status, bytes }: Awaited<ReturnType<typeof deliver>>) => [
  status,
  JSON.parse(bytes.toString()).error.code,
];
const changed = (address: string, change: (url: URL) => void): string => {
  const url = new URL(address);
  change(url);
  return url.href;
};

describe('an image address', () => {
  it('works for an hour, without a token', async () => {
    const address = await start();
    clock.advance(3_599_000);
    const late = await deliver(address);
    expect([late.status, late.headers.get('cache-control')]).toEqual([200, 'private, max-age=1']);
    clock.advance(1_000);
    expect(codeOf(await deliver(address))).toEqual([410, 'RESOURCE_EXPIRED']);
    const fresh = (await own.get('/profile/user/get')).body.data.avatar_url;
    expect(fresh).not.toBe(address);
    expect((await deliver(fresh)).status).toBe(200);
  });

  it('is not sent again to a client that has the image', async () => {
    const address = await start();
    const etag = (await deliver(address)).headers.get('etag') ?? '';
    for (const known of [etag, `"x", W/${etag}`, '*']) {
      const answer = await deliver(address, { 'if-none-match': known });
      expect([answer.status, answer.bytes.length, answer.headers.get('etag')]).toEqual([304, 0, etag]);
      expect(answer.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/);
    }
    expect((await deliver(address, { 'if-none-match': '"x"' })).status).toBe(200);
  });

  it('that was made up or changed is forbidden', async () => {
    const address = await start();
    const wrong = [
      (url: URL) => url.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1)),
      (url: URL) => url.searchParams.set('signature', 'A'.repeat(43)),
      (url: URL) => url.searchParams.delete('signature'),
      (url: URL) => url.searchParams.delete('expires'),
      (url: URL) => url.searchParams.append('signature', url.searchParams.get('signature') ?? ''),
      (url: URL) => {
        url.search = '';
      },
      (url: URL) => {
        url.pathname = url.pathname.replace('avatars', 'backgrounds');
      },
      (url: URL) => {
        url.pathname = url.pathname.replace('.png', '.jpg');
      },
      (url: URL) => {
        url.pathname = `/files/avatars/${crypto.randomUUID()}.png`;
      },
      (url: URL) => {
        url.pathname = '/files/avatars/..%2f..%2fetc%2fpasswd';
      },
    ];
    for (const change of wrong) expect(codeOf(await deliver(changed(address, change)))).toEqual([403, 'FORBIDDEN']);
  });

  it('of an image that is gone or was never confirmed is not found', async () => {
    const address = await start();
    await own.stage('avatar', pictures.jpeg);
    expect((await deliver(address)).status).toBe(200);
    await own.put('/profile/user/update', { avatar_uuid: '' });
    expect(codeOf(await deliver(address))).toEqual([404, 'NOT_FOUND']);
    const key = `avatars/${crypto.randomUUID()}.png`;
    const { expires, signature } = gateway.services.fileTickets.issue(key);
    const url = `${gateway.url}/files/${key}?expires=${expires}&signature=${signature}`;
    expect(codeOf(await deliver(url))).toEqual([404, 'NOT_FOUND']);
  });

  it('outlives a change of the secret key as long as the old one is known', async () => {
    const address = await start();
    const { pathname, search } = new URL(address);
    const [oldKey, newKey] = [Buffer.alloc(32, 9).toString('base64'), Buffer.alloc(32, 3).toString('base64')];
    for (const [keys, status] of [
      [`${newKey},${oldKey}`, 404],
      [newKey, 403],
    ] as const) {
      const next = await startGateway({ clock, env: { SECRET_KEY: keys } });
      expect((await deliver(next.url + pathname + search)).status).toBe(status);
      await next.close();
    }
  });

  it('limits bad guesses by their sender, not good addresses', async () => {
    const address = await start({ app: { limits: { anonymousPerMinute: 3 } } });
    const bad = changed(address, (url) => url.searchParams.set('signature', 'x'));
    const answers = [];
    for (let n = 0; n < 5; n += 1) answers.push((await deliver(bad)).status);
    expect(answers).toContain(403);
    expect(answers.at(-1)).toBe(429);
    expect((await deliver(address)).status).toBe(200);
  });
});

describe('images that nothing shows any more', () => {
  it('are removed by the next start, also when no process ran while they expired', async () => {
    const database = { DATABASE_URL: await freshPostgresUrl() };
    const shown = await start({ env: database });
    for (let n = 0; n < 3; n += 1) await own.stage('background', pictures.jpeg);
    await gateway.close();
    clock.advance(3_600_000);
    gateway = await startGateway({ clock, env: database });
    const { images } = gateway.services.storage;
    const client = new pg.Client({ connectionString: database.DATABASE_URL });
    await client.connect();
    await vi.waitFor(async () => expect((await client.query('select state from images')).rows).toHaveLength(1));
    expect((await client.query('select image from image_bytes')).rows).toHaveLength(1);
    await client.end();
    const id = new URL(shown).pathname.split('/').at(-1)?.replace('.png', '') ?? '';
    expect(await images.findConfirmed({ id, use: 'avatar', type: 'png' })).not.toBeNull();
  });
});
