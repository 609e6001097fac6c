import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { isKnownTo } from '../call/call.ts';

/** A text that is the same for all and never changes while the process lives. */
export class Asset {
  readonly type: string;
  readonly body: Buffer;
  /** Hash of the text. */
  readonly version: string;

  constructor(type: string, text: string) {
    this.type = type;
    this.body = Buffer.from(text);
    this.version = hash('sha256', this.body, 'base64url').slice(0, 27);
  }
}

/** Seconds a caller may keep an asset without asking, or for good where its address changes with it. */
export type Keeping = number | 'immutable';

const YEAR_SECONDS = 31_536_000;

/** Compressing is left to the proxy. */
export const sendAsset = (reply: FastifyReply, { type, version, body }: Asset, keeping: Keeping): FastifyReply => {
  const etag = `"${version}"`;
  reply.header('ETag', etag);
  if (keeping === 0) reply.cacheControl('no-cache');
  else if (keeping === 'immutable') reply.cacheControl('public').cacheControl('immutable').maxAge(YEAR_SECONDS);
  else reply.cacheControl('public').maxAge(keeping);
  if (isKnownTo(reply.request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type(type).send(body);
};
