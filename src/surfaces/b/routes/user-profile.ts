import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { FileTickets } from '../../../domain/profiles/file-tickets.ts';
import type { Profiles } from '../../../domain/profiles/profiles.ts';
import { type ImageRef, imageKey, type UserProfile } from '../../../domain/profiles/types.ts';
import { object, text } from '../../../domain/record.ts';
import { type Operation, operation } from '../operation.ts';

/** A member that may be left out; null means the same. */
export const optional = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }));

export const imageId = (what: string) =>
  optional(Type.String({ maxLength: 64 }), `Id from the upload of ${what}; empty: removed.`);

export const address = text('Works for an hour, and is another one in every answer; empty: no image.');
export const md5 = text('MD5 of the bytes that were uploaded, 32 lower-case hexadecimal digits.');

const UserProfileUpdateRequest = object(
  'UserProfileUpdateRequest',
  'At least one member; null is the same as left out.',
  {
    nickname: optional(Type.String({ minLength: 1, maxLength: 50 }), 'Name to show.'),
    slogan: optional(Type.String({ maxLength: 100 }), 'A line below the name; empty: cleared.'),
    avatar_uuid: imageId('an avatar'),
  },
);

const UserProfileResponse = object('UserProfileResponse', 'The profile of the student.', {
  nickname: text('Name to show; may be empty.', '小明'),
  slogan: text('A line below the name; may be empty.', '你好'),
  avatar_url: address,
});

export const staged = {
  uuid: text(
    'For updates within an hour, and for as long as the image is in use.',
    '5f0cd0c1-58a1-4a5b-9b0e-1f6a5d0f2c11',
  ),
  md5,
};

export const AvatarUpdateResponse = object(
  'AvatarUpdateResponse',
  'An image that waits for an update to name it.',
  staged,
);

const AvatarMD5Response = object('AvatarMD5Response', 'Of the avatar in use.', { md5 });

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

const presentUserProfile = (
  { nickname, slogan, avatar }: UserProfile,
  addressOf: ImageAddress,
): Static<typeof UserProfileResponse> => ({ nickname: nickname ?? '', slogan, avatar_url: addressOf(avatar) });

const userTag = 'User profile';

const exampleAddress =
  'https://gateway.example/files/avatars/5f0cd0c1-58a1-4a5b-9b0e-1f6a5d0f2c11.png?expires=4092595200&signature=…';

export const exampleMd5 = '9e107d9d372bb6826bd81d3542a419d6';
const exampleUser = { nickname: '小明', slogan: '你好', avatar_url: exampleAddress };
export const nothingSet = '您还未设置用户资料，请先设置用户资料。';

/** Null and left out mean the same. */
export const given = <T>(value: T | null | undefined): T | undefined => value ?? undefined;

export const userProfileOperations = (profiles: Profiles, addressOf: ImageAddress): Operation[] => [
  operation({
    level: 'T',
    route: 'GET /profile/user/get',
    operationId: 'getUserProfile',
    scope: 'profile:read',
    tag: userTag,
    summary: 'Get profile',
    description: 'A 404 until the first update.',
    data: UserProfileResponse,
    message: '获取用户资料成功',
    example: { data: exampleUser },
    failures: ['PROFILE_NOT_FOUND'],
    messages: { PROFILE_NOT_FOUND: nothingSet },
    run: async (call) => presentUserProfile(await profiles.userProfile(call.student), addressOf),
  }),
  operation({
    level: 'T',
    route: 'PUT /profile/user/update',
    operationId: 'updateUserProfile',
    scope: 'profile:write',
    tag: userTag,
    summary: 'Update profile',
    description:
      'The first update makes the profile. A failure of any part leaves everything as it was. The id of the avatar in ' +
      'use may be named again, without effect.',
    body: UserProfileUpdateRequest,
    data: UserProfileResponse,
    message: '更新用户资料成功',
    example: {
      body: { nickname: '小明', avatar_uuid: '5f0cd0c1-58a1-4a5b-9b0e-1f6a5d0f2c11' },
      data: exampleUser,
    },
    failures: ['NEED_ONE_MORE_FIELD', 'RESOURCE_EXPIRED', 'UNSUPPORTED_MEDIA_TYPE', 'REMOTE_SERVICE_ERROR'],
    messages: {
      NEED_ONE_MORE_FIELD: '请至少提供一个需要更新的字段',
      REMOTE_SERVICE_ERROR: '设置用户头像失败，请稍后重试',
    },
    refusesOtherTypes: true,
    run: async (call) => {
      const wishes = {
        nickname: given(call.body.nickname),
        slogan: given(call.body.slogan),
        avatarId: given(call.body.avatar_uuid),
      };
      return presentUserProfile(await profiles.updateUserProfile(call.student, wishes), addressOf);
    },
  }),
  operation({
    level: 'T',
    route: 'GET /profile/user/avatar/md5',
    operationId: 'getAvatarMd5',
    scope: 'profile:read',
    tag: userTag,
    summary: 'Get avatar MD5',
    description: 'To compare with a copy: the address of an image is another one in every answer.',
    data: AvatarMD5Response,
    message: '获取用户头像的 MD5 值成功',
    example: { data: { md5: exampleMd5 } },
    failures: ['PROFILE_NOT_FOUND'],
    messages: { PROFILE_NOT_FOUND: '用户头像的 MD5 值未找到' },
    run: async (call) => ({ md5: await profiles.avatarMd5(call.student) }),
  }),
];
