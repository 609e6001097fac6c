import type { Clock } from '../../lib/clock.ts';
import type { Student } from '../context.ts';
import { Failure } from '../errors.ts';
import { decodeImageText } from './image-text.ts';
import { imageTypes, sniffImage } from './images/image-types.ts';
import { asPlainText, isLongerThan } from './plain-text.ts';
import type { AppProfileChange, ImageChange, ProfileStore } from './ports.ts';
import { prepareImage } from './prepare-image.ts';
import type { AppProfile, AppSettings, ImageUse } from './types.ts';
import type { UploadRate } from './upload-rate.ts';

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

export interface AppProfiles {
  /** Never an error for a student who has set nothing yet. */
  appProfile(student: Student): Promise<AppProfile>;
  /**
   * @throws Failure `image-unsupported`, `image-too-large`, `nickname-too-long`, `rate-limited`, `image-store-failed`
   */
  updateAppProfile(student: Student, wishes: AppProfileWishes): Promise<AppProfile>;
}

interface Deps {
  readonly profiles: ProfileStore;
  readonly rate: UploadRate;
  readonly clock: Clock;
}

/** Both images are looked at before either is judged by its size, and all of it before anything is written. */
const imageChanges = (wishes: AppProfileWishes): Partial<Record<ImageUse, ImageChange>> => {
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
  return Object.fromEntries(
    given.map(({ use, bytes }) => [
      use,
      bytes === null ? { action: 'remove' } : { action: 'store', image: prepareImage(bytes, use, imageTypes) },
    ]),
  );
};

const changeOf = (wishes: AppProfileWishes): AppProfileChange => {
  const images = imageChanges(wishes);
  const { nickname, settings } = wishes;
  if (nickname !== undefined && isLongerThan(nickname, longestNickname)) throw new Failure('nickname-too-long');
  return { ...images, nickname: nickname && asPlainText(nickname), settings };
};

export const createAppProfiles = ({ profiles, rate, clock }: Deps): AppProfiles => ({
  appProfile: ({ userid }) => profiles.appProfile(userid),
  async updateAppProfile({ userid }, wishes) {
    // One call is one upload, with one image or two.
    if (wishes.avatar || wishes.background) rate.admit(userid);
    const change = changeOf(wishes);
    if (Object.values(change).every((value) => value === undefined)) return profiles.appProfile(userid);
    return profiles.updateAppProfile(userid, change, clock.now());
  },
});
