import type { PersonalStep, SignInStep } from '../../domain/errors.ts';
import { asksNewPassword } from '../parsing/forms.ts';
import { judgeShown, showsSlider } from '../parsing/page-messages.ts';
import { elsewhere, type NeedsPerson } from './sign-in.ts';
import { type Failed, withWords } from './sign-in-failures.ts';
import { outcomeOf } from './told.ts';

/** What a page of the login says of the password that it was sent. `image`: it wants the text of one. */
export type AfterPassword = NeedsPerson | Failed | 'image' | { readonly kind: 'unread'; readonly words: string };

/** `standing`: texts that stood on the page before. */
export const readAfterPassword = (
  page: string,
  login: { stepIn(text: string): PersonalStep | null },
  standing: readonly string[] = [],
  half: SignInStep = 'unified-login',
): AfterPassword => {
  if (asksNewPassword(page)) return elsewhere('password-change', 'accepted');
  const { meaning, words } = judgeShown(page, standing);
  const told = outcomeOf(half, meaning, words);
  if (told === 'image') return told;
  if (told !== null) return told.kind === 'failed' ? withWords(told, words) : told;
  // It stands there now, whatever became of the password.
  if (showsSlider(page)) return elsewhere('unknown', 'guarded');
  const step = login.stepIn(page);
  return step === null ? { kind: 'unread', words } : elsewhere(step, 'accepted');
};

const passwordMark = /pass|pwd|psw|mima/i;
/** A flow of the login goes on there. */
const flowMark = /execution|flow|event|step/i;

/** Where a login leads after a password without a ticket, within itself: null where that is its first page again. */
export const readRedirectInside = (target: URL, loginPath: string): NeedsPerson | null => {
  const query = [...target.searchParams.keys()].filter((name) => name !== 'service').join(' ');
  if (passwordMark.test(target.pathname) || passwordMark.test(query)) return elsewhere('password-change', 'accepted');
  return target.pathname === loginPath && !flowMark.test(query) ? null : elsewhere('unknown', 'accepted');
};
