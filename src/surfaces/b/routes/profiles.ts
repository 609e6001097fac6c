import { type Static, type TSchema, Type } from '@sinclair/typebox';
import {
  type ClientTheme,
  type ClientThemeChange,
  type ImageRef,
  imageKey,
  type UserProfile,
} from '../../../domain/profiles/types.ts';
import { decimal, flag, object, text } from '../../../domain/record.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';

/** A member that may be left out; null means the same. */
const optional = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }));

const imageId = (what: string) =>
  optional(Type.String({ maxLength: 64 }), `Id from the upload of ${what}; empty: removed.`);

const imageAddress = (example: string) =>
  text('Works for an hour, and is another one in every answer; empty: no image.', example);

const md5 = text(
  'MD5 of the bytes that were uploaded, 32 lower-case hexadecimal digits.',
  '9e107d9d372bb6826bd81d3542a419d6',
);

const UserProfileResponse = object('UserProfileResponse', 'The profile of the student.', {
  nickname: text('Name to show; may be empty.', '小明'),
  slogan: text('A line below the name; may be empty.', '你好'),
  avatar_url: imageAddress(
    'https://gateway.example/files/avatars/5f0cd0c1-58a1-4a5b-9b0e-1f6a5d0f2c11.png?expires=4092595200&signature=…',
  ),
});

const staged = {
  uuid: text(
    'For updates within an hour, and for as long as the image is in use.',
    '5f0cd0c1-58a1-4a5b-9b0e-1f6a5d0f2c11',
  ),
  md5,
};

export const uploadedSchema = (name: string) => object(name, 'An image that waits for an update to name it.', staged);
const md5Of = (name: string, image: string) => object(name, `Of the ${image} in use.`, { md5 });

/** The address of an image, signed for the next hour; empty for none, and while the service's own is unknown. */
const addressOf = (image: ImageRef | null, { services, publicUrl }: SurfaceBDeps): string => {
  const base = publicUrl();
  if (image === null || base === null) return '';
  const key = imageKey(image);
  const { expires, signature } = services.fileTickets.issue(key);
  return `${base}/files/${key}?expires=${expires}&signature=${signature}`;
};

const presentUserProfile = (
  { nickname, slogan, avatar }: UserProfile,
  deps: SurfaceBDeps,
): Static<typeof UserProfileResponse> => ({ nickname: nickname ?? '', slogan, avatar_url: addressOf(avatar, deps) });

const defaults = { level: 'T', tag: 'User profile' } as const;

const nothingSet = '您还未设置用户资料，请先设置用户资料。';

const readGiven = <T>(value: T | null | undefined): T | undefined => value ?? undefined;

export const userProfileOperations = (deps: SurfaceBDeps): Operation[] => [
  operation('GET /profile/user/get', 'getUserProfile', {
    ...defaults,
    scope: 'profile:read',
    summary: { en: 'Get profile', zh: '查看资料' },
    description: 'A 404 until the first update.',
    data: UserProfileResponse,
    message: '获取用户资料成功',
    failures: ['PROFILE_NOT_FOUND'],
    messages: { PROFILE_NOT_FOUND: nothingSet },
    run: async (call) => presentUserProfile(await deps.services.profiles.userProfile(call.student), deps),
  }),
  operation('PUT /profile/user/update', 'updateUserProfile', {
    ...defaults,
    scope: 'profile:write',
    summary: { en: 'Update profile', zh: '修改资料' },
    description:
      'The first update makes the profile. A failure of any part leaves everything as it was. The id of the avatar in ' +
      'use may be named again, without effect.',
    body: object('UserProfileUpdateRequest', 'At least one member; null is the same as left out.', {
      nickname: optional(Type.String({ minLength: 1, maxLength: 50 }), 'Name to show.'),
      slogan: optional(Type.String({ maxLength: 100 }), 'A line below the name; empty: cleared.'),
      avatar_uuid: imageId('an avatar'),
    }),
    data: UserProfileResponse,
    message: '更新用户资料成功',
    example: { body: { nickname: '小明', avatar_uuid: '5f0cd0c1-58a1-4a5b-9b0e-1f6a5d0f2c11' } },
    failures: ['NEED_ONE_MORE_FIELD', 'RESOURCE_EXPIRED', 'UNSUPPORTED_MEDIA_TYPE', 'REMOTE_SERVICE_ERROR'],
    messages: {
      NEED_ONE_MORE_FIELD: '请至少提供一个需要更新的字段',
      REMOTE_SERVICE_ERROR: '设置用户头像失败，请稍后重试',
    },
    run: async (call) => {
      const changes = {
        nickname: readGiven(call.body.nickname),
        slogan: readGiven(call.body.slogan),
        avatar: readGiven(call.body.avatar_uuid),
      };
      return presentUserProfile(await deps.services.profiles.updateUserProfile(call.student, changes), deps);
    },
  }),
  operation('GET /profile/user/avatar/md5', 'getAvatarMd5', {
    ...defaults,
    scope: 'profile:read',
    summary: { en: 'Get avatar MD5', zh: '头像 MD5' },
    description: 'To compare with a copy: the address of an image is another one in every answer.',
    data: md5Of('AvatarMD5Response', 'avatar'),
    message: '获取用户头像的 MD5 值成功',
    failures: ['PROFILE_NOT_FOUND'],
    messages: { PROFILE_NOT_FOUND: '用户头像的 MD5 值未找到' },
    run: async (call) => ({ md5: await deps.services.profiles.avatarMd5(call.student) }),
  }),
];

const share = (what: string) => optional(Type.Number({ minimum: 0, maximum: 1 }), what);
const blur = (what: string) => optional(Type.Number({ minimum: 0, maximum: 100 }), what);

const ClientProfileUpdateRequest = object(
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

const ClientProfileResponse = object('ClientProfileResponse', 'The theme of the client.', {
  dark_mode: flag('Dark mode is on.', false),
  light_mode_opacity: decimal('Light mode: 0 transparent, 1 opaque.', 1),
  light_mode_brightness: decimal('Light mode: 0 dark, 1 bright.', 1),
  light_mode_background_url: imageAddress(''),
  light_mode_blur: decimal('Light mode: blur of the background, 0 to 100.', 0),
  dark_mode_opacity: decimal('Dark mode: 0 transparent, 1 opaque.', 0.8),
  dark_mode_brightness: decimal('Dark mode: 0 dark, 1 bright.', 0.6),
  dark_mode_background_url: imageAddress(
    'https://gateway.example/files/backgrounds/1a2b71f2-0e49-4d80-8a92-0c8f5a7cbb42.jpg?expires=4092595200&signature=…',
  ),
  dark_mode_background_blur: decimal('Dark mode: blur of the background, 0 to 100.', 4.5),
});

const FlutterImageMode = Type.Union([Type.Literal('light'), Type.Literal('dark')], {
  title: 'FlutterImageMode',
  description: 'Which of the two backgrounds.',
});

const ImageModePath = Type.Object({ mode: { ...FlutterImageMode, examples: ['dark'] } });

const presentClientTheme = (
  { darkMode, light, dark }: ClientTheme,
  deps: SurfaceBDeps,
): Static<typeof ClientProfileResponse> => ({
  dark_mode: darkMode,
  light_mode_opacity: light.opacity,
  light_mode_brightness: light.brightness,
  light_mode_background_url: addressOf(light.background, deps),
  light_mode_blur: light.blur,
  dark_mode_opacity: dark.opacity,
  dark_mode_brightness: dark.brightness,
  dark_mode_background_url: addressOf(dark.background, deps),
  dark_mode_background_blur: dark.blur,
});

const themeDefaults = { level: 'T', tag: 'Client-theme profile' } as const;

const wishesOf = (body: Static<typeof ClientProfileUpdateRequest>): ClientThemeChange<string> => ({
  darkMode: readGiven(body.dark_mode),
  light: {
    opacity: readGiven(body.light_mode_opacity),
    brightness: readGiven(body.light_mode_brightness),
    blur: readGiven(body.light_mode_blur),
    background: readGiven(body.light_mode_background_uuid),
  },
  dark: {
    opacity: readGiven(body.dark_mode_opacity),
    brightness: readGiven(body.dark_mode_brightness),
    blur: readGiven(body.dark_mode_background_blur),
    background: readGiven(body.dark_mode_background_uuid),
  },
});

/** `flutter` is what the first clients called it. */
const pathWords = [
  { word: 'client', name: '', hidden: false },
  { word: 'flutter', name: 'Flutter', hidden: true },
] as const;

export const clientThemeOperations = (deps: SurfaceBDeps): Operation[] =>
  pathWords.flatMap(({ word, name, hidden }) => [
    operation(`GET /profile/${word}/get`, `getClientProfile${name}`, {
      ...themeDefaults,
      scope: 'profile:read',
      summary: { en: 'Get profile', zh: '查看主题' },
      description: 'A 404 until the first update.',
      hidden,
      data: ClientProfileResponse,
      message: '获取客户端资料成功',
      failures: ['PROFILE_NOT_FOUND'],
      messages: { PROFILE_NOT_FOUND: nothingSet },
      run: async (call) => presentClientTheme(await deps.services.profiles.clientTheme(call.student), deps),
    }),
    operation(`PUT /profile/${word}/update`, `updateClientProfile${name}`, {
      ...themeDefaults,
      scope: 'profile:write',
      summary: { en: 'Update profile', zh: '修改主题' },
      description:
        'The first update makes the theme from its defaults. A failure of any part leaves everything as it was. ' +
        'One image may be named for both modes, and again while it is in use. A 404 is reserved and does not occur.',
      hidden,
      body: ClientProfileUpdateRequest,
      data: ClientProfileResponse,
      message: '更新客户端资料成功',
      example: {
        body: {
          dark_mode: false,
          dark_mode_opacity: 0.8,
          dark_mode_background_uuid: '1a2b71f2-0e49-4d80-8a92-0c8f5a7cbb42',
        },
      },
      failures: [
        'NEED_ONE_MORE_FIELD',
        'PROFILE_NOT_FOUND',
        'RESOURCE_EXPIRED',
        'UNSUPPORTED_MEDIA_TYPE',
        'REMOTE_SERVICE_ERROR',
      ],
      messages: {
        NEED_ONE_MORE_FIELD: '未提供任何更新的资料字段',
        REMOTE_SERVICE_ERROR: '设置用户背景图片失败，请稍后重试',
      },
      // The statuses of this operation are a closed list, which 429 and 503 of any operation are added to, and 504 is not.
      statusInstead: { 504: 500 },
      run: async (call) =>
        presentClientTheme(await deps.services.profiles.updateClientTheme(call.student, wishesOf(call.body)), deps),
    }),
    operation(`GET /profile/${word}/image/:mode/md5`, `getBackgroundMd5${name}`, {
      ...themeDefaults,
      scope: 'profile:read',
      summary: { en: 'Get background image MD5', zh: '背景图 MD5' },
      description: 'To compare with a copy: the address of an image is another one in every answer.',
      hidden,
      params: ImageModePath,
      data: md5Of('ClientImageMD5Response', 'background'),
      message: '获取背景图片 MD5 值成功',
      failures: ['PROFILE_NOT_FOUND'],
      messages: { PROFILE_NOT_FOUND: '用户背景图片的 MD5 值未找到' },
      run: async (call) => ({ md5: await deps.services.profiles.backgroundMd5(call.student, call.params.mode) }),
    }),
  ]);
