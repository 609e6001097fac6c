import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { entryOf, first, second } from '../support/campus-rig.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { pictures, pngOfBytes, pngOfSize, somePhoto } from '../support/images.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type ProfileCalls, profileCalls } from '../support/profile-calls.ts';

const mebibyte = 1_048_576;
const tooLarge = { code: 413, message: '图片过大', data: null };
const settings = {
  theme: 'ThemeMode.dark',
  lightModeOpacity: 0,
  lightModeBrightness: 1,
  darkModeOpacity: 0.4,
  darkModeBrightness: 0.25,
  backgroundBlur: 0,
};
const uri = (type: string, bytes: Uint8Array): string =>
  `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;

describe('the profile of surface A', () => {
  let clock: ManualClock;
  let gateway: Gateway;
  let token: string;
  let strangerToken: string;
  let b: ProfileCalls;
  beforeAll(async () => {
    clock = new ManualClock();
    gateway = await startGateway({ clock });
  });
  afterAll(() => gateway.close());

  const erase = (student: typeof first, bearer: string) =>
    gateway.b('POST', '/auth/account/delete', {
      token: bearer,
      body: entryOf(student),
    });
  beforeEach(async () => {
    if (token) {
      await erase(first, token);
      await erase(second, strangerToken);
    }
    clock.advance(3_600_000);
    token = await gateway.register(first);
    strangerToken = await gateway.register(second);
    b = profileCalls(gateway, token);
  });

  const read = async (): Promise<Answer['body']> => (await gateway.a('/user/profile/get', { token })).body;
  const update = async (body: object): Promise<Answer['body']> =>
    (await gateway.a('/user/profile/update', { token, ...body })).body;
  const nothing = { userid: first.userid, avatar: null, background: null, nickname: null, settings: null };

  it('answers each update with the whole profile, and keeps what is not named', async () => {
    const expected: Record<string, unknown> = { ...nothing };
    const steps: Array<[change: object, shown: object]> = [
      [{ nickname: '张三' }, { nickname: '张三' }],
      [{ settings }, { settings }],
      [{ avatar: uri('png', pictures.png) }, { avatar: uri('png', pictures.png) }],
      [{ background: pictures.lossy.toString('base64') }, { background: uri('webp', pictures.lossy) }],
      [{ nickname: '' }, { nickname: '' }],
      [{ settings: JSON.stringify({ ...settings, theme: 'system' }) }, { settings: { ...settings, theme: 'system' } }],
      [
        { avatar: '', nickname: '李四' },
        { avatar: null, nickname: '李四' },
      ],
      [{ background: '' }, { background: null }],
    ];
    for (const [change, shown] of steps) {
      Object.assign(expected, shown);
      expect(await update(change)).toEqual({ code: 200, message: '更新用户资料成功', data: expected });
      expect((await read()).data).toEqual(expected);
    }
    const stranger = await gateway.a('/user/profile/get', { token: strangerToken });
    expect(stranger.body.data).toEqual({ ...nothing, userid: second.userid });
  });

  it.each([
    ['avatar', 2],
    ['background', 8],
  ])('takes %s of %d MiB and not one byte more', async (use, size) => {
    const [largest, more] = [pngOfBytes(size * mebibyte), pngOfBytes(size * mebibyte + 1)];
    const { code, data } = await update({ [use]: uri('png', largest) });
    expect([code, data[use] === uri('png', largest)]).toEqual([200, true]);
    expect(await update({ nickname: 'x', [use]: uri('png', more) })).toEqual(tooLarge);
    expect((await read()).data.nickname).toBeNull();
  });

  it('refuses a body over 16 MiB, announced or not', async () => {
    expect(await update({ background: 'A'.repeat(16 * mebibyte) })).toEqual(tooLarge);
    const pieces = async function* () {
      yield Buffer.from('{"avatar":"');
      for (let n = 0; n < 17; n += 1) yield Buffer.alloc(mebibyte, 'A');
    };
    const streamed = await fetch(`${gateway.url}/api/v1/user/profile/update`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ReadableStream.from(pieces()),
      duplex: 'half',
    });
    expect([streamed.status, JSON.parse(await streamed.text())]).toEqual([200, tooLarge]);
  });

  it('keeps everything but new images when there were too many uploads, which failed ones and known ones are not', async () => {
    for (let n = 0; n < 30; n += 1) expect((await update({ avatar: '!' })).code).toBe(400);
    const [avatar, background] = [uri('png', pictures.png), uri('webp', pictures.lossy)];
    for (let n = 0; n < 30; n += 1) expect((await update({ avatar, background })).message).toBe('更新用户资料成功');
    for (let n = 0; n < 19; n += 1) expect((await b.upload('avatar', somePhoto())).status).toBe(200);
    const others = { nickname: 'x', settings, background: '' };
    const { code, message, data } = await update({ ...others, avatar: uri('png', pngOfSize(10, 10)) });
    expect([code, message]).toEqual([200, '已保存，图片更新过于频繁，未更换']);
    expect(data).toEqual({ userid: first.userid, nickname: 'x', avatar, background: null, settings });
    expect((await read()).data).toEqual(data);
    // An app sends the whole profile with what it was given.
    expect(await update({ nickname: 'y', avatar, settings })).toMatchObject({ code: 200, message: '更新用户资料成功' });
    clock.advance(3_600_000);
    expect((await update({ avatar: uri('png', pngOfSize(10, 10)) })).data.avatar).toBe(uri('png', pngOfSize(10, 10)));
  });
});
