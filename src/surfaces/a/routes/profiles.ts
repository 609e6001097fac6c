import { type Static, Type } from '@sinclair/typebox';
import type { Student } from '../../../domain/context.ts';
import { dataUri } from '../../../domain/profiles/prepare-image.ts';
import { type AppProfile, appThemes, type StoredImage } from '../../../domain/profiles/types.ts';
import { decimal, oneOf, orNull, text, textOrNull } from '../../../domain/record.ts';
import { imageStructure } from '../../../http/limits/json-structure.ts';
import { objectOrJson } from '../../../http/requests/validation.ts';
import { mediaTypeOf } from '../../../lib/images/image-types.ts';
import { Told } from '../../common/operation.ts';
import { component, exampleToken } from '../envelope.ts';
import type { Overrides } from '../failures.ts';
import { type Operation, operation, type SurfaceADeps } from '../operation.ts';

const share = (description: string, example: number) => decimal(description, example, { minimum: 0, maximum: 1 });

const optional = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { default: null, description, examples: [example] });

const UserSettings = component('UserSettings', 'Always a complete set.', {
  theme: oneOf(appThemes, 'Kept as sent.', 'dark'),
  lightModeOpacity: share('0 transparent, 1 opaque.', 0.5),
  lightModeBrightness: share('0 dark, 1 bright.', 1),
  darkModeOpacity: share('0 transparent, 1 opaque.', 0.4),
  darkModeBrightness: share('0 dark, 1 bright.', 0.2),
  backgroundBlur: share('Blur of the background.', 0.3),
});

const tinyImage =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==';

const imageText = 'Base64 or data URI of a PNG, JPEG, GIF or WebP image; empty: removed; null or left out: unchanged.';

export const UpdateUserProfileRequest = component('UpdateUserProfileRequest', 'What to change.', {
  token: text('User token from login or registration.', exampleToken),
  avatar: optional(`${imageText} At most 2 MiB decoded.`, tinyImage),
  background: optional(`${imageText} At most 8 MiB decoded.`, ''),
  nickname: optional('At most 100 characters; null or left out: unchanged.', '张三'),
  settings: objectOrJson(UserSettings, {
    default: null,
    description: 'The whole set, as an object or as its JSON text; null or left out: unchanged.',
  }),
});

const UserProfileData = component('UserProfileData', 'The profile of the student.', {
  userid: text('Student id.', '2023000001'),
  avatar: textOrNull('Data URI; null without one.', tinyImage),
  background: textOrNull('Data URI; null without one.', null),
  nickname: textOrNull('Null when it was never set.', '张三'),
  settings: orNull(UserSettings, 'Null when they were never set.'),
});

const presentImage = (image: StoredImage | null): string | null =>
  image && dataUri(mediaTypeOf(image.type), image.bytes);

const presentProfile = (
  { userid }: Student,
  { nickname, avatar, background, settings }: AppProfile,
): Static<typeof UserProfileData> => ({
  userid,
  avatar: presentImage(avatar),
  background: presentImage(background),
  nickname,
  settings,
});

const defaults = { level: 'T', tag: 'v1 user', group: 'user' } as const;

/** Two images of the largest size as base64, and something around them. */
const imagesBodyLimit = 16 * 1_048_576;
const imagesNotReplaced = '已保存，图片更新过于频繁，未更换';
/** A failure inside has the words of the operation; the campus has no part in it. */
const insideFailures = (message: string): Overrides => {
  const answer = { code: 500, message };
  return {
    'image-store-failed': answer,
    'storage-failed': answer,
    'timed-out': answer,
    'client-gone': answer,
    internal: answer,
  };
};

export const profileOperations = ({ services: { profiles } }: SurfaceADeps): Operation[] => [
  operation('/user/profile/get', 'v1GetUserProfile', {
    ...defaults,
    scope: 'profile:read',
    summary: { en: 'Read the profile', zh: '查看资料' },
    description: 'What was never set is null. Reading writes nothing.',
    fails: ['token-unknown'],
    body: component('GetUserProfileRequest', 'Whose call it is.', {
      token: text('User token from login or registration.', exampleToken),
    }),
    response: 'UserProfileResponse',
    data: UserProfileData,
    message: '获取用户资料成功',
    overrides: insideFailures('获取用户资料失败'),
    answersImages: true,
    run: async (call) => presentProfile(call.student, await profiles.appProfile(call.student)),
  }),

  operation('/user/profile/update', 'v1UpdateUserProfile', {
    ...defaults,
    scope: 'profile:write',
    summary: { en: 'Change the profile', zh: '修改资料' },
    description:
      'Only what is named changes, all of it or nothing. Images are kept without their metadata and may have ' +
      '8192 × 8192 pixels; 20 calls with new images per hour. Beyond them images stay as they are, the rest is done, ' +
      `and the message is \`${imagesNotReplaced}\`. Answers with the complete profile.`,
    fails: ['token-unknown', 'rate-limited', 'image-unsupported', 'image-too-large', 'nickname-too-long'],
    body: UpdateUserProfileRequest,
    response: 'UserProfileResponse',
    data: UserProfileData,
    message: '更新用户资料成功',
    overrides: insideFailures('更新用户资料失败'),
    bodyLimit: imagesBodyLimit,
    structureLimit: imageStructure,
    tooLarge: '图片过大',
    answersImages: true,
    run: async (call) => {
      const { nickname, avatar, background, settings } = call.body;
      const change = {
        nickname: nickname ?? undefined,
        avatar: avatar ?? undefined,
        background: background ?? undefined,
        settings: settings ?? undefined,
      };
      const { profile, imagesRefused } = await profiles.updateAppProfile(call.student, change, call);
      const data = presentProfile(call.student, profile);
      return imagesRefused ? new Told(data, imagesNotReplaced) : data;
    },
  }),
];
