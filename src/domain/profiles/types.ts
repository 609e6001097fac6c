import { extensionOf, type ImageType, imageTypes } from './images/image-types.ts';

/** What an image is for; an image staged for one use cannot be confirmed for the other. */
export type ImageUse = 'avatar' | 'background';

/** A confirmed image, without its bytes. */
export interface ImageRef {
  readonly id: string;
  readonly use: ImageUse;
  readonly type: ImageType;
  /** Of the bytes as they were uploaded, 32 lower-case hex characters: what clients compare with their own copy. */
  readonly md5: string;
}

/** A confirmed image with its bytes as they are kept. */
export interface StoredImage {
  readonly type: ImageType;
  readonly bytes: Uint8Array;
  /** Names the kept bytes: 32 lower-case hex characters. */
  readonly tag: string;
}

/** How many uploads of a student are kept within a window. What fails, or is stored already, does not count. */
export const uploadLimit = { most: 20, windowMs: 3_600_000 } as const;

/** How many images of a student wait for an update to name them: an avatar, and two backgrounds for each of two modes. */
export const stagedAtOnce: Readonly<Record<ImageUse, number>> = { avatar: 1, background: 4 };

const imageUses = ['avatar', 'background'] as const;
const folders: Readonly<Record<ImageUse, string>> = { avatar: 'avatars', background: 'backgrounds' };

/** `avatars/<id>.png`: the name under which an image is delivered. */
export const imageKey = ({ id, use, type }: Pick<ImageRef, 'id' | 'use' | 'type'>): string =>
  `${folders[use]}/${id}.${extensionOf(type)}`;

/** Null for what was never a key. */
export const parseImageKey = (key: string): Pick<ImageRef, 'id' | 'use' | 'type'> | null => {
  const [, folder, id, extension] = /^([a-z]+)\/([0-9a-f-]{36})\.([a-z]+)$/.exec(key) ?? [];
  const use = imageUses.find((each) => folders[each] === folder);
  const type = imageTypes.find((each) => extensionOf(each) === extension);
  return id === undefined || use === undefined || type === undefined ? null : { id, use, type };
};

// ---------------------------------------------------------------- the person

/** One per student, seen on both surfaces. */
export interface UserProfile {
  /** Null: never set. An empty one was set so. */
  readonly nickname: string | null;
  readonly slogan: string;
  readonly avatar: ImageRef | null;
}

// ---------------------------------------------------------------- the two-mode theme

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

// ---------------------------------------------------------------- the app's own set

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
