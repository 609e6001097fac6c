import { afterEach, expect, it } from 'vitest';
import { entryOf, first } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';

const INFO = '/jwc/academic/info';
let gateway: Gateway | undefined;
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

const entry = entryOf(first);

it('what is in memory is not answered after a logout everywhere and a login, nor after an erasure and a registration', async () => {
  const opened = await startGateway({ env: { FRESH_SECONDS: '600' } });
  gateway = opened;
  const asks = async (token: string): Promise<boolean> => {
    opened.demo.resetRequests();
    expect((await opened.b('GET', INFO, { token })).status).toBe(200);
    return opened.wire().includes('jwc POST /main/academicInfo');
  };
  const token = await opened.register(first);
  expect([await asks(token), await asks(token)]).toEqual([true, false]);
  expect((await opened.b('POST', '/auth/logout/all', { token })).status).toBe(200);
  const login = await opened.b('POST', '/auth/login/next', { body: entry });
  const next = login.body.data.token;
  expect([await asks(next), await asks(next)]).toEqual([true, false]);
  expect((await opened.b('DELETE', '/auth/account', { token: next, body: entry })).status).toBe(200);
  const again = await opened.register(first);
  expect([await asks(again), await asks(again)]).toEqual([true, false]);
});
