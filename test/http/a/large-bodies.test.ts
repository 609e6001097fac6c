import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { addCallContext } from '../../../src/http/call/call-context.ts';
import { ByteBudget } from '../../../src/http/limits/byte-budget.ts';
import { LargeBodies } from '../../../src/http/limits/large-bodies.ts';
import { registerSurfaceA, type SurfaceADeps } from '../../../src/surfaces/a/index.ts';
import { fakeServices } from '../../support/fake-services.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { callsOf, depsOf, signedIn } from './support.ts';

/** The surface alone, with less room than the application gives it. */
const surfaceWith = async (http: Partial<SurfaceADeps['http']>) => {
  const services = fakeServices();
  const app = fastify();
  addCallContext(app, 30_000);
  await registerSurfaceA(app, depsOf(services, http));
  return { services, ...callsOf(app) };
};

const mebibyte = 1_048_576;
const image = { type: 'png', tag: 'x', bytes: Buffer.alloc(2 * mebibyte) } as const;
const profile = { nickname: 'x', avatar: image, background: null, settings: null };
const busy = { code: 503, message: '服务繁忙，请稍后重试', data: null };

describe('while too many large calls are under way', () => {
  it('an update with images is not taken, and one without them is', async () => {
    const { post, services } = await surfaceWith({ bodies: new LargeBodies(new ManualClock(), mebibyte) });
    const refused = await post('/user/profile/update', { ...signedIn, avatar: 'A'.repeat(2 * mebibyte) });
    expect([refused.statusCode, refused.json(), refused.headers['retry-after']]).toEqual([503, busy, '10']);
    expect(services.profiles.updateAppProfile.calls).toEqual([]);
    expect((await post('/user/profile/update', { ...signedIn, nickname: 'x' })).json().code).toBe(200);
  });

  it('a profile with images is not sent, but the result of an update is', async () => {
    const { post, services } = await surfaceWith({ answers: new ByteBudget(mebibyte) });
    expect((await post('/user/profile/get', signedIn)).json().code).toBe(200);
    services.profiles.appProfile.returns(profile);
    services.profiles.updateAppProfile.returns({ profile, imagesRefused: false });
    const refused = await post('/user/profile/get', signedIn);
    expect([refused.statusCode, refused.json(), refused.headers['retry-after']]).toEqual([503, busy, '5']);
    const { code, data } = (await post('/user/profile/update', { ...signedIn, nickname: 'x' })).json();
    expect([code, data.avatar.length]).toEqual([200, 22 + image.bytes.toString('base64').length]);
  });
});
