import { imageTypes, sniffImage } from '../../lib/images/image-types.ts';
import type { Clock } from '../../lib/time.ts';
import type { CallContext, Student } from '../context.ts';
import { failures } from '../errors.ts';
import { createImages, type FileTickets } from './images.ts';
import { createPrepareImage, decodeImageText, type PrepareImage } from './prepare-image.ts';
import {
  type AppProfile,
  type AppProfileChange,
  type AppProfileUpdate,
  type ClientTheme,
  type ClientThemeChange,
  type ImageChange,
  type ImageStore,
  type ImageUse,
  imageUses,
  type ModeThemeChange,
  type NewImage,
  type ProfileStore,
  type ThemeMode,
  type UserProfile,
  type UserProfileChange,
} from './types.ts';

interface ProfileStoreDeps {
  readonly profiles: ProfileStore;
  readonly clock: Clock;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Ids of another form are never issued. */
const imageChange = (id: string | undefined, part: string): ImageChange | undefined => {
  if (id === undefined) return undefined;
  if (id === '') return { action: 'remove' };
  if (!uuid.test(id)) throw failures.stagedImageUnusable(part);
  return { action: 'confirm', id };
};

const modeChange = ({ background, ...theme }: ModeThemeChange<string>, mode: ThemeMode): ModeThemeChange => ({
  ...theme,
  background: imageChange(background, `${mode}-background`),
});

/** Makes a text that every database keeps unchanged: lone surrogates and NUL become the replacement character. */
const asPlainText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** A character outside the basic plane counts once. */
const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || Array.from(text).length > most);

const refuseEmpty = (...members: readonly object[]): void => {
  if (members.every((some) => Object.values(some).every((value) => value === undefined))) {
    throw failures.nothingToUpdate();
  }
};

const requireProfile = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw failures.profileUnknown();
  return value;
};

/**
 * The student's profile, and the theme with a background for each mode. Updates throw Failure `nothing-to-update`,
 * `staged-image-unusable` {part}, `image-store-failed`; reads throw `profile-unknown` before the first update, or without
 * the image.
 */
const createUserProfiles = ({ profiles, clock }: ProfileStoreDeps) => ({
  userProfile: async ({ userid }: Student): Promise<UserProfile> => requireProfile(await profiles.userProfile(userid)),
  async updateUserProfile(
    { userid }: Student,
    { nickname, slogan, avatar: id }: UserProfileChange<string>,
  ): Promise<UserProfile> {
    refuseEmpty({ nickname, slogan, id });
    const avatar = imageChange(id, 'avatar');
    const texts = { nickname: nickname && asPlainText(nickname), slogan: slogan && asPlainText(slogan) };
    return profiles.updateUserProfile(userid, { ...texts, avatar }, clock.now());
  },
  avatarMd5: async ({ userid }: Student): Promise<string> =>
    requireProfile((await profiles.userProfile(userid))?.avatar).md5,
  clientTheme: async ({ userid }: Student): Promise<ClientTheme> => requireProfile(await profiles.clientTheme(userid)),
  async updateClientTheme(
    { userid }: Student,
    { darkMode, ...wishes }: ClientThemeChange<string>,
  ): Promise<ClientTheme> {
    refuseEmpty({ darkMode }, wishes.light, wishes.dark);
    const [light, dark] = [modeChange(wishes.light, 'light'), modeChange(wishes.dark, 'dark')];
    return profiles.updateClientTheme(userid, { darkMode, light, dark }, clock.now());
  },
  backgroundMd5: async ({ userid }: Student, mode: ThemeMode): Promise<string> =>
    requireProfile((await profiles.clientTheme(userid))?.[mode].background).md5,
});

const longestNickname = 100;

/** Decoded bytes, inclusive. */
const largest: Readonly<Record<ImageUse, number>> = { avatar: 2 * 1_048_576, background: 8 * 1_048_576 };

/** Types are checked before sizes, and both before anything is stored. */
const imageChanges = async (
  wishes: AppProfileChange<string>,
  prepare: (bytes: Uint8Array, use: ImageUse) => Promise<NewImage>,
): Promise<Partial<Record<ImageUse, ImageChange>>> => {
  const given = imageUses.flatMap((use) => {
    const text = wishes[use];
    return text === undefined ? [] : [{ use, bytes: text === '' ? null : decodeImageText(text) }];
  });
  for (const { bytes } of given) {
    if (bytes !== null && sniffImage(bytes) === null) throw failures.imageUnsupported();
  }
  for (const { use, bytes } of given) {
    if (bytes !== null && bytes.length > largest[use]) throw failures.imageTooLarge();
  }
  const changes: Partial<Record<ImageUse, ImageChange>> = {};
  for (const { use, bytes } of given) {
    changes[use] = bytes === null ? { action: 'remove' } : { action: 'store', image: await prepare(bytes, use) };
  }
  return changes;
};

export const createAppProfiles = ({
  profiles,
  prepare,
  clock,
}: ProfileStoreDeps & { readonly prepare: PrepareImage }) => ({
  /** Succeeds for a student who has set nothing yet. */
  appProfile: ({ userid }: Student): Promise<AppProfile> => profiles.appProfile(userid),
  /**
   * New images over the limit of uploads are left out, and everything else is stored.
   * @throws Failure `image-unsupported`, `image-too-large`, `nickname-too-long`, `image-store-failed`, `overloaded`
   */
  async updateAppProfile(
    { userid }: Student,
    wishes: AppProfileChange<string>,
    { signal }: CallContext,
  ): Promise<AppProfileUpdate> {
    const images = await imageChanges(wishes, (bytes, use) => prepare(bytes, use, imageTypes, signal));
    const { nickname, settings } = wishes;
    if (nickname !== undefined && isLongerThan(nickname, longestNickname)) throw failures.nicknameTooLong();
    const change: AppProfileChange = { ...images, nickname: nickname && asPlainText(nickname), settings };
    if (Object.values(change).every((value) => value === undefined)) {
      return { profile: await profiles.appProfile(userid), imagesRefused: false };
    }
    signal.throwIfAborted();
    return profiles.updateAppProfile(userid, change, clock.now());
  },
});

interface ProfileDeps extends ProfileStoreDeps {
  readonly images: ImageStore;
  readonly tickets: FileTickets;
}

/** Profiles, themes and images. A student has one nickname and one avatar over both surfaces. */
export const createProfiles = (deps: ProfileDeps) => {
  const all = { ...deps, prepare: createPrepareImage() };
  return { ...createUserProfiles(all), ...createAppProfiles(all), ...createImages(all) };
};

export type Profiles = ReturnType<typeof createProfiles>;
