import { Type } from '@sinclair/typebox';
import { address, type LoginDriver } from '../../contract/driver.ts';
import { casPage, type UnifiedLoginPages, unifiedLogin } from '../../contract/form-login.ts';
import type { UnifiedLogin } from '../../contract/portal.ts';
import { halfOf, isRedirect, type LoginForm, needsPersonElsewhere } from '../../contract/sign-in.ts';
import { beforeCredentials, signInUnread } from '../../contract/sign-in-failures.ts';
import { encryptPassword, parseLoginPage, parseQuestion, SALT, unknownCipher } from './pages.ts';
import { asScript, CodeHalf, checkCode, meetSecondStep, sendCode } from './second-step.ts';

// The unified login of many campuses, in two generations. It says by account whether an image is wanted beside the
// password, and may want a code after it.

const encrypt = (password: string, salt = ''): string =>
  salt === '' ? password : (encryptPassword(password, salt) ?? '');

const pages: UnifiedLoginPages = {
  isLoginPage: (text) => parseLoginPage(text) !== null,
  readForm: parseLoginPage,
  // Its further steps are redirects.
  stepIn: () => null,
  unknownCipher,

  fields({ values: { [SALT]: salt, ...fields } = {}, captcha }: LoginForm, { userid, password }, image) {
    const typed = { username: userid, password: encrypt(password, salt) };
    const field = captcha?.field ?? '';
    const isSent = image !== '' || field === 'captcha' || field in fields;
    return Object.entries({ ...fields, ...typed, ...(isSent && { [field]: image }) });
  },

  async wantsImage(call, { captcha }) {
    const userid = encodeURIComponent(call.userid);
    const isNew = captcha?.field === 'captcha';
    const path = isNew
      ? `/checkNeedCaptcha.htl?username=${userid}&_=${call.now}`
      : `/needCaptcha.html?username=${userid}&pwdEncrypt2=pwdEncryptSalt`;
    const question = await beforeCredentials(
      call.step,
      () => call.ask({ method: 'GET', path, headers: asScript(call.locate('', '/login')?.href ?? '') }),
      ({ status, text }) => {
        const isWanted = status === 404 ? false : status === 200 ? parseQuestion(text) : null;
        return isWanted === null ? null : { isWanted };
      },
      (isKnown) => call.saw('image-question', isKnown),
    );
    if ('kind' in question) return question;
    return question.isWanted && captcha?.image === '' ? needsPersonElsewhere('unknown', 'unsent') : question.isWanted;
  },

  async saidIn(answer, call, service) {
    if (!isRedirect(answer.status)) return [200, 401].includes(answer.status) ? null : signInUnread(call.step, answer);
    const target = call.leadsBack(answer.location, casPage(service, false));
    if (target?.pathname.includes('/reAuthCheck/')) return meetSecondStep(call, target, service ?? '');
    return target?.pathname.includes('/improveInfo/') ? needsPersonElsewhere('unknown', 'accepted') : null;
  },
};

const createAuthserver = (): UnifiedLogin => {
  const login = unifiedLogin(pages);
  return {
    ...login,
    deviceTrust: ['MULTIFACTOR_BROWSER_FINGERPRINT'],
    async send(call, resume, target) {
      const code = halfOf(CodeHalf, resume);
      if (code !== null) return sendCode(call, code);
      const sent = await login.send?.(call, resume, target);
      // A login without images has a slider in their place.
      const isNone = sent?.kind === 'failed' && sent.failure.reason === 'no image';
      return sent === undefined || isNone ? needsPersonElsewhere('unknown', 'unsent') : sent;
    },
    async answer(call, resume, text, credentials) {
      const code = halfOf(CodeHalf, resume);
      if (code !== null) return checkCode(call, code, text);
      return (await login.answer?.(call, resume, text, credentials)) ?? signInUnread(call.step);
    },
  };
};

export const authserver: LoginDriver = {
  kind: 'login',
  options: Type.Object({
    url: address,
    attended: Type.Optional(Type.Boolean({ description: 'true where every login shows an image; else leave it out' })),
  }),
  attended: ({ attended }) => attended === true,
  challenges: ['captcha', 'sms', 'totp', 'elsewhere'],
  create: createAuthserver,
};
