import multipart from '@fastify/multipart';
import type { TSchema } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import type { Profiles } from '../../../domain/profiles/profiles.ts';
import type { ImageUse } from '../../../domain/profiles/types.ts';
import type { LargeBodies } from '../../../platform/limits/large-bodies.ts';
import { uncheckedRoute } from '../../../platform/requests/validation.ts';
import { bodySenderOf } from '../bearer.ts';
import { routeOf } from '../described.ts';
import type { Envelopes } from '../envelope.ts';
import type { ErrorCode, Messages } from '../failures.ts';
import type { Operation } from '../operation.ts';
import { operationSchema } from '../operation-document.ts';
import { receiveFile } from '../upload.ts';
import { ClientImageUploadResponse } from './client-theme.ts';
import { AvatarUpdateResponse } from './user-profile.ts';

interface Upload {
  readonly route: `PUT /${string}`;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly use: ImageUse;
  /** Name of the part that holds the file. */
  readonly part: string;
  /** What the document calls the form. */
  readonly form: string;
  readonly data: TSchema;
  readonly message: string;
  readonly messages: Messages;
  readonly hidden: boolean;
}

const avatarUpload: Upload = {
  route: 'PUT /profile/user/avatar/upload',
  operationId: 'uploadAvatar',
  tag: 'User profile',
  summary: 'Upload avatar',
  use: 'avatar',
  part: 'avatar_update_request',
  form: 'AvatarForm',
  data: AvatarUpdateResponse,
  message: '上传头像成功',
  messages: {
    MIMETYPE_NOT_ALLOWED: '上传的头像文件格式不支持，仅支持 JPEG、PNG',
    TOO_LARGE_IMAGE: '上传的头像文件过大，最大允许5MB',
    REMOTE_SERVICE_ERROR: '上传用户头像失败，请稍后重试',
  },
  hidden: false,
};

const backgroundUpload: Upload = {
  route: 'PUT /profile/client/image/upload',
  operationId: 'uploadBackground',
  tag: 'Client-theme profile',
  summary: 'Upload background image',
  use: 'background',
  part: 'background_image_upload',
  form: 'BackgroundImageForm',
  data: ClientImageUploadResponse,
  message: '上传背景图片成功',
  messages: {
    MIMETYPE_NOT_ALLOWED: '上传的背景图片文件格式不支持，仅支持 JPEG、PNG',
    TOO_LARGE_IMAGE: '上传的背景图片文件过大，最大允许5MB',
    REMOTE_SERVICE_ERROR: '上传用户背景图片失败，请稍后重试',
  },
  hidden: false,
};

const uploads: readonly Upload[] = [
  avatarUpload,
  backgroundUpload,
  {
    ...backgroundUpload,
    route: 'PUT /profile/flutter/image/upload',
    operationId: 'uploadBackgroundFlutter',
    hidden: true,
  },
];

const failures: readonly ErrorCode[] = [
  'TOO_LARGE_IMAGE',
  'MIMETYPE_NOT_ALLOWED',
  'VALIDATION_ERROR',
  'REMOTE_SERVICE_ERROR',
  'BODY_TOO_SLOW',
];

const example = { uuid: '5f0cd0c1-58a1-4a5b-9b0e-1f6a5d0f2c11', md5: '9e107d9d372bb6826bd81d3542a419d6' };

const description =
  'Takes one JPEG or PNG of at most 5 MiB and 8192 × 8192 pixels, whatever type its part declares, and keeps it for an ' +
  'hour, without its metadata; it is shown once an update names its id. 20 uploads per hour; those that fail and those ' +
  'of an image that is stored already do not count. A second avatar takes the place of the first, a fifth background ' +
  'that of the oldest.';

const schemaOf = (upload: Upload, envelopes: Envelopes) => {
  const { part, form } = upload;
  const file = { type: 'string', format: 'binary', description: 'The bytes of a JPEG or PNG.' };
  const details = [{ loc: ['body', part], msg: 'Field required', type: 'missing' }];
  return {
    ...operationSchema(
      { ...upload, level: 'T', scope: 'profile:write', description, example: { data: example }, failures, details },
      envelopes,
    ),
    consumes: ['multipart/form-data'],
    body: {
      type: 'object',
      title: form,
      description: 'A form with one file.',
      required: [part],
      properties: { [part]: file },
    },
  };
};

const addUpload = (
  scope: FastifyInstance,
  envelopes: Envelopes,
  profiles: Profiles,
  bodies: LargeBodies,
  upload: Upload,
): void => {
  const { route, operationId, use, part, message, messages } = upload;
  const [method, url] = routeOf(route);
  scope.route({
    method,
    url,
    schema: schemaOf(upload, envelopes),
    config: { messages, slowBody: true, operation: operationId, need: 'profile:write' },
    // The parser notes its settings at the lowest level, and with them the headers of the request.
    logSerializers: { busboyOptions: () => 'not logged' },
    handler: async (request, reply) => {
      const { call } = request;
      const meterOf = (refuse: (error: Error) => void) => bodies.meter(reply, bodySenderOf(request), refuse);
      const receive = (largest: number) => receiveFile(request, part, largest, meterOf);
      try {
        const { id, md5 } = await call.race(profiles.uploadImage(call.student, use, call, receive));
        return envelopes.success(message, { uuid: id, md5 });
      } catch (error) {
        // Nobody reads a rest of any length only to keep a connection.
        if (!request.raw.complete) reply.header('Connection', 'close');
        throw error;
      }
    },
  });
};

/** Some clients send the bytes without naming a file. */
const isPartAFile = (_field: string | undefined, type: string | undefined, name: string | undefined): boolean =>
  name !== undefined || type === 'application/octet-stream' || (type ?? '').startsWith('image/');

/** The operations that take files; their forms are read in a scope of their own. */
export const imageOperations = (profiles: Profiles, bodies: LargeBodies): Operation[] => [
  {
    level: 'T',
    add: (scope, { envelopes }) => {
      scope.register(async function forms(inner) {
        // A body of any other type is a form without the file: said the same way, and not read.
        inner.removeAllContentTypeParsers();
        inner.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
        inner.setValidatorCompiler(uncheckedRoute);
        await inner.register(multipart, { throwFileSizeLimit: false, isPartAFile });
        for (const upload of uploads) addUpload(inner, envelopes, profiles, bodies, upload);
      });
    },
  },
];
