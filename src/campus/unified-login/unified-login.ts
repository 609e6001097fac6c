import type { PersonalStep } from '../../domain/errors.ts';

/** Field name and value, in the order in which they are sent. */
type Fields = ReadonlyArray<readonly [name: string, value: string]>;

export interface UnifiedLoginCredentials {
  readonly userid: string;
  readonly password: string;
}

/** A login page that takes a password. */
export interface LoginForm {
  readonly kind: 'login-page';
  fields(credentials: UnifiedLoginCredentials): Fields;
}

/**
 * What differs from product to product of the unified login: its pages. Their tickets, and where they are
 * asked for, are alike everywhere (service-ticket.ts).
 */
export interface UnifiedLogin {
  /** Null: the page takes no password. */
  readForm(text: string): LoginForm | null;
  /** Enough to tell a login page from a page of an application. */
  isLoginPage(text: string): boolean;
  /** What the page wants of a person besides the password; null: nothing. None can be taken here. */
  stepIn(text: string): PersonalStep | null;
  /** The page says that the password is wrong. */
  isRefusal(text: string): boolean;
}
