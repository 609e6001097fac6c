import { describe, expect, it } from 'vitest';
import { beforeCredentials } from '../../../../src/campus/contract/sign-in-failures.ts';
import type { HttpAnswer, Unanswered } from '../../../../src/campus/transport/http.ts';

const page = (text: string): HttpAnswer => ({
  kind: 'answer',
  status: 200,
  location: undefined,
  setCookies: [],
  text,
});
const silence = (fault: Unanswered['fault']): Unanswered => ({ kind: 'no-answer', fault });

/** The outcome when every request is answered so, and the number of requests. */
const outcomeOf = async (answer: HttpAnswer | Unanswered) => {
  let requests = 0;
  const ask = () => {
    requests += 1;
    return Promise.resolve(answer);
  };
  const saw: boolean[] = [];
  const read = ({ text }: HttpAnswer) => (text === 'challenge' ? { text } : null);
  const found = await beforeCredentials('portal', ask, read, (isKnown) => saw.push(isKnown));
  return { requests, found, saw };
};

describe('what comes before the credentials', () => {
  it('is asked for once when it is there', async () => {
    expect(await outcomeOf(page('challenge'))).toEqual({
      requests: 1,
      found: { text: 'challenge' },
      saw: [true],
    });
  });

  it.each([page('something else'), silence('not-sent'), silence('broken')])(
    'is asked for three times: %o',
    async (answer) => {
      const { requests, found } = await outcomeOf(answer);
      expect(requests).toBe(3);
      expect(found).toMatchObject({ kind: 'failed', failure: { kind: 'sign-in-unavailable', step: 'portal' } });
    },
  );

  it('counts as an unknown page, unless the server is down', async () => {
    expect((await outcomeOf(page('something else'))).saw).toEqual([false, false, false]);
    expect((await outcomeOf({ ...page('something else'), status: 500 })).saw).toEqual([]);
  });

  it.each(['timed-out', 'too-large', 'breaker-open', 'line-full'] as const)(
    'is asked for once when %s',
    async (fault) => {
      const { requests, found } = await outcomeOf(silence(fault));
      expect(requests).toBe(1);
      expect(found).toMatchObject({ kind: 'failed' });
    },
  );
});
