import type { Kysely } from 'kysely';
import type { ClientThemeChange, ModeThemeChange } from '../domain/profiles/ports.ts';
import { type ClientTheme, defaultTheme, type ModeTheme, type ThemeMode } from '../domain/profiles/types.ts';
import { asImageRef, confirmed, type ImageChanges } from './image-rows.ts';
import type { Tables } from './schema.ts';

export const readClientTheme = async (db: Kysely<Tables>, userid: string): Promise<ClientTheme | null> => {
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
  const light = { id: row.light_id, type: row.light_type, md5: row.light_md5 };
  const dark = { id: row.dark_id, type: row.dark_type, md5: row.dark_md5 };
  return {
    darkMode: row.dark_mode === 1,
    light: {
      opacity: row.light_opacity,
      brightness: row.light_brightness,
      blur: row.light_blur,
      background: asImageRef('background', light),
    },
    dark: {
      opacity: row.dark_opacity,
      brightness: row.dark_brightness,
      blur: row.dark_blur,
      background: asImageRef('background', dark),
    },
  };
};

type ModeValues = Omit<ModeTheme, 'background'>;

const modeColumns = (current: ModeValues, change: ModeThemeChange): ModeValues => ({
  opacity: change.opacity ?? current.opacity,
  brightness: change.brightness ?? current.brightness,
  blur: change.blur ?? current.blur,
});

export const writeClientTheme = async (
  db: Kysely<Tables>,
  images: ImageChanges,
  userid: string,
  change: ClientThemeChange,
  now: number,
): Promise<void> => {
  const row = await db.selectFrom('client_themes').selectAll().where('userid', '=', userid).executeTakeFirst();
  const background = (mode: ThemeMode, current: string | null = null) =>
    images.resolve({ use: 'background', part: `${mode}-background` }, change[mode].background, current);
  const current = row && {
    light: { opacity: row.light_opacity, brightness: row.light_brightness, blur: row.light_blur },
    dark: { opacity: row.dark_opacity, brightness: row.dark_brightness, blur: row.dark_blur },
  };
  const light = modeColumns(current?.light ?? defaultTheme.light, change.light);
  const dark = modeColumns(current?.dark ?? defaultTheme.dark, change.dark);
  const next = {
    dark_mode: Number(change.darkMode ?? row?.dark_mode ?? defaultTheme.darkMode),
    light_opacity: light.opacity,
    light_brightness: light.brightness,
    light_blur: light.blur,
    light_image: await background('light', row?.light_image),
    dark_opacity: dark.opacity,
    dark_brightness: dark.brightness,
    dark_blur: dark.blur,
    dark_image: await background('dark', row?.dark_image),
  };
  await db
    .insertInto('client_themes')
    .values({ userid, ...next, created_at: now })
    .onConflict((conflict) => conflict.column('userid').doUpdateSet(next))
    .execute();
};
