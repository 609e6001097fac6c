import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { pictures } from '../support/images.ts';
import { profileCalls } from '../support/profile-calls.ts';

let gateway: Gateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

/** A student who has used everything that leaves something behind; gives what the files must not hold afterwards. */
const lived = async ({ userid, password, vpnPassword }: typeof first, picture: Buffer) => {
  const token = await gateway.register({ userid, password, vpnPassword });
  const nickname = `nick-${userid}`;
  const slogan = `slogan-${userid}`;
  const calls = profileCalls(gateway, token);
  await calls.put('/profile/user/update', { nickname, slogan, avatar_uuid: await calls.stage('avatar', picture) });
  await calls.stage('background', picture);
  expect((await gateway.b('GET', '/jwc/academic/info', { token })).status).toBe(200);
  expect((await gateway.b('GET', '/aac/credit/info', { token })).status).toBe(200);
  return [userid, nickname, slogan, picture.subarray(-60, -20)];
};
const found = (marks: readonly (string | Buffer)[]) => {
  const bytes = gateway.databaseBytes();
  return marks.filter((mark) => bytes.includes(mark));
};

it('an account that was erased leaves nothing in the database file and beside it; the other one stays', async () => {
  const marks = await lived(first, pictures.jpeg);
  const kept = await lived(second, pictures.progressive);
  expect(found(marks)).toEqual(marks);
  const { userid, password, vpnPassword } = first;
  const login = await gateway.b('POST', '/auth/login/next', { body: { userid, password, vpn_password: vpnPassword } });
  const { token } = login.body.data;
  const body = { password, vpn_password: vpnPassword };
  expect((await gateway.b('POST', '/auth/account/delete', { token, body })).status).toBe(200);
  await vi.waitFor(() => expect(found(marks)).toEqual([]));
  expect(found(kept)).toEqual(kept);
});
