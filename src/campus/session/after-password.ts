import type { NeedsPerson, UnifiedLogin } from '../contract/portal.ts';
import { elsewhere } from '../contract/portal.ts';
import type { Failed } from '../contract/sign-in-failures.ts';
import { withWords } from '../contract/sign-in-failures.ts';
import { toldBy } from '../contract/told.ts';
import { asksNewPassword } from '../parsing/forms.ts';
import { judgeShown } from '../parsing/page-messages.ts';

const STEP = 'unified-login' as const;

/** What a page of the login says of the password that it was sent. `image`: it wants the text of one. */
export type AfterPassword = NeedsPerson | Failed | 'image' | { readonly kind: 'unread'; readonly words: string };

/** `standing`: texts that stood on the page before. */
export const readAfterPassword = (
  page: string,
  login: Pick<UnifiedLogin, 'stepIn'>,
  standing: readonly string[] = [],
): AfterPassword => {
  if (asksNewPassword(page)) return elsewhere('password-change', 'accepted');
  const { meaning, words } = judgeShown(page, standing);
  const told = toldBy(STEP, meaning);
  if (told === 'image') return told;
  if (told !== null) return told.kind === 'failed' ? withWords(told, words) : told;
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
