import { describe, expect, it } from 'vitest';
import { failures } from '../../../src/domain/errors.ts';
import { createLogger } from '../../../src/http/logs/logger.ts';
import { appUnderTest } from '../../support/app.ts';
import { exampleToken } from '../../support/fake-services.ts';

type Line = Record<string, unknown>;

const logged = async (level = 'info') => {
  const texts: string[] = [];
  const logger = createLogger(level, { write: (text: string) => void texts.push(text) });
  const made = await appUnderTest({ logger });
  const lines = (): Line[] => texts.map((text) => JSON.parse(text));
  return { ...made, texts, lines };
};

describe('the request log', () => {
  it('has one line per request, with its trace id, route and status', async () => {
    const { app, lines } = await logged();
    const answer = await app.inject({
      url: '/jwc/score/2025-2026-1-1/list?marker=in-query',
      headers: { authorization: `Bearer ${exampleToken}`, cookie: 'marker=in-cookie' },
    });
    expect(lines()).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        trace_id: answer.headers['x-trace-id'],
        method: 'GET',
        route: '/jwc/score/:term_code/list',
        status: 200,
        ms: expect.any(Number),
        student: expect.stringMatching(/^[0-9a-f]{12}$/),
        msg: 'request',
      },
    ]);
  });

  it.each([
    ['/nowhere/marker-in-path', 404],
    ['/marker-in-path/%ff', 404],
    ['/api/v1/marker-in-path', 404],
    ['/auth/authme/token', 401],
  ])('names no path that is not a route: %s', async (url, status) => {
    const { app, lines, texts } = await logged();
    await app.inject(url);
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).toMatchObject({ status, msg: 'request' });
    expect(texts.join('')).not.toContain('marker-in-path');
  });

  it('leaves successful probes out', async () => {
    const { app, services, lines } = await logged();
    await app.inject('/alive');
    await app.inject('/ready');
    expect(lines()).toEqual([]);
    services.ready.returns(false);
    await app.inject('/ready');
    expect(lines()).toHaveLength(1);
  });
});

describe('the logger', () => {
  const written = (fields: object): string => {
    const texts: string[] = [];
    createLogger('info', { write: (text: string) => void texts.push(text) }).info(fields, 'line');
    return texts.join('');
  };

  it('writes errors without their texts', () => {
    const cause = new SyntaxError('marker');
    const text = written({ err: Object.assign(new Error('marker', { cause }), { code: 'ECONNREFUSED' }) });
    for (const kept of ['ECONNREFUSED', 'SyntaxError']) expect(text).toContain(kept);
    expect(text).not.toContain('marker');
  });

  it('blanks members that are secrets, should one ever get there', () => {
    const text = written({ password: 'marker', entry: { vpn_password: 'marker', invite_token: 'marker' } });
    expect(text).not.toContain('marker');
  });
});

describe('failures in the log', () => {
  it('of the service are written once, with the way to them', async () => {
    const { app, services, lines } = await logged();
    const cause = new TypeError('x is not a function');
    services.academics.terms.fails(failures.internal('while testing', { cause }));
    await app.inject({ url: '/jwc/term/all', headers: { authorization: `Bearer ${exampleToken}` } });
    const [failure, request] = lines();
    expect(failure).toMatchObject({
      level: 'error',
      msg: 'call failed',
      failure: 'internal',
      reason: 'while testing',
      status: 500,
      cause: { name: 'TypeError', message: 'x is not a function', frames: expect.any(Array) },
    });
    expect(request).toMatchObject({ msg: 'request', status: 500, failure: 'internal' });
    expect(failure?.trace_id).toBe(request?.trace_id);
    expect(lines()).toHaveLength(2);
  });

  it('of the campus are warnings, and those of the client have no line', async () => {
    const { app, services, lines } = await logged();
    const ask = () => app.inject({ url: '/jwc/term/all', headers: { authorization: `Bearer ${exampleToken}` } });
    services.academics.terms.fails(failures.upstreamUnavailable('academics'));
    await ask();
    expect(lines().map(({ level, msg }) => [level, msg])).toEqual([
      ['warn', 'call failed'],
      ['info', 'request'],
    ]);
    services.academics.terms.fails(failures.storedCredentialsRefused('portal'));
    await ask();
    expect(lines()).toHaveLength(3);
  });
});
