import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { signedIn, surfaceA } from './support.ts';

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

/** Sends the head and the chunks as they are, and resolves with the answer even when it comes before the end. */
const send = (port: number, headers: Record<string, string>, chunks: readonly Buffer[], end = true): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      { port, host: '127.0.0.1', method: 'POST', path: '/api/v1/user/authme', headers },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8');
        answer.on('data', (text: string) => {
          body += text;
        });
        answer.on('end', () => {
          outgoing.destroy();
          resolve({ status: answer.statusCode, body });
        });
      },
    );
    outgoing.on('error', reject);
    for (const chunk of chunks) outgoing.write(chunk);
    if (end) outgoing.end();
    else outgoing.flushHeaders();
  });

const listening = async () => {
  const surface = await surfaceA({});
  await surface.app.listen({ port: 0, host: '127.0.0.1' });
  const address = surface.app.server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { ...surface, port: address.port };
};

const json = { 'content-type': 'application/json' };
const tooLarge = JSON.stringify({ code: 413, message: '请求体过大', data: null });

describe('over a real socket', () => {
  it('a body in many pieces is read as one', async () => {
    const { port } = await listening();
    const pieces = [...Buffer.from(JSON.stringify({ ...signedIn, note: '课程' }))].map((byte) => Buffer.of(byte));
    const answer = await send(port, json, pieces);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).data).toEqual({ is_logged_in: true, userid: '2023000001' });
  });

  it('a body that announces more than the limit is refused before it is sent', async () => {
    const { port } = await listening();
    const answer = await send(port, { ...json, 'content-length': '1048577' }, [], false);
    expect(answer).toEqual({ status: 200, body: tooLarge });
  });

  it('a body that grows beyond the limit without having said so is refused', async () => {
    const { port } = await listening();
    const answer = await send(port, json, [Buffer.alloc(1_048_577, 'x')], false);
    expect(answer).toEqual({ status: 200, body: tooLarge });
  });
});
