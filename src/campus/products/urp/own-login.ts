import { hash } from 'node:crypto';
import { failures } from '../../../domain/errors.ts';
import { formLogin } from '../../contract/form-login.ts';
import { isRedirect, type SignIn } from '../../contract/sign-in.ts';
import { fail, signInUnread } from '../../contract/sign-in-failures.ts';
import { formsIn } from '../../parsing/forms.ts';
import { attributeOf, htmlTokens } from '../../parsing/html-tokens.ts';
import { standingTexts } from '../../parsing/page-messages.ts';
import { passwordCipherIn } from '../../parsing/password-cipher.ts';

// The login of academic affairs itself, where no unified login stands in front of it. Every login shows an image.

const md5 = (text: string): string => hash('md5', text);
/** What `hex_md5` of the product is, unless it is called with '1.8'. */
const saltPassword = (password: string): string => md5(`${password}{Urp602019}`);

const forms = {
  plain: (password: string) => password,
  md5,
  'md5-pair': (password: string) => `${saltPassword(password)}*${md5(password)}`,
  'md5-twice': (password: string) => `${md5(saltPassword(password))}*${md5(md5(password))}`,
} as const;
/** What the login wants in place of a password. */
export type PasswordForm = keyof typeof forms;

const isForm = (name: string): name is PasswordForm => name in forms;

/** @throws Error where the form is none */
export const passwordIn = (form: string, password: string): string => {
  if (!isForm(form)) throw new Error('no form of a password');
  return forms[form](password);
};

const FIELD = "$('#input_password')";
const P = `${FIELD}.val()`;
/** What the button puts into the field. With '1.8' it says which function it calls, and decides alone. */
const expressions: ReadonlyArray<readonly [PasswordForm, expression: string]> = [
  ['md5', `hex_md5(${P})`],
  ['md5-pair', `hex_md5(${P}+'{Urp602019}')+'*'+hex_md5(${P})`],
  ['md5-pair', `hex_md5(${P})+'*'+hex_md5(${P},'1.8')`],
  ['md5-twice', `hex_md5(hex_md5(${P}),'1.8')+'*'+hex_md5(hex_md5(${P},'1.8'),'1.8')`],
];
/** Any other page may change the password as well. */
const harmless: ReadonlySet<string> = new Set(['$', 'val', 'submit', 'click', 'focus', 'if', 'getElementById']);

/** Form null: the button says nothing that we can read. Not sure: it does not say which function it calls. */
const formToldBy = (onclick: string): { readonly form: PasswordForm | null; readonly isSure: boolean } | 'other' => {
  const script = onclick.replace(/\s+/g, '').replace(/["`]/g, "'").replaceAll('jQuery(', '$(');
  const [form, expression = ''] = expressions.find(([, each]) => script.includes(`${FIELD}.val(${each})`)) ?? [];
  const rest = script.replace(expression, '').replaceAll(P, '');
  if (rest.includes('hex_md5')) return 'other';
  if (form !== undefined) return { form, isSure: expression.includes("'1.8'") };
  if (rest.includes(`${FIELD}.val(`)) return 'other';
  const calls = [...rest.matchAll(/(?<![\w$])([\w$]+)\(/g)].map(([, name = '']) => name);
  const isPlain = calls.length > 0 && calls.every((name) => harmless.has(name));
  return { form: isPlain ? 'plain' : null, isSure: isPlain };
};

/**
 * @param onclick of the button that sends the form; empty: there is none
 * @param wanted what the manifest says
 * @returns null where the two disagree or neither says it: a wrong form looks like a wrong password
 */
export const passwordFormOf = (onclick: string, wanted?: PasswordForm): PasswordForm | null => {
  const told = formToldBy(onclick);
  if (told === 'other') return null;
  const given = wanted ?? (told.isSure ? told.form : null);
  return told.form === null || told.form === given ? given : null;
};

/** Null: it is not the login of this product. `token`: null where the page has none. */
export const parseOwnLogin = (page: string): { readonly token: string | null; readonly onclick: string } | null => {
  const found = formsIn(page).map(({ inputs }) => {
    const input = (id: string, name: string) => inputs.find((each) => each.id === id || each.name === name);
    const isPair = input('input_username', 'j_username') && input('input_password', 'j_password');
    const isLogin = isPair !== undefined && input('input_checkcode', 'j_captcha') !== undefined;
    return { isLogin, token: input('tokenValue', 'tokenValue')?.value ?? null };
  });
  const form = found.find(({ isLogin }) => isLogin);
  if (form === undefined) return null;
  const button = htmlTokens(page).find(
    (token) => token.kind === 'open' && attributeOf(token.attributes, 'id') === 'loginButton',
  );
  const onclick = button?.kind === 'open' ? (attributeOf(button.attributes, 'onclick') ?? '') : '';
  return { token: form.token, onclick };
};

/** `wanted`: the form of the password, where the page does not say it. */
export const urpLogin = (wanted?: PasswordForm): SignIn => {
  const read = (text: string) => {
    const page = parseOwnLogin(text);
    return page && { token: page.token, form: passwordFormOf(page.onclick, wanted) };
  };
  return formLogin({
    page: () => '/login',
    action: '/j_spring_security_check',
    readForm(text) {
      const { form = null, token = null } = read(text) ?? {};
      if (form === null) return null;
      const values = { form, ...(token !== null && { token }) };
      const captcha = { field: 'j_captcha', image: 'img/captcha.jpg?' };
      return { kind: 'login-page', lt: '', execution: '', captcha, standing: standingTexts(text), values };
    },
    unknownCipher(text) {
      const page = read(text);
      if (page?.form === null) return 'form of its own';
      return page && passwordCipherIn(text, page.form === 'plain' ? 'nothing' : 'des');
    },
    fields: ({ values: { form = '', token } = {} }, { userid, password }, image) => [
      ['j_username', userid],
      ['j_password', passwordIn(form, password)],
      ['j_captcha', image],
      ...(token === undefined ? [] : [['tokenValue', token] as const]),
    ],
    stepIn: () => null,
    acceptSession: () => null,
    saidIn(answer, call) {
      const { status, location } = answer;
      if (!isRedirect(status)) return status === 200 ? null : signInUnread(call.step, answer);
      const [target, home] = [call.leadsBack(location, '/login'), call.locate('', '/')?.pathname ?? ''];
      // A servlet may write its session into the path.
      const path = target?.pathname.replace(/;.*/, '');
      if (path === home || path === `${home}index.jsp`) return { kind: 'signed-in' };
      const code = path === `${home}login` ? target?.searchParams.get('errorCode') : null;
      if (code === 'badCaptcha') return 'image';
      return code === 'badCredentials' ? fail(failures.credentialsRefused(call.step, 'refused')) : null;
    },
  });
};
