import type { Kysely } from 'kysely';
import { asImageType } from '../../domain/profiles/images/image-types.ts';
import type { AppProfileChange } from '../../domain/profiles/ports.ts';
import { type AppProfile, type AppSettings, appThemes, type StoredImage } from '../../domain/profiles/types.ts';
import type { Tables } from '../schema.ts';
import { confirmed, type ImageChanges } from './image-rows.ts';

type SettingsRow = Pick<
  Tables['app_profiles'],
  'theme' | 'light_opacity' | 'light_brightness' | 'dark_opacity' | 'dark_brightness' | 'blur'
>;

const asSettings = (row: { [K in keyof SettingsRow]: SettingsRow[K] | null }): AppSettings | null => {
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
  const known = type === null ? null : asImageType(type);
  return known === null || tag === null || bytes === null ? null : { type: known, tag, bytes };
};

/** One statement, so that a profile and its images are of the same moment. */
export const readAppProfile = async (db: Kysely<Tables>, userid: string): Promise<AppProfile> => {
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
    .select(['nickname', 'theme', 'light_opacity', 'light_brightness', 'dark_opacity', 'dark_brightness', 'blur'])
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

const settingsColumns = (settings: AppSettings): SettingsRow => ({
  theme: settings.theme,
  light_opacity: settings.lightModeOpacity,
  light_brightness: settings.lightModeBrightness,
  dark_opacity: settings.darkModeOpacity,
  dark_brightness: settings.darkModeBrightness,
  blur: settings.backgroundBlur,
});

const noSettings: SettingsRow = {
  theme: null,
  light_opacity: null,
  light_brightness: null,
  dark_opacity: null,
  dark_brightness: null,
  blur: null,
};

export const writeAppProfile = async (
  db: Kysely<Tables>,
  images: ImageChanges,
  userid: string,
  change: AppProfileChange,
  now: number,
): Promise<void> => {
  const current = await db
    .selectFrom('app_profiles')
    .select('background_image')
    .where('userid', '=', userid)
    .executeTakeFirst();
  const place = { use: 'background', part: 'background' } as const;
  const background_image = await images.resolve(place, change.background, current?.background_image ?? null);
  const settings = change.settings === undefined ? {} : settingsColumns(change.settings);
  await db
    .insertInto('app_profiles')
    .values({ userid, ...noSettings, ...settings, background_image, created_at: now })
    .onConflict((conflict) => conflict.column('userid').doUpdateSet({ ...settings, background_image }))
    .execute();
};
