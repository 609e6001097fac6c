import { createHash } from 'node:crypto';
import type { Answer, Gateway } from './gateway-rig.ts';

export type Use = 'avatar' | 'background';

/** Where each sort of image is uploaded, and the name of its part. */
export const places = {
  avatar: { path: '/profile/user/avatar/upload', part: 'avatar_update_request' },
  background: { path: '/profile/client/image/upload', part: 'background_image_upload' },
} as const;

export const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

interface UploadOptions {
  readonly type?: string;
  readonly path?: string;
  readonly part?: string;
}

export interface Delivered {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** The calls of one student's app with profiles and images. */
export interface ProfileCalls {
  get(path: string): Promise<Answer>;
  put(path: string, body: unknown): Promise<Answer>;
  upload(use: Use, bytes: Uint8Array, options?: UploadOptions): Promise<Answer>;
  /** Uploads and returns the id. */
  stage(use: Use, bytes: Uint8Array, options?: UploadOptions): Promise<string>;
}

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
};

export const profileCalls = (gateway: Gateway, token: string): ProfileCalls => {
  const calls: ProfileCalls = {
    get: (path) => gateway.b('GET', path, { token }),
    put: (path, body) => gateway.b('PUT', path, { token, body }),
    async upload(use, bytes, { type = 'image/jpeg', path = places[use].path, part = places[use].part } = {}) {
      const form = new FormData();
      form.append(part, new Blob([new Uint8Array(bytes)], { type }), 'picture');
      const headers = { authorization: `Bearer ${token}` };
      return answerOf(await fetch(gateway.url + path, { method: 'PUT', headers, body: form }));
    },
    async stage(use, bytes, options) {
      const answer = await calls.upload(use, bytes, options);
      if (answer.status !== 200) throw new Error(`upload: ${answer.text}`);
      return answer.body.data.uuid;
    },
  };
  return calls;
};

/** Fetches an image by the address that an answer gave. */
export const deliver = async (address: string, headers: Record<string, string> = {}): Promise<Delivered> => {
  const response = await fetch(address, { headers });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
};
