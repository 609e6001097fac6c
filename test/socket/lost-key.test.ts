import { describe, expect, it, onTestFinished } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import { entryOf, first } from '../support/campus-rig.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { workingDirectory } from '../support/service-process.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const pair = entryOf(first);
const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');

const databases = {
  sqlite: async () => `sqlite:${workingDirectory()}/campus.db`,
  postgres: () => freshPostgresUrl(),
};

const logins: Record<string, (gateway: Gateway) => Promise<Answer>> = {
  A: (gateway) => gateway.a('/user/login', pair),
  B: (gateway) => gateway.b('POST', '/auth/login/next', { body: pair }),
};

/** A student is registered under one key, and the service continues with another. */
const afterLostKey = async (database: string): Promise<{ gateway: Gateway; token: string }> => {
  const demo = await startDemoCampus({ portalKeyPem: TEST_KEY_PEM });
  onTestFinished(() => demo.close());
  const before = await startGateway({ demo, env: { DATABASE_URL: database, SECRET_KEY: key(9) } });
  const token = await before.register();
  await before.close();
  const gateway = await startGateway({ demo, env: { DATABASE_URL: database, SECRET_KEY: key(10) } });
  onTestFinished(() => gateway.close());
  return { gateway, token };
};

describe.each(['sqlite', 'postgres'] as const)('after the key was lost, on %s', (database) => {
  it.each(['A', 'B'] as const)(
    'a login with the right pair on surface %s replaces what cannot be unsealed, and everything works again',
    async (surface) => {
      const { gateway, token } = await afterLostKey(await databases[database]());
      const refused = await gateway.b('GET', '/jwc/academic/info', { token });
      expect([refused.status, refused.body.error.code]).toEqual([403, 'USER_NEED_RESET_PASSWORD']);

      const { body } = (await (logins[surface] ?? logins.A)?.(gateway)) ?? {};
      const fresh = body.data.authme_token ?? body.data.token;
      expect(fresh).toMatch(/^[\w-]{43}$/);
      expect((await gateway.b('GET', '/jwc/academic/info', { token: fresh })).status).toBe(200);
      expect((await gateway.a('/jwc/fetch_academic_info', { token: fresh })).body.code).toBe(200);
      expect(await gateway.services.storage.accounts.foreignSeals()).toBe(0);
      expect(gateway.log()).not.toContain('TypeError');
      // The next login compares with the pair that this one has stored.
      expect((await logins[surface]?.(gateway))?.status).toBe(200);
    },
  );
});
