import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type AppProfileChange, defaultTheme, type ImageUse, type NewImage } from '../../src/domain/profiles/types.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { onBothDatabases, registered, someStudent, start } from './databases.ts';

const hour = 3_600_000;
const image = (use: ImageUse, content = 'bytes', name = randomBytes(16).toString('hex')): NewImage => ({
  id: randomUUID(),
  use,
  type: 'png',
  md5: name,
  tag: name,
  bytes: Buffer.from(content),
});
const keep = { now: start, expiresAt: start + hour };
const confirm = (id: string) => ({ action: 'confirm', id }) as const;
const remove = { action: 'remove' } as const;
const settings = {
  theme: 'ThemeMode.system',
  lightModeOpacity: 0,
  lightModeBrightness: 0.1,
  darkModeOpacity: 1,
  darkModeBrightness: 0.3,
  backgroundBlur: 0,
} as const;
const failure = (kind: string, part?: string) =>
  expect.objectContaining(part === undefined ? { kind } : { kind, part });

onBothDatabases('profiles', (database) => {
  let storage: Storage;
  let replica: Storage;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
  });

  const staged = async (userid: string, use: ImageUse, content?: string): Promise<NewImage> => {
    const next = image(use, content);
    await storage.images.stage(userid, next, keep);
    return next;
  };
  const rowsOf = async (userid: string): Promise<Record<string, number>> => {
    const db = await database.raw();
    const counts: Record<string, number> = {};
    for (const table of ['images', 'user_profiles', 'client_themes', 'app_profiles'] as const) {
      const rows = await db.selectFrom(table).select('userid').where('userid', '=', userid).execute();
      counts[table] = rows.length;
    }
    const bytes = await db
      .selectFrom('image_bytes')
      .select('image')
      .where((to) => to.not(to.exists(to.selectFrom('images').select('id').whereRef('id', '=', 'image'))))
      .execute();
    return { ...counts, orphans: bytes.length };
  };

  it('keep false, 0, empty texts and the exact numbers', async () => {
    const { userid } = await registered(storage);
    const made = await storage.profiles.updateClientTheme(
      userid,
      { darkMode: true, light: { opacity: 0.1 + 0.2, blur: 99.999 }, dark: {} },
      start,
    );
    expect(made).toEqual({
      ...defaultTheme,
      darkMode: true,
      light: { ...defaultTheme.light, opacity: 0.1 + 0.2, blur: 99.999 },
    });
    const changed = await replica.profiles.updateClientTheme(
      userid,
      { darkMode: false, light: { opacity: 0, blur: 0 }, dark: { brightness: 0 } },
      start,
    );
    expect(changed).toEqual({
      darkMode: false,
      light: { ...defaultTheme.light, opacity: 0, blur: 0 },
      dark: { ...defaultTheme.dark, brightness: 0 },
    });
    await storage.profiles.updateUserProfile(userid, { nickname: '名', slogan: 'x' }, start);
    expect(await replica.profiles.updateUserProfile(userid, { nickname: '', slogan: '' }, start)).toEqual({
      nickname: '',
      slogan: '',
      avatar: null,
    });
  });

  it('take a staged image of its owner, for its use, before it expires or while it is shown', async () => {
    const [one, two] = [await registered(storage), await registered(storage)];
    const avatar = await staged(one.userid, 'avatar');
    const use = (userid: string, now = start) =>
      replica.profiles.updateUserProfile(userid, { slogan: 'x', avatar: confirm(avatar.id) }, now);
    await expect(use(two.userid)).rejects.toEqual(failure('staged-image-unusable', 'avatar'));
    await expect(use(one.userid, start + hour)).rejects.toEqual(failure('staged-image-unusable', 'avatar'));
    const dark = { darkMode: true, light: {}, dark: { background: confirm(avatar.id) } };
    await expect(storage.profiles.updateClientTheme(one.userid, dark, start)).rejects.toEqual(
      failure('staged-image-unusable', 'dark-background'),
    );
    expect(await storage.profiles.userProfile(one.userid)).toBeNull();
    expect(await storage.profiles.clientTheme(one.userid)).toBeNull();
    expect(await storage.images.findConfirmed(avatar)).toBeNull();

    const { id, type, md5 } = avatar;
    expect((await use(one.userid, start + hour - 1)).avatar).toEqual({ id, use: 'avatar', type, md5 });
    expect((await use(one.userid, start + 2 * hour)).avatar).toEqual({ id, use: 'avatar', type, md5 });
    expect(await storage.images.findConfirmed(avatar)).toMatchObject({ type: 'png', tag: avatar.tag });
    const next = await staged(one.userid, 'avatar');
    await storage.profiles.updateUserProfile(one.userid, { avatar: confirm(next.id) }, start);
    await expect(use(one.userid)).rejects.toEqual(failure('staged-image-unusable', 'avatar'));
    expect((await storage.profiles.userProfile(one.userid))?.avatar?.id).toBe(next.id);
    await storage.sweep(start + 1);
  });

  it('store one staged image once when many updates of two replicas name it at once', async () => {
    const { userid } = await registered(storage);
    const { id } = await staged(userid, 'background');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, (_, n) => {
        const change = { light: {}, dark: {}, [n % 2 ? 'light' : 'dark']: { background: confirm(id) } };
        return (n % 2 ? storage : replica).profiles.updateClientTheme(userid, change, start);
      }),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    expect(await rowsOf(userid)).toMatchObject({ images: 1, client_themes: 1 });
  });

  it('are one row per student, however many first updates come at once', async () => {
    const { userid } = await registered(storage);
    await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        (n % 2 ? storage : replica).profiles.updateUserProfile(userid, { [n % 2 ? 'slogan' : 'nickname']: 'x' }, start),
      ),
    );
    expect(await storage.profiles.userProfile(userid)).toEqual({ nickname: 'x', slogan: 'x', avatar: null });
    expect(await rowsOf(userid)).toMatchObject({ user_profiles: 1 });
  });

  it('show one image in several places, and give it up when the last of them does', async () => {
    const { userid } = await registered(storage);
    const both = await staged(userid, 'background');
    const { id } = both;
    const light = { background: confirm(id) };
    await storage.profiles.updateClientTheme(userid, { light, dark: light }, start);
    await storage.profiles.updateClientTheme(userid, { light: { background: remove }, dark: {} }, start);
    expect(await storage.images.findConfirmed(both)).not.toBeNull();
    expect((await storage.sweep(start + 1)).images).toBe(0);
    await storage.profiles.updateClientTheme(userid, { light: {}, dark: { background: remove } }, start);
    expect(await storage.images.findConfirmed(both)).toBeNull();
    expect((await storage.sweep(start + 1)).images).toBe(1);
    expect(await rowsOf(userid)).toMatchObject({ images: 0, client_themes: 1, orphans: 0 });
  });

  it('take over nothing of another student where an update leaves something as it is', async () => {
    const [one, other] = [await registered(storage), await registered(storage)];
    const wall = { action: 'store', image: image('background', 'wall') } as const;
    await storage.profiles.updateAppProfile(one.userid, { background: wall }, start);
    const { profile } = await storage.profiles.updateAppProfile(other.userid, { settings }, start);
    expect(profile.background).toBeNull();
    const db = await database.raw();
    const rows = await db.selectFrom('app_profiles').selectAll().where('userid', '=', other.userid).execute();
    expect(rows.map((row) => row.background_image)).toEqual([null]);
  });

  it('keep the settings of the app apart, and share nickname and avatar with it', async () => {
    const { userid } = await registered(storage);
    const [avatar, background] = [image('avatar', 'face'), image('background', 'wall')];
    const { profile: made } = await storage.profiles.updateAppProfile(
      userid,
      {
        nickname: '',
        avatar: { action: 'store', image: avatar },
        background: { action: 'store', image: background },
        settings,
      },
      start,
    );
    expect(made).toMatchObject({ nickname: '', settings, avatar: { type: 'png' }, background: { type: 'png' } });
    expect(Buffer.from(made.avatar?.bytes ?? []).toString()).toBe('face');
    expect(await replica.profiles.userProfile(userid)).toMatchObject({ nickname: '', avatar: { id: avatar.id } });
    expect(await storage.profiles.clientTheme(userid)).toBeNull();
    const { profile: next } = await storage.profiles.updateAppProfile(userid, { background: remove }, start);
    expect(next).toEqual({ ...made, background: null });
    expect(await storage.images.findConfirmed(background)).toBeNull();
  });

  it('are not made for an account that is gone', async () => {
    const userid = someStudent();
    const gone = failure('token-user-gone');
    await expect(storage.images.stage(userid, image('avatar'), keep)).rejects.toEqual(gone);
    await expect(storage.profiles.updateUserProfile(userid, { slogan: 'x' }, start)).rejects.toEqual(gone);
  });

  it('that are made while their account is erased never outlive it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { userid } = await registered(storage);
      await Promise.allSettled([
        replica.images.stage(userid, image('avatar'), keep),
        replica.profiles.updateUserProfile(userid, { slogan: 'x' }, start),
        storage.accounts.deleteUser(userid),
      ]);
      expect(await rowsOf(userid)).toMatchObject({ images: 0, user_profiles: 0, orphans: 0 });
    }
  });

  it('keep the bytes of one staged avatar and four staged backgrounds, and of no others', async () => {
    const { userid } = await registered(storage);
    const [avatars, backgrounds]: [NewImage[], NewImage[]] = [[], []];
    for (let n = 0; n < 3; n += 1) avatars.push(await staged(userid, 'avatar'));
    for (let n = 0; n < 6; n += 1) backgrounds.push(await staged(userid, 'background'));
    const db = await database.raw();
    const ids = [...avatars, ...backgrounds].map(({ id }) => id);
    const kept = await db.selectFrom('image_bytes').select('image').where('image', 'in', ids).execute();
    const last = [...avatars.slice(-1), ...backgrounds.slice(-4)].map(({ id }) => id);
    expect(kept.map((row) => row.image).sort()).toEqual(last.sort());
    const change = (id = '') => ({ light: { background: confirm(id) }, dark: {} });
    await expect(storage.profiles.updateClientTheme(userid, change(backgrounds[1]?.id), start)).rejects.toEqual(
      failure('staged-image-unusable', 'light-background'),
    );
    await storage.profiles.updateClientTheme(userid, change(backgrounds[2]?.id), start);
  });

  describe('count the uploads of an hour', () => {
    it('over replicas and restarts, of each student alone', async () => {
      const [one, two] = [await registered(storage), await registered(storage)];
      const stage = (store: Storage, now = start) => store.images.stage(one.userid, image('avatar'), { ...keep, now });
      for (let n = 0; n < 20; n += 1) await stage(n % 2 ? storage : replica, start + n * 1_000);
      const restarted = await database.open();
      expect(await stage(restarted, start + 20_000)).toEqual({ waitMs: 3_580_000 });
      await storage.images.stage(two.userid, image('avatar'), keep);
      // The sweep forgets no upload that still counts.
      await storage.sweep(start + hour - 1);
      expect(await stage(restarted, start + hour - 1)).toEqual({ waitMs: 1 });
      await stage(restarted, start + hour);
      expect(await stage(restarted, start + hour)).toEqual({ waitMs: 1_000 });
      await storage.sweep(start + 3 * hour);
      const db = await database.raw();
      const rows = await db.selectFrom('image_uploads').selectAll().where('userid', '=', one.userid).execute();
      expect(rows).toEqual([]);
    });

    it('and neither those of bytes that are stored nor those of a clock that was far ahead', async () => {
      const { userid } = await registered(storage);
      const shown = await staged(userid, 'avatar');
      await storage.profiles.updateUserProfile(userid, { avatar: confirm(shown.id) }, start);
      const waiting = await staged(userid, 'background');
      const ahead = start + 48 * hour;
      for (let n = 0; n < 20; n += 1) await storage.images.stage(userid, image('avatar'), { ...keep, now: ahead });
      for (let n = 0; n < 18; n += 1) await staged(userid, 'avatar');
      expect(await storage.images.stage(userid, image('avatar'), keep)).toEqual({ waitMs: hour });
      for (const known of [shown, waiting]) {
        const again = storage.images.stage(userid, { ...image(known.use, 'x', known.tag) }, keep);
        expect(await again).toEqual({ id: known.id });
      }
      // The second upload keeps it for another hour.
      await storage.images.stage(
        userid,
        { ...waiting, id: randomUUID() },
        { now: start + hour - 1, expiresAt: start + 2 * hour },
      );
      const theme = { light: { background: confirm(waiting.id) }, dark: {} };
      await storage.profiles.updateClientTheme(userid, theme, start + hour);
    });

    it('and of an update of the app with two images one, doing the rest when there were too many', async () => {
      const { userid } = await registered(storage);
      const store = (use: ImageUse, known?: NewImage) =>
        ({ action: 'store', image: known ? { ...known, id: randomUUID() } : image(use) }) as const;
      const update = (change: AppProfileChange) => storage.profiles.updateAppProfile(userid, change, start);
      for (let n = 0; n < 20; n += 1) {
        const done = await update({ avatar: store('avatar'), background: store('background') });
        expect(done.imagesRefused).toBe(false);
      }
      const wall = await storage.profiles.appProfile(userid);
      const refused = await update({ nickname: 'kept', avatar: store('avatar'), background: remove });
      expect(refused.imagesRefused).toBe(true);
      expect(refused.profile).toEqual({ ...wall, nickname: 'kept', background: null });
      const avatar = { ...image('avatar'), tag: wall.avatar?.tag ?? '' };
      expect(await update({ avatar: store('avatar', avatar) })).toEqual({
        profile: refused.profile,
        imagesRefused: false,
      });
    });
  });

  it('are swept by any process once they expired or were replaced, and no others', async () => {
    const { userid } = await registered(storage);
    const later = start + 10 * hour;
    await storage.sweep(later);
    const lateEntry = { now: later, expiresAt: later + hour };
    const [shown, first, second, background] = [image('avatar'), image('avatar'), image('avatar'), image('background')];
    await storage.images.stage(userid, shown, lateEntry);
    await storage.profiles.updateUserProfile(userid, { avatar: confirm(shown.id) }, later);
    for (const each of [first, second, background]) await storage.images.stage(userid, each, lateEntry);
    // The earlier of two staged avatars gave way.
    expect((await storage.sweep(later)).images).toBe(1);
    expect((await storage.sweep(later + hour - 1)).images).toBe(0);
    const restarted = await database.open();
    expect(await restarted.sweep(later + hour)).toMatchObject({ images: 2 });
    expect(await rowsOf(userid)).toMatchObject({ images: 1, orphans: 0 });
    expect(await storage.images.findConfirmed(shown)).not.toBeNull();
  });

  // SQLite has one writer at a time, so there is no such moment.
  if (database.kind === 'postgres') {
    it('are not swept when they are confirmed at the same moment', async () => {
      const { userid } = await registered(storage);
      const { id } = await staged(userid, 'background');
      const client = new pg.Client({ connectionString: database.url() });
      const observer = new pg.Client({ connectionString: database.url() });
      await Promise.all([client.connect(), observer.connect()]);
      await client.query('begin');
      await client.query("update images set state = 'confirmed', expires_at = null where id = $1", [id]);
      const sweeping = storage.sweep(start + hour);
      const waiting = "datname = current_database() and wait_event_type = 'Lock'";
      await vi.waitFor(async () => {
        expect((await observer.query(`select 1 from pg_stat_activity where ${waiting}`)).rowCount).toBe(1);
      });
      await client.query('commit');
      expect((await sweeping).images).toBe(0);
      expect((await observer.query('select 1 from images where id = $1', [id])).rowCount).toBe(1);
      await Promise.all([client.end(), observer.end()]);
    });
  }

  it('are swept in full, however many there are', async () => {
    const { userid } = await registered(storage);
    for (let n = 0; n < 9; n += 1) await staged(userid, 'background');
    expect((await storage.sweep(start + hour)).images).toBe(9);
  });

  it('show no image whose bytes are gone, and can still be changed', async () => {
    const { userid } = await registered(storage);
    const [avatar, background] = [await staged(userid, 'avatar'), await staged(userid, 'background')];
    const lost = await staged(userid, 'background');
    await storage.profiles.updateUserProfile(userid, { slogan: 'x', avatar: confirm(avatar.id) }, start);
    await storage.profiles.updateClientTheme(
      userid,
      { light: { background: confirm(background.id) }, dark: {} },
      start,
    );
    const db = await database.raw();
    await db.deleteFrom('image_bytes').where('image', 'in', [avatar.id, background.id, lost.id]).execute();
    expect(await storage.profiles.userProfile(userid)).toEqual({ nickname: null, slogan: 'x', avatar: null });
    expect(await storage.profiles.clientTheme(userid)).toEqual(defaultTheme);
    expect((await storage.profiles.appProfile(userid)).avatar).toBeNull();
    const change = { light: { background: confirm(lost.id) }, dark: {} };
    await expect(storage.profiles.updateClientTheme(userid, change, start)).rejects.toEqual(
      failure('staged-image-unusable', 'light-background'),
    );
    expect(await storage.profiles.updateUserProfile(userid, { slogan: '' }, start)).toMatchObject({ slogan: '' });
  });
});

onBothDatabases('a failure of the image rows', (database) => {
  it('has its own kind of failure, and leaves everything as it was', async () => {
    const storage = await database.open();
    const { userid } = await registered(storage);
    const [avatar, background] = [image('avatar'), image('background')];
    for (const each of [avatar, background]) await storage.images.stage(userid, each, keep);
    const db = await database.raw();

    await db.schema.alterTable('image_bytes').renameTo('image_bytes_away').execute();
    await expect(storage.images.stage(userid, image('avatar'), keep)).rejects.toEqual(failure('image-store-failed'));
    const user = { slogan: 'x', avatar: confirm(avatar.id) };
    await expect(storage.profiles.updateUserProfile(userid, user, start)).rejects.toEqual(
      failure('image-store-failed'),
    );
    const theme = { darkMode: true, light: {}, dark: { background: confirm(background.id) } };
    await expect(storage.profiles.updateClientTheme(userid, theme, start)).rejects.toEqual(
      failure('image-store-failed'),
    );
    const stored = { action: 'store', image: image('background') } as const;
    await expect(
      storage.profiles.updateAppProfile(userid, { nickname: 'x', background: stored }, start),
    ).rejects.toEqual(failure('image-store-failed'));
    await db.schema.alterTable('image_bytes_away').renameTo('image_bytes').execute();
    expect(await storage.profiles.userProfile(userid)).toBeNull();
    expect(await storage.profiles.clientTheme(userid)).toBeNull();

    await db.schema.alterTable('client_themes').renameTo('client_themes_away').execute();
    await expect(storage.profiles.updateClientTheme(userid, theme, start)).rejects.toEqual(failure('storage-failed'));
    await db.schema.alterTable('client_themes_away').renameTo('client_themes').execute();

    // Neither image was used up by the updates that failed.
    expect((await storage.profiles.updateUserProfile(userid, user, start)).avatar?.id).toBe(avatar.id);
    expect((await storage.profiles.updateClientTheme(userid, theme, start)).dark.background?.id).toBe(background.id);
  });
});
