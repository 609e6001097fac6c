import { type Static, Type } from '@sinclair/typebox';
import type { Profiles } from '../../../domain/profiles/profiles.ts';
import type { ClientTheme } from '../../../domain/profiles/types.ts';
import type { ClientThemeWishes } from '../../../domain/profiles/user-profiles.ts';
import { decimal, flag, object } from '../../../domain/record.ts';
import { type Operation, operation } from '../operation.ts';
import {
  address,
  exampleMd5,
  given,
  type ImageAddress,
  imageId,
  md5,
  nothingSet,
  optional,
  staged,
} from './user-profile.ts';

const share = (what: string) => optional(Type.Number({ minimum: 0, maximum: 1 }), what);
const blur = (what: string) => optional(Type.Number({ minimum: 0, maximum: 100 }), what);

export const ClientImageUploadResponse = object(
  'ClientImageUploadResponse',
  'An image that waits for an update to name it.',
  staged,
);

const ClientImageMD5Response = object('ClientImageMD5Response', 'Of the background in use.', { md5 });

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
  light_mode_background_url: address,
  light_mode_blur: decimal('Light mode: blur of the background, 0 to 100.', 0),
  dark_mode_opacity: decimal('Dark mode: 0 transparent, 1 opaque.', 0.8),
  dark_mode_brightness: decimal('Dark mode: 0 dark, 1 bright.', 0.6),
  dark_mode_background_url: address,
  dark_mode_background_blur: decimal('Dark mode: blur of the background, 0 to 100.', 4.5),
});

const FlutterImageMode = Type.Union([Type.Literal('light'), Type.Literal('dark')], {
  title: 'FlutterImageMode',
  description: 'Which of the two backgrounds.',
});

const ImageModePath = Type.Object({ mode: { ...FlutterImageMode, examples: ['dark'] } });

const presentClientTheme = (
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

const clientTag = 'Client-theme profile';

const exampleBackground =
  'https://gateway.example/files/backgrounds/1a2b71f2-0e49-4d80-8a92-0c8f5a7cbb42.jpg?expires=4092595200&signature=…';

const exampleTheme = {
  dark_mode: false,
  light_mode_opacity: 1,
  light_mode_brightness: 1,
  light_mode_background_url: '',
  light_mode_blur: 0,
  dark_mode_opacity: 0.8,
  dark_mode_brightness: 0.6,
  dark_mode_background_url: exampleBackground,
  dark_mode_background_blur: 4.5,
};

const wishesOf = (body: Static<typeof ClientProfileUpdateRequest>): ClientThemeWishes => ({
  darkMode: given(body.dark_mode),
  light: {
    opacity: given(body.light_mode_opacity),
    brightness: given(body.light_mode_brightness),
    blur: given(body.light_mode_blur),
    backgroundId: given(body.light_mode_background_uuid),
  },
  dark: {
    opacity: given(body.dark_mode_opacity),
    brightness: given(body.dark_mode_brightness),
    blur: given(body.dark_mode_background_blur),
    backgroundId: given(body.dark_mode_background_uuid),
  },
});

/** `flutter` is what the first clients called it. */
const pathWords = [
  { word: 'client', name: '', hidden: false },
  { word: 'flutter', name: 'Flutter', hidden: true },
] as const;

export const clientThemeOperations = (profiles: Profiles, addressOf: ImageAddress): Operation[] =>
  pathWords.flatMap(({ word, name, hidden }) => [
    operation({
      level: 'T',
      route: `GET /profile/${word}/get`,
      operationId: `getClientProfile${name}`,
      scope: 'profile:read',
      tag: clientTag,
      summary: 'Get profile',
      description: 'A 404 until the first update.',
      hidden,
      data: ClientProfileResponse,
      message: '获取客户端资料成功',
      example: { data: exampleTheme },
      failures: ['PROFILE_NOT_FOUND'],
      messages: { PROFILE_NOT_FOUND: nothingSet },
      run: async (call) => presentClientTheme(await profiles.clientTheme(call.student), addressOf),
    }),
    operation({
      level: 'T',
      route: `PUT /profile/${word}/update`,
      operationId: `updateClientProfile${name}`,
      scope: 'profile:write',
      tag: clientTag,
      summary: 'Update profile',
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
        data: exampleTheme,
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
      refusesOtherTypes: true,
      // The statuses of this operation are a closed list, which 429 and 503 of any operation are added to, and 504 is not.
      statusInstead: { 504: 500 },
      run: async (call) =>
        presentClientTheme(await profiles.updateClientTheme(call.student, wishesOf(call.body)), addressOf),
    }),
    operation({
      level: 'T',
      route: `GET /profile/${word}/image/:mode/md5`,
      operationId: `getBackgroundMd5${name}`,
      scope: 'profile:read',
      tag: clientTag,
      summary: 'Get background image MD5',
      description: 'To compare with a copy: the address of an image is another one in every answer.',
      hidden,
      params: ImageModePath,
      data: ClientImageMD5Response,
      message: '获取背景图片 MD5 值成功',
      example: { data: { md5: exampleMd5 } },
      failures: ['PROFILE_NOT_FOUND'],
      messages: { PROFILE_NOT_FOUND: '用户背景图片的 MD5 值未找到' },
      run: async (call) => ({ md5: await profiles.backgroundMd5(call.student, call.params.mode) }),
    }),
  ]);
