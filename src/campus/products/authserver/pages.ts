import { createCipheriv, randomBytes, randomInt } from 'node:crypto';
import type { LoginForm } from '../../contract/sign-in.ts';
import { scriptsIn } from '../../parsing/elements.ts';
import { formsIn, type PageForm } from '../../parsing/forms.ts';
import { showsSlider, standingTexts } from '../../parsing/page-messages.ts';
import { passwordCipherIn } from '../../parsing/password-cipher.ts';
import { readFlagOrNull } from '../../parsing/row-reader.ts';
import { isMembers, type Literal, readLiteral, withoutComments } from '../../parsing/script-values.ts';

/** The value of a form that holds the key of the password's cipher; all others are fields to send, in their order. */
export const SALT = '#salt';

const mostFields = 40;
const pressed: ReadonlySet<string> = new Set(['checkbox', 'radio', 'submit', 'button', 'image', 'reset', 'file']);
/** A page may hold others, of which one is older: a right password under its key would look like a wrong one. */
const saltVariable = /(?<![\w$])pwd(?:Default)?EncryptSalt\s{0,4}=\s{0,4}["']([^"'\n]{1,100})["']/g;

/** The other forms of a page have fields of the same names and ids, and the first of them takes no password. */
const passwordForm = (forms: readonly PageForm[]): PageForm | undefined =>
  forms.find(({ inputs }) => inputs.some(({ name, value }) => name === 'cllt' && value === 'userNameLogin')) ??
  forms.find(({ id }) => id === 'pwdFromId') ??
  forms.find(({ id }) => id === 'casLoginForm');

const saltIn = (page: string, forms: readonly PageForm[]): string => {
  const inputs = forms.flatMap((form) => form.inputs);
  const field = inputs.find(({ id, value }) => /^pwd(?:Default)?EncryptSalt$/.test(id) && value !== '');
  const scripts = field === undefined ? scriptsIn(page).filter((script) => script.includes('EncryptSalt')) : [];
  const stated = scripts.flatMap((script) =>
    [...withoutComments(script).matchAll(saltVariable)].map(([, salt]) => salt),
  );
  const [variable = '', ...others] = new Set(stated);
  // The scripts of the product take blanks away as well.
  return (field?.value ?? (others.length > 0 ? '' : variable)).trim();
};

/** Null: the page has no form for name and password, or wants something slid first. */
export const parseLoginPage = (page: string): LoginForm | null => {
  const forms = formsIn(page);
  const form = passwordForm(forms);
  if (form === undefined || showsSlider(page)) return null;
  const isNew = form.id !== 'casLoginForm';
  const named = form.inputs.filter(({ name, type }) => name !== '' && !pressed.has(type));
  const given = new Map<string, string>();
  // The first field of each name counts.
  for (const { name, value } of named) if (!given.has(name)) given.set(name, value);
  const execution = given.get('execution') ?? '';
  if (execution === '' || given.size > mostFields) return null;
  const lt = given.get('lt') ?? '';
  const fields = isNew
    ? { _eventId: 'submit', cllt: 'userNameLogin', dllt: 'generalLogin', lt, execution }
    : Object.fromEntries(given);
  // A slider takes the place of the image where the page knows one.
  const image = page.includes('openSliderCaptcha') ? '' : isNew ? 'getCaptcha.htl?' : 'captcha.html';
  return {
    kind: 'login-page',
    lt,
    execution,
    captcha: { field: isNew ? 'captcha' : 'captchaResponse', image },
    standing: standingTexts(page),
    values: { ...fields, [SALT]: saltIn(page, [form, ...forms]) },
  };
};

/** What the page wants done to the password that cannot be done; null: nothing. */
export const unknownCipher = (page: string): string | null => {
  const salt = parseLoginPage(page)?.values?.[SALT] ?? '';
  if (salt === '') return passwordCipherIn(page, 'nothing');
  return encryptPassword('', salt) === null ? 'salt of another length' : null;
};

/** Small answers are JSON or script literals. Scalars are read as texts. */
export const membersIn = (text: string): ReadonlyMap<string, Literal> => {
  const answer = text.length > 10_000 ? undefined : readLiteral(text.trim());
  return isMembers(answer) ? answer : new Map([['', answer ?? null]]);
};

/** Whether an image is wanted; null: the answer does not say. */
export const parseQuestion = (text: string): boolean | null => {
  const answer = membersIn(text);
  const said = answer.get('isNeed') ?? answer.get('');
  return readFlagOrNull(said);
};

const alphabet = 'ABCDEFGHJKMNPQRSTWXYZabcdefhijkmnprstwxyz2345678';
const letter = (): string => alphabet.charAt(randomInt(alphabet.length));

/**
 * AES-CBC over 64 characters and the password under the bytes of the salt. The iv garbles none but those characters, and
 * is not sent. Null: no key has the length of this salt; under a wrong one a right password looks like a wrong one.
 */
export const encryptPassword = (
  password: string,
  salt: string,
  before = Array.from({ length: 64 }, letter).join(''),
  iv: Uint8Array = randomBytes(16),
): string | null => {
  const key = Buffer.from(salt, 'utf8');
  if (![16, 24, 32].includes(key.length)) return null;
  const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, iv);
  return Buffer.concat([cipher.update(before + password, 'utf8'), cipher.final()]).toString('base64');
};
