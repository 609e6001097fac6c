import type { Kysely } from 'kysely';
import type { ProfileStore, UserProfileChange } from '../../domain/profiles/ports.ts';
import { defaultTheme, type UserProfile } from '../../domain/profiles/types.ts';
import type { Runner } from '../database/run.ts';
import type { Tables } from '../schema.ts';
import { readAppProfile, writeAppProfile } from './app-profile-rows.ts';
import { readClientTheme, writeClientTheme } from './client-theme-rows.ts';
import { asImageRef, confirmed, type ImageChanges, updateWithImages } from './image-rows.ts';

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

const writeUserProfile = async (
  db: Kysely<Tables>,
  images: ImageChanges,
  userid: string,
  change: UserProfileChange,
  now: number,
): Promise<void> => {
  const current = await db
    .selectFrom('user_profiles')
    .select(['nickname', 'slogan', 'avatar_image'])
    .where('userid', '=', userid)
    .executeTakeFirst();
  const place = { use: 'avatar', part: 'avatar' } as const;
  const next = {
    nickname: change.nickname ?? current?.nickname ?? null,
    slogan: change.slogan ?? current?.slogan ?? '',
    avatar_image: await images.resolve(place, change.avatar, current?.avatar_image ?? null),
  };
  await db
    .insertInto('user_profiles')
    .values({ userid, ...next, created_at: now })
    .onConflict((conflict) => conflict.column('userid').doUpdateSet(next))
    .execute();
};

const isGiven = (...values: unknown[]): boolean => values.some((value) => value !== undefined);

export const createProfileStore = (runner: Runner): ProfileStore => ({
  userProfile: (userid) => runner.run('read profile', (db) => readUserProfile(db, userid)),
  clientTheme: (userid) => runner.run('read theme', (db) => readClientTheme(db, userid)),
  appProfile: (userid) => runner.run('read app profile', (db) => readAppProfile(db, userid)),
  updateUserProfile: (userid, change, now) =>
    updateWithImages(runner, 'update profile', { userid, now }, async (transaction, images) => {
      await writeUserProfile(transaction, images, userid, change, now);
      await images.release();
      const written = await readUserProfile(transaction, userid);
      return written ?? { nickname: null, slogan: '', avatar: null };
    }),
  updateClientTheme: (userid, change, now) =>
    updateWithImages(runner, 'update theme', { userid, now }, async (transaction, images) => {
      await writeClientTheme(transaction, images, userid, change, now);
      await images.release();
      return (await readClientTheme(transaction, userid)) ?? defaultTheme;
    }),
  updateAppProfile: (userid, change, now) =>
    updateWithImages(runner, 'update app profile', { userid, now }, async (transaction, images) => {
      const { nickname, avatar, background, settings } = change;
      if (isGiven(nickname, avatar)) await writeUserProfile(transaction, images, userid, { nickname, avatar }, now);
      if (isGiven(background, settings)) await writeAppProfile(transaction, images, userid, change, now);
      await images.release();
      return { profile: await readAppProfile(transaction, userid), imagesRefused: images.refused };
    }),
});
