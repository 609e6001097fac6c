import { extensionOf, type ImageType, imageTypes } from '../../lib/images/image-types.ts';

export const imageUses = ['avatar', 'background'] as const;

/** An image staged for one use cannot be confirmed for the other. */
export type ImageUse = (typeof imageUses)[number];

export interface ImageRef {
  readonly id: string;
  readonly use: ImageUse;
  readonly type: ImageType;
  /** Digest of the uploaded bytes, 32 lower-case hex characters: clients compare it with their own copy. */
  readonly md5: string;
}

export interface StoredImage {
  readonly type: ImageType;
  readonly bytes: Uint8Array;
  /** Names the stored bytes: 32 lower-case hex characters. */
  readonly tag: string;
}

const folders: Readonly<Record<ImageUse, string>> = { avatar: 'avatars', background: 'backgrounds' };

/** The name under which an image is delivered, such as `avatars/<id>.png`. */
export const imageKey = ({ id, use, type }: Pick<ImageRef, 'id' | 'use' | 'type'>): string =>
  `${folders[use]}/${id}.${extensionOf(type)}`;

/** Null for a text of another form. */
export const parseImageKey = (key: string): Pick<ImageRef, 'id' | 'use' | 'type'> | null => {
  const [, folder, id, extension] = /^([a-z]+)\/([0-9a-f-]{36})\.([a-z]+)$/.exec(key) ?? [];
  const use = imageUses.find((each) => folders[each] === folder);
  const type = imageTypes.find((each) => extensionOf(each) === extension);
  return id === undefined || use === undefined || type === undefined ? null : { id, use, type };
};

export interface UserProfile {
  /** Null: never set. An empty one was set so. */
  readonly nickname: string | null;
  readonly slogan: string;
  readonly avatar: ImageRef | null;
}

export interface ModeTheme {
  /** 0–1. */
  readonly opacity: number;
  /** 0–1; 0 dark, 1 bright. */
  readonly brightness: number;
  /** 0–100. */
  readonly blur: number;
  readonly background: ImageRef | null;
}

export type ThemeMode = 'light' | 'dark';

export interface ClientTheme {
  readonly darkMode: boolean;
  readonly light: ModeTheme;
  readonly dark: ModeTheme;
}

const defaultMode: ModeTheme = { opacity: 1, brightness: 1, blur: 0, background: null };
export const defaultTheme: ClientTheme = { darkMode: false, light: defaultMode, dark: defaultMode };

export const appThemes = ['light', 'dark', 'system', 'ThemeMode.light', 'ThemeMode.dark', 'ThemeMode.system'] as const;
type AppTheme = (typeof appThemes)[number];

/** Settings with one background for both modes; always a complete set. All numbers are 0–1. */
export interface AppSettings {
  readonly theme: AppTheme;
  readonly lightModeOpacity: number;
  readonly lightModeBrightness: number;
  readonly darkModeOpacity: number;
  readonly darkModeBrightness: number;
  readonly backgroundBlur: number;
}

export interface AppProfile {
  readonly nickname: string | null;
  readonly avatar: StoredImage | null;
  readonly background: StoredImage | null;
  readonly settings: AppSettings | null;
}

export interface NewImage {
  readonly id: string;
  readonly use: ImageUse;
  readonly type: ImageType;
  readonly md5: string;
  readonly tag: string;
  readonly bytes: Uint8Array;
}

export type ImageChange =
  | { readonly action: 'remove' }
  /** An image that this student uploaded for this use: staged and not expired, or shown already. */
  | { readonly action: 'confirm'; readonly id: string }
  | { readonly action: 'store'; readonly image: NewImage };

/**
 * Members that are left out stay as they are; `false`, `0` and `''` are values. Clients name an image by the id of an
 * upload, or send it in base64; an empty text removes it.
 */
export interface UserProfileChange<Image = ImageChange> {
  readonly nickname?: string;
  readonly slogan?: string;
  readonly avatar?: Image;
}

export interface ModeThemeChange<Image = ImageChange> extends Partial<Omit<ModeTheme, 'background'>> {
  readonly background?: Image;
}

export interface ClientThemeChange<Image = ImageChange> {
  readonly darkMode?: boolean;
  readonly light: ModeThemeChange<Image>;
  readonly dark: ModeThemeChange<Image>;
}

export interface AppProfileChange<Image = ImageChange> {
  readonly nickname?: string;
  readonly avatar?: Image;
  readonly background?: Image;
  readonly settings?: AppSettings;
}

export interface AppProfileUpdate {
  readonly profile: AppProfile;
  /** There were too many uploads, so an image was not replaced. */
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
  /** New images over the limit of uploads are left out, and everything else is stored. */
  updateAppProfile(userid: string, change: AppProfileChange, now: number): Promise<AppProfileUpdate>;
}

export interface ImageStore {
  /**
   * Stores an image that is not shown until it is confirmed, in place of the oldest where too many are staged. The same
   * bytes are stored once, and keep their id.
   * `waitMs`: there were too many uploads, and nothing is stored.
   * @throws Failure `image-store-failed`, `token-user-gone`
   */
  stage(
    userid: string,
    image: NewImage,
    entry: { now: number; expiresAt: number },
  ): Promise<{ readonly id: string } | { readonly waitMs: number }>;
  /** A confirmed image that is still shown somewhere; null for any other. */
  findConfirmed(image: { id: string; use: ImageUse; type: ImageType }): Promise<StoredImage | null>;
}
