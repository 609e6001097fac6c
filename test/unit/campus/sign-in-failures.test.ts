import { describe, expect, it } from 'vitest';
import type { HttpAnswer } from '../../../src/campus/http.ts';
import type { Unanswered } from '../../../src/campus/session/verdict.ts';
import { beforeCredentials } from '../../../src/campus/sign-in-failures.ts';

const page = (text: string): HttpAnswer => ({
  kind: 'answer',
  status: 200,
  location: undefined,
  setCookies: [],
  text,
});
const silence = (fault: Unanswered['fault']): Unanswered => ({ kind: 'no-answer', fault });

/** What it comes to, and how many requests that took, when every request is answered so. */
const outcomeOf = async (answer: HttpAnswer | Unanswered) => {
  let requests = 0;
  const ask = () => {
    requests += 1;
    return Promise.resolve(answer);
  };
  const found = await beforeCredentials('portal', ask, ({ text }) => (text === 'challenge' ? { text } : null));
  return { requests, found };
};

describe('what comes before the credentials', () => {
  it('is asked for once when it is there', async () => {
    expect(await outcomeOf(page('challenge'))).toEqual({ requests: 1, found: { text: 'challenge' } });
  });

  it.each([page('something else'), silence('not-sent'), silence('broken')])(
    'is asked for three times: %o',
    async (answer) => {
      const { requests, found } = await outcomeOf(answer);
      expect(requests).toBe(3);
      expect(found).toMatchObject({ kind: 'failed', failure: { kind: 'sign-in-unavailable', step: 'portal' } });
    },
  );

  it.each(['timed-out', 'too-large', 'breaker-open', 'line-full'] as const)(
    'is asked for once when %s',
    async (fault) => {
      const { requests, found } = await outcomeOf(silence(fault));
      expect(requests).toBe(1);
      expect(found).toMatchObject({ kind: 'failed' });
    },
  );
});
