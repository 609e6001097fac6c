import type { Static } from '@sinclair/typebox';
import type { FileTickets } from '../../domain/profiles/file-tickets.ts';
import { type ClientTheme, type ImageRef, imageKey, type UserProfile } from '../../domain/profiles/types.ts';
import type { ClientProfileResponse, UserProfileResponse } from './schemas/profiles.ts';

/** The address of an image for the next hour; empty for none, and when nobody knows where the service is reached. */
export type ImageAddress = (image: ImageRef | null) => string;

/** Addresses below the public one of the service, each signed when it is asked for. */
export const createImageAddress =
  (tickets: FileTickets, publicUrl: () => string | null): ImageAddress =>
  (image) => {
    const base = publicUrl();
    if (image === null || base === null) return '';
    const key = imageKey(image);
    const { expires, signature } = tickets.issue(key);
    return `${base}/files/${key}?expires=${expires}&signature=${signature}`;
  };

export const presentUserProfile = (
  { nickname, slogan, avatar }: UserProfile,
  addressOf: ImageAddress,
): Static<typeof UserProfileResponse> => ({ nickname: nickname ?? '', slogan, avatar_url: addressOf(avatar) });

export const presentClientTheme = (
  { darkMode, light, dark }: ClientTheme,
  addressOf: ImageAddress,
): Static<typeof ClientProfileResponse> => ({
  dark_mode: darkMode,
  light_mode_opacity: light.opacity,
  light_mode_brightness: light.brightness,
  light_mode_background_url: addressOf(light.background),
  light_mode_blur: light.blur,
  dark_mode_opacity: dark.opacity,
  dark_mode_brightness: dark.brightness,
  dark_mode_background_url: addressOf(dark.background),
  dark_mode_background_blur: dark.blur,
});
