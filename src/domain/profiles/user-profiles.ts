import type { Clock } from '../../lib/clock.ts';
import type { Student } from '../context.ts';
import { Failure } from '../errors.ts';
import type { ImageChange, ModeThemeChange, ProfileStore } from './ports.ts';
import { asPlainText } from './texts.ts';
import type { ClientTheme, ThemeMode, UserProfile } from './types.ts';

/** Members that are left out stay as they are; an empty image id removes the image. */
interface UserProfileWishes {
  readonly nickname?: string;
  readonly slogan?: string;
  readonly avatarId?: string;
}

interface ModeThemeWishes {
  readonly opacity?: number;
  readonly brightness?: number;
  readonly blur?: number;
  readonly backgroundId?: string;
}

export interface ClientThemeWishes {
  readonly darkMode?: boolean;
  readonly light: ModeThemeWishes;
  readonly dark: ModeThemeWishes;
}

interface Deps {
  readonly profiles: ProfileStore;
  readonly clock: Clock;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An id of another form was never given out. */
const imageChange = (id: string | undefined, part: string): ImageChange | undefined => {
  if (id === undefined) return undefined;
  if (id === '') return { action: 'remove' };
  if (!uuid.test(id)) throw new Failure('staged-image-unusable', { part });
  return { action: 'confirm', id };
};

const modeChange = (
  { opacity, brightness, blur, backgroundId }: ModeThemeWishes,
  mode: ThemeMode,
): ModeThemeChange => ({
  opacity,
  brightness,
  blur,
  background: imageChange(backgroundId, `${mode}-background`),
});

const refuseEmpty = (...members: readonly object[]): void => {
  if (members.every((some) => Object.values(some).every((value) => value === undefined))) {
    throw new Failure('nothing-to-update');
  }
};

const known = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new Failure('profile-unknown');
  return value;
};

/**
 * The student's profile and the theme with a background for each mode. Updates throw Failure `nothing-to-update`,
 * `staged-image-unusable` {part}, `image-store-failed`; reads `profile-unknown` before the first update, or without
 * the image that is asked for.
 */
export const createUserProfiles = ({ profiles, clock }: Deps) => ({
  userProfile: async ({ userid }: Student): Promise<UserProfile> => known(await profiles.userProfile(userid)),
  async updateUserProfile(
    { userid }: Student,
    { nickname, slogan, avatarId }: UserProfileWishes,
  ): Promise<UserProfile> {
    refuseEmpty({ nickname, slogan, avatarId });
    const avatar = imageChange(avatarId, 'avatar');
    const texts = { nickname: nickname && asPlainText(nickname), slogan: slogan && asPlainText(slogan) };
    return profiles.updateUserProfile(userid, { ...texts, avatar }, clock.now());
  },
  avatarMd5: async ({ userid }: Student): Promise<string> => known((await profiles.userProfile(userid))?.avatar).md5,
  clientTheme: async ({ userid }: Student): Promise<ClientTheme> => known(await profiles.clientTheme(userid)),
  async updateClientTheme({ userid }: Student, { darkMode, ...wishes }: ClientThemeWishes): Promise<ClientTheme> {
    refuseEmpty({ darkMode }, wishes.light, wishes.dark);
    const [light, dark] = [modeChange(wishes.light, 'light'), modeChange(wishes.dark, 'dark')];
    return profiles.updateClientTheme(userid, { darkMode, light, dark }, clock.now());
  },
  backgroundMd5: async ({ userid }: Student, mode: ThemeMode): Promise<string> =>
    known((await profiles.clientTheme(userid))?.[mode].background).md5,
});
