import type { Static } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import type { AppProfileWishes } from '../../../domain/profiles/app-profiles.ts';
import { imageStructure } from '../../../platform/json-structure.ts';
import type { Overrides } from '../failures.ts';
import { addStudentOperation, type SurfaceADeps } from '../operation.ts';
import { presentProfile } from '../present.ts';
import {
  GetUserProfileRequest,
  UpdateUserProfileRequest,
  UserProfileData,
  UserProfileResponse,
} from '../schemas/profiles.ts';
import { exampleToken } from '../schemas/user.ts';

/** Two images of the largest size as base64, and something around them. */
const bodyLimit = 16 * 1_048_576;

const userid = '2023000001';
const tinyImage =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==';
const settings = {
  theme: 'dark',
  lightModeOpacity: 0.5,
  lightModeBrightness: 1,
  darkModeOpacity: 0.4,
  darkModeBrightness: 0.2,
  backgroundBlur: 0.3,
} as const;

/** Whatever goes wrong inside has the words of the operation; the campus has no part in it. */
const inside = (message: string): Overrides => {
  const answer = { code: 500, message };
  return {
    'image-store-failed': answer,
    'storage-failed': answer,
    'timed-out': answer,
    'client-gone': answer,
    internal: answer,
  };
};

const wishesOf = (body: Static<typeof UpdateUserProfileRequest>): AppProfileWishes => ({
  nickname: body.nickname ?? undefined,
  avatar: body.avatar ?? undefined,
  background: body.background ?? undefined,
  settings: body.settings ?? undefined,
});

/** The app's profile: nickname, avatar, one background and the settings. */
export const addProfileRoutes = (scope: FastifyInstance, deps: SurfaceADeps): void => {
  const { profiles } = deps;

  addStudentOperation(scope, deps, {
    path: '/user/profile/get',
    operationId: 'v1GetUserProfile',
    tag: 'v1 user',
    summary: 'Read the profile',
    description: 'What was never set is null. Reading writes nothing.',
    group: 'user',
    fails: ['token-unknown'],
    body: GetUserProfileRequest,
    response: UserProfileResponse,
    data: UserProfileData,
    example: {
      body: { token: exampleToken },
      message: '获取用户资料成功',
      data: { userid, avatar: tinyImage, background: null, nickname: '张三', settings },
    },
    overrides: inside('获取用户资料失败'),
    large: {},
    token: (body) => body.token,
    run: async (student) => ({ data: presentProfile(student, await profiles.appProfile(student)) }),
  });

  addStudentOperation(scope, deps, {
    path: '/user/profile/update',
    operationId: 'v1UpdateUserProfile',
    tag: 'v1 user',
    summary: 'Change the profile',
    description:
      'Only what is named changes, all of it or nothing. Images are kept without their metadata and may have ' +
      '8192 × 8192 pixels; 20 calls with images per hour. Answers with the complete profile.',
    group: 'user',
    fails: ['token-unknown', 'rate-limited', 'image-unsupported', 'image-too-large', 'nickname-too-long'],
    body: UpdateUserProfileRequest,
    response: UserProfileResponse,
    data: UserProfileData,
    example: {
      body: { token: exampleToken, nickname: '张三', avatar: tinyImage, background: '', settings },
      message: '更新用户资料成功',
      data: { userid, avatar: tinyImage, background: null, nickname: '张三', settings },
    },
    overrides: inside('更新用户资料失败'),
    large: { body: { limit: bodyLimit, structureLimit: imageStructure, tooLarge: '图片过大' } },
    token: (body) => body.token,
    run: async (student, body) => ({
      data: presentProfile(student, await profiles.updateAppProfile(student, wishesOf(body))),
    }),
  });
};
