import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { Failure } from '../../domain/errors.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import { BodyTooSlow, type Meter } from '../../platform/limits/large-bodies.ts';
import { missing, RequestInvalid, type Wrong } from '../../platform/requests/findings.ts';

/** What may stand around a file: boundaries, part headers, small fields. */
const framing = 65_536;
const limits = { files: 2, fields: 8, parts: 10, fieldNameSize: 100, fieldSize: 1_024, headerPairs: 32 };
const invalid = (part: string, wrong: Wrong): RequestInvalid => new RequestInvalid([{ ...wrong, loc: ['body', part] }]);
const missingPart = (part: string): RequestInvalid => invalid(part, missing);

const secondFile: Wrong = {
  type: 'model_attributes_type',
  msg: { en: 'Only one file is allowed', zh: '只能上传一个文件' },
};
const noForm: Wrong = {
  type: 'model_attributes_type',
  msg: { en: 'Body should be a multipart form with one file', zh: '请求体应为包含一个文件的 multipart 表单' },
};

/** Collects a file; the parser stops handing over bytes once there are more than `largest`. */
const collect = async ({ file }: MultipartFile): Promise<Buffer> => {
  const { promise: full, reject } = Promise.withResolvers<never>();
  full.catch(() => {});
  file.once('limit', () => reject(new Failure('image-too-large')));
  const chunks: Buffer[] = [];
  const read = async (): Promise<Buffer> => {
    for await (const chunk of file) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  return Promise.race([read(), full]);
};

/** The one file of the form. Fields beside it mean nothing; a second file, or one of another name, is a mistake. */
const readForm = async (request: FastifyRequest, part: string, largest: number): Promise<Uint8Array> => {
  let image: Uint8Array | null = null;
  for await (const each of request.parts({ limits: { ...limits, fileSize: largest } })) {
    if (each.type === 'field') continue;
    if (each.fieldname !== part) throw missingPart(part);
    if (image !== null) throw invalid(part, secondFile);
    image = await collect(each);
  }
  if (image === null) throw missingPart(part);
  return image;
};

/** What the parser says about a form that is none, or a connection that ended in the middle of it. */
const translated = (error: unknown, part: string): unknown => {
  if (error instanceof Failure || error instanceof RequestInvalid || error instanceof BodyTooSlow) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_MP_PREMATURE_CLOSE' || code === 'ECONNRESET') return new Failure('client-gone', { cause: error });
  return invalid(part, noForm);
};

/**
 * Receives the file of a multipart form in the part called `part`. Memory is bounded by `largest`, whatever is sent:
 * more than that, or more around it than a form needs, is refused while it arrives, and at once when it is announced.
 * `meterOf` gets what refuses it for another reason.
 * @throws RequestInvalid; Failure `image-too-large`, `client-gone`, `timed-out`; what the meter refuses with
 */
export const receiveFile = async (
  request: FastifyRequest,
  part: string,
  largest: number,
  meterOf: (refuse: (error: Error) => void) => Meter,
): Promise<Uint8Array> => {
  if (!request.is('multipart/form-data')) throw missingPart(part);
  const most = largest + framing;
  if (Number(request.headers['content-length'] ?? 0) > most) throw new Failure('image-too-large');
  const { promise: refused, reject } = Promise.withResolvers<never>();
  refused.catch(() => {});
  const meter = meterOf(reject);
  let received = 0;
  const count = (chunk: Buffer): void => {
    received += chunk.length;
    if (received > most) reject(new Failure('image-too-large'));
    meter.add(chunk.length);
  };
  const reading = readForm(request, part, largest);
  reading.catch(() => {});
  request.raw.on('data', count);
  try {
    return await raceSignal(Promise.race([reading, refused]), request.call.signal);
  } catch (error) {
    // What is still on its way is thrown away as it comes.
    request.raw.unpipe();
    request.raw.resume();
    throw translated(error, part);
  } finally {
    request.raw.off('data', count);
    meter.complete();
  }
};
