import type { PersonalStep } from '../../../domain/errors.ts';
import type { LoginForm } from '../../contract/sign-in.ts';
import { type FormInput, formsIn, signInForm, takesCode } from '../../parsing/forms.ts';
import { standingTexts } from '../../parsing/page-messages.ts';

const TYPED: ReadonlySet<string> = new Set(['text', 'tel', 'number', 'email', 'search']);
/** Names that pages give to the field of a captcha and to its image. */
const CAPTCHA = /captcha|kaptcha|(?:auth|rand|check|valid|verif\w{0,20})_?code|yzm/i;
const isLoginField = (name: string): boolean => name === 'username' || name === 'lt' || name === 'execution';

interface CasLoginPage {
  readonly form: LoginForm;
  readonly takesPassword: boolean;
  /** It has a field to type in that no plain login has. */
  readonly asksMore: boolean;
  readonly ofLogin: boolean;
}

/** Reads the form that holds the password, and no field of another one; where none does, all fields of the page. */
export const parseLoginPage = (text: string): CasLoginPage => {
  const forms = formsIn(text);
  const chosen = signInForm(forms);
  const inputs = chosen?.inputs ?? forms.flatMap((each) => each.inputs);
  const images = chosen?.images ?? forms.flatMap((each) => each.images);
  const isCaptcha = (...names: readonly string[]): boolean => names.some((name) => CAPTCHA.test(name));
  // The first field of each name counts.
  const valueNamed = (wanted: string): string => inputs.find(({ name }) => name === wanted)?.value ?? '';
  const isTyped = (input: FormInput): boolean => TYPED.has(input.type) || takesCode(input);
  const more = inputs.filter((input) => isTyped(input) && !isLoginField(input.name) && input.name !== 'password');
  // One that is hidden within its form is not wanted yet.
  const isShown = ({ isHidden }: { readonly isHidden: boolean }): boolean => !isHidden || chosen?.isHidden === true;
  const field = more.find((each) => isCaptcha(each.name, each.id) && isShown(each))?.name ?? '';
  const image = images.find((each) => isCaptcha(each.source, each.id) && isShown(each))?.source ?? '';
  const standing = standingTexts(text);
  const form = {
    kind: 'login-page',
    lt: valueNamed('lt'),
    execution: valueNamed('execution'),
    captcha: image !== '' && field !== '' ? { field, image } : null,
    ...(standing.length > 0 && { standing }),
  } as const;
  const ofLogin = inputs.some(({ name }) => name === 'username' || name === 'lt');
  return { form, takesPassword: chosen !== null, asksMore: more.length > 0, ofLogin };
};

/**
 * CAS continues a login by `execution`, and no known page says which step it wants. A field to type in makes it one, no
 * matter what words stand beside it.
 */
export const stepIn = (text: string): PersonalStep | null => {
  if (!text.includes('execution')) return null;
  const { form, takesPassword, asksMore, ofLogin } = parseLoginPage(text);
  if (takesPassword || form.execution === '') return null;
  return asksMore || !ofLogin ? 'unknown' : null;
};
