import type { ImageType } from './images/image-types.ts';
import type { AppProfile, AppSettings, ClientTheme, ImageUse, StoredImage, UserProfile } from './types.ts';

/** An examined, cleaned image that is about to be kept. */
export interface NewImage {
  readonly id: string;
  readonly use: ImageUse;
  readonly type: ImageType;
  readonly md5: string;
  readonly tag: string;
  readonly bytes: Uint8Array;
}

/** What happens to a place for an image: nothing when it is left out of a change. */
export type ImageChange =
  | { readonly action: 'remove' }
  /** An image that this student uploaded for this use: staged and not expired, or shown already. */
  | { readonly action: 'confirm'; readonly id: string }
  | { readonly action: 'store'; readonly image: NewImage };

/** Members that are left out stay as they are; `false`, `0` and `''` are values. */
export interface UserProfileChange {
  readonly nickname?: string;
  readonly slogan?: string;
  readonly avatar?: ImageChange;
}

export interface ModeThemeChange {
  readonly opacity?: number;
  readonly brightness?: number;
  readonly blur?: number;
  readonly background?: ImageChange;
}

export interface ClientThemeChange {
  readonly darkMode?: boolean;
  readonly light: ModeThemeChange;
  readonly dark: ModeThemeChange;
}

export interface AppProfileChange {
  readonly nickname?: string;
  readonly avatar?: ImageChange;
  readonly background?: ImageChange;
  readonly settings?: AppSettings;
}

export interface AppProfileUpdate {
  readonly profile: AppProfile;
  /** An image was not replaced, because there were too many uploads. */
  readonly imagesRefused: boolean;
}

/**
 * Profiles, themes and images. Each update is one transaction that resolves the images, writes the row (made on the
 * first update) and gives up the images that nothing shows any more; when it fails everything is as before.
 * Updates throw Failure `staged-image-unusable` {part}, `image-store-failed` when the image rows are what failed,
 * `token-user-gone`.
 */
export interface ProfileStore {
  /** Null before the first update, and for the profile and theme alike when the user does not exist. */
  userProfile(userid: string): Promise<UserProfile | null>;
  updateUserProfile(userid: string, change: UserProfileChange, now: number): Promise<UserProfile>;
  clientTheme(userid: string): Promise<ClientTheme | null>;
  updateClientTheme(userid: string, change: ClientThemeChange, now: number): Promise<ClientTheme>;
  /** Everything null before the first update. */
  appProfile(userid: string): Promise<AppProfile>;
  /** New images over the limit of uploads are left out, and everything else is done. Images that are stored already are new to no limit. */
  updateAppProfile(userid: string, change: AppProfileChange, now: number): Promise<AppProfileUpdate>;
}

export interface ImageStore {
  /**
   * Keeps an image that nothing shows until it is confirmed, in the place of the oldest where too many are staged. The
   * same bytes are stored once: the id is then that of the image which is there.
   * @throws Failure `rate-limited` {retryAfterSeconds}, `image-store-failed`, `token-user-gone`
   */
  stage(userid: string, image: NewImage, entry: { now: number; expiresAt: number }): Promise<{ readonly id: string }>;
  /** A confirmed image that is still shown somewhere; null for any other. */
  findConfirmed(image: { id: string; use: ImageUse; type: ImageType }): Promise<StoredImage | null>;
  /** Removes expired and replaced images; returns how many. */
  sweep(now: number): Promise<number>;
}
