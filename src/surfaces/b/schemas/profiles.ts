import { type TSchema, Type } from '@sinclair/typebox';
import { object, text } from '../../records/atoms.ts';

/** A member that may be left out; null means the same. */
const optional = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }));

const imageId = (what: string) =>
  optional(Type.String({ maxLength: 64 }), `Id from the upload of ${what}; empty: removed.`);
const share = (what: string) => optional(Type.Number({ minimum: 0, maximum: 1 }), what);
const blur = (what: string) => optional(Type.Number({ minimum: 0, maximum: 100 }), what);
const address = text('Works for an hour, and is another one in every answer; empty: no image.');
const md5 = text('MD5 of the bytes that were uploaded, 32 lower-case hexadecimal digits.');

export const UserProfileUpdateRequest = object(
  'UserProfileUpdateRequest',
  'At least one member; null is the same as left out.',
  {
    nickname: optional(Type.String({ minLength: 1, maxLength: 50 }), 'Name to show.'),
    slogan: optional(Type.String({ maxLength: 100 }), 'A line below the name; empty: cleared.'),
    avatar_uuid: imageId('an avatar'),
  },
);

export const UserProfileResponse = object('UserProfileResponse', 'The profile of the student.', {
  nickname: text('Name to show; may be empty.'),
  slogan: text('A line below the name; may be empty.'),
  avatar_url: address,
});

const staged = {
  uuid: text('For one update within an hour.'),
  md5,
};
export const AvatarUpdateResponse = object(
  'AvatarUpdateResponse',
  'An image that waits for an update to name it.',
  staged,
);
export const ClientImageUploadResponse = object(
  'ClientImageUploadResponse',
  'An image that waits for an update to name it.',
  staged,
);

export const AvatarMD5Response = object('AvatarMD5Response', 'Of the avatar in use.', { md5 });
export const ClientImageMD5Response = object('ClientImageMD5Response', 'Of the background in use.', { md5 });

export const ClientProfileUpdateRequest = object(
  'ClientProfileUpdateRequest',
  'At least one member; null is the same as left out. `false`, `0` and the empty text are values.',
  {
    dark_mode: optional(Type.Boolean(), 'Dark mode is on.'),
    light_mode_opacity: share('Light mode: 0 transparent, 1 opaque.'),
    light_mode_brightness: share('Light mode: 0 dark, 1 bright.'),
    light_mode_blur: blur('Light mode: blur of the background.'),
    light_mode_background_uuid: imageId('a background'),
    dark_mode_opacity: share('Dark mode: 0 transparent, 1 opaque.'),
    dark_mode_brightness: share('Dark mode: 0 dark, 1 bright.'),
    dark_mode_background_blur: blur('Dark mode: blur of the background.'),
    dark_mode_background_uuid: imageId('a background'),
  },
);

export const ClientProfileResponse = object('ClientProfileResponse', 'The theme of the client.', {
  dark_mode: Type.Boolean({ description: 'Dark mode is on.' }),
  light_mode_opacity: Type.Number({ description: 'Light mode: 0 transparent, 1 opaque.' }),
  light_mode_brightness: Type.Number({ description: 'Light mode: 0 dark, 1 bright.' }),
  light_mode_background_url: address,
  light_mode_blur: Type.Number({ description: 'Light mode: blur of the background, 0 to 100.' }),
  dark_mode_opacity: Type.Number({ description: 'Dark mode: 0 transparent, 1 opaque.' }),
  dark_mode_brightness: Type.Number({ description: 'Dark mode: 0 dark, 1 bright.' }),
  dark_mode_background_url: address,
  dark_mode_background_blur: Type.Number({ description: 'Dark mode: blur of the background, 0 to 100.' }),
});

const FlutterImageMode = Type.Union([Type.Literal('light'), Type.Literal('dark')], {
  title: 'FlutterImageMode',
  description: 'Which of the two backgrounds.',
});
export const ImageModePath = Type.Object({ mode: FlutterImageMode });
