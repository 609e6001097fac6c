import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { failures, isFailure } from '../../../domain/errors.ts';
import { BodyTooSlow, type LargeBodies } from '../../../http/limits/large-bodies.ts';
import { missing, RequestInvalid, type Wrong } from '../../../http/requests/findings.ts';
import { uncheckedRoute } from '../../../http/requests/validation.ts';
import { raceSignal } from '../../../lib/single-flight.ts';
import { routeOf, type SurfaceBDeps } from '../described.ts';
import type { Envelopes } from '../envelope.ts';
import type { ErrorCode } from '../error-codes.ts';
import type { Operation } from '../operation.ts';
import { operationSchema } from '../operation-document.ts';
import { bodySenderOf } from '../requests.ts';
import { uploadedSchema } from './profiles.ts';

/** Room for everything around a file: boundaries, part headers, small fields. */
const framing = 65_536;
const formLimits = { files: 2, fields: 8, parts: 10, fieldNameSize: 100, fieldSize: 1_024, headerPairs: 32 };
const invalidPart = (part: string, wrong: Wrong): RequestInvalid =>
  new RequestInvalid([{ ...wrong, loc: ['body', part] }]);
const missingPart = (part: string): RequestInvalid => invalidPart(part, missing);

const secondFile: Wrong = {
  type: 'model_attributes_type',
  msg: { en: 'Only one file is allowed', zh: '只能上传一个文件' },
};
const noForm: Wrong = {
  type: 'model_attributes_type',
  msg: { en: 'Body should be a multipart form with one file', zh: '请求体应为包含一个文件的 multipart 表单' },
};

/** Ignores fields; refuses a second file, and one of another name. */
const readUploadForm = async (request: FastifyRequest, part: string, largest: number): Promise<Uint8Array> => {
  let image: Uint8Array | null = null;
  for await (const each of request.parts({ limits: { ...formLimits, fileSize: largest } })) {
    if (each.type === 'field') continue;
    if (each.fieldname !== part) throw missingPart(part);
    if (image !== null) throw invalidPart(part, secondFile);
    image = await each.toBuffer();
  }
  if (image === null) throw missingPart(part);
  return image;
};

const translate = (error: unknown, part: string): unknown => {
  if (isFailure(error) || error instanceof RequestInvalid || error instanceof BodyTooSlow) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_REQ_FILE_TOO_LARGE') return failures.imageTooLarge();
  if (code === 'FST_MP_PREMATURE_CLOSE' || code === 'ECONNRESET')
    return failures.clientGone(undefined, { cause: error });
  return invalidPart(part, noForm);
};

/**
 * Receives the file of a form. More than `largest`, or more around it than a form needs, is refused while it arrives,
 * and at once when it is announced.
 * @throws RequestInvalid; Failure `image-too-large`, `client-gone`, `timed-out`; what `bodies` refuses with
 */
const receiveFile = async (
  request: FastifyRequest,
  part: string,
  largest: number,
  bodies: LargeBodies,
): Promise<Uint8Array> => {
  if (!request.is('multipart/form-data')) throw missingPart(part);
  const most = largest + framing;
  if (Number(request.headers['content-length'] ?? 0) > most) throw failures.imageTooLarge();
  const { promise: refused, reject } = Promise.withResolvers<never>();
  refused.catch(() => {});
  const meter = bodies.meter(request, bodySenderOf(request), reject);
  let received = 0;
  const count = (chunk: Buffer): void => {
    received += chunk.length;
    if (received > most) reject(failures.imageTooLarge());
    meter.add(chunk.length);
  };
  const reading = readUploadForm(request, part, largest);
  reading.catch(() => {});
  request.raw.on('data', count);
  try {
    return await raceSignal(Promise.race([reading, refused]), request.call.signal);
  } catch (error) {
    // The bytes that still arrive are thrown away.
    request.raw.unpipe();
    request.raw.resume();
    throw translate(error, part);
  } finally {
    request.raw.off('data', count);
    meter.complete();
  }
};

const backgroundUpload = {
  route: 'PUT /profile/client/image/upload',
  operationId: 'uploadBackground',
  tag: 'Client-theme profile',
  summary: { en: 'Upload background image', zh: '上传背景图' },
  use: 'background',
  part: 'background_image_upload',
  form: 'BackgroundImageForm',
  data: uploadedSchema('ClientImageUploadResponse'),
  word: '背景图片',
  hidden: false,
} as const;

const uploads = [
  {
    route: 'PUT /profile/user/avatar/upload',
    operationId: 'uploadAvatar',
    tag: 'User profile',
    summary: { en: 'Upload avatar', zh: '上传头像' },
    use: 'avatar',
    part: 'avatar_update_request',
    form: 'AvatarForm',
    data: uploadedSchema('AvatarUpdateResponse'),
    word: '头像',
    hidden: false,
  },
  backgroundUpload,
  {
    ...backgroundUpload,
    route: 'PUT /profile/flutter/image/upload',
    operationId: 'uploadBackgroundFlutter',
    hidden: true,
  },
] as const;

type Upload = (typeof uploads)[number];

const uploadWordsOf = ({ word }: Upload) => ({
  message: `上传${word}成功`,
  messages: {
    MIMETYPE_NOT_ALLOWED: `上传的${word}文件格式不支持，仅支持 JPEG、PNG`,
    TOO_LARGE_IMAGE: `上传的${word}文件过大，最大允许5MB`,
    REMOTE_SERVICE_ERROR: `上传用户${word}失败，请稍后重试`,
  },
});

const codes: readonly ErrorCode[] = [
  'TOO_LARGE_IMAGE',
  'MIMETYPE_NOT_ALLOWED',
  'VALIDATION_ERROR',
  'REMOTE_SERVICE_ERROR',
  'BODY_TOO_SLOW',
];

const description =
  'Takes one JPEG or PNG of at most 5 MiB and 8192 × 8192 pixels, no matter what type its part declares, and keeps it for an ' +
  'hour, without its metadata; it is shown once an update names its id. 20 uploads per hour; those that fail and those ' +
  'of an image that is stored already do not count. A second avatar takes the place of the first, a fifth background ' +
  'that of the oldest.';

const schemaOf = (upload: Upload, envelopes: Envelopes) => {
  const { route, operationId, part, form } = upload;
  const file = { type: 'string', format: 'binary', description: 'The bytes of a JPEG or PNG.' };
  const details = [{ loc: ['body', part], msg: 'Field required', type: 'missing' }];
  return {
    ...operationSchema(
      route,
      operationId,
      {
        ...upload,
        ...uploadWordsOf(upload),
        level: 'T',
        scope: 'profile:write',
        description,
        failures: codes,
        details,
      },
      envelopes,
    ),
    hide: upload.hidden,
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

const addUpload = (scope: FastifyInstance, { services, http, envelopes }: SurfaceBDeps, upload: Upload): void => {
  const { profiles } = services;
  const { route, use, part } = upload;
  const { message, messages } = uploadWordsOf(upload);
  const [method, url] = routeOf(route);
  scope.route({
    method,
    url,
    schema: schemaOf(upload, envelopes),
    config: { described: { messages }, slowBody: true, need: 'profile:write' },
    // The parser notes its settings at the lowest level, and with them the headers of the request.
    logSerializers: { busboyOptions: () => 'not logged' },
    handler: async (request, reply) => {
      const { call } = request;
      const receive = (largest: number) => receiveFile(request, part, largest, http.bodies);
      try {
        const { id, md5 } = await call.race(profiles.uploadImage(call.student, use, call, receive));
        return envelopes.success(message, { uuid: id, md5 });
      } catch (error) {
        // The rest of a body, of any length, is not read only to keep a connection.
        if (!request.raw.complete) reply.header('Connection', 'close');
        throw error;
      }
    },
  });
};

/** Some clients send the bytes without naming a file. */
const isPartAFile = (_field: string | undefined, type: string | undefined, name: string | undefined): boolean =>
  name !== undefined || type === 'application/octet-stream' || (type ?? '').startsWith('image/');

export const imageOperations = (deps: SurfaceBDeps): Operation => ({
  level: 'T',
  add: (scope) => {
    scope.register(async function forms(inner) {
      // A body of any other type is not read, and answered as a form without the file.
      inner.removeAllContentTypeParsers();
      inner.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
      inner.setValidatorCompiler(uncheckedRoute);
      await inner.register(multipart, { isPartAFile });
      for (const upload of uploads) addUpload(inner, deps, upload);
    });
  },
});
