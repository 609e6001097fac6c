import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { photoWithPosition, secretPlace, somePhoto } from '../support/images.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { deliver, md5Of, type ProfileCalls, profileCalls } from '../support/profile-calls.ts';

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
    expect((await own.get('/profile/user/avatar/md5')).body.data).toEqual({ md5: md5Of(photo) });

    const image = await deliver(body.data.avatar_url);
    expect(image.status).toBe(200);
    expect(image.bytes.includes(secretPlace)).toBe(false);
    expect(gateway.databaseBytes().includes(secretPlace)).toBe(false);
    expect(gateway.log()).not.toContain('signature');
    expect(gateway.log()).not.toContain(first.userid);

    await own.put('/profile/user/update', { avatar_uuid: '' });
    expect((await own.get('/profile/user/get')).body.data.avatar_url).toBe('');
    expect((await own.get('/profile/user/avatar/md5')).status).toBe(404);
    expect((await deliver(body.data.avatar_url)).status).toBe(404);
  });

  describe('name a staged image', () => {
    const gone = [410, 'RESOURCE_EXPIRED', '提供的头像 UUID 无效或已过期'];
    const goneLight = [410, 'RESOURCE_EXPIRED', '提供的浅色模式背景图片 UUID 无效或已过期'];
    const goneDark = [410, 'RESOURCE_EXPIRED', '提供的深色模式背景图片 UUID 无效或已过期'];

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
      // No other attempt used it up.
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
  });
});
