import { afterEach, expect, it, vi } from 'vitest';
import type { first } from '../support/campus-rig.ts';
import { entryOf } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { pictures } from '../support/images.ts';
import { profileCalls } from '../support/profile-calls.ts';
import { testCampuses } from '../support/test-campuses.ts';

let gateway: Gateway;
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
  expect((await gateway.b('GET', '/jwc/exam/info', { token })).status).toBe(200);
  // With its own ticket, where there is such an application.
  expect([200, 501]).toContain((await gateway.b('GET', '/aac/credit/info', { token })).status);
  return [userid, nickname, slogan, picture.subarray(-60, -20)];
};
const found = (marks: readonly (string | Buffer)[]) => {
  const bytes = gateway.databaseBytes();
  return marks.filter((mark) => bytes.includes(mark));
};

const title = 'behind $name an erased account leaves nothing in the database file and beside it; the other one stays';
it.each(testCampuses)(title, async ({ env, first, second }) => {
  gateway = await startGateway({ env });
  const marks = await lived(first, pictures.jpeg);
  const kept = await lived(second, pictures.progressive);
  expect(found(marks)).toEqual(marks);
  const body = entryOf(first);
  const { token } = (await gateway.b('POST', '/auth/login/next', { body })).body.data;
  expect((await gateway.b('POST', '/auth/account/delete', { token, body })).status).toBe(200);
  await vi.waitFor(() => expect(found(marks)).toEqual([]));
  expect(found(kept)).toEqual(kept);
});
