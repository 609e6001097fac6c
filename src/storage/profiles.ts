import type { Kysely } from 'kysely';
import {
  type AppProfile,
  type AppProfileChange,
  type AppProfileUpdate,
  type AppSettings,
  appThemes,
  type ClientTheme,
  type ClientThemeChange,
  defaultTheme,
  type ModeTheme,
  type ProfileStore,
  type StoredImage,
  type ThemeMode,
  type UserProfile,
  type UserProfileChange,
} from '../domain/profiles/types.ts';
import { asImageType } from '../lib/images/image-types.ts';
import { put } from './database/rows.ts';
import { asImageRef, confirmed } from './images.ts';
import { type ProfileUpdate, updateWithImages } from './profile-update.ts';
import type { Tables } from './schema.ts';
import { Store } from './store.ts';

const readUserProfile = async (db: Kysely<Tables>, userid: string): Promise<UserProfile | null> => {
  const row = await db
    .selectFrom('user_profiles')
    .leftJoin('images', (join) =>
      join.onRef('images.id', '=', 'user_profiles.avatar_image').on('images.state', '=', confirmed),
    )
    .leftJoin('image_bytes', 'image_bytes.image', 'images.id')
    .select(['nickname', 'slogan', 'image_bytes.image as id', 'images.type', 'images.md5'])
    .where('user_profiles.userid', '=', userid)
    .executeTakeFirst();
  return row === undefined ? null : { nickname: row.nickname, slogan: row.slogan, avatar: asImageRef('avatar', row) };
};

const writeUserProfile = async (update: ProfileUpdate, change: UserProfileChange): Promise<void> => {
  const { transaction, userid, now } = update;
  const current = await transaction
    .selectFrom('user_profiles')
    .select(['nickname', 'slogan', 'avatar_image'])
    .where('userid', '=', userid)
    .executeTakeFirst();
  const place = { use: 'avatar', part: 'avatar' } as const;
  const next = {
    nickname: change.nickname ?? current?.nickname ?? null,
    slogan: change.slogan ?? current?.slogan ?? '',
    avatar_image: await update.resolve(place, change.avatar, current?.avatar_image ?? null),
  };
  await put(transaction, 'user_profiles', { userid, ...next, created_at: now }, ['created_at']);
};

type Themes = Tables['client_themes'];

const valuesOf = (row: Themes, mode: ThemeMode): Omit<ModeTheme, 'background'> => ({
  opacity: row[`${mode}_opacity`],
  brightness: row[`${mode}_brightness`],
  blur: row[`${mode}_blur`],
});

const readClientTheme = async (db: Kysely<Tables>, userid: string): Promise<ClientTheme | null> => {
  const row = await db
    .selectFrom('client_themes')
    .leftJoin('images as light', (join) => join.onRef('light.id', '=', 'light_image').on('light.state', '=', confirmed))
    .leftJoin('images as dark', (join) => join.onRef('dark.id', '=', 'dark_image').on('dark.state', '=', confirmed))
    .leftJoin('image_bytes as light_bytes', 'light_bytes.image', 'light.id')
    .leftJoin('image_bytes as dark_bytes', 'dark_bytes.image', 'dark.id')
    .selectAll('client_themes')
    .select(['light_bytes.image as light_id', 'light.type as light_type', 'light.md5 as light_md5'])
    .select(['dark_bytes.image as dark_id', 'dark.type as dark_type', 'dark.md5 as dark_md5'])
    .where('client_themes.userid', '=', userid)
    .executeTakeFirst();
  if (row === undefined) return null;
  const modeOf = (mode: ThemeMode): ModeTheme => ({
    ...valuesOf(row, mode),
    background: asImageRef('background', {
      id: row[`${mode}_id`],
      type: row[`${mode}_type`],
      md5: row[`${mode}_md5`],
    }),
  });
  return { darkMode: row.dark_mode === 1, light: modeOf('light'), dark: modeOf('dark') };
};

const writeClientTheme = async (update: ProfileUpdate, change: ClientThemeChange): Promise<void> => {
  const { transaction, userid, now } = update;
  const row = await transaction.selectFrom('client_themes').selectAll().where('userid', '=', userid).executeTakeFirst();
  const background = (mode: ThemeMode, current: string | null = null) =>
    update.resolve({ use: 'background', part: `${mode}-background` }, change[mode].background, current);
  const modeColumns = async <Mode extends ThemeMode>(mode: Mode) => {
    const current = row ? valuesOf(row, mode) : defaultTheme[mode];
    const { opacity, brightness, blur } = change[mode];
    return {
      [`${mode}_opacity`]: opacity ?? current.opacity,
      [`${mode}_brightness`]: brightness ?? current.brightness,
      [`${mode}_blur`]: blur ?? current.blur,
      [`${mode}_image`]: await background(mode, row?.[`${mode}_image`]),
    } as Pick<Themes, `${Mode}_opacity` | `${Mode}_brightness` | `${Mode}_blur` | `${Mode}_image`>;
  };
  const next = {
    dark_mode: Number(change.darkMode ?? row?.dark_mode ?? defaultTheme.darkMode),
    ...(await modeColumns('light')),
    ...(await modeColumns('dark')),
  };
  await put(transaction, 'client_themes', { userid, ...next, created_at: now }, ['created_at']);
};

const settingNames = ['theme', 'light_opacity', 'light_brightness', 'dark_opacity', 'dark_brightness', 'blur'] as const;
type SettingsRow = Pick<Tables['app_profiles'], (typeof settingNames)[number]>;

const asSettings = (row: SettingsRow): AppSettings | null => {
  const theme = appThemes.find((name) => name === row.theme);
  const { light_opacity, light_brightness, dark_opacity, dark_brightness, blur } = row;
  if (theme === undefined || light_opacity === null || light_brightness === null) return null;
  if (dark_opacity === null || dark_brightness === null || blur === null) return null;
  return {
    theme,
    lightModeOpacity: light_opacity,
    lightModeBrightness: light_brightness,
    darkModeOpacity: dark_opacity,
    darkModeBrightness: dark_brightness,
    backgroundBlur: blur,
  };
};

const asStoredImage = (type: string | null, tag: string | null, bytes: Uint8Array | null): StoredImage | null => {
  const imageType = type === null ? null : asImageType(type);
  return imageType === null || tag === null || bytes === null ? null : { type: imageType, tag, bytes };
};

/** Reads in one statement, so that a profile and its images belong to the same moment. */
const readAppProfile = async (db: Kysely<Tables>, userid: string): Promise<AppProfile> => {
  const row = await db
    .selectFrom('users')
    .leftJoin('user_profiles', 'user_profiles.userid', 'users.userid')
    .leftJoin('app_profiles', 'app_profiles.userid', 'users.userid')
    .leftJoin('images as avatar', (join) =>
      join.onRef('avatar.id', '=', 'avatar_image').on('avatar.state', '=', confirmed),
    )
    .leftJoin('image_bytes as avatar_content', 'avatar_content.image', 'avatar.id')
    .leftJoin('images as background', (join) =>
      join.onRef('background.id', '=', 'background_image').on('background.state', '=', confirmed),
    )
    .leftJoin('image_bytes as background_content', 'background_content.image', 'background.id')
    .select(['nickname', ...settingNames])
    .select(['avatar.type as avatar_type', 'avatar.tag as avatar_tag', 'avatar_content.bytes as avatar_bytes'])
    .select([
      'background.type as background_type',
      'background.tag as background_tag',
      'background_content.bytes as background_bytes',
    ])
    .where('users.userid', '=', userid)
    .executeTakeFirst();
  if (row === undefined) return { nickname: null, avatar: null, background: null, settings: null };
  return {
    nickname: row.nickname,
    avatar: asStoredImage(row.avatar_type, row.avatar_tag, row.avatar_bytes),
    background: asStoredImage(row.background_type, row.background_tag, row.background_bytes),
    settings: asSettings(row),
  };
};

const settingsColumns = (settings: AppSettings | undefined): SettingsRow => ({
  theme: settings?.theme ?? null,
  light_opacity: settings?.lightModeOpacity ?? null,
  light_brightness: settings?.lightModeBrightness ?? null,
  dark_opacity: settings?.darkModeOpacity ?? null,
  dark_brightness: settings?.darkModeBrightness ?? null,
  blur: settings?.backgroundBlur ?? null,
});

const writeAppProfile = async (update: ProfileUpdate, change: AppProfileChange): Promise<void> => {
  const { transaction, userid, now } = update;
  const current = await transaction
    .selectFrom('app_profiles')
    .select('background_image')
    .where('userid', '=', userid)
    .executeTakeFirst();
  const place = { use: 'background', part: 'background' } as const;
  const background_image = await update.resolve(place, change.background, current?.background_image ?? null);
  const row = { userid, ...settingsColumns(change.settings), background_image, created_at: now };
  await put(transaction, 'app_profiles', row, ['created_at', ...(change.settings === undefined ? settingNames : [])]);
};

export class SqlProfileStore extends Store implements ProfileStore {
  userProfile(userid: string): Promise<UserProfile | null> {
    return this.runner.run('read profile', (db) => readUserProfile(db, userid));
  }

  clientTheme(userid: string): Promise<ClientTheme | null> {
    return this.runner.run('read theme', (db) => readClientTheme(db, userid));
  }

  appProfile(userid: string): Promise<AppProfile> {
    return this.runner.run('read app profile', (db) => readAppProfile(db, userid));
  }

  updateUserProfile(userid: string, change: UserProfileChange, now: number): Promise<UserProfile> {
    return updateWithImages(this.deps, 'update profile', { userid, now }, async (update) => {
      await writeUserProfile(update, change);
      await update.release();
      const written = await readUserProfile(update.transaction, userid);
      return written ?? { nickname: null, slogan: '', avatar: null };
    });
  }

  updateClientTheme(userid: string, change: ClientThemeChange, now: number): Promise<ClientTheme> {
    return updateWithImages(this.deps, 'update theme', { userid, now }, async (update) => {
      await writeClientTheme(update, change);
      await update.release();
      return (await readClientTheme(update.transaction, userid)) ?? defaultTheme;
    });
  }

  updateAppProfile(userid: string, change: AppProfileChange, now: number): Promise<AppProfileUpdate> {
    return updateWithImages(this.deps, 'update app profile', { userid, now }, async (update) => {
      const { nickname, avatar, background, settings } = change;
      if (nickname !== undefined || avatar !== undefined) await writeUserProfile(update, { nickname, avatar });
      if (background !== undefined || settings !== undefined) await writeAppProfile(update, change);
      await update.release();
      return { profile: await readAppProfile(update.transaction, userid), imagesRefused: update.refused };
    });
  }
}
