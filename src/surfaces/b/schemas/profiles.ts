import { type TSchema, Type } from '@sinclair/typebox';

/** A member that may be left out; null means the same. */
const optional = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }));

const imageId = (what: string) =>
  optional(Type.String({ maxLength: 64 }), `Id from the upload of ${what}; empty: removed.`);
const share = (what: string) => optional(Type.Number({ minimum: 0, maximum: 1 }), what);
const blur = (what: string) => optional(Type.Number({ minimum: 0, maximum: 100 }), what);
const address = Type.String({ description: 'Works for an hour, and is another one in every answer; empty: no image.' });
const md5 = Type.String({ description: 'MD5 of the bytes that were uploaded, 32 lower-case hexadecimal digits.' });

export const UserProfileUpdateRequest = Type.Object(
  {
    nickname: optional(Type.String({ minLength: 1, maxLength: 50 }), 'Name to show.'),
    slogan: optional(Type.String({ maxLength: 100 }), 'A line below the name; empty: cleared.'),
    avatar_uuid: imageId('an avatar'),
  },
  { title: 'UserProfileUpdateRequest', description: 'At least one member; null is the same as left out.' },
);

export const UserProfileResponse = Type.Object(
  {
    nickname: Type.String({ description: 'Name to show; may be empty.' }),
    slogan: Type.String({ description: 'A line below the name; may be empty.' }),
    avatar_url: address,
  },
  { title: 'UserProfileResponse', description: 'The profile of the student.' },
);

const staged = {
  uuid: Type.String({ description: 'For one update within an hour.' }),
  md5,
};
export const AvatarUpdateResponse = Type.Object(staged, {
  title: 'AvatarUpdateResponse',
  description: 'An image that waits for an update to name it.',
});
export const ClientImageUploadResponse = Type.Object(staged, {
  title: 'ClientImageUploadResponse',
  description: 'An image that waits for an update to name it.',
});

export const AvatarMD5Response = Type.Object(
  { md5 },
  { title: 'AvatarMD5Response', description: 'Of the avatar in use.' },
);
export const ClientImageMD5Response = Type.Object(
  { md5 },
  { title: 'ClientImageMD5Response', description: 'Of the background in use.' },
);

export const ClientProfileUpdateRequest = Type.Object(
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
  {
    title: 'ClientProfileUpdateRequest',
    description: 'At least one member; null is the same as left out. `false`, `0` and the empty text are values.',
  },
);

export const ClientProfileResponse = Type.Object(
  {
    dark_mode: Type.Boolean({ description: 'Dark mode is on.' }),
    light_mode_opacity: Type.Number({ description: 'Light mode: 0 transparent, 1 opaque.' }),
    light_mode_brightness: Type.Number({ description: 'Light mode: 0 dark, 1 bright.' }),
    light_mode_background_url: address,
    light_mode_blur: Type.Number({ description: 'Light mode: blur of the background, 0 to 100.' }),
    dark_mode_opacity: Type.Number({ description: 'Dark mode: 0 transparent, 1 opaque.' }),
    dark_mode_brightness: Type.Number({ description: 'Dark mode: 0 dark, 1 bright.' }),
    dark_mode_background_url: address,
    dark_mode_background_blur: Type.Number({ description: 'Dark mode: blur of the background, 0 to 100.' }),
  },
  { title: 'ClientProfileResponse', description: 'The theme of the client.' },
);

export const FlutterImageMode = Type.Union([Type.Literal('light'), Type.Literal('dark')], {
  title: 'FlutterImageMode',
  description: 'Which of the two backgrounds.',
});
export const ImageModePath = Type.Object({ mode: FlutterImageMode });
