import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { pictures, pngOfBytes, pngOfSize, somePhoto } from '../support/images.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { deliver, md5Of, type ProfileCalls, places, profileCalls, type Use } from '../support/profile-calls.ts';

const mebibyte = 1_048_576;
const uses = ['avatar', 'background'] as const;
const words = { avatar: '头像', background: '背景图片' } as const;
const tooLarge = (use: Use) => [413, 'TOO_LARGE_IMAGE', `上传的${words[use]}文件过大，最大允许5MB`];
const notAllowed = (use: Use) => [415, 'MIMETYPE_NOT_ALLOWED', `上传的${words[use]}文件格式不支持，仅支持 JPEG、PNG`];

let clock: ManualClock;
let gateway: Gateway;
let token: string;
let own: ProfileCalls;
let other: ProfileCalls;
beforeAll(async () => {
  clock = new ManualClock();
  gateway = await startGateway({ clock });
  token = await gateway.register(first);
  own = profileCalls(gateway, token);
  other = profileCalls(gateway, await gateway.register(second));
});
beforeEach(() => clock.advance(3_600_000));
afterEach(() => vi.restoreAllMocks());
afterAll(() => gateway.close());

const refused = ({ status, body }: Awaited<ReturnType<ProfileCalls['get']>>) => [status, body.error.code, body.message];

const boundary = 'a-boundary';
const formHead = (use: Use): string =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${places[use].part}"; filename="p.png"\r\n` +
  'content-type: image/png\r\n\r\n';

/** One upload by hand: head and any content, as slow, long or short as a test wants it. */
const openUpload = async (use: Use, headers: readonly string[]) => {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  await once(socket, 'connect');
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  socket.on('error', () => {});
  socket.write(
    [
      `PUT ${places[use].path} HTTP/1.1`,
      'host: gateway',
      `authorization: Bearer ${token}`,
      `content-type: multipart/form-data; boundary=${boundary}`,
      ...headers,
      '',
      '',
    ].join('\r\n'),
  );
  return { socket, received: () => received };
};

type Upload = Awaited<ReturnType<typeof openUpload>>;

/** True while the connection takes more. */
const sendChunk = (socket: Socket, bytes: string | Buffer): boolean => {
  socket.write(`${bytes.length.toString(16)}\r\n`);
  socket.write(bytes);
  return socket.write('\r\n');
};

/** Sends without end until it is answered; returns how many bytes that took. */
const flood = async ({ socket, received }: Upload): Promise<number> => {
  const piece = Buffer.alloc(mebibyte / 4, 'x');
  let sent = 0;
  while (!received().includes('\r\n\r\n') && !socket.destroyed) {
    sent += piece.length;
    if (!sendChunk(socket, piece)) {
      await Promise.race([once(socket, 'drain'), once(socket, 'data'), once(socket, 'close')]);
    }
  }
  socket.destroy();
  return sent;
};

describe.each(uses)('the upload of one %s', (use) => {
  it('takes exactly 5 MiB and not one byte more', async () => {
    const largest = pngOfBytes(5 * mebibyte);
    const taken = await own.upload(use, largest, { type: 'image/png' });
    expect([taken.status, taken.body.data.md5]).toEqual([200, md5Of(largest)]);
    const more = await own.upload(use, pngOfBytes(5 * mebibyte + 1), { type: 'image/png' });
    expect(refused(more)).toEqual(tooLarge(use));
  });

  it.each([
    ['a PNG that says it is a JPEG', pictures.png, 'image/jpeg'],
    ['a PNG as just bytes', pictures.png, 'application/octet-stream'],
    ['a JPEG as text', pictures.jpeg, 'text/plain'],
  ])('takes %s, and delivers it as what it is', async (_name, bytes, type) => {
    const id = await own.stage(use, bytes, { type });
    const [path, member] =
      use === 'avatar'
        ? ['/profile/user/update', 'avatar_uuid']
        : ['/profile/client/update', 'light_mode_background_uuid'];
    const { data } = (await own.put(path, { [member]: id })).body;
    const image = await deliver(use === 'avatar' ? data.avatar_url : data.light_mode_background_url);
    expect(image.headers.get('content-type')).toBe(bytes === pictures.png ? 'image/png' : 'image/jpeg');
    expect(image.bytes.equals(bytes)).toBe(true);
  });

  it('takes 8192 pixels a side and no more', async () => {
    const options = { type: 'image/png' };
    expect((await own.upload(use, pngOfSize(8_192, 8_192), options)).status).toBe(200);
    expect(refused(await own.upload(use, pngOfSize(8_193, 1), options))).toEqual(tooLarge(use));
  });

  it('ends when its connection breaks in the middle, and keeps nothing', async () => {
    const stage = vi.spyOn(gateway.services.storage.images, 'stage');
    const before = gateway.log().length;
    const log = () => gateway.log().slice(before);
    const { socket } = await openUpload(use, [`content-length: ${mebibyte}`]);
    socket.write(formHead(use));
    socket.write(pictures.png);
    await vi.waitFor(() => expect(log()).toContain('starting multipart parsing'));
    socket.destroy();
    await vi.waitFor(() => expect(log()).toContain('"status":499'));
    expect(stage).not.toHaveBeenCalled();
    // The place of the broken one is free again.
    expect((await own.upload(use, pictures.jpeg)).status).toBe(200);
  });

  it('that is announced as too large is refused before a byte of it has come', async () => {
    const { socket, received } = await openUpload(use, ['content-length: 10000000000']);
    await once(socket, 'close');
    expect(received()).toContain('HTTP/1.1 413');
    expect(received()).toContain('TOO_LARGE_IMAGE');
    expect(received()).toContain('connection: close');
  });

  it('that never ends is refused while it comes', async () => {
    const upload = await openUpload(use, ['transfer-encoding: chunked']);
    sendChunk(upload.socket, formHead(use));
    sendChunk(upload.socket, pictures.png);
    const sent = await flood(upload);
    expect(upload.received()).toContain('HTTP/1.1 413');
    expect(sent).toBeGreaterThan(4 * mebibyte);
    expect(sent).toBeLessThan(64 * mebibyte);
  });
});

describe('uploads', () => {
  it('are refused too when what stands around the file grows', async () => {
    // Text before the first part, which no parser hands over.
    const upload = await openUpload('avatar', ['transfer-encoding: chunked']);
    expect(await flood(upload)).toBeLessThan(64 * mebibyte);
    expect(upload.received()).toContain('HTTP/1.1 413');
  });

  it('are 20 per student and hour, without those that failed and those of known bytes', async () => {
    const photo = somePhoto();
    for (let n = 0; n < 19; n += 1) {
      expect((await own.upload('avatar', somePhoto())).status).toBe(200);
      expect((await own.upload('background', Buffer.from('x'))).status).toBe(415);
    }
    const id = await own.stage('background', photo);
    const next = await own.upload('background', pngOfBytes(5 * mebibyte));
    expect(refused(next)).toEqual([429, 'COOLDOWN', '请求过于频繁，请稍后再试']);
    expect(refused(await own.upload('background', Buffer.from('x')))).toEqual(notAllowed('background'));
    for (let n = 0; n < 2; n += 1) {
      expect((await own.upload('background', photo)).body.data).toEqual({ uuid: id, md5: md5Of(photo) });
      expect((await own.put('/profile/client/update', { dark_mode_background_uuid: id })).status).toBe(200);
    }
    expect(next.headers.get('retry-after')).toBe('3600');
    expect((await other.upload('avatar', somePhoto())).status).toBe(200);
    clock.advance(3_600_000);
    expect((await own.upload('avatar', somePhoto())).status).toBe(200);
  });

  it('of more than 64 KiB are taken one at a time per token', async () => {
    const large = pngOfBytes(200_000);
    const png = { type: 'image/png' };
    const { socket, received } = await openUpload('avatar', [`content-length: ${mebibyte}`]);
    socket.write(formHead('avatar'));
    socket.write(large);
    // Every answer takes a turn of the loop in which what was sent before is received.
    for (let turn = 0; turn < 20; turn += 1) await gateway.b('GET', '/alive');
    const next = await own.upload('background', large, png);
    expect(refused(next)).toEqual([429, 'COOLDOWN', '请求过于频繁，请稍后再试']);
    expect(next.headers.get('retry-after')).toBe('10');
    expect((await own.upload('avatar', pictures.png, png)).status).toBe(200);
    expect((await other.upload('background', large, png)).status).toBe(200);
    expect(received()).toBe('');
    socket.destroy();
    await vi.waitFor(async () => expect((await own.upload('background', large, png)).status).toBe(200));
  });

  it('that come too slowly are 408', async () => {
    const { socket, received } = await openUpload('avatar', [`content-length: ${mebibyte}`]);
    socket.write(formHead('avatar'));
    socket.write(pngOfBytes(100_000));
    await vi.waitFor(() => {
      clock.advance(10_000);
      expect(received()).toMatch(/^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*"BODY_TOO_SLOW"/);
    });
    socket.destroy();
  });
});
