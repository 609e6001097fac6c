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
    .selectAll('client_themes')
    .select(['light.id as light_id', 'light.type as light_type', 'light.md5 as light_md5'])
    .select(['dark.id as dark_id', 'dark.type as dark_type', 'dark.md5 as dark_md5'])
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

const modeColumns = (current: ModeTheme, change: ModeThemeChange) => ({
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
  const current = (await readClientTheme(db, userid)) ?? defaultTheme;
  const background = (mode: ThemeMode) => {
    const place = { use: 'background', part: `${mode}-background` } as const;
    return images.resolve(place, change[mode].background, current[mode].background?.id ?? null);
  };
  const [light, dark] = [modeColumns(current.light, change.light), modeColumns(current.dark, change.dark)];
  const next = {
    dark_mode: (change.darkMode ?? current.darkMode) ? 1 : 0,
    light_opacity: light.opacity,
    light_brightness: light.brightness,
    light_blur: light.blur,
    light_image: await background('light'),
    dark_opacity: dark.opacity,
    dark_brightness: dark.brightness,
    dark_blur: dark.blur,
    dark_image: await background('dark'),
  };
  await db
    .insertInto('client_themes')
    .values({ userid, ...next, created_at: now })
    .onConflict((conflict) => conflict.column('userid').doUpdateSet(next))
    .execute();
};
