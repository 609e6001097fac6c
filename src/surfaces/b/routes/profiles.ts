import type { Static } from '@sinclair/typebox';
import type { Profiles } from '../../../domain/profiles/profiles.ts';
import type { ClientThemeWishes } from '../../../domain/profiles/user-profiles.ts';
import { type Operation, studentOperation } from '../operation.ts';
import { type ImageAddress, presentClientTheme, presentUserProfile } from '../present-profiles.ts';
import {
  AvatarMD5Response,
  ClientImageMD5Response,
  ClientProfileResponse,
  ClientProfileUpdateRequest,
  ImageModePath,
  UserProfileResponse,
  UserProfileUpdateRequest,
} from '../schemas/profiles.ts';

const userTag = 'User profile';
const clientTag = 'Client-theme profile';
const exampleAddress =
  'https://gateway.example/files/avatars/5f0cd0c1-58a1-4a5b-9b0e-1f6a5d0f2c11.png?expires=4092595200&signature=…';
const exampleBackground =
  'https://gateway.example/files/backgrounds/1a2b71f2-0e49-4d80-8a92-0c8f5a7cbb42.jpg?expires=4092595200&signature=…';
const exampleMd5 = '9e107d9d372bb6826bd81d3542a419d6';
const exampleUser = { nickname: '小明', slogan: '你好', avatar_url: exampleAddress };
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
const nothingSet = '您还未设置用户资料，请先设置用户资料。';

/** Null and left out mean the same. */
const given = <T>(value: T | null | undefined): T | undefined => value ?? undefined;

const userOperations = (profiles: Profiles, addressOf: ImageAddress): Operation[] => [
  studentOperation({
    level: 'T',
    method: 'GET',
    url: '/profile/user/get',
    operationId: 'getUserProfile',
    tag: userTag,
    summary: 'Get profile',
    description: 'A 404 until the first update.',
    data: UserProfileResponse,
    message: '获取用户资料成功',
    example: { data: exampleUser },
    failures: ['PROFILE_NOT_FOUND'],
    messages: { PROFILE_NOT_FOUND: nothingSet },
    run: async ({ student }) => presentUserProfile(await profiles.userProfile(student), addressOf),
  }),
  studentOperation({
    level: 'T',
    method: 'PUT',
    url: '/profile/user/update',
    operationId: 'updateUserProfile',
    tag: userTag,
    summary: 'Update profile',
    description: 'The first update makes the profile. A failure of any part leaves everything as it was.',
    body: UserProfileUpdateRequest,
    data: UserProfileResponse,
    message: '更新用户资料成功',
    example: {
      body: { nickname: '小明', avatar_uuid: '5f0cd0c1-58a1-4a5b-9b0e-1f6a5d0f2c11' },
      data: exampleUser,
    },
    failures: ['NEED_ONE_MORE_FIELD', 'RESOURCE_EXPIRED', 'UNSUPPORTED_MEDIA_TYPE', 'REMOTE_SERVICE_ERROR'],
    details: [{ loc: ['body', 'nickname'], msg: 'String should have at least 1 characters', type: 'string_too_short' }],
    messages: {
      NEED_ONE_MORE_FIELD: '请至少提供一个需要更新的字段',
      REMOTE_SERVICE_ERROR: '设置用户头像失败，请稍后重试',
    },
    refusesOtherTypes: true,
    run: async ({ student, body }) => {
      const wishes = {
        nickname: given(body.nickname),
        slogan: given(body.slogan),
        avatarId: given(body.avatar_uuid),
      };
      return presentUserProfile(await profiles.updateUserProfile(student, wishes), addressOf);
    },
  }),
  studentOperation({
    level: 'T',
    method: 'GET',
    url: '/profile/user/avatar/md5',
    operationId: 'getAvatarMd5',
    tag: userTag,
    summary: 'Get avatar MD5',
    description: 'To compare with a copy: the address of an image is another one in every answer.',
    data: AvatarMD5Response,
    message: '获取用户头像的 MD5 值成功',
    example: { data: { md5: exampleMd5 } },
    failures: ['PROFILE_NOT_FOUND'],
    messages: { PROFILE_NOT_FOUND: '用户头像的 MD5 值未找到' },
    run: async ({ student }) => ({ md5: await profiles.avatarMd5(student) }),
  }),
];

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

const clientOperations = (profiles: Profiles, addressOf: ImageAddress): Operation[] =>
  pathWords.flatMap(({ word, name, hidden }) => [
    studentOperation({
      level: 'T',
      method: 'GET',
      url: `/profile/${word}/get`,
      operationId: `getClientProfile${name}`,
      tag: clientTag,
      summary: 'Get profile',
      description: 'A 404 until the first update.',
      hidden,
      data: ClientProfileResponse,
      message: '获取客户端资料成功',
      example: { data: exampleTheme },
      failures: ['PROFILE_NOT_FOUND'],
      messages: { PROFILE_NOT_FOUND: nothingSet },
      run: async ({ student }) => presentClientTheme(await profiles.clientTheme(student), addressOf),
    }),
    studentOperation({
      level: 'T',
      method: 'PUT',
      url: `/profile/${word}/update`,
      operationId: `updateClientProfile${name}`,
      tag: clientTag,
      summary: 'Update profile',
      description:
        'The first update makes the theme from its defaults. A failure of any part leaves everything as it was. ' +
        'One image may be named for both modes. A 404 is reserved and does not occur.',
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
      details: [
        {
          loc: ['body', 'dark_mode_opacity'],
          msg: 'Input should be less than or equal to 1',
          type: 'less_than_equal',
        },
      ],
      messages: {
        NEED_ONE_MORE_FIELD: '未提供任何更新的资料字段',
        REMOTE_SERVICE_ERROR: '设置用户背景图片失败，请稍后重试',
      },
      refusesOtherTypes: true,
      // The statuses of this operation are a closed list without 429, 503 and 504.
      statusInstead: { 429: 400, 503: 500, 504: 500 },
      run: async ({ student, body }) =>
        presentClientTheme(await profiles.updateClientTheme(student, wishesOf(body)), addressOf),
    }),
    studentOperation({
      level: 'T',
      method: 'GET',
      url: `/profile/${word}/image/:mode/md5`,
      operationId: `getBackgroundMd5${name}`,
      tag: clientTag,
      summary: 'Get background image MD5',
      description: 'To compare with a copy: the address of an image is another one in every answer.',
      hidden,
      params: ImageModePath,
      data: ClientImageMD5Response,
      message: '获取背景图片 MD5 值成功',
      example: { data: { md5: exampleMd5 } },
      failures: ['PROFILE_NOT_FOUND'],
      details: [{ loc: ['path', 'mode'], msg: 'Input should be one of the listed values', type: 'enum' }],
      messages: { PROFILE_NOT_FOUND: '用户背景图片的 MD5 值未找到' },
      run: async ({ student, params }) => ({ md5: await profiles.backgroundMd5(student, params.mode) }),
    }),
  ]);

export const profileOperations = (profiles: Profiles, addressOf: ImageAddress): Operation[] => [
  ...userOperations(profiles, addressOf),
  ...clientOperations(profiles, addressOf),
];
