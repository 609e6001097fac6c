import type { components } from './api.ts';
import { CampusError } from './errors.ts';
import { readAnswer } from './read-answer.ts';
import { wait } from './wait.ts';

/** A change, as the service tells it: names and ids, never a mark. */
export type ChangeEvent = Readonly<components['schemas']['ChangeEvent']>;

export interface FollowEventsOptions {
  /** `seq` of the last event that was handled: what came since is told first. Left out: from now on. */
  readonly after?: number;
  /** Ends it; what it was aborted with is thrown. */
  readonly signal?: AbortSignal;
  /** Told every event once, in order. Keep its `seq`, and give it as `after` the next time. */
  readonly onEvent: (event: ChangeEvent) => void;
  /** Events were missed that are no longer kept: what is shown may be out of date. */
  readonly onGap?: () => void;
}

/** Opens the stream behind an event. */
export type OpenStream = (lastEventId: string | null, signal: AbortSignal) => Promise<Response>;

const operation = 'streamEvents';
const FIRST_PAUSE_MS = 3_000;
const LONGEST_PAUSE_MS = 60_000;
/** The service sends something every 25 seconds. */
const SILENCE_MS = 60_000;
/** No event is nearly as long. */
const LONGEST = 1_000_000;

interface Message {
  readonly event: string;
  readonly id: string | null;
  readonly data: string;
}

const fieldOf = (line: string): readonly [name: string, value: string] => {
  const colon = line.indexOf(':');
  if (colon < 0) return [line, ''];
  return [line.slice(0, colon), line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)];
};

const messageOf = (text: string): Message => {
  const fields = text.split('\n').map(fieldOf);
  const last = (wanted: string) => fields.filter(([name]) => name === wanted).at(-1)?.[1] ?? null;
  const data = fields.flatMap(([name, value]) => (name === 'data' ? [value] : [])).join('\n');
  return { event: last('event') ?? '', id: last('id'), data };
};

/** The messages of a stream, until it ends. */
async function* messagesOf(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<Message> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      text += decoder.decode(value, { stream: true }).replaceAll('\r', '');
      const messages = text.split('\n\n');
      text = messages.pop() ?? '';
      if (text.length > LONGEST) return;
      for (const message of messages) yield messageOf(message);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** One connection: resolves when it ends. @throws CampusError where the service refuses it */
const readOnce = async (
  open: OpenStream,
  lastEventId: string | null,
  signal: AbortSignal,
  handle: (message: Message) => void,
): Promise<void> => {
  const controller = new AbortController();
  const leave = (): void => controller.abort(signal.reason);
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave);
  let silence: ReturnType<typeof setTimeout> | undefined;
  const heard = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => controller.abort(), SILENCE_MS);
  };
  heard();
  try {
    const response = await open(lastEventId, controller.signal);
    if (response.status !== 200 || response.body === null) {
      readAnswer(operation, { status: response.status, headers: response.headers, text: await response.text() });
      return;
    }
    for await (const message of messagesOf(response.body, heard)) handle(message);
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', leave);
    controller.abort();
  }
};

/**
 * Follows the changes of a student until `signal` is aborted or the service refuses for good. A connection that ends is
 * opened again behind the last event, as soon as the service can; no event is told twice, none is left out but
 * those that `onGap` stands for.
 */
export const followStream = async (
  open: OpenStream,
  { after, signal = new AbortController().signal, onEvent, onGap }: FollowEventsOptions,
): Promise<never> => {
  let last = after === undefined ? null : String(after);
  let pauseMs = FIRST_PAUSE_MS;
  let thrown: { readonly error: unknown } | null = null;
  const tell = ({ event, data }: Message): void => {
    if (event === 'gap') onGap?.();
    else if (event !== '' && event !== 'goodbye') onEvent(JSON.parse(data) as ChangeEvent);
  };
  const handle = (message: Message): void => {
    pauseMs = FIRST_PAUSE_MS;
    try {
      tell(message);
    } catch (error) {
      thrown = { error };
      throw error;
    }
    last = message.id ?? last;
  };
  for (;;) {
    let waitMs = pauseMs;
    try {
      await readOnce(open, last, signal, handle);
    } catch (error) {
      if (signal.aborted) throw signal.reason ?? error;
      // What the caller's own functions throw is theirs.
      if (thrown !== null) throw error;
      if (error instanceof CampusError) {
        if (!['wait', 'try-again'].includes(error.advice)) throw error;
        waitMs = Math.max(waitMs, (error.retryAfter ?? 0) * 1000);
      }
    }
    await wait(waitMs, signal);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
};
