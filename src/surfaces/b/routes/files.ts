import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mediaTypeOf } from '../../../domain/profiles/images/image-types.ts';
import type { Profiles } from '../../../domain/profiles/profiles.ts';
import { sha256 } from '../../../lib/hash.ts';
import { isRecord } from '../../../lib/records.ts';
import { raceSignal } from '../../../lib/single-flight.ts';
import type { ByteBudget } from '../../../platform/byte-budget.ts';
import { contextOf } from '../../../platform/call-context.ts';
import { isKnownTo } from '../../../platform/entity-tag.ts';
import type { RequestLimits } from '../../../platform/limits.ts';
import { uncheckedRoute } from '../../../platform/validation.ts';
import type { Envelopes } from '../envelope.ts';
import { operationSchema } from '../operation-schema.ts';

/** A member of the path or the query; a repeated or missing one is no part of an address that was given out. */
const textOf = (members: unknown, name: string): string => {
  const value = isRecord(members) ? members[name] : undefined;
  return typeof value === 'string' ? value : '';
};

const params = Type.Object({
  folder: Type.String({ description: '`avatars` or `backgrounds`.' }),
  name: Type.String({ description: 'Random id and extension.' }),
});
const query = Type.Object({
  expires: Type.String({ description: 'Unix seconds; part of what is signed.' }),
  signature: Type.String({ description: 'Proves that this service gave out the address.' }),
});

/** For clients that keep a copy. */
const copyHeaders = {
  ETag: { type: 'string', description: 'Of the bytes; for `If-None-Match`.' },
  'Cache-Control': { type: 'string', description: '`private`, and how many seconds the address still works.' },
};

const binary = { schema: { type: 'string', format: 'binary' } };

const schemaOf = (envelopes: Envelopes) => {
  const { response, ...described } = operationSchema(
    {
      operationId: 'getFile',
      tag: 'Files',
      summary: 'Image delivery',
      description:
        'Addresses come from the profile answers and work for an hour, without a token. An image that was replaced or ' +
        'removed is gone at once.',
      params,
      query,
      data: Type.Unknown(),
      message: '',
      example: { data: null },
      failures: ['FORBIDDEN', 'NOT_FOUND', 'RESOURCE_EXPIRED'],
    },
    '-',
    envelopes,
  );
  const { 200: _success, 400: _empty, 422: _invalid, ...failures } = Object(response);
  const content = { 'image/jpeg': binary, 'image/png': binary, 'image/gif': binary, 'image/webp': binary };
  return {
    ...described,
    response: {
      200: { description: 'The image.', headers: copyHeaders, content },
      304: { description: 'The client has this image already.', headers: copyHeaders, type: 'null' },
      ...failures,
    },
  };
};

interface FileDeps {
  readonly profiles: Profiles;
  readonly limits: RequestLimits;
  readonly answers: ByteBudget;
  readonly envelopes: Envelopes;
}

/**
 * Delivers images by signed addresses. A good address is limited by itself, any other counts against its sender: a
 * campus that shares one address may look at as many avatars as it likes.
 */
export const addFiles = (scope: FastifyInstance, { profiles, limits, answers, envelopes }: FileDeps): void => {
  const open = async (request: FastifyRequest, signature: string) => {
    const key = `${textOf(request.params, 'folder')}/${textOf(request.params, 'name')}`;
    const ticket = { expires: textOf(request.query, 'expires'), signature };
    try {
      return await raceSignal(profiles.openImage(key, ticket), contextOf(request).signal);
    } catch (error) {
      limits.anonymous(request);
      throw error;
    }
  };
  const deliver = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const signature = textOf(request.query, 'signature');
    const { type, tag, bytes, secondsLeft } = await open(request, signature);
    limits.known(sha256(signature));
    const quoted = `"${tag}"`;
    reply.header('ETag', quoted).cacheControl('private').maxAge(secondsLeft).header('Accept-Ranges', 'none');
    if (isKnownTo(request.headers['if-none-match'], quoted)) return reply.code(304).send();
    answers.hold(reply, bytes.length);
    return reply.type(mediaTypeOf(type)).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  };
  const options = { schema: schemaOf(envelopes), validatorCompiler: uncheckedRoute, config: { bodyless: true } };
  scope.get('/files/:folder/:name', options, deliver);
};
