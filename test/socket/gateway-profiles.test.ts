import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { photoWithPosition, pictures, secretPlace, somePhoto } from '../support/images.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { deliver, md5Of, type ProfileCalls, profileCalls } from '../support/profile-calls.ts';

const hour = 3_600_000;
const nothingSet = '您还未设置用户资料，请先设置用户资料。';

describe('profiles of surface B', () => {
  let clock: ManualClock;
  let gateway: Gateway;
  let own: ProfileCalls;
  let other: ProfileCalls;
  beforeEach(async () => {
    clock = new ManualClock();
    gateway = await startGateway({ clock });
    own = profileCalls(gateway, await gateway.register(first));
    other = profileCalls(gateway, await gateway.register(second));
  });
  afterEach(() => gateway.close());

  const refused = ({ status, body }: Awaited<ReturnType<ProfileCalls['get']>>) => [
    status,
    body.error.code,
    body.message,
  ];

  it('are unknown before the first update, and reading them does not make them', async () => {
    for (let round = 0; round < 2; round += 1) {
      for (const path of ['/profile/user/get', '/profile/client/get', '/profile/flutter/get']) {
        expect(refused(await own.get(path))).toEqual([404, 'PROFILE_NOT_FOUND', nothingSet]);
      }
      const avatar = await own.get('/profile/user/avatar/md5');
      expect(refused(avatar)).toEqual([404, 'PROFILE_NOT_FOUND', '用户头像的 MD5 值未找到']);
      for (const mode of ['light', 'dark']) {
        const background = await own.get(`/profile/client/image/${mode}/md5`);
        expect(refused(background)).toEqual([404, 'PROFILE_NOT_FOUND', '用户背景图片的 MD5 值未找到']);
      }
    }
  });

  it('are made by the first update and changed member by member', async () => {
    const made = await own.put('/profile/user/update', { slogan: '你好' });
    expect([made.status, made.body.message, made.body.data]).toEqual([
      200,
      '更新用户资料成功',
      { nickname: '', slogan: '你好', avatar_url: '' },
    ]);
    const named = await own.put('/profile/user/update', { nickname: '小明', slogan: null });
    expect(named.body.data).toEqual({ nickname: '小明', slogan: '你好', avatar_url: '' });
    const cleared = await own.put('/profile/user/update', { slogan: '' });
    expect(cleared.body.data).toEqual({ nickname: '小明', slogan: '', avatar_url: '' });
    const read = await own.get('/profile/user/get');
    expect([read.body.message, read.body.data]).toEqual(['获取用户资料成功', cleared.body.data]);
    expect((await other.get('/profile/user/get')).status).toBe(404);
  });

  it('show a confirmed avatar by an address, without the place where it was taken', async () => {
    const photo = photoWithPosition(6);
    const upload = await own.upload('avatar', photo);
    expect([upload.status, upload.body.message, upload.body.data]).toEqual([
      200,
      '上传头像成功',
      { uuid: expect.stringMatching(/^[0-9a-f-]{36}$/), md5: md5Of(photo) },
    ]);
    expect((await own.get('/profile/user/get')).status).toBe(404);
    const { body } = await own.put('/profile/user/update', { avatar_uuid: upload.body.data.uuid });
    expect(body.data.avatar_url).toMatch(
      new RegExp(`^${gateway.url}/files/avatars/[0-9a-f-]{36}\\.jpg\\?expires=\\d{10}&signature=[\\w-]{43}$`),
    );
    const md5 = await own.get('/profile/user/avatar/md5');
    expect([md5.body.message, md5.body.data]).toEqual(['获取用户头像的 MD5 值成功', { md5: md5Of(photo) }]);

    const image = await deliver(body.data.avatar_url);
    expect(image.status).toBe(200);
    expect(image.bytes.includes(secretPlace)).toBe(false);
    expect(Object.fromEntries(image.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(image.bytes.length),
      'cache-control': 'private, max-age=3600',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    });
    expect(gateway.databaseBytes().includes(secretPlace)).toBe(false);
    expect(gateway.log()).not.toContain('signature');
    expect(gateway.log()).not.toContain(first.userid);

    await own.put('/profile/user/update', { avatar_uuid: '' });
    expect((await own.get('/profile/user/get')).body.data.avatar_url).toBe('');
    expect((await own.get('/profile/user/avatar/md5')).status).toBe(404);
    expect((await deliver(body.data.avatar_url)).status).toBe(404);
  });

  it('show one background for both modes, and another for one of them', async () => {
    const [both, dark] = [somePhoto(), pictures.png];
    const id = await own.stage('background', both);
    const shown = await own.put('/profile/client/update', {
      light_mode_background_uuid: id,
      dark_mode_background_uuid: id,
      dark_mode: true,
    });
    expect(shown.status).toBe(200);
    for (const mode of ['light', 'dark']) {
      expect((await own.get(`/profile/client/image/${mode}/md5`)).body.data).toEqual({ md5: md5Of(both) });
      expect((await deliver(shown.body.data[`${mode}_mode_background_url`])).status).toBe(200);
    }
    const next = await own.stage('background', dark, { type: 'image/png', path: '/profile/flutter/image/upload' });
    const changed = await own.put('/profile/client/update', { dark_mode_background_uuid: next });
    expect(changed.body.data.dark_mode_background_url).toMatch(/\/files\/backgrounds\/[0-9a-f-]{36}\.png\?/);
    expect((await own.get('/profile/flutter/image/dark/md5')).body.data).toEqual({ md5: md5Of(dark) });
    expect((await own.get('/profile/flutter/image/light/md5')).body.data).toEqual({ md5: md5Of(both) });
    // Still shown by the light mode.
    expect((await deliver(shown.body.data.light_mode_background_url)).status).toBe(200);
    const removed = await own.put('/profile/client/update', { light_mode_background_uuid: '' });
    expect(removed.body.data.light_mode_background_url).toBe('');
    expect((await deliver(shown.body.data.light_mode_background_url)).status).toBe(404);
    expect((await deliver(changed.body.data.dark_mode_background_url)).bytes.equals(dark)).toBe(true);
  });

  describe('name a staged image', () => {
    const gone = [410, 'RESOURCE_EXPIRED', '提供的头像 UUID 无效或已过期'];
    const goneLight = [410, 'RESOURCE_EXPIRED', '提供的浅色模式背景图片 UUID 无效或已过期'];
    const goneDark = [410, 'RESOURCE_EXPIRED', '提供的深色模式背景图片 UUID 无效或已过期'];

    it('again for as long as it is shown, and never once it was replaced', async () => {
      const photo = somePhoto();
      const id = await own.stage('avatar', photo);
      expect((await own.put('/profile/user/update', { avatar_uuid: id })).status).toBe(200);
      clock.advance(2 * hour);
      const again = await own.put('/profile/user/update', { avatar_uuid: id, nickname: 'x' });
      expect([again.status, again.body.data.nickname]).toEqual([200, 'x']);
      expect((await deliver(again.body.data.avatar_url)).status).toBe(200);
      expect((await own.get('/profile/user/avatar/md5')).body.data.md5).toBe(md5Of(photo));
      expect(refused(await other.put('/profile/user/update', { avatar_uuid: id }))).toEqual(gone);
      const next = await own.stage('avatar', somePhoto());
      expect((await own.put('/profile/user/update', { avatar_uuid: next })).status).toBe(200);
      expect(refused(await own.put('/profile/user/update', { avatar_uuid: id, nickname: 'y' }))).toEqual(gone);
      expect((await own.get('/profile/user/get')).body.data.nickname).toBe('x');
    });

    it('within an hour', async () => {
      const [late, inTime] = [await own.stage('background', somePhoto()), await own.stage('background', somePhoto())];
      clock.advance(hour - 1);
      expect((await own.put('/profile/client/update', { dark_mode_background_uuid: inTime })).status).toBe(200);
      clock.advance(1);
      expect(refused(await own.put('/profile/client/update', { light_mode_background_uuid: late }))).toEqual(goneLight);
    });

    it('of their own, and of the right use', async () => {
      const [foreign, avatar, background] = [
        await other.stage('avatar', somePhoto()),
        await own.stage('avatar', somePhoto()),
        await own.stage('background', somePhoto()),
      ];
      for (const id of [foreign, background, 'unknown', avatar.toUpperCase(), `${avatar} `]) {
        expect(refused(await own.put('/profile/user/update', { avatar_uuid: id, slogan: 'x' }))).toEqual(gone);
      }
      expect(refused(await own.put('/profile/client/update', { dark_mode_background_uuid: avatar }))).toEqual(goneDark);
      expect((await own.get('/profile/user/get')).status).toBe(404);
      expect((await own.get('/profile/client/get')).status).toBe(404);
      // Nobody else's attempt used it up.
      expect((await other.put('/profile/user/update', { avatar_uuid: foreign })).status).toBe(200);
    });

    it('and lose nothing when another part of the update fails', async () => {
      const before = await own.stage('background', somePhoto());
      const set = { dark_mode_background_uuid: before, dark_mode_opacity: 0.5 };
      const shown = (await own.put('/profile/client/update', set)).body.data;
      const good = await own.stage('background', somePhoto());
      const bad = { dark_mode_background_uuid: good, light_mode_background_uuid: 'unknown', dark_mode: true };
      expect(refused(await own.put('/profile/client/update', bad))).toEqual(goneLight);
      const otherWay = { light_mode_background_uuid: good, dark_mode_background_uuid: crypto.randomUUID() };
      expect(refused(await own.put('/profile/client/update', otherWay))).toEqual(goneDark);
      expect((await own.get('/profile/client/get')).body.data).toMatchObject({
        dark_mode: false,
        dark_mode_opacity: 0.5,
        light_mode_background_url: '',
      });
      expect((await deliver(shown.dark_mode_background_url)).status).toBe(200);
      expect((await own.put('/profile/client/update', { dark_mode_background_uuid: good })).status).toBe(200);
    });

    it('unless a later avatar took its place before it was confirmed', async () => {
      const [earlier, later] = [await own.stage('avatar', somePhoto()), await own.stage('avatar', somePhoto())];
      expect(refused(await own.put('/profile/user/update', { avatar_uuid: earlier }))).toEqual(gone);
      expect((await own.put('/profile/user/update', { avatar_uuid: later })).status).toBe(200);
    });

    it('and two updates at the same moment share it', async () => {
      const id = await own.stage('background', somePhoto());
      const answers = await Promise.all([
        own.put('/profile/client/update', { dark_mode_background_uuid: id }),
        own.put('/profile/client/update', { light_mode_background_uuid: id }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    });
  });

  it('are erased with the account, and every image with them', async () => {
    const avatar = await own.stage('avatar', somePhoto());
    const user = await own.put('/profile/user/update', { avatar_uuid: avatar, nickname: 'to-be-erased' });
    const background = await own.stage('background', somePhoto());
    const theme = await own.put('/profile/client/update', { dark_mode_background_uuid: background });
    await own.stage('background', somePhoto());
    const kept = await other.put('/profile/user/update', { avatar_uuid: await other.stage('avatar', somePhoto()) });

    const token = (await gateway.a('/user/login', { ...first, vpn_password: first.vpnPassword })).body.data
      .authme_token;
    const erased = await gateway.b('POST', '/auth/account/delete', {
      token,
      body: { password: first.password, vpn_password: first.vpnPassword },
    });
    expect(erased.status).toBe(200);
    for (const address of [user.body.data.avatar_url, theme.body.data.dark_mode_background_url]) {
      expect((await deliver(address)).status).toBe(404);
    }
    expect((await own.get('/profile/user/get')).status).toBe(401);
    expect((await deliver(kept.body.data.avatar_url)).status).toBe(200);
    const again = profileCalls(gateway, await gateway.register(first));
    expect((await again.get('/profile/user/get')).status).toBe(404);
    expect((await again.get('/profile/client/get')).status).toBe(404);
  });
});
