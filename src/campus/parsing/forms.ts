import { attributeOf, htmlTokens } from './html-tokens.ts';

export interface FormInput {
  readonly name: string;
  readonly id: string;
  /** In lower case. */
  readonly type: string;
  readonly value: string;
}

export interface PageForm {
  /** Empty for the fields that stand in no form. */
  readonly id: string;
  readonly inputs: readonly FormInput[];
  readonly images: ReadonlyArray<{ readonly id: string; readonly source: string }>;
}

const mostForms = 200;

/** The forms of a page in its order, each with its own fields, and last the fields that stand in none. */
export const formsIn = (page: string): PageForm[] => {
  const loose = { id: '', inputs: [] as FormInput[], images: [] as { id: string; source: string }[] };
  const forms: (typeof loose)[] = [];
  let open = loose;
  for (const token of htmlTokens(page)) {
    if (token.kind === 'close' && token.name === 'form') open = loose;
    if (token.kind !== 'open') continue;
    const of = (name: string): string => attributeOf(token.attributes, name) ?? '';
    if (token.name === 'form' && forms.length < mostForms) {
      // A form that is not closed ends where the next one begins.
      open = { id: of('id'), inputs: [], images: [] };
      forms.push(open);
    } else if (token.name === 'img') {
      open.images.push({ id: of('id'), source: of('src') });
    } else if (token.name === 'input') {
      const wanted = of('form');
      const owner = wanted === '' ? open : (forms.find(({ id }) => id === wanted) ?? open);
      owner.inputs.push({
        name: of('name'),
        id: of('id'),
        type: of('type').toLowerCase() || 'text',
        value: of('value'),
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

const passwordsOf = ({ inputs }: PageForm): ReadonlySet<string> =>
  new Set(inputs.filter(({ type }) => type === 'password').map(({ name, id }) => name || id));

const hasUser = ({ inputs }: PageForm): boolean => inputs.some(({ name }) => userName.test(name));

const setsPassword = (form: PageForm): boolean => {
  const names = [...passwordsOf(form)];
  if (names.length > 1) return !hasUser(form) || names.some((name) => newPassword.test(name));
  return names.length === 1 && !hasUser(form) && !oldPassword.test(names[0] ?? '');
};

export const takesPassword = (form: PageForm): boolean =>
  passwordsOf(form).size > 0 || form.inputs.some(({ name }) => name === 'password');

/** The form that signs a student in; null: none does. */
export const signInForm = (forms: readonly PageForm[]): PageForm | null => {
  const taking = forms.filter((form) => takesPassword(form) && !setsPassword(form));
  return taking.find(hasUser) ?? taking[0] ?? null;
};

/** The page wants a new password, and offers no sign-in. */
export const asksNewPassword = (page: string): boolean => {
  const forms = formsIn(page);
  return signInForm(forms) === null && forms.some(setsPassword);
};
