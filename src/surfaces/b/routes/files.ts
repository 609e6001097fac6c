import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { text } from '../../../domain/record.ts';
import { isKnownTo } from '../../../http/call/call.ts';
import { sha256 } from '../../../lib/hash.ts';
import { mediaTypeOf } from '../../../lib/images/image-types.ts';
import { raceSignal } from '../../../lib/single-flight.ts';
import { isRecord } from '../../../lib/text.ts';
import { delivery } from '../delivery.ts';
import type { SurfaceBDeps } from '../described.ts';
import { ifNoneMatch } from '../operation-document.ts';

/** Empty for a member that is missing or repeated: no address of ours has one. */
const textOf = (members: unknown, name: string): string => {
  const value = isRecord(members) ? members[name] : undefined;
  return typeof value === 'string' ? value : '';
};

const params = Type.Object({
  folder: text('`avatars` or `backgrounds`.', 'avatars'),
  name: text('Random id and extension.', '5f0cd0c1-58a1-4a5b-9b0e-1f6a5d0f2c11.png'),
});
const query = Type.Object({
  expires: text('Unix seconds; part of what is signed.', '4092595200'),
  signature: text('Proves that this service gave out the address.', 'ZXhhbXBsZS1zaWduYXR1cmU'),
});

const copyHeaders = {
  ETag: { type: 'string', description: 'Of the bytes; for `If-None-Match`.' },
  'Cache-Control': { type: 'string', description: '`private`, and how many seconds the address still works.' },
};

const binary = { schema: { type: 'string', format: 'binary' } };

const content = { 'image/jpeg': binary, 'image/png': binary, 'image/gif': binary, 'image/webp': binary };

const described = {
  level: '-',
  tag: 'Files',
  summary: { en: 'Image delivery', zh: '图片' },
  description:
    'Addresses come from the profile answers and work for an hour, without a token. An image that was replaced or ' +
    'removed is gone at once.',
  params,
  query,
  requestHeaders: { 'If-None-Match': ifNoneMatch },
  failures: ['FORBIDDEN', 'NOT_FOUND', 'RESOURCE_EXPIRED'],
  delivered: {
    200: { description: 'The image.', headers: copyHeaders, content },
    304: { description: 'The client has this image already.', headers: copyHeaders, type: 'null' },
  },
} as const;

/** A good address has its own limit. Any other counts against its sender, which may be a whole campus. */
export const addFiles = (scope: FastifyInstance, deps: SurfaceBDeps): void => {
  const { profiles } = deps.services;
  const { limits, answers } = deps.http;
  const open = async (request: FastifyRequest, signature: string) => {
    const key = `${textOf(request.params, 'folder')}/${textOf(request.params, 'name')}`;
    const ticket = { expires: textOf(request.query, 'expires'), signature };
    try {
      return await raceSignal(profiles.openImage(key, ticket), request.call.signal);
    } catch (error) {
      limits.anonymous(request);
      throw error;
    }
  };
  const deliver = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const signature = textOf(request.query, 'signature');
    const { type, tag, bytes, secondsLeft } = await open(request, signature);
    limits.secretAddress(sha256(signature));
    const quoted = `"${tag}"`;
    reply.header('ETag', quoted).cacheControl('private').maxAge(secondsLeft).header('Accept-Ranges', 'none');
    if (isKnownTo(request.headers['if-none-match'], quoted)) return reply.code(304).send();
    answers.hold(reply, bytes.length);
    return reply.type(mediaTypeOf(type)).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  };
  delivery('GET /files/:folder/:name', 'getFile', { ...described, handler: deliver }).add(scope, deps);
};
