import type { Clock } from '../../lib/clock.ts';
import type { CallContext, Student } from '../context.ts';
import { Failure } from '../errors.ts';
import { imageTypes, sniffImage } from './images/image-types.ts';
import type { AppProfileChange, AppProfileUpdate, ImageChange, NewImage, ProfileStore } from './ports.ts';
import type { PrepareImage } from './prepare-image.ts';
import { asPlainText, decodeImageText, isLongerThan } from './texts.ts';
import type { AppProfile, AppSettings, ImageUse } from './types.ts';

const longestNickname = 100;

/** Decoded bytes, inclusive. */
const largest: Readonly<Record<ImageUse, number>> = { avatar: 2 * 1_048_576, background: 8 * 1_048_576 };
const uses = ['avatar', 'background'] as const;

/** Members that are left out stay as they are. */
export interface AppProfileWishes {
  readonly nickname?: string;
  /** Base64 or data URI; empty: removed. */
  readonly avatar?: string;
  readonly background?: string;
  /** Replaces the whole set. */
  readonly settings?: AppSettings;
}

interface Deps {
  readonly profiles: ProfileStore;
  readonly prepare: PrepareImage;
  readonly clock: Clock;
}

/** Both images are looked at before either is judged by its size, and all of it before anything is written. */
const imageChanges = async (
  wishes: AppProfileWishes,
  prepare: (bytes: Uint8Array, use: ImageUse) => Promise<NewImage>,
): Promise<Partial<Record<ImageUse, ImageChange>>> => {
  const given = uses.flatMap((use) => {
    const text = wishes[use];
    return text === undefined ? [] : [{ use, bytes: text === '' ? null : decodeImageText(text) }];
  });
  for (const { bytes } of given) {
    if (bytes !== null && sniffImage(bytes) === null) throw new Failure('image-unsupported');
  }
  for (const { use, bytes } of given) {
    if (bytes !== null && bytes.length > largest[use]) throw new Failure('image-too-large');
  }
  const changes: Partial<Record<ImageUse, ImageChange>> = {};
  for (const { use, bytes } of given) {
    changes[use] = bytes === null ? { action: 'remove' } : { action: 'store', image: await prepare(bytes, use) };
  }
  return changes;
};

export const createAppProfiles = ({ profiles, prepare, clock }: Deps) => ({
  /** Never an error for a student who has set nothing yet. */
  appProfile: ({ userid }: Student): Promise<AppProfile> => profiles.appProfile(userid),
  /**
   * New images over the limit of uploads are left out, and the rest is done: a nickname would be lost with them.
   * @throws Failure `image-unsupported`, `image-too-large`, `nickname-too-long`, `image-store-failed`, `overloaded`
   */
  async updateAppProfile(
    { userid }: Student,
    wishes: AppProfileWishes,
    { signal }: CallContext,
  ): Promise<AppProfileUpdate> {
    const images = await imageChanges(wishes, (bytes, use) => prepare(bytes, use, imageTypes, signal));
    const { nickname, settings } = wishes;
    if (nickname !== undefined && isLongerThan(nickname, longestNickname)) throw new Failure('nickname-too-long');
    const change: AppProfileChange = { ...images, nickname: nickname && asPlainText(nickname), settings };
    if (Object.values(change).every((value) => value === undefined)) {
      return { profile: await profiles.appProfile(userid), imagesRefused: false };
    }
    signal.throwIfAborted();
    return profiles.updateAppProfile(userid, change, clock.now());
  },
});
