import { CampusError } from './errors.ts';
import { type FollowEventsOptions, followStream } from './events.ts';
import type { Operations } from './methods.ts';
import { operations } from './operations.ts';
import { readAnswer } from './read-answer.ts';
import { type AnyInput, type PreparedRequest, prepareRequest } from './request.ts';
import { createToken, type Token } from './token.ts';
import type { Answer, Arguments, Data, OperationId } from './types.ts';
import { wait } from './wait.ts';

export interface ClientOptions {
  /** Of the service, e.g. `https://campus.example`. */
  readonly baseUrl: string;
  /** The token of an earlier run, or a token that several clients share. */
  readonly token?: string | null | Token;
  /** Of the texts about wrong requests, e.g. `zh`. Left out: that of the browser. */
  readonly language?: string;
  /** How long a call may take; the service itself gives up after 30 s, and after 90 s where images are sent. */
  readonly timeoutMs?: number;
  /**
   * A call that the service calls `retryable` is sent once more where no longer wait than this comes before; 0: never.
   * Left out: 5 s. Nothing else is ever repeated.
   */
  readonly retryWithinMs?: number;
  readonly fetch?: typeof globalThis.fetch;
}

export interface CampusClient extends Operations {
  readonly token: Token;
  /** Calls an operation by its name. @throws CampusError, and what `signal` was aborted with */
  call<Id extends OperationId>(id: Id, ...input: Arguments<Id>): Promise<Answer<Data<Id>>>;
  /** Follows the changes of the student. @throws CampusError, what `signal` was aborted with, and what `onEvent` throws */
  followEvents(options: FollowEventsOptions): Promise<never>;
}

/** Operations whose success gives a token, and the member that holds it. */
const tokenGivers: Readonly<Record<string, string>> = {
  login: 'token',
  register: 'token',
  answerChallenge: 'token',
  v1Login: 'authme_token',
  v1Register: 'authme_token',
};

/** After these the token opens nothing any more. */
const farewells: readonly string[] = ['logout', 'logoutEverywhere', 'deleteAccount', 'deleteAccountByPost'];

/** What has `get` is a `Token` already. */
const tokenOf = (given: ClientOptions['token']): Token =>
  given !== null && typeof given === 'object' ? given : createToken(given);

/** Runs `work` with a signal that ends with the caller's, or after the time. React Native has no `AbortSignal.any`. */
const withinTime = async <T>(
  operation: string,
  timeoutMs: number,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController();
  let late = false;
  const leave = (): void => controller.abort(caller?.reason);
  if (caller?.aborted) leave();
  caller?.addEventListener('abort', leave);
  const timer = setTimeout(() => {
    late = true;
    controller.abort();
  }, timeoutMs);
  try {
    return await work(controller.signal);
  } catch (cause) {
    if (caller?.aborted) throw caller.reason ?? cause;
    if (cause instanceof CampusError) throw cause;
    if (late)
      throw new CampusError({ operation, code: 'NO_ANSWER', message: `${timeoutMs / 1000} 秒内没有收到应答`, cause });
    throw new CampusError({ operation, code: 'NETWORK', message: '无法连接服务，请检查网络', cause });
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', leave);
  }
};

/** The wait before a retry, where the failure states none. */
const RETRY_PAUSE_MS = 2_000;

/** A client of one student at one service. */
export const createClient = (options: ClientOptions): CampusClient => {
  const { timeoutMs = 100_000, retryWithinMs = 5_000, language } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const token = tokenOf(options.token);
  const fetch: typeof globalThis.fetch = options.fetch ?? ((...call) => globalThis.fetch(...call));

  const send = ({ url, method, headers, body }: PreparedRequest, signal: AbortSignal) => {
    const content = body === undefined ? {} : { body };
    // No cookies, and no redirects: the service sends none, and what is followed takes passwords and token along. The
    // browser's cache may work for us: the service has it ask again each time, with the ETag.
    return fetch(url, { method, headers, signal, credentials: 'omit', redirect: 'manual', ...content });
  };

  const call = async (id: OperationId, input: AnyInput = {}): Promise<Answer<unknown>> => {
    const request = prepareRequest(baseUrl, id, input, token.get().token, language);
    const once = async (signal: AbortSignal): Promise<Answer<unknown>> => {
      const response = await send(request, signal);
      return readAnswer(id, { status: response.status, headers: response.headers, text: await response.text() });
    };
    try {
      const answer = await withinTime(id, input.timeoutMs ?? timeoutMs, input.signal, (signal) =>
        once(signal).catch(async (error: unknown) => {
          if (!(error instanceof CampusError) || !error.retryable) throw error;
          const pauseMs = error.retryAfter === null ? RETRY_PAUSE_MS : error.retryAfter * 1000;
          if (pauseMs > (input.retryWithinMs ?? retryWithinMs)) throw error;
          await wait(pauseMs, signal);
          return once(signal);
        }),
      );
      const given = Object(answer.data)[tokenGivers[id] ?? ''];
      if (typeof given === 'string') token.set(given);
      if (farewells.includes(id) && token.get().token === request.token) token.set(null);
      return answer;
    } catch (error) {
      if (error instanceof CampusError && error.tokenEnded && request.token !== null) token.end(request.token);
      throw error;
    }
  };
  const followEvents = async (options: FollowEventsOptions): Promise<never> => {
    const open = (lastEventId: string | null, signal: AbortSignal) => {
      const headers = {
        Accept: 'text/event-stream',
        ...(token.get().token === null ? {} : { Authorization: `Bearer ${token.get().token}` }),
        ...(lastEventId === null ? {} : { 'Last-Event-ID': lastEventId }),
      };
      return send({ url: `${baseUrl}/events/stream`, method: 'GET', headers, token: null }, signal);
    };
    const used = token.get().token;
    try {
      return await followStream(open, options);
    } catch (error) {
      if (error instanceof CampusError && error.tokenEnded && used !== null) token.end(used);
      throw error;
    }
  };
  const ids = Object.keys(operations) as OperationId[];
  const methods = Object.fromEntries(ids.map((id) => [id, (input?: AnyInput) => call(id, input)]));
  // The types of answers are those of the description that the service serves.
  return { ...methods, token, call, followEvents } as unknown as CampusClient;
};
