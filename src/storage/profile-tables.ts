/** `staged` until an update names it, `confirmed` while something shows it, `replaced` until the next sweep. */
export type ImageState = 'staged' | 'confirmed' | 'replaced';

export interface ImagesTable {
  id: string;
  userid: string;
  purpose: string;
  state: string;
  type: string;
  /** Of the bytes as uploaded. */
  md5: string;
  /** Of the bytes as kept. */
  tag: string;
  size: number;
  created_at: number;
  /** Null while confirmed; a sweep removes the image from this moment on. */
  expires_at: number | null;
}

export interface ImageBytesTable {
  image: string;
  bytes: Uint8Array;
}

export interface UserProfilesTable {
  userid: string;
  nickname: string | null;
  slogan: string;
  avatar_image: string | null;
  created_at: number;
}

export interface ClientThemesTable {
  userid: string;
  /** 0 or 1. */
  dark_mode: number;
  light_opacity: number;
  light_brightness: number;
  light_blur: number;
  light_image: string | null;
  dark_opacity: number;
  dark_brightness: number;
  dark_blur: number;
  dark_image: string | null;
  created_at: number;
}

/** The settings are all null or all set. */
export interface AppProfilesTable {
  userid: string;
  theme: string | null;
  light_opacity: number | null;
  light_brightness: number | null;
  dark_opacity: number | null;
  dark_brightness: number | null;
  blur: number | null;
  background_image: string | null;
  created_at: number;
}

export interface ProfileTables {
  images: ImagesTable;
  image_bytes: ImageBytesTable;
  user_profiles: UserProfilesTable;
  client_themes: ClientThemesTable;
  app_profiles: AppProfilesTable;
}
