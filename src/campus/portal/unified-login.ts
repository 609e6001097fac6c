import { Type } from '@sinclair/typebox';
import type { PersonalStep } from '../../domain/errors.ts';
import type { RecordOf } from '../../domain/record.ts';
import type { Credentials } from './portal.ts';

/** Field name and value, in the order in which they are sent. */
type Fields = ReadonlyArray<readonly [name: string, value: string]>;

/** A login page that takes a password, as plain data: any process can fill it in. */
export const LoginForm = Type.Object({
  kind: Type.Literal('login-page'),
  /** Empty where the product has none. */
  lt: Type.String(),
  execution: Type.String(),
  /** The page shows an image, whose characters go into that field. `image`: its address, as the page names it. */
  captcha: Type.Union([Type.Null(), Type.Object({ field: Type.String(), image: Type.String() })]),
});
export type LoginForm = RecordOf<typeof LoginForm>;

/**
 * The pages of a unified login, which differ from product to product. Their tickets, and where they are
 * asked for, are alike everywhere (service-ticket.ts).
 */
export interface UnifiedLogin {
  /** Null: the page takes no password. */
  readForm(text: string): LoginForm | null;
  /** `image`: the characters that the person has read off; empty where the page shows none. */
  fields(form: LoginForm, credentials: Credentials, image: string): Fields;
  /** Distinguishes a login page from a page of an application. */
  isLoginPage(text: string): boolean;
  /** Returns the step that the page wants of a person in place of a password, or null. None can be taken here. */
  stepIn(text: string): PersonalStep | null;
  /** The page says that the password is wrong. */
  isRefusal(text: string): boolean;
}
