import { expect, it } from 'vitest';
import { unifiedLogin } from '../../../../src/campus/contract/form-login.ts';
import type { SignInCall } from '../../../../src/campus/contract/sign-in.ts';
import { plain } from '../../../../src/campus/products/cas/index.ts';
import type { HttpAnswer } from '../../../../src/campus/transport/http.ts';

const signIn = async (text: string) => {
  let asked = 0;
  const call: SignInCall = {
    now: 0,
    userid: '2023000001',
    step: 'unified-login',
    service: 'https://app.example/',
    renews: false,
    ask: () => {
      asked += 1;
      const answer: HttpAnswer = { kind: 'answer', status: 200, location: undefined, setCookies: [], text };
      return Promise.resolve(answer);
    },
    locate: () => null,
    leadsBack: () => null,
    saw: () => {},
  };
  const outcome = await unifiedLogin(plain).signIn(call, () => {
    throw new Error('a password was asked for');
  });
  return { outcome, asked };
};

it.each([
  ['<html><body><h1>系统维护中</h1><p>开放时间：7:00-23:00</p></body></html>', 'sign-in-unavailable', 'closed'],
  ['<p>您的IP已被封禁</p>', 'sign-in-guarded', 'blocked'],
  ['<div class="msg">访问过于频繁，请稍后再试</div>', 'sign-in-guarded', undefined],
])('a notice in place of a login is told at once, with its words: %s', async (page, kind, campusSays) => {
  const { outcome, asked } = await signIn(page);
  expect(asked).toBe(1);
  expect(outcome).toMatchObject({ kind: 'failed', failure: { kind, passwords: 'unsent' } });
  if (campusSays !== undefined) expect(outcome).toMatchObject({ failure: { campusSays } });
  expect(outcome).toMatchObject({ failure: { upstreamMessage: expect.stringMatching(/\S/) } });
});

it.each([
  '<html><body>没有这个页面</body></html>',
  `<p>${'新闻'.repeat(200)}</p><p>技术维护：信息中心</p>`,
  '<form><input name="q"></form><p>系统维护中</p>',
])('any other page is none: %s', async (page) => {
  const { outcome, asked } = await signIn(page);
  expect(asked).toBe(3);
  expect(outcome).toMatchObject({ failure: { kind: 'sign-in-unavailable', reason: 'malformed' } });
});
