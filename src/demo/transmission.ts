import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../lib/time.ts';
import type { DemoReply } from './exchange.ts';

const head = (response: ServerResponse, answer: DemoReply, length: number | null): void => {
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) {
    response.setHeader(name, typeof value === 'string' ? value : [...value]);
  }
  if (length !== null) response.setHeader('Content-Length', length);
};

export const send = (response: ServerResponse, answer: DemoReply): void => {
  const bytes = Buffer.from(answer.body);
  head(response, answer, bytes.length);
  response.end(bytes);
};

/** Announces the whole length, sends half, and breaks the connection. */
export const sendCut = (response: ServerResponse, answer: DemoReply): void => {
  const bytes = Buffer.from(answer.body);
  head(response, answer, Math.max(bytes.length, 2));
  response.write(bytes.length > 1 ? bytes.subarray(0, Math.floor(bytes.length / 2)) : Buffer.from(' '), () =>
    response.destroy(),
  );
};

export const sendDrip = async (
  response: ServerResponse,
  answer: DemoReply,
  pace: { readonly bytesPerTick: number; readonly tickMs: number },
  clock: Clock,
  signal: AbortSignal,
): Promise<void> => {
  const bytes = Buffer.from(answer.body);
  const step = Math.max(1, Math.floor(pace.bytesPerTick));
  head(response, answer, bytes.length);
  for (let sent = 0; sent < bytes.length && !response.destroyed; sent += step) {
    response.write(bytes.subarray(sent, sent + step));
    await clock.wait(pace.tickMs, signal);
  }
  response.end();
};

const CHUNK = Buffer.alloc(65_536, ' ');

function* blanks(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, Math.min(left, CHUNK.length));
}

/** Streams that many bytes, without saying how many there will be, unless the client leaves. */
export const sendHuge = async (response: ServerResponse, bytes: number): Promise<void> => {
  response.statusCode = 200;
  response.setHeader('Content-Type', 'text/html;charset=UTF-8');
  await pipeline(blanks(bytes), response).catch(() => {});
};
