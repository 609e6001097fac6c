import { type TSchema, Type } from '@sinclair/typebox';

/** A member that may be left out; null means the same. */
const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

const imageId = (what: string) =>
  optional(Type.String({ maxLength: 64, description: `Id from the upload of ${what}; empty: removed.` }));
const share = (what: string) => optional(Type.Number({ minimum: 0, maximum: 1, description: what }));
const blur = (what: string) => optional(Type.Number({ minimum: 0, maximum: 100, description: what }));
const address = Type.String({ description: 'Works for an hour, and is another one in every answer; empty: no image.' });
const md5 = Type.String({ description: 'MD5 of the bytes that were uploaded, 32 lower-case hexadecimal digits.' });

export const UserProfileUpdateRequest = Type.Object(
  {
    nickname: optional(Type.String({ minLength: 1, maxLength: 50 })),
    slogan: optional(Type.String({ maxLength: 100, description: 'Empty: cleared.' })),
    avatar_uuid: imageId('an avatar'),
  },
  { title: 'UserProfileUpdateRequest', description: 'At least one member; null is the same as left out.' },
);

export const UserProfileResponse = Type.Object(
  { nickname: Type.String(), slogan: Type.String(), avatar_url: address },
  { title: 'UserProfileResponse' },
);

const staged = {
  uuid: Type.String({ description: 'For one update within an hour.' }),
  md5,
};
export const AvatarUpdateResponse = Type.Object(staged, { title: 'AvatarUpdateResponse' });
export const ClientImageUploadResponse = Type.Object(staged, { title: 'ClientImageUploadResponse' });

export const AvatarMD5Response = Type.Object({ md5 }, { title: 'AvatarMD5Response' });
export const ClientImageMD5Response = Type.Object({ md5 }, { title: 'ClientImageMD5Response' });

export const ClientProfileUpdateRequest = Type.Object(
  {
    dark_mode: optional(Type.Boolean()),
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
    dark_mode: Type.Boolean(),
    light_mode_opacity: Type.Number(),
    light_mode_brightness: Type.Number(),
    light_mode_background_url: address,
    light_mode_blur: Type.Number(),
    dark_mode_opacity: Type.Number(),
    dark_mode_brightness: Type.Number(),
    dark_mode_background_url: address,
    dark_mode_background_blur: Type.Number(),
  },
  { title: 'ClientProfileResponse' },
);

export const FlutterImageMode = Type.Union([Type.Literal('light'), Type.Literal('dark')], {
  title: 'FlutterImageMode',
});
export const ImageModePath = Type.Object({ mode: FlutterImageMode });
