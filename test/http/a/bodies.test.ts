import { describe, expect, it } from 'vitest';
import { surfaceA, typedOperations } from './support.ts';

describe.each(typedOperations)('%s', (path, body) => {
  it('with a body over its limit answers code 413 in the envelope', async () => {
    const { postText } = await surfaceA();
    const hasImages = path === '/user/profile/update';
    const limit = hasImages ? 16 * 1_048_576 : path === '/jwc/evaluation/start' ? 524_288 : 65_536;
    const ofSize = (size: number) => postText(path, `{"a":"${'x'.repeat(size - 8)}"}`, 'application/json');
    expect((await ofSize(limit)).statusCode).toBe(422);
    const response = await ofSize(limit + 1);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ code: 413, message: hasImages ? '图片过大' : '请求体过大', data: null });
  });

  it('with too many brackets or members answers like one that is too large', async () => {
    const { postText } = await surfaceA();
    const hasImages = path === '/user/profile/update';
    const most = hasImages ? 200 : 2_000;
    const deep = (brackets: number) => `${'['.repeat(brackets / 2)}${']'.repeat(brackets / 2)}`;
    const taken = await postText(path, deep(most), 'application/json');
    expect(taken.statusCode).toBe(422);
    expect(taken.body.length).toBeLessThan(400);
    const message = hasImages ? '图片过大' : '请求体过大';
    for (const heavy of [deep(most + 2), `{${Array.from({ length: most }, (_, at) => `"${at}":1`).join(',')}}`]) {
      expect((await postText(path, heavy, 'application/json')).json()).toEqual({ code: 413, message, data: null });
    }
  });

  it('with a bad request body costs no look-up and no campus sign-in', async () => {
    const { post, services } = await surfaceA();
    const bad = 'request' in body ? { ...body, request: { page_size: 0 } } : { unknown: 1 };
    expect((await post(path, bad)).statusCode).toBe(422);
    const { accounts, academics } = services;
    const asked = [...Object.values(accounts), ...Object.values(academics)].filter(
      (each) => 'calls' in each && each.calls.length > 0,
    );
    expect(asked).toEqual([]);
  });
});

describe('a bad body', () => {
  it('wins over a bad token', async () => {
    const { post } = await surfaceA();
    const response = await post('/jwc/fetch_term_score', { AuthmeRequest: { token: 'bad' }, request: {} });
    expect(response.statusCode).toBe(422);
    expect(response.json().detail).toEqual([
      { type: 'missing', loc: ['body', 'request', 'term_id'], msg: 'Field required', input: {} },
    ]);
  });

  it.each(typedOperations.filter(([path]) => path.startsWith('/user/')))(
    'of %s is never echoed, no matter what stands in it and where',
    async (path, good) => {
      const { post } = await surfaceA();
      const marker = 20230914;
      const wrong = Object.fromEntries(Object.keys(good).map((name) => [name, marker]));
      for (const body of [wrong, { other: marker }, [marker], marker, String(marker), { ...wrong, settings: marker }]) {
        const response = await post(path, body);
        expect(response.statusCode).toBe(422);
        expect(response.body).not.toContain(String(marker));
        for (const item of response.json().detail) expect(Object.keys(item)).toEqual(['type', 'loc', 'msg']);
      }
    },
  );
});

describe('a client that wants Chinese', () => {
  const send = async (path: string, payload: object | string) => {
    const { app } = await surfaceA();
    const headers = { 'accept-language': 'zh-CN', 'content-type': 'application/json' };
    return (await app.inject({ method: 'POST', url: `/api/v1${path}`, payload, headers })).json();
  };

  it('reads the words of findings in Chinese; everything for machines stays', async () => {
    const body = { AuthmeRequest: {}, request: { term_id: 't', page_size: 1000 } };
    expect(await send('/jwc/fetch_term_score', body)).toEqual({
      detail: [
        { type: 'missing', loc: ['body', 'AuthmeRequest', 'token'], msg: '缺少必填字段', input: {} },
        {
          type: 'less_than_equal',
          loc: ['body', 'request', 'page_size'],
          msg: '应小于或等于 100',
          input: 1000,
          ctx: { le: 100 },
        },
      ],
    });
    const place = { type: 'json_invalid', loc: ['body', 1], input: {}, ctx: { error: 'Expecting value' } };
    expect(await send('/user/authme', '{')).toEqual({ detail: [{ ...place, msg: '请求体不是有效的 JSON' }] });
  });
});
