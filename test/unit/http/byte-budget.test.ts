import fastify, { type FastifyReply } from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { addCallContext } from '../../../src/http/call/call-context.ts';
import { ByteBudget } from '../../../src/http/limits/byte-budget.ts';

const mebibyte = 1_048_576;

/** A listening server whose replies a test holds in its hands until it sends them. */
const holding = async () => {
  const replies: FastifyReply[] = [];
  const app = fastify();
  addCallContext(app, 60_000);
  app.get('/', (_request, reply) => {
    replies.push(reply);
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const next = async (): Promise<{ reply: FastifyReply; leave: () => void }> => {
    const before = replies.length;
    const client = new AbortController();
    fetch(url, { signal: client.signal }).catch(() => {});
    await vi.waitFor(() => expect(replies.length).toBe(before + 1));
    const reply = replies[before];
    if (reply === undefined) throw new Error('no reply');
    return { reply, leave: () => client.abort() };
  };
  return { next, close: () => app.close() };
};

const isFull = (budget: ByteBudget, reply: FastifyReply): boolean => {
  try {
    budget.hold(reply, 2 * mebibyte);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ kind: 'overloaded', retryAfterSeconds: 5 });
    return true;
  }
};

describe('the budget of large bodies and answers', () => {
  it('refuses what would be too much together, and gives back what was answered or abandoned', async () => {
    const { next, close } = await holding();
    const budget = new ByteBudget(5 * mebibyte);
    const [one, two, three] = [await next(), await next(), await next()];
    budget.hold(one.reply, 2 * mebibyte);
    budget.hold(two.reply, 2 * mebibyte);
    expect(isFull(budget, three.reply)).toBe(true);
    one.reply.send('done');
    await vi.waitFor(() => expect(isFull(budget, three.reply)).toBe(false));
    const four = await next();
    expect(isFull(budget, four.reply)).toBe(true);
    two.leave();
    await vi.waitFor(() => expect(isFull(budget, four.reply)).toBe(false));
    for (const { reply } of [three, four]) reply.send('done');
    await close();
  });

  it('never refuses what is small, or what has already happened, but counts the latter', async () => {
    const { next, close } = await holding();
    const budget = new ByteBudget(5 * mebibyte);
    const [one, two] = [await next(), await next()];
    budget.count(one.reply, 6 * mebibyte);
    budget.count(one.reply, 6 * mebibyte);
    budget.hold(two.reply, mebibyte);
    expect(isFull(budget, two.reply)).toBe(true);
    one.reply.send('done');
    await vi.waitFor(() => expect(isFull(budget, two.reply)).toBe(false));
    two.reply.send('done');
    await close();
  });
});
