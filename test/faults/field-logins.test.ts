import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoCampusSwitches } from '../../src/demo/types.ts';
import { answerSchemas } from '../support/answer-schemas.ts';
import type { Answer } from '../support/gateway-rig.ts';
import type { DocumentedOperation } from '../support/openapi-operations.ts';
import { callAsCase, caseOf, nameOf } from './calls.ts';
import { everyFault } from './kinds.ts';
import { FaultWorld } from './world.ts';

// What portals and logins in the field answer, under one operation of each application: the right value or a failure,
// and never the word that a password is wrong.

let world: FaultWorld;
let operations: readonly DocumentedOperation[];
let well: Partial<DemoCampusSwitches>;
beforeAll(async () => {
  world = await FaultWorld.start();
  well = { ...world.gateway.demo.switches };
  operations = answerSchemas(world.gateway.app).operations.filter(
    (operation) => everyFault.has(nameOf(operation)) && caseOf(operation).writes === undefined,
  );
}, 60_000);
afterAll(() => world.close());

const words = (text: string): Partial<DemoCampusSwitches> => ({ unifiedLoginWords: { text, also: 'right' } });

const refusals = /PASSWORD_ERROR|CREDENTIALS_INVALID|NEED_RESET_PASSWORD/;
const saysRefused = ({ text, body }: Answer): boolean =>
  refusals.test(text) || /请检查用户名和密码/.test(body?.message ?? '');
const isSuccess = ({ status, body }: Answer): boolean => status === 200 && (body?.code ?? 200) === 200;

describe.each<[name: string, switches: Partial<DemoCampusSwitches>, works: boolean]>([
  ['two forms', { unifiedLoginForms: 'two' }, true],
  ['a landing that is lost', { landing: 'no port' }, true],
  ['a wrong image in English', { captcha: 'unannounced', captchaWords: 'English' }, false],
  ['a policy by its number', { loginPolicy: 'number' }, false],
  ['a policy in English', { loginPolicy: 'English' }, false],
  ['a policy in Chinese', { loginPolicy: 'Chinese' }, false],
  ['a salt', { unifiedLoginSalt: true }, false],
  ['a new password on a page', { unifiedLoginChange: 'page' }, false],
  ['a new password by a redirect', { unifiedLoginChange: 'redirect' }, false],
  ['a locked account', words('账号已锁定'), false],
  ['a locked account in English', words('Your account is locked'), false],
  ['an image', words('The verification code is incorrect'), false],
  ['a campus that is closed', words('系统维护中'), false],
  ['other words', words('系统异常 7'), false],
])('%s', (_name, switches, works) => {
  it('is the right value or a failure, and no wrong password', async () => {
    for (const operation of operations) {
      const student = await world.registered();
      world.allOver();
      const { answer: before } = await callAsCase(world, operation, student);
      expect(isSuccess(before), nameOf(operation)).toBe(true);
      world.allOver();
      Object.assign(world.gateway.demo.switches, switches);
      world.gateway.demo.student(student.userid).expireUnifiedLogin();
      world.gateway.demo.student(student.userid).expirePortal();
      const isCold = { fault: { kind: 'delay', ms: 0 }, systems: [], isCold: true } as const;
      const { answer, requests } = await callAsCase(world, operation, student, { trouble: isCold });
      Object.assign(world.gateway.demo.switches, well);
      const said = `${nameOf(operation)}: ${answer.status} ${answer.text.slice(0, 200)}`;
      expect(saysRefused(answer), said).toBe(false);
      if (works) expect(isSuccess(answer), said).toBe(true);
      if (isSuccess(answer) && caseOf(operation).everNew !== true)
        expect(answer.body.data, said).toEqual(before.body.data);
      for (const path of ['/por/login_psw.csp', '/cas/login']) {
        const sent = requests.filter((request) => request.method === 'POST' && request.path === path);
        expect(sent.length, said).toBeLessThanOrEqual(1);
      }
    }
  }, 120_000);
});
