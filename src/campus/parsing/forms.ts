import { ElementScope, isHidden, isVoidElement } from './hidden-elements.ts';
import { attributeOf, htmlTokens } from './html-tokens.ts';

export interface FormInput {
  readonly name: string;
  readonly id: string;
  /** In lower case. */
  readonly type: string;
  readonly value: string;
  /** It, or an element around it. */
  readonly isHidden: boolean;
}

export interface PageForm {
  /** Empty for the fields that stand in no form. */
  readonly id: string;
  readonly inputs: readonly FormInput[];
  readonly images: ReadonlyArray<{ readonly id: string; readonly source: string; readonly isHidden: boolean }>;
  /** It is not shown, but it may be later. */
  readonly isHidden: boolean;
}

const mostForms = 200;

/** The forms of a page in its order, each with its own fields, and last the fields that stand in none. */
export const formsIn = (page: string): PageForm[] => {
  const emptyForm = (id: string, isHidden: boolean) => ({
    id,
    inputs: [] as FormInput[],
    images: [] as Array<PageForm['images'][number]>,
    isHidden,
  });
  const loose = emptyForm('', false);
  const hidden = new ElementScope();
  const forms: (typeof loose)[] = [];
  let open = loose;
  for (const token of htmlTokens(page)) {
    if (token.kind === 'close') {
      hidden.closes(token.name);
      if (token.name === 'form') open = loose;
    }
    if (token.kind !== 'open') continue;
    const isOwnHidden = isHidden(token.name, token.attributes);
    if (!isVoidElement(token.name)) {
      hidden.opens(token.name);
      if (!hidden.isOpen && isOwnHidden) hidden.begin(token.name);
    }
    const isNotShown = hidden.isOpen || isOwnHidden;
    const of = (name: string): string => attributeOf(token.attributes, name) ?? '';
    if (token.name === 'form' && forms.length < mostForms) {
      // A form that is not closed ends where the next one begins.
      open = emptyForm(of('id'), isNotShown);
      forms.push(open);
    } else if (token.name === 'img') {
      open.images.push({ id: of('id'), source: of('src'), isHidden: isNotShown });
    } else if (token.name === 'input') {
      const type = of('type').toLowerCase() || 'text';
      // A browser does not send it.
      if (type === 'hidden' && attributeOf(token.attributes, 'disabled') !== null) continue;
      const wanted = of('form');
      const owner = wanted === '' ? open : (forms.find(({ id }) => id === wanted) ?? open);
      owner.inputs.push({
        name: of('name'),
        id: of('id'),
        type,
        value: of('value'),
        isHidden: isNotShown,
      });
    }
  }
  return [...forms, loose];
};

/** Names of the field for a user name, at any product. */
const userName = /user|account|login_?name|yhm|^(?:uid|xh|un|name)$/i;
/** Names of a field for a password that exists, as against a new one. */
const oldPassword = /^(?:j_)?(?:user)?_?(?:password|passwd|pwd|psw|pass|mm)(?:text)?$/i;
const newPassword = /new|confirm|again|repeat|retype|verify|second|^re_?p|p\w{0,20}2$/i;

/** Names of a field for the code of a second step, which may hide what is typed. */
const codeName =
  /^(?:\w{0,12}_?(?:otp|totp|token)|(?:\w{0,12}_?(?:verify|auth|check|valid\w{0,5}|sms|otp|dynamic|mfa))?_?code|dynamic_?(?:pass(?:word)?|pwd))$/i;

export const takesCode = ({ name, id, type }: FormInput): boolean => type === 'password' && codeName.test(name || id);

const passwordFieldsOf = ({ inputs }: PageForm): ReadonlySet<string> =>
  new Set(inputs.filter((input) => input.type === 'password' && !takesCode(input)).map(({ name, id }) => name || id));

const hasUser = ({ inputs }: PageForm): boolean => inputs.some(({ name }) => userName.test(name));

const setsPassword = (form: PageForm): boolean => {
  const names = [...passwordFieldsOf(form)];
  if (names.length > 1) return !hasUser(form) || names.some((name) => newPassword.test(name));
  return names.length === 1 && !hasUser(form) && !oldPassword.test(names[0] ?? '');
};

export const takesPassword = (form: PageForm): boolean =>
  passwordFieldsOf(form).size > 0 || form.inputs.some(({ name }) => name === 'password');

/** The form that signs a student in; one that is shown goes before one that is not. Null: none does. */
export const signInForm = (forms: readonly PageForm[]): PageForm | null => {
  const taking = forms
    .filter((form) => takesPassword(form) && !setsPassword(form))
    .toSorted((one, other) => Number(one.isHidden) - Number(other.isHidden));
  return taking.find(hasUser) ?? taking[0] ?? null;
};

/** The page wants a new password, and offers no sign-in. */
export const asksNewPassword = (page: string): boolean => {
  const forms = formsIn(page);
  return signInForm(forms) === null && forms.some(setsPassword);
};
