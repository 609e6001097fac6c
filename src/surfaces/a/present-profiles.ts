import type { Static } from '@sinclair/typebox';
import type { Student } from '../../domain/context.ts';
import { dataUri } from '../../domain/profiles/image-text.ts';
import { mediaTypeOf } from '../../domain/profiles/images/image-types.ts';
import type { AppProfile, StoredImage } from '../../domain/profiles/types.ts';
import type { UserProfileData } from './schemas/profiles.ts';

const presentImage = (image: StoredImage | null): string | null =>
  image && dataUri(mediaTypeOf(image.type), image.bytes);

export const presentProfile = (
  { userid }: Student,
  { nickname, avatar, background, settings }: AppProfile,
): Static<typeof UserProfileData> => ({
  userid,
  avatar: presentImage(avatar),
  background: presentImage(background),
  nickname,
  settings,
});
