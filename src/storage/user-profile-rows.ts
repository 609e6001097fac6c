import type { Kysely } from 'kysely';
import type { UserProfileChange } from '../domain/profiles/ports.ts';
import type { UserProfile } from '../domain/profiles/types.ts';
import { asImageRef, confirmed, type ImageChanges } from './image-rows.ts';
import type { Tables } from './schema.ts';

export const readUserProfile = async (db: Kysely<Tables>, userid: string): Promise<UserProfile | null> => {
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

export const writeUserProfile = async (
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
