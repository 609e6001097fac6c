import { type TSchema, Type } from '@sinclair/typebox';
import { appThemes } from '../../../domain/profiles/types.ts';
import { objectOrJson } from '../../../platform/request-values.ts';
import { orNull, text, textOrNull } from '../../records/atoms.ts';
import { component, envelope, nullable } from './envelope.ts';

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const optional = <T extends TSchema>(schema: T, description: string) =>
  nullable(schema, { default: null, description });

export const UserSettings = component('UserSettings', 'Always a complete set.', {
  theme: Type.Union(
    appThemes.map((theme) => Type.Literal(theme)),
    { description: 'Kept as sent.' },
  ),
  lightModeOpacity: share('0 transparent, 1 opaque.'),
  lightModeBrightness: share('0 dark, 1 bright.'),
  darkModeOpacity: share('0 transparent, 1 opaque.'),
  darkModeBrightness: share('0 dark, 1 bright.'),
  backgroundBlur: share('Blur of the background.'),
});

export const GetUserProfileRequest = component('GetUserProfileRequest', 'Whose call it is.', {
  token: text('User token from login or registration.'),
});

const imageText = 'Base64 or data URI of a PNG, JPEG, GIF or WebP image; empty: removed; null or left out: unchanged.';

export const UpdateUserProfileRequest = component('UpdateUserProfileRequest', 'What to change.', {
  token: text('User token from login or registration.'),
  avatar: optional(Type.String(), `${imageText} At most 2 MiB decoded.`),
  background: optional(Type.String(), `${imageText} At most 8 MiB decoded.`),
  nickname: optional(Type.String(), 'At most 100 characters; null or left out: unchanged.'),
  settings: objectOrJson(UserSettings, {
    default: null,
    description: 'The whole set, as an object or as its JSON text; null or left out: unchanged.',
  }),
});

export const UserProfileData = component('UserProfileData', 'The profile of the student.', {
  userid: text('Student id.'),
  avatar: textOrNull('Data URI; null without one.'),
  background: textOrNull('Data URI; null without one.'),
  nickname: textOrNull('Null when it was never set.'),
  settings: orNull(UserSettings, 'Null when they were never set.'),
});

export const UserProfileResponse = envelope('UserProfileResponse', UserProfileData);
