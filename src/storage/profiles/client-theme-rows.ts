import type { Kysely } from 'kysely';
import type { ClientThemeChange } from '../../domain/profiles/ports.ts';
import { type ClientTheme, defaultTheme, type ModeTheme, type ThemeMode } from '../../domain/profiles/types.ts';
import type { Tables } from '../schema.ts';
import { asImageRef, confirmed, type ImageChanges } from './image-rows.ts';

type Themes = Tables['client_themes'];

const valuesOf = (row: Themes, mode: ThemeMode): Omit<ModeTheme, 'background'> => ({
  opacity: row[`${mode}_opacity`],
  brightness: row[`${mode}_brightness`],
  blur: row[`${mode}_blur`],
});

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
  await db
    .insertInto('client_themes')
    .values({ userid, ...next, created_at: now })
    .onConflict((conflict) => conflict.column('userid').doUpdateSet(next))
    .execute();
};
